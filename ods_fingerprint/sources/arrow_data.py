"""Anything that gives Arrow data, opened once: its schema, and its batches as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds

from ..errors import SourceError, first_line
from ..schema import Schema, refuse_doubles
from . import files, rebase
from . import source as places
from .files import BATCH_ROWS
from .source import Hive


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
    """Open a path, a file that was read whole, a Dataset, or what has `__arrow_c_stream__`."""
    if isinstance(source, (str, PathLike)):
        path = fspath(source)
        if not isinstance(path, str):
            raise SourceError(f"a path is a text, not {path!r}")
        return _from(*places.stream(path, version, hive))
    if isinstance(source, bytes) and version is None:
        return _from(*files.stream_of(source, "standard input"))
    if version is not None or hive is not None:
        raise SourceError(f"version and hive belong to a path, not to a {type(source).__name__}")
    if isinstance(source, ds.Dataset):
        batches = source.to_batches(batch_size=BATCH_ROWS, batch_readahead=1, fragment_readahead=1)
        old = rebase.of_schema(source.schema, _footers(source), "the Dataset")
        return _from(source.schema, old.checked(batches))
    if not hasattr(source, "__arrow_c_stream__"):
        kind = type(source).__name__
        raise SourceError(
            f"a {kind} gives no Arrow data: it has no __arrow_c_stream__; "
            "a connection is given together with the name of a table"
        )
    reader = _reader(source)
    if not isinstance(source, duckdb.DuckDBPyRelation):
        arrow, kind = reader.schema, type(source).__name__
        old = rebase.of_schema(arrow, [arrow.metadata], f"the {kind}")
        batches = old.checked(_read(reader))
        return ArrowData(Schema.from_arrow(arrow), arrow, batches, close=reader.close)
    schema = _of_relation(source)
    return ArrowData(schema, reader.schema, _read(reader), infinities=True, close=reader.close)


def _reader(source: object) -> pa.RecordBatchReader:
    try:
        if isinstance(source, duckdb.DuckDBPyRelation):
            return source.to_arrow_reader(BATCH_ROWS)  # DuckDB 1.5 streams a million rows at once
        if isinstance(source, pa.Table):
            return source.to_reader(BATCH_ROWS)  # PyArrow 23 crashes where a stream damages a view
        return pa.RecordBatchReader.from_stream(source)
    except Exception as error:  # whatever the exporter raises, its own text says what is wrong
        kind = type(source).__name__
        raise SourceError(f"the {kind} gives no Arrow data: {first_line(error)}") from error


def _footers(source: ds.Dataset) -> Iterator[Mapping[bytes, bytes] | None]:
    """Yield the footers of the Parquet files of a Dataset."""
    for fragment in source.get_fragments():
        if isinstance(fragment, ds.ParquetFileFragment):
            yield fragment.metadata.metadata


def _read(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    try:
        yield from reader
    except (pa.ArrowException, duckdb.Error, OSError) as error:
        raise SourceError(f"the data cannot be read to its end: {first_line(error)}") from error


def _of_relation(relation: duckdb.DuckDBPyRelation) -> Schema:
    """Return the schema in DuckDB's own words: as Arrow, JSON is a string and HUGEINT a decimal."""
    refuse_doubles(relation.columns)
    kinds = (str(kind) for kind in relation.types)
    return Schema.from_sql(dict(zip(relation.columns, kinds)), "duckdb", origin="duckdb")


def _from(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> ArrowData:
    return ArrowData(Schema.from_arrow(schema), schema, batches)
