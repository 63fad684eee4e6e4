"""Anything that gives Arrow data, opened once: its schema, and its batches as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath

import pyarrow as pa
import pyarrow.dataset as ds

from ..errors import SchemaError, SourceError
from ..schema import Schema
from ..types import Boolean, Date, Decimal, Float, Integer, Nested, Other, String, Timestamp, Type
from . import source as places
from .files import BATCH_ROWS
from .source import Hive

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


@dataclass(frozen=True, slots=True)
class ArrowData:
    """Columns and batches of one source. `infinities`: it exports infinite timestamps as extremes."""

    schema: Schema
    arrow: pa.Schema
    batches: Iterator[pa.RecordBatch]
    infinities: bool = False


def opened(source: object, version: int | None = None, hive: Hive = None) -> ArrowData:
    """Open a path, a pyarrow Dataset, or anything with `__arrow_c_stream__`."""
    if isinstance(source, (str, PathLike)):
        path = fspath(source)
        if not isinstance(path, str):
            raise SourceError(f"a path is a text, not {path!r}")
        return _from(*places.stream(path, version, hive))
    if isinstance(source, ds.Dataset):
        batches = source.to_batches(batch_size=BATCH_ROWS, batch_readahead=1, fragment_readahead=1)
        return _from(source.schema, batches)
    if not hasattr(source, "__arrow_c_stream__"):
        kind = type(source).__name__
        raise SourceError(
            f"a {kind} gives no Arrow data: it has no __arrow_c_stream__; "
            "a connection is given together with the name of a table"
        )
    reader = pa.RecordBatchReader.from_stream(source)
    of_duckdb = type(source).__module__.partition(".")[0] in ("duckdb", "_duckdb")
    return _from(reader.schema, iter(reader), infinities=of_duckdb)


def cast(data: ArrowData, wanted: Schema) -> ArrowData:
    """Return the same rows with the columns cast to `wanted`; nothing may be lost by it."""
    names = [name.lower() for name in data.arrow.names]
    order = [column.name.lower() for column in wanted.columns]
    if sorted(names) != sorted(order):
        raise SchemaError(f"the schema names {', '.join(order)}; the data has {', '.join(names)}")
    arrow = pa.schema([(c.name, _arrow_type(c.name, c.type)) for c in wanted.columns])
    places_of = [names.index(name) for name in order]
    return _from(arrow, _cast(data.batches, arrow, places_of), infinities=data.infinities)


def _cast(
    batches: Iterator[pa.RecordBatch], arrow: pa.Schema, order: list[int]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        arrays: list[pa.Array] = []
        for field, at in zip(arrow, order):
            try:
                arrays.append(batch.column(at).cast(field.type, safe=True))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                raise SchemaError(f"column {field.name}: {error}") from None
        yield pa.RecordBatch.from_arrays(arrays, schema=arrow)


def _from(
    schema: pa.Schema, batches: Iterator[pa.RecordBatch], *, infinities: bool = False
) -> ArrowData:
    return ArrowData(Schema.from_arrow(schema), schema, batches, infinities)


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
