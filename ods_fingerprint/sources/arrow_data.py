"""Anything that gives Arrow data, opened once: its schema, and its batches as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.dataset as ds
from typing_extensions import TypeGuard

from ..errors import SchemaError, SourceError
from ..schema import Schema, refuse_doubles
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
    """Columns and batches of one source; `close` lets go of it, read or not.

    `infinities`: it exports infinite timestamps as extremes.
    """

    schema: Schema
    arrow: pa.Schema
    batches: Iterator[pa.RecordBatch]
    infinities: bool = False
    close: Callable[[], None] = lambda: None


def opened(source: object, version: int | None = None, hive: Hive = None) -> ArrowData:
    """Open a path, a pyarrow Dataset, or anything with `__arrow_c_stream__`."""
    if isinstance(source, (str, PathLike)):
        path = fspath(source)
        if not isinstance(path, str):
            raise SourceError(f"a path is a text, not {path!r}")
        return _from(*places.stream(path, version, hive))
    if version is not None or hive is not None:
        raise SourceError(f"version and hive belong to a path, not to a {type(source).__name__}")
    if isinstance(source, ds.Dataset):
        batches = source.to_batches(batch_size=BATCH_ROWS, batch_readahead=1, fragment_readahead=1)
        return _from(source.schema, batches)
    if not hasattr(source, "__arrow_c_stream__"):
        kind = type(source).__name__
        raise SourceError(
            f"a {kind} gives no Arrow data: it has no __arrow_c_stream__; "
            "a connection is given together with the name of a table"
        )
    reader = _reader(source)
    if not _is_relation(source):
        return ArrowData(
            Schema.from_arrow(reader.schema), reader.schema, _read(reader), close=reader.close
        )
    schema = _of_relation(source)
    return ArrowData(schema, reader.schema, _read(reader), infinities=True, close=reader.close)


def _reader(source: object) -> pa.RecordBatchReader:
    try:
        return pa.RecordBatchReader.from_stream(source)
    except Exception as error:  # whatever the exporter raises, its own text says what is wrong
        kind = type(source).__name__
        raise SourceError(f"the {kind} gives no Arrow data: {_first_line(error)}") from error


def _read(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    try:
        yield from reader
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"the data cannot be read to its end: {_first_line(error)}") from error


def _is_relation(source: object) -> TypeGuard[DuckDBPyRelation]:
    kind = type(source)
    return kind.__module__ in ("duckdb", "_duckdb") and kind.__name__ == "DuckDBPyRelation"


def _of_relation(relation: DuckDBPyRelation) -> Schema:
    """Return the schema in DuckDB's own words: as Arrow, JSON is a string and HUGEINT a decimal."""
    refuse_doubles(relation.columns)
    kinds = (str(kind) for kind in relation.types)
    return Schema.from_sql(dict(zip(relation.columns, kinds)), "duckdb", origin="duckdb")


def cast(data: ArrowData, wanted: Schema) -> ArrowData:
    """Return the same rows with the columns cast to `wanted`; nothing may be lost by it."""
    names = [name.lower() for name in data.arrow.names]
    order = [column.name.lower() for column in wanted.columns]
    if sorted(names) != sorted(order):
        raise SchemaError(f"the schema names {', '.join(order)}; the data has {', '.join(names)}")
    arrow = pa.schema([(c.name, _arrow_type(c.name, c.type)) for c in wanted.columns])
    places_of = [names.index(name) for name in order]
    cast_batches = _cast(data.batches, arrow, places_of)
    return ArrowData(
        Schema.from_arrow(arrow), arrow, cast_batches, data.infinities, data.close
    )


def _cast(
    batches: Iterator[pa.RecordBatch], arrow: pa.Schema, order: list[int]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        arrays: list[pa.Array] = []
        for field, at in zip(arrow, order):
            try:
                arrays.append(exactly(batch.column(at), field.type))
            except pa.ArrowException as error:
                raise SchemaError(f"column {field.name}: {error}") from None
        yield pa.RecordBatch.from_arrays(arrays, schema=arrow)


def _from(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> ArrowData:
    return ArrowData(Schema.from_arrow(schema), schema, batches)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


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
