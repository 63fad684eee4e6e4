"""Sums within the rounding of adding are equal, and nothing else is (R17, clause 9.9)."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from forms import floats, form, read
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ods_fingerprint as ods
from ods_fingerprint.tolerance import sum_rule

FINITE = st.floats(allow_nan=False, allow_infinity=False)
STEP = Fraction(1, 2**53)


def by_definition(a: float, b: float, finite: int, largest: float) -> str:
    """Return the rule in numbers that are never rounded, by integers alone."""
    one, two, edge = (Fraction(number) for number in (a, b, largest))
    if one == two:
        return "same"
    if abs(one - two) * 10**9 <= max(abs(one), abs(two)):
        return "1e-9"
    return "order" if (one - two) ** 2 * 4**53 <= finite**3 * edge**2 else "different"


def rule_of(a: float, b: float, finite: int, largest: float) -> str:
    found = sum_rule(a, b, finite, largest)
    if found is None:
        return "different"
    return "same" if found == "" else "1e-9" if "1e-9" in found else "order"


@settings(derandomize=True, max_examples=200, deadline=None)
@given(FINITE, FINITE, st.integers(1, 2**100), FINITE.map(abs))
@example(1.7e308, -1.7e308, 5 * 10**10, 1.7e308)
@example(1.7e308, -1.7e308, 2**127 - 1, 1.7e308)
@example(5e-324, 1e-323, 2, 5e-324)
@example(5e-324, 0.0, 2**80, 5e-324)
@example(0.0, 1e-300, 10**6, 0.0)
def test_the_decision_is_the_one_of_exact_arithmetic(a: float, b: float, n: int, m: float) -> None:
    assert rule_of(a, b, n, m) == rule_of(b, a, n, m) == by_definition(a, b, n, m)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(FINITE, st.integers(1, 10**12), st.sampled_from([0, 1, -1]))
def test_one_step_of_a_double_beside_the_relative_bound(total: float, n: int, steps: int) -> None:
    near = total * (1 - 1e-9)
    other = near if not steps else math.nextafter(near, math.inf * steps)
    assert rule_of(total, other, n, 0.0) == by_definition(total, other, n, 0.0)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_relative_bound_is_of_the_larger_sum_and_includes_its_edge(sign: int) -> None:
    total, edge = 1e9 * sign, (1e9 - 1) * sign
    assert rule_of(total, edge, 1, 0.0) == rule_of(edge, total, 1, 0.0) == "1e-9"
    assert rule_of(total, math.nextafter(edge, 0.0), 1, 0.0) == "different"
    assert rule_of(edge, (1e9 - 2) * sign, 1, 0.0) == "different"


@pytest.mark.parametrize("n", [1, 3, 1000, 10**6, 10**12])
@pytest.mark.parametrize("largest", [5e-324, 1.0, 4999.0, 1e16, 1.7e305])
def test_one_step_of_a_double_beside_the_order_bound(n: int, largest: float) -> None:
    bound = float(Fraction(largest) * STEP * math.isqrt(n**3 * 10**30) / 10**15)
    for apart in (bound, math.nextafter(bound, math.inf), math.nextafter(bound, 0.0), bound * 1.01):
        assert rule_of(0.0, apart, n, largest) == by_definition(0.0, apart, n, largest)
    assert rule_of(0.0, bound * 1.01 + 5e-324, n, largest) == "different"


def test_the_ledger_that_sums_to_0_is_equal_in_every_order_and_a_cent_is_not_lost() -> None:
    maker = random.Random(1)
    half = [round(maker.uniform(-4999, 4999), 2) for _ in range(50_000)]
    amounts = half + [-amount for amount in half]
    sums = set()
    for _ in range(5):
        maker.shuffle(amounts)
        sums.add(sum_in_order(amounts))
    assert len(sums) > 1  # the order did change the last digits
    low, high = min(amounts), max(amounts)
    books = [read(form(len(amounts), floats("amount", low, high, total))) for total in sums]
    for book in books:
        assert ods.compare(books[0], book).verdict == "equal"
    short = read(form(len(amounts), floats("amount", low, high, 0.01)))
    found = ods.compare(books[0], short)
    assert [d.figure for d in found.differences] == ["sum"]


def sum_in_order(amounts: list[float]) -> float:
    total = 0.0
    for amount in amounts:
        total = total + amount
    return total


@pytest.mark.parametrize(
    ("a", "b", "n", "largest", "words"),
    [
        (0.6, 0.6000000000000001, 3, 0.3, "sums differ by 2e-16 of their size: equal within 1e-9"),
        (
            0.0,
            2.3e-7,
            10**6,
            4999.0,
            "sums differ by 5e-11 of the largest value: equal within 1e-07, "
            "what adding 1000000 values in another order can change",
        ),
    ],
)
def test_r17_the_note_says_which_rule_made_them_equal(
    a: float, b: float, n: int, largest: float, words: str
) -> None:
    assert sum_rule(a, b, n, largest) == words
