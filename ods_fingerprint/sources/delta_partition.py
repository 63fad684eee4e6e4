"""A partition value of a Delta log, which is text, as the value that it stands for."""

from __future__ import annotations

import re
from datetime import date, time
from decimal import Decimal, InvalidOperation

import pyarrow as pa

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_FLOAT = re.compile(rf"{_DECIMAL.pattern}|NaN|[+-]?(?:Infinity|inf)")
_BOOLEAN = re.compile(r"true|false", re.IGNORECASE)
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})[ T]([0-9]{1,2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]{1,9}))?(?:(Z)|([+-])([0-9]{2}):?([0-9]{2}))?"
)
_EPOCH = date(1970, 1, 1).toordinal()


def scalar(text: str | None, kind: pa.DataType) -> pa.Scalar:
    """Return a partition value; None and '' are NULL, a text that is not of the type a ValueError.

    A timestamp without a zone is read as UTC, also where the column is an instant: the log does
    not say the zone of its writer.
    """
    if text is None or text == "":
        return pa.scalar(None, kind)
    try:
        return pa.scalar(_value(text, kind), kind)
    except (OverflowError, InvalidOperation, pa.ArrowException) as error:
        raise ValueError(str(error)) from error


def _value(text: str, kind: pa.DataType) -> str | bytes | bool | int | float | Decimal:
    if pa.types.is_string(kind):
        return text
    if pa.types.is_integer(kind):
        return int(_match(_INTEGER, text)[0])
    if pa.types.is_floating(kind):
        return float(_match(_FLOAT, text)[0])
    if pa.types.is_decimal(kind):
        return Decimal(_match(_DECIMAL, text)[0])
    if pa.types.is_boolean(kind):
        return _match(_BOOLEAN, text)[0].lower() == "true"
    if pa.types.is_date(kind):
        return _days(text)
    if pa.types.is_timestamp(kind):
        return _micros(text, zoned=kind.tz is not None)
    if pa.types.is_binary(kind) and text.isascii():
        return text.encode("ascii")
    raise ValueError(f"the type {kind} has no text form that is certain")


def _days(text: str) -> int:
    year, month, day = _match(_DATE, text).groups()
    return date(int(year), int(month), int(day)).toordinal() - _EPOCH


def _micros(text: str, zoned: bool) -> int:
    found = _match(_TIMESTAMP, text)
    clock = time(int(found[2]), int(found[3]), int(found[4]))
    fraction = (found[5] or "").ljust(9, "0")
    minutes = _offset(found)
    if fraction[6:] != "000" or (minutes and not zoned):
        raise ValueError(
            f"{text!r} has digits below a microsecond, or a zone that its type has not"
        )
    seconds = (clock.hour * 60 + clock.minute - minutes) * 60 + clock.second
    return (_days(found[1]) * 86_400 + seconds) * 1_000_000 + int(fraction[:6])


def _offset(found: re.Match[str]) -> int:
    """Return the minutes east of UTC."""
    if found[7] is None:
        return 0
    minutes = int(found[8]) * 60 + int(found[9])
    return -minutes if found[7] == "-" else minutes


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not written as such a value is")
    return found
