"""The seven figures of a float column, counted over batches (spec clause 6)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from ..figures import FigureName
from ..fingerprint import Value
from .exact_sum import ExactSum


@dataclass(slots=True)
class FloatFigures:
    """Running figures of one column of doubles."""

    nan: int = 0
    posinf: int = 0
    neginf: int = 0
    low: float | None = None
    high: float | None = None
    total: ExactSum = field(default_factory=ExactSum)

    def add(self, cells: pa.Array) -> None:
        """Add a float64 array; its nulls add nothing."""
        values = cells.drop_null()
        finite = values.filter(pc.is_finite(values))
        if len(finite) < len(values):
            self.nan += _count(pc.is_nan(values))
            self.posinf += _count(pc.equal(values, float("inf")))
            self.neginf += _count(pc.equal(values, float("-inf")))
        if len(finite):
            edges = pc.min_max(finite).as_py()
            self.low = edges["min"] if self.low is None else min(self.low, edges["min"])
            self.high = edges["max"] if self.high is None else max(self.high, edges["max"])
            self.total.add(finite)

    def values(self) -> dict[FigureName, Value]:
        """Return the figures but for the nulls."""
        return {
            "nan": self.nan,
            "posinf": self.posinf,
            "neginf": self.neginf,
            "min": self.low,
            "max": self.high,
            "sum": None if self.low is None else self.total.value(),
        }


def _count(flags: pa.BooleanArray) -> int:
    return int(flags.true_count)
