"""How far two sums of floats may lie apart and be equal: the rounding of adding (clause 9.9)."""

from __future__ import annotations

from fractions import Fraction

_PARTS = 10**9
_HALF_STEP = Fraction(1, 2**53)


def sum_rule(a: float, b: float, finite: int, largest: float) -> str | None:
    """Return the rule by which two finite sums are equal ('' where they are the same), or None.

    `finite` values of at most `largest` in magnitude were summed. Decided in exact arithmetic: a
    double that overflows on the way would make anything equal (R17).
    """
    one, other, edge = Fraction(a), Fraction(b), Fraction(largest)
    apart, size = abs(one - other), max(abs(one), abs(other))
    if not apart:
        return ""
    if apart * _PARTS <= size:
        return f"sums differ by {_brief(apart / size)} of their size: equal within 1e-9"
    if apart**2 <= finite**3 * (_HALF_STEP * edge) ** 2:
        bound = Fraction(finite**1.5) * _HALF_STEP
        return (
            f"sums differ by {_brief(apart / edge)} of the largest value: equal within "
            f"{_brief(bound)}, what adding {finite} values in another order can change"
        )
    return None


def _brief(part: Fraction) -> str:
    return f"{float(part):.0e}"
