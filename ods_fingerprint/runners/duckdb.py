"""Fingerprints on a DuckDB connection of the user's own, which is left as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from .. import table_name
from ..compiler import statements
from ..errors import ResultError, SourceError, first_line
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import Schema
from ..statement import Statement
from . import interruptible

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Relation: TypeAlias = tuple[str, str, str]

_CURRENT = "SELECT current_database(), current_schema()"
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


def resolve(connection: DuckDBPyConnection, table: str) -> Relation:
    """Return database, schema and name of a relation that is in the catalogue (never a file)."""
    wanted = [name.lower() for name, _ in table_name.parts(table)]
    database, schema_name = map(str, _rows(connection, _CURRENT)[0])
    known = [(str(d), str(s), str(t)) for d, s, t in _rows(connection, _RELATIONS)]
    found = [parts for parts in known if _matches(parts, wanted)]
    near = _nearest(found, wanted, database, schema_name)
    if near is None:
        raise SourceError(_not_one(table, found, known))
    return near


def _nearest(
    found: Sequence[Relation], wanted: Sequence[str], database: str, schema_name: str
) -> Relation | None:
    """Return the relation that DuckDB itself would take: temporary ones, then the current place."""
    if len(found) == 1:
        return found[0]
    as_database = [parts for parts in found if parts[0].lower() == wanted[0]]
    if len(wanted) > 2 or (len(wanted) == 2 and as_database):
        return None
    inside = wanted[0] if len(wanted) == 2 else None
    for place in (("temp", inside or "main"), (database, inside or schema_name.lower())):
        near = [parts for parts in found if (parts[0], parts[1].lower()) == place]
        if near:
            return near[0]
    return None


def _matches(parts: Relation, wanted: Sequence[str]) -> bool:
    lowered = [part.lower() for part in parts]
    in_main = len(wanted) == 2 and [lowered[0], lowered[2]] == wanted and lowered[1] == "main"
    return lowered[-len(wanted) :] == list(wanted) or in_main


def _not_one(table: str, found: list[Relation], known: list[Relation]) -> str:
    if found:
        return f"{table} could be {_listed(found)}: give its full name"
    there = _listed([parts for parts in known if parts[0] not in ("system",)])
    return (
        f"no table or view {table} in this DuckDB; there are: {there or 'none'} "
        "(a DataFrame or a file is given to compute itself, not its name)"
    )


def _listed(found: list[Relation]) -> str:
    own = [parts for parts in found if parts[1] not in ("information_schema", "pg_catalog")]
    shown = sorted(
        ".".join(parts)
        for parts in own
        if not parts[2].startswith(("duckdb_", "pragma_", "sqlite_"))
    )
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")


def _schema(connection: DuckDBPyConnection, parts: Relation) -> Schema:
    quoted = ".".join('"' + part.replace('"', '""') + '"' for part in parts)
    described = _rows(connection, f"DESCRIBE {quoted}")
    return Schema.from_sql(
        {str(row[0]): str(row[1]) for row in described}, "duckdb", origin="duckdb"
    )


def _run(connection: DuckDBPyConnection, statement: Statement) -> Fingerprint:
    rows = interruptible.run(lambda: _rows(connection, statement.text), connection.interrupt)
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
        raise SourceError(f"DuckDB: {first_line(error)}") from error


def _version(connection: DuckDBPyConnection) -> str:
    return str(_rows(connection, "SELECT version()")[0][0]).lstrip("v")
