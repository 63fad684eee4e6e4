"""Fingerprints on a DuckDB connection of the user's own, which is left as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import table_name
from ..compiler import Statement, statements
from ..errors import ResultError, SourceError
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import Schema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_RELATIONS = """
SELECT database_name, schema_name, table_name FROM duckdb_tables()
UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views()
"""


def schema(connection: DuckDBPyConnection, table: str) -> Schema:
    """Return the schema of a table or view, as DuckDB's catalogue has it."""
    return _schema(connection, resolve(connection, table))


def compute(
    connection: DuckDBPyConnection,
    table: str,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
) -> Fingerprint:
    """Return the fingerprint of a table or view; one statement, one row."""
    parts = resolve(connection, table)
    whole = _schema(connection, parts)
    chosen = whole.chosen(columns, skip)
    found = [_run(connection, statement) for statement in statements(parts, chosen, "duckdb")]
    return joined(found, whole, chosen, {"engine": f"DuckDB {_version(connection)}"})


def resolve(connection: DuckDBPyConnection, table: str) -> tuple[str, str, str]:
    """Return database, schema and name of a relation that is in the catalogue (never a file)."""
    wanted = [name.lower() for name, _ in table_name.parts(table)]
    current = _rows(connection, "SELECT current_database(), current_schema()")[0]
    known = [(str(d), str(s), str(t)) for d, s, t in _rows(connection, _RELATIONS)]
    found = [parts for parts in known if _matches(parts, wanted)]
    for database, schema_name in (("temp", None), (current[0], current[1]), (current[0], None)):
        near = [p for p in found if p[0] == database and schema_name in (None, p[1])]
        if near:
            found = near
            break
    if len(found) != 1:
        raise SourceError(_not_one(table, found, known))
    return found[0]


def _matches(parts: tuple[str, str, str], wanted: Sequence[str]) -> bool:
    lowered = [part.lower() for part in parts]
    in_main = len(wanted) == 2 and [lowered[0], lowered[2]] == wanted and lowered[1] == "main"
    return lowered[-len(wanted) :] == list(wanted) or in_main


def _not_one(
    table: str, found: list[tuple[str, str, str]], known: list[tuple[str, str, str]]
) -> str:
    if found:
        return f"{table} could be {_listed(found)}: give its full name"
    there = _listed([parts for parts in known if parts[0] not in ("system",)])
    return (
        f"no table or view {table} in this DuckDB; there are: {there or 'none'} "
        "(a DataFrame or a file is given to compute itself, not its name)"
    )


def _listed(found: list[tuple[str, str, str]]) -> str:
    own = [parts for parts in found if parts[1] not in ("information_schema", "pg_catalog")]
    shown = sorted(
        ".".join(parts)
        for parts in own
        if not parts[2].startswith(("duckdb_", "pragma_", "sqlite_"))
    )
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")


def _schema(connection: DuckDBPyConnection, parts: tuple[str, str, str]) -> Schema:
    quoted = ".".join('"' + part.replace('"', '""') + '"' for part in parts)
    described = _rows(connection, f"DESCRIBE {quoted}")
    return Schema.from_sql(
        {str(row[0]): str(row[1]) for row in described}, "duckdb", origin="duckdb"
    )


def _run(connection: DuckDBPyConnection, statement: Statement) -> Fingerprint:
    rows = _rows(connection, statement.text)
    names = tuple(str(column[0]) for column in connection.description or ())
    if len(rows) != 1 or names != statement.row_names:
        raise ResultError(
            f"one row of {len(statement.row_names)} figures was asked for, not what came back"
        )
    return from_values(statement.figures, rows[0])


def _rows(connection: DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    import duckdb

    try:
        return connection.execute(sql).fetchall()
    except duckdb.Error as error:
        raise SourceError(f"DuckDB: {str(error).splitlines()[0]}") from error


def _version(connection: DuckDBPyConnection) -> str:
    return str(_rows(connection, "SELECT version()")[0][0]).lstrip("v")
