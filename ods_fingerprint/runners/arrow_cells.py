"""Arrow arrays, prepared for the calculator: decoded, checked, timestamps as microseconds."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import SourceError, first_line
from ..schema import Column
from ..sources.encodings import plain
from ..types import (
    Boolean,
    Date,
    Decimal,
    Float,
    Integer,
    Nested,
    Other,
    String,
    Timestamp,
    Type,
)

_PER_UNIT = {"s": 1_000_000, "ms": 1_000, "us": 1}
_DAY_MS = 86_400_000
# how DuckDB exports its infinite timestamps
_INFINITE = (2**63 - 1, -(2**63 - 1))


def local(kind: Type) -> Type:
    """Return the type that a column has once its cells are prepared."""
    return Integer(64) if isinstance(kind, Timestamp) else kind


def prepared(array: pa.Array, column: Column, *, infinities: bool = False) -> pa.Array:
    """Return the cells of a column: no dictionary, no run ends, doubles for floats.

    Timestamps become int64 microseconds since 1970 in UTC, floored (R5).
    """
    try:
        cells = plain(array)
        if infinities and isinstance(column.type, Timestamp):
            _refuse_infinite(cells)
        return _cells(cells, column.type)
    except (pa.ArrowException, SourceError) as error:
        raise SourceError(f"column {column.name}: {first_line(error)}") from None


def _cells(cells: pa.Array, kind: Type) -> pa.Array:
    match kind:
        case Decimal(precision, scale):
            return _digits(cells.cast(pa.decimal128(precision, scale)), precision)
        case Float(bits):
            return cells if bits == 64 else cells.cast(pa.float64())
        case Timestamp(_, unit):
            return _microseconds(cells.view(pa.int64()), unit)
        case Date():
            return _days(cells)
        case Boolean():
            return cells if pa.types.is_boolean(cells.type) else cells.cast(pa.bool_())
        case String():
            return _utf8(cells)
        case Integer(bits, signed) if bits > 64:
            return _wide(cells, signed)
        case Nested() if pa.types.is_union(cells.type):
            raise SourceError(
                "Arrow cannot tell a NULL from a union whose member is NULL: leave it out (skip)"
            )
        case Integer() | Nested() | Other():
            return cells


def _digits(values: pa.Array, precision: int) -> pa.Array:
    """Return decimals; refuse stored integers of more digits, which a cast in DuckDB would cut."""
    try:
        values.validate(full=True)
    except pa.ArrowInvalid:
        raise SourceError(f"it holds a decimal of more than {precision} digits") from None
    return values


def _wide(values: pa.Array, signed: bool) -> pa.Array:
    """Return 128-bit integers, which DuckDB exports as the bits of a decimal of 38 digits."""
    values = _digits(values, 38)
    if not signed and pc.any(pc.less(values, 0)).as_py():
        raise SourceError(
            "it holds an integer of more than 127 bits, which DuckDB gives wrong as Arrow"
        )
    return values


def _utf8(text: pa.Array) -> pa.Array:
    """Return the text; refuse bytes that are not UTF-8, which readers let through (R12).

    A string view is made a string first: PyArrow 23 crashes when it validates one that is damaged.
    """
    if pa.types.is_string_view(text.type):
        text = text.cast(pa.large_string())
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        raise SourceError("it holds text that is not UTF-8") from None
    return text


def _microseconds(values: pa.Array, unit: str) -> pa.Array:
    if unit == "ns":
        return _floored(values, 1000)
    if unit == "us":
        return values
    try:
        return pc.multiply_checked(values, _PER_UNIT[unit])
    except pa.ArrowInvalid:
        raise SourceError("it holds a timestamp that 64 bits of microseconds cannot hold") from None


def _floored(values: pa.Array, divisor: int) -> pa.Array:
    """Divide toward minus infinity; Arrow's own division truncates toward zero."""
    quotient = pc.divide(values, divisor)
    below = pc.less(pc.subtract(values, pc.multiply(quotient, divisor)), 0)
    return pc.subtract(quotient, below.cast(pa.int64()))


def _days(values: pa.Array) -> pa.Array:
    if pa.types.is_date32(values.type):
        return values
    return _floored(values.view(pa.int64()), _DAY_MS).cast(pa.int32()).view(pa.date32())


def _refuse_infinite(values: pa.Array) -> None:
    if pc.any(pc.is_in(values.view(pa.int64()), value_set=pa.array(_INFINITE))).as_py():
        raise SourceError("it holds an infinite timestamp, which has no canonical text")
