"""The exact sum of doubles, whatever their order: added as integers, rounded once at the end."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

# a double is (mantissa) * 2 ** (max(exponent, 1) - 1075), its mantissa of 53 bits
_MANTISSA = (1 << 52) - 1
_HALF = 26


@dataclass(slots=True)
class ExactSum:
    """A running sum of finite doubles: one integer per binary exponent."""

    by_exponent: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, finite: pa.Array) -> None:
        """Add every value of a double array that holds no null, NaN or infinity."""
        bits = finite.view(pa.int64())
        exponent = pc.bit_wise_and(pc.shift_right(bits, 52), 2047)
        leading = pc.if_else(pc.equal(exponent, 0), 0, 1 << 52)
        mantissa = pc.add(pc.bit_wise_and(bits, _MANTISSA), leading)
        signed = pc.if_else(pc.less(bits, 0), pc.negate(mantissa), mantissa)
        # in halves, so that a sum over a batch stays within 64 bits
        high = pc.shift_right(signed, _HALF)
        low = pc.bit_wise_and(signed, (1 << _HALF) - 1)
        table = pa.table({"exponent": exponent, "high": high, "low": low})
        sums = table.group_by("exponent", use_threads=False).aggregate(
            [("high", "sum"), ("low", "sum")]
        )
        for row in sums.to_pylist():
            self.by_exponent[row["exponent"]] += (row["high_sum"] << _HALF) + row["low_sum"]

    def value(self) -> float:
        """Return the sum rounded to the nearest double; an infinity where it is out of range."""
        total = sum(units << max(exponent, 1) for exponent, units in self.by_exponent.items())
        try:
            return total / (1 << 1075)
        except OverflowError:
            return math.inf if total > 0 else -math.inf
