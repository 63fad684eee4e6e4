"""Whose connection it is: the runner that computes on it, chosen without importing an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from . import figures
from .errors import SourceError
from .fingerprint import Fingerprint
from .runners import snowflake_session, spark_session
from .schema import Schema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class _Way:
    schema: Callable[[], Schema]
    compute: Callable[..., Fingerprint]


def compute(
    connection: object,
    table: str,
    *,
    dialect: str | None = None,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    strict: bool = False,
    version: int | None = None,
) -> Fingerprint:
    """Return the fingerprint of a table on a connection, a session or a cursor."""
    way = _way(connection, table, dialect, version)
    if strict:
        figures.strictly(way.schema().chosen(columns, skip))
    return way.compute(columns=columns, skip=skip)


def refuse_version(source: str | bytes, version: int | None) -> None:
    """Refuse a version of what has none."""
    if version is not None:
        raise SourceError(f"{source!r} is not a Delta table: it has no versions")


def _way(connection: object, table: str, dialect: str | None, version: int | None) -> _Way:
    if snowflake_session.is_snowflake(connection) and dialect in (None, "snowflake"):
        from .runners import snowflake

        refuse_version(table, version)
        return _Way(
            partial(snowflake.schema, connection, table),
            partial(snowflake.compute, connection, table),
        )
    if dialect is not None:
        from .runners import dbapi

        return _Way(
            partial(dbapi.schema, connection, table, dialect, version=version),
            partial(dbapi.compute, connection, table, dialect, version=version),
        )
    if spark_session.is_spark(connection):
        from .runners import spark

        return _Way(
            partial(spark.schema, connection, table, version=version),
            partial(spark.compute, connection, table, version=version),
        )
    if _is_duckdb(connection):
        from .runners import duckdb

        refuse_version(table, version)
        return _Way(
            partial(duckdb.schema, connection, table), partial(duckdb.compute, connection, table)
        )
    raise SourceError(
        f"a {type(connection).__name__} is no connection that is known here; "
        "known: DuckDB and Snowflake connections, Spark and Snowpark sessions; "
        "and any DB-API cursor, with its `dialect`"
    )


def _is_duckdb(connection: object) -> TypeGuard[DuckDBPyConnection]:
    """Return whether this is a DuckDB connection, without importing DuckDB."""
    kind = type(connection)
    module = kind.__module__.partition(".")[0]
    return module in ("duckdb", "_duckdb") and kind.__name__ == "DuckDBPyConnection"
