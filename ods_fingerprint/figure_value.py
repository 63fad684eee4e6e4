"""The value of one figure: from a driver or a text, to and from JSON (spec clauses 4.5, 7.3)."""

from __future__ import annotations

import math
import operator
import re
from decimal import Decimal
from typing import SupportsIndex

from .errors import FingerprintError, ResultError, brief
from .figures import Figure, FigureName

_FLOATS = ("min", "max", "sum")
_OVERFLOWS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_DIGITS = re.compile(r"(-?[0-9]{1,99})(\.0*)?")
_EXPONENT = re.compile(r"-?[0-9.]+[eE][-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?(inf|infinity|nan)", re.IGNORECASE)
_HASH = re.compile(r"0|[1-9][0-9]{0,98}")
_EXACT_IN_A_DOUBLE = 1 << 53


def parse(figure: Figure, value: object) -> int | float | None:
    """Return a figure from what a driver or a text gave; refuse what may have lost digits (R3)."""
    where = f"{figure.column.name}: {figure.name}" if figure.column else figure.name
    if figure.name in _FLOATS:
        return _float(value, where)
    if value is None or (isinstance(value, str) and not value.strip()):
        raise ResultError(f"{where} is empty; a count or a hash is never NULL")
    return _whole(value, where)


def _whole(value: object, where: str) -> int:
    if isinstance(value, float) or type(value).__name__ in ("bool", "bool_"):  # numpy's too
        raise ResultError(
            f"{where} came as the {type(value).__name__} {brief(value)}: digits may be lost"
        )
    if isinstance(value, str):
        return _whole_text(value.strip(), where)
    if isinstance(value, Decimal):
        if value.is_finite() and value == value.to_integral_value() and value.adjusted() < 99:
            return int(value)
    elif isinstance(value, SupportsIndex):
        return operator.index(value)
    raise ResultError(f"{where} is {brief(value)}, not a whole number")


def _whole_text(value: str, where: str) -> int:
    found = _DIGITS.fullmatch(value)
    if found and (found[2] is None or abs(int(found[1])) <= _EXACT_IN_A_DOUBLE):
        return int(found[1])
    if found or _EXPONENT.fullmatch(value):
        raise ResultError(
            f"{where} is {brief(value)}: written with a point or an exponent, digits may be lost; "
            "copy it as text (a spreadsheet shortens long numbers), "
            "or have the engine give it as text"
        )
    raise ResultError(f"{where} is {brief(value)}, not a whole number")


def _float(value: object, where: str) -> float | None:
    if value is None or (isinstance(value, str) and value.strip() in ("", "NULL", "null")):
        return None
    found = None
    if isinstance(value, float):
        found = value
    elif isinstance(value, str):
        found = _float_of_text(value.strip())
    elif isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        found = _float_of_text(str(value))
    if found is None:
        raise ResultError(f"{where} is {brief(value)}, not a number that a double holds")
    return found + 0.0  # −0.0 is 0.0 (R15)


def _float_of_text(value: str) -> float | None:
    if _NOT_FINITE.fullmatch(value):
        return float(value)
    number = float(value) if _NUMBER.fullmatch(value) else math.inf
    return number if math.isfinite(number) else None


def to_json(name: FigureName, value: int | float | None) -> object:
    """Return a figure as JSON carries it: a hash as text, an overflowed sum as text (R3, R18)."""
    if name == "hash":
        return str(value)
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else str(value)
    return value


def from_json(name: FigureName, value: object, column: str) -> int | float | None:
    """Return a figure that `to_json` gave; refuse whatever it cannot have given (clause 8)."""
    where = f"column {column}: {name}"
    if name in _FLOATS:
        return _float_from_json(name, value, where)
    if name == "hash":
        if isinstance(value, str) and _HASH.fullmatch(value):
            return int(value)
        raise FingerprintError(f"{where} is {brief(value)}: a hash is a text of digits")
    if isinstance(value, int) and is_count(value):
        return value
    raise FingerprintError(f"{where} is {brief(value)}: a count is a whole number")


def _float_from_json(name: FigureName, value: object, where: str) -> float | None:
    if name == "sum" and isinstance(value, str) and value in _OVERFLOWS:
        return _OVERFLOWS[value]
    if value is None or type(value) in (int, float):
        found = _float(value, where)
        if found is None or math.isfinite(found):
            return found
    raise FingerprintError(f"{where} is {brief(value)}: a number that a double holds, or null")


def is_count(value: object) -> bool:
    """Return whether a JSON value is a whole number that can count something."""
    return type(value) is int and value >= 0
