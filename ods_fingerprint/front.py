"""The front door's functions: SQL for a schema, and a fingerprint of whatever holds data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from . import compiler, figures
from .compiler import At
from .errors import CompileError, SourceError
from .fingerprint import Fingerprint
from .schema import Schema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from .sources.files import Hive


def sql(
    table: str | Sequence[str],
    schema: object,
    dialect: str,
    *,
    exact: bool = False,
    version: int | None = None,
    timestamp: str | None = None,
) -> str:
    """Return the statement that fingerprints `table` on the engine of `dialect`.

    `schema`: a Schema, an Arrow schema, or {"column": "type"} in the words of `dialect`. `exact`
    keeps names as written where the dialect folds them. `version` or `timestamp` pins the read.
    """
    found = statements(table, schema, dialect, exact=exact, version=version, timestamp=timestamp)
    if len(found) > 1:
        raise CompileError(
            f"{len(found)} statements are needed within the limits of {dialect}: use `statements`"
        )
    return found[0]


def statements(
    table: str | Sequence[str],
    schema: object,
    dialect: str,
    *,
    exact: bool = False,
    version: int | None = None,
    timestamp: str | None = None,
) -> tuple[str, ...]:
    """Return the statements that fingerprint `table`; more than one only past a dialect's limits."""
    at = At(version, timestamp) if version is not None or timestamp is not None else None
    made = compiler.statements(table, schema_of(schema, dialect), dialect, exact=exact, at=at)
    return tuple(statement.text for statement in made)


def schema_of(schema: object, dialect: str) -> Schema:
    """Return a Schema from one, from an Arrow schema, or from {"column": "type"}."""
    if isinstance(schema, Schema):
        return schema
    if isinstance(schema, Mapping):
        return Schema.from_sql({str(name): words for name, words in schema.items()}, dialect)
    return Schema.from_arrow(schema)


def compute(
    source: object,
    table: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    strict: bool = False,
    schema: object = None,
    version: int | None = None,
    hive: Hive = None,
    progress: Callable[[int], None] | None = None,
) -> Fingerprint:
    """Return the fingerprint of a table.

    `source`: a DuckDB connection, with `table`; or anything with `__arrow_c_stream__`, a pyarrow
    Dataset, the path of a Parquet or Arrow file, of a folder of Parquet files or of a Delta table
    (at `version`). `schema` ({"column": "type"}) casts the columns of Arrow data first. `strict`
    refuses columns that version 1 does not cover. `progress` is told the rows read so far.
    """
    if table is not None:
        return _on_connection(source, table, columns, skip, strict)
    with _helped():
        from .runners import arrow
        from .sources import arrow_data

    found = arrow_data.opened(source, version, hive)
    if schema is not None:
        found = arrow_data.cast(found, schema_of(schema, "duckdb"))
    if strict:
        figures.strictly(found.schema.chosen(columns, skip))
    return arrow.compute(
        found.schema,
        found.batches,
        columns=columns,
        skip=skip,
        infinities=found.infinities,
        progress=progress,
    )


def _on_connection(
    connection: object,
    table: str,
    columns: Sequence[str] | None,
    skip: Sequence[str],
    strict: bool,
) -> Fingerprint:
    if type(connection).__module__.partition(".")[0] not in ("duckdb", "_duckdb"):
        raise SourceError(
            f"a {type(connection).__name__} is no connection that is known here; known: DuckDB"
        )
    from .runners import duckdb

    found: DuckDBPyConnection = connection  # narrowed by its module: duckdb is not imported here
    if strict:
        figures.strictly(duckdb.schema(found, table).chosen(columns, skip))
    return duckdb.compute(found, table, columns=columns, skip=skip)


@contextmanager
def _helped() -> Iterator[None]:
    """Say which extra is missing where an import fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("pyarrow", "duckdb"):
            raise
        raise SourceError(
            f"local data needs {missing}: pip install 'ods-fingerprint[duckdb]'"
        ) from error
