"""The front door's functions: SQL for a schema, and a fingerprint of whatever holds data."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, overload

from . import compiler, connections, judge
from .compiler import At
from .conform import Conform
from .conform import conform as asked
from .errors import CompileError, SourceError
from .fingerprint import Fingerprint
from .json_value import is_object
from .schema import Schema

if TYPE_CHECKING:
    from .sources.source import Hive

# what brings a package that is missing
_EXTRAS = {
    "pyarrow": "local data needs pyarrow: pip install 'ods-fingerprint[duckdb]'",
    "duckdb": "local data needs duckdb: pip install 'ods-fingerprint[duckdb]'",
    "pyspark": "spark:TABLE needs pyspark: install it, or run inside spark-submit",
    "snowflake": (
        "snowflake:NAME/TABLE needs the connector: pip install 'ods-fingerprint[snowflake]'"
    ),
}


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
    if len(found) != 1:
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
    """Return the statements that fingerprint `table`: several only past a dialect's limits."""
    at = At(version, timestamp) if version is not None or timestamp is not None else None
    made = compiler.statements(table, schema_of(schema, dialect), dialect, exact=exact, at=at)
    return tuple(statement.text for statement in made)


def schema_of(schema: object, dialect: str) -> Schema:
    """Return a Schema from one, from an Arrow schema, or from {"column": "type"}."""
    if isinstance(schema, Schema):
        return schema
    if is_object(schema):
        return Schema.from_sql({str(name): str(words) for name, words in schema.items()}, dialect)
    return Schema.from_arrow(schema)


def compute(
    source: object,
    table: str | None = None,
    *,
    dialect: str | None = None,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    strict: bool = False,
    schema: object = None,
    version: int | None = None,
    hive: Hive = None,
    progress: Callable[[int], None] | None = None,
) -> Fingerprint:
    """Return the fingerprint of a table.

    `source`: a DuckDB or Snowflake connection or a Spark or Snowpark session, with `table`; any
    DB-API cursor or connection, with `table` and the `dialect` of its engine; or anything with
    `__arrow_c_stream__`, a pyarrow Dataset, the path of a Parquet or Arrow file, of a folder of
    Parquet files or of a Delta table. `version` is one of a Delta table. `schema`
    ({"column": "type"}) casts the columns of Arrow data first. `strict` refuses columns that
    version 1 does not cover. `progress` is told the rows read so far.
    """
    if table is not None:
        if (schema, hive) != (None, None):
            raise SourceError("schema and hive belong to local data, not to a connection")
        return connections.compute(
            source,
            table,
            dialect=dialect,
            columns=columns,
            skip=skip,
            strict=strict,
            version=version,
        )
    if dialect is not None:
        raise SourceError(f"dialect {dialect!r} belongs to a connection: give its table too")
    with _helped():
        from .runners import local

        return local.compute(
            source,
            columns=columns,
            skip=skip,
            strict=strict,
            wanted=None if schema is None else schema_of(schema, "duckdb"),
            version=version,
            hive=hive,
            progress=progress,
        )


@overload
def conform(dialect: str) -> Conform: ...
@overload
def conform(dialect: str, *, result: str | Sequence[str]) -> judge.Judgement: ...
@overload
def conform(dialect: str, *, run: object) -> judge.Judgement: ...
def conform(
    dialect: str, *, result: str | Sequence[str] | None = None, run: object = None
) -> Conform | judge.Judgement:
    """Return the `statements` that hold every vector of the spec, or the judgement of an engine.

    `result`: the row that the statement returned, as CSV, TSV or JSON; several where there were
    several statements. `run`: the connection to run it on, a Spark or Snowpark session or any
    DB-API cursor or connection (DuckDB's, Snowflake's). A judgement is true where nothing failed.
    """
    found = asked(dialect)
    if result is not None and run is not None:
        raise SourceError("result and run: give one of them")
    if result is not None:
        return judge.judge_texts(found, [result] if isinstance(result, str) else result)
    if run is not None:
        from .runners import conforming

        return judge.judge(found, conforming.answers(run, found))
    return found


def conform_source(dialect: str, source: str) -> judge.Judgement:
    """Return the judgement of the engine that a SOURCE of the command line names."""
    scheme, colon, place = source.partition(":")
    with _helped():
        if colon and scheme == "duckdb":
            from .sources import source as places

            with places.duckdb_file(places.Source("duckdb", place or ":memory:")) as connection:
                return conform(dialect, run=connection)
        if (colon, scheme, place) == (":", "spark", ""):
            from .runners import spark_session

            return conform(dialect, run=spark_session.current())
        if colon and scheme == "snowflake" and place and "/" not in place:
            from .runners import snowflake_session

            with snowflake_session.opened(place) as there:
                return conform(dialect, run=there)
    raise SourceError(
        f"conform runs on duckdb:, duckdb:FILE, spark: or snowflake:NAME, not {source!r}"
    )


def schema(source: str | bytes, *, version: int | None = None, hive: Hive = None) -> Schema:
    """Return the schema of a SOURCE of the command line, as its own catalogue or file has it.

    Bytes are a Parquet or Arrow file that is not on a disk.
    """
    with _helped():
        from .sources import source as places

        found = places.parse(source) if isinstance(source, str) else None
        if found and found.kind == "spark":
            from .runners import spark, spark_session

            return spark.schema(spark_session.current(), found.table, version=version)
        if found and found.kind == "duckdb":
            from .runners import duckdb

            connections.refuse_version(source, version)
            with places.duckdb_file(found) as connection:
                return duckdb.schema(connection, found.table)
        if found and found.kind == "snowflake":
            from .runners import snowflake, snowflake_session

            connections.refuse_version(source, version)
            with snowflake_session.opened(found.place) as there:
                return snowflake.schema(there, found.table)
        from .runners import local

        return local.schema(source, version=version, hive=hive)


def compute_source(
    source: str | bytes,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    strict: bool = False,
    version: int | None = None,
    hive: Hive = None,
    progress: Callable[[int], None] | None = None,
) -> Fingerprint:
    """Return the fingerprint of a SOURCE of the command line; bytes as for `schema`."""
    with _helped():
        from .sources import source as places

        found = places.parse(source) if isinstance(source, str) else None
        on_it = partial(connections.compute, columns=columns, skip=skip, strict=strict)
        if found and found.kind == "spark":
            from .runners import spark_session

            return on_it(spark_session.current(), found.table, version=version)
        if found and found.kind == "duckdb":
            connections.refuse_version(source, version)
            with places.duckdb_file(found) as connection:
                return on_it(connection, found.table)
        if found and found.kind == "snowflake":
            from .runners import snowflake_session

            connections.refuse_version(source, version)
            with snowflake_session.opened(found.place) as there:
                return on_it(there, found.table)
        return compute(
            source,
            columns=columns,
            skip=skip,
            strict=strict,
            version=version,
            hive=hive,
            progress=progress,
        )


@contextmanager
def _helped() -> Generator[None, None, None]:
    """Say which extra is missing where an import fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _EXTRAS:
            raise
        raise SourceError(_EXTRAS[missing]) from error
