"""Arrow data cast to the types that a person states; nothing may be lost by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import SchemaError, first_line
from ..schema import Schema
from ..types import Boolean, Date, Decimal, Float, Integer, Nested, Other, String, Timestamp, Type
from .arrow_data import ArrowData
from .encodings import plain

_FLOATS = {16: pa.float16(), 32: pa.float32(), 64: pa.float64()}
_INTEGERS = {
    (8, True): pa.int8(),
    (16, True): pa.int16(),
    (32, True): pa.int32(),
    (64, True): pa.int64(),
    (8, False): pa.uint8(),
    (16, False): pa.uint16(),
    (32, False): pa.uint32(),
    (64, False): pa.uint64(),
}


def cast(data: ArrowData, wanted: Schema) -> ArrowData:
    """Return the same rows with the columns cast to `wanted`; refuse what would change a value."""
    names = [name.lower() for name in data.arrow.names]
    order = [column.name.lower() for column in wanted.columns]
    if sorted(names) != sorted(order):
        raise SchemaError(f"the schema names {', '.join(order)}; the data has {', '.join(names)}")
    arrow = pa.schema([(c.name, _arrow_type(c.name, c.type)) for c in wanted.columns])
    batches = _cast(data.batches, arrow, [names.index(name) for name in order])
    return replace(data, schema=Schema.from_arrow(arrow), arrow=arrow, batches=batches)


def _cast(
    batches: Iterator[pa.RecordBatch], arrow: pa.Schema, order: list[int]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        arrays: list[pa.Array] = []
        for field, at in zip(arrow, order):
            try:
                arrays.append(_exactly(plain(batch.column(at)), field.type))
            except pa.ArrowException as error:
                raise SchemaError(f"column {field.name}: {first_line(error)}") from None
        yield pa.RecordBatch.from_arrays(arrays, schema=arrow)


def _exactly(cells: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return the cells cast; refuse values that casting back does not bring back.

    PyArrow's safe casts still round decimals and floats, and cut the time off a date.
    """
    made = cells.cast(kind)
    if cells.type == kind or _is_text(cells.type) or pa.types.is_null(cells.type):
        return made
    back = made.cast(cells.type)
    kept = pc.equal(back, cells)
    if pa.types.is_floating(cells.type):
        kept = pc.or_(kept, pc.and_(pc.is_nan(back), pc.is_nan(cells)))
    if pc.any(pc.invert(kept)).as_py():
        raise pa.ArrowInvalid(f"a value of type {cells.type} would change as {kind}")
    return made


def _is_text(kind: pa.DataType) -> bool:
    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _arrow_type(name: str, kind: Type) -> pa.DataType:
    match kind:
        case Integer(bits, signed) if bits <= 64:
            return _INTEGERS[bits, signed]
        case Decimal(precision, scale):
            return pa.decimal128(precision, scale)
        case String():
            return pa.string()
        case Boolean():
            return pa.bool_()
        case Date():
            return pa.date32()
        case Timestamp(zoned, unit, zone):
            return pa.timestamp(unit, (zone or "UTC") if zoned else None)
        case Float(bits):
            return _FLOATS[bits]
        case Integer() | Nested() | Other():
            raise SchemaError(f"column {name}: Arrow data cannot be cast to this type")
