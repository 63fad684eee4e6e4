"""The local sum of doubles is exact, whatever the order: against fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ods_fingerprint.runners.exact_sum import ExactSum
from ods_fingerprint.runners.float_figures import FloatFigures

FINITE = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = 1.7976931348623157e308


def _exact(numbers: list[float]) -> float:
    total = sum(map(Fraction, numbers), Fraction())
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def _sum(*batches: list[float]) -> float:
    running = ExactSum()
    for numbers in batches:
        running.add(pa.array(numbers, pa.float64()))
    return running.value()


@given(st.lists(FINITE, min_size=1, max_size=60), st.integers(0, 60))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_any_doubles_in_any_batches(numbers: list[float], cut: int) -> None:
    assert _sum(numbers) == _exact(numbers)
    assert _sum(numbers[cut:], numbers[:cut]) == _exact(numbers)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([1e16, 1.0, -1e16], 1.0),
        ([1e308, 1e308, -1e308, -1e308], 0.0),
        ([1e308, 1e308], math.inf),
        ([-1e308, -1e308], -math.inf),
        ([LARGEST, 2.0**969], LARGEST),
        ([LARGEST, 2.0**970], math.inf),
        ([-LARGEST, -(2.0**970)], -math.inf),
        ([5e-324, 5e-324, 2.0**-1022], float.fromhex("0x1.0000000000002p-1022")),
        ([5e-324, -5e-324], 0.0),
        ([-0.0, -0.0], 0.0),
        ([0.1] * 10, 1.0),
        ([1.0, 2.0**-53, 2.0**-1074], 1.0000000000000002),
        ([1.0, 2.0**-53], 1.0),
        ([LARGEST] * 1000 + [-LARGEST] * 999, LARGEST),
        ([], 0.0),
    ],
)
def test_sums_that_a_running_double_gets_wrong(numbers: list[float], expected: float) -> None:
    assert _sum(numbers) == expected
    assert math.copysign(1.0, _sum(numbers)) == math.copysign(1.0, expected)


def test_a_long_batch_of_one_exponent_does_not_wrap() -> None:
    count = 3_000_000
    running = ExactSum()
    running.add(pa.array([2.0 - 2.0**-52], pa.float64()).take(pa.array([0] * count)))
    assert running.value() == float(count * Fraction(2.0 - 2.0**-52))


@given(st.lists(st.one_of(st.none(), st.floats()), max_size=40), st.integers(0, 40))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_the_seven_figures_are_those_of_plain_python(values: list[float | None], cut: int) -> None:
    figures = FloatFigures()
    figures.add(pa.array(values[:cut], pa.float64()))
    figures.add(pa.array(values[cut:], pa.float64()))
    finite = [x for x in values if x is not None and math.isfinite(x)]
    assert figures.values() == {
        "nan": sum(x is not None and math.isnan(x) for x in values),
        "posinf": values.count(math.inf),
        "neginf": values.count(-math.inf),
        "min": min(finite, default=None),
        "max": max(finite, default=None),
        "sum": _exact(finite) if finite else None,
    }
