"""Fingerprints on a Snowflake connection or Snowpark session of the user's own, left as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from .. import described
from .._version import VERSION
from ..compiler import At, source, statements, stored_parts
from ..dialect import load
from ..errors import ResultError, SourceError
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import SPEC, Schema
from ..statement import Statement
from .snowflake_policies import masking, question, row_access
from .snowflake_session import Connection, Cursor, Session, connection_of, is_deaf, running, said

_DIALECT = "snowflake"
# what a DBA sees of each statement; of the statement alone, so that no session is changed
_TAG: Mapping[str, str] = {"QUERY_TAG": f"{SPEC}, library {VERSION}"}
_VERSION = "SELECT CURRENT_VERSION()"
_NOW = "SELECT TO_CHAR(CONVERT_TIMEZONE('UTC', CURRENT_TIMESTAMP()), 'YYYY-MM-DD HH24:MI:SS.FF6')"


@dataclass(frozen=True, slots=True)
class _Result:
    names: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    def records(self) -> list[dict[str, str | None]]:
        """Return the rows as text by lower-case name, as a download has them."""
        names = [name.lower() for name in self.names]
        return [dict(zip(names, map(_text, row))) for row in self.rows]


def schema(given: Connection | Session, table: str) -> Schema:
    """Return the schema of a table or view, as DESCRIBE TABLE has it."""
    return _schema(_described(connection_of(given), _parts(table)))


def compute(
    given: Connection | Session,
    table: str,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
) -> Fingerprint:
    """Return the fingerprint of a table or view, as the current role sees it.

    One statement, one row; past the limit of Snowflake's query text several, all pinned to one
    moment (R23). A plain name is folded to capitals, a part in double quotes is exact.
    """
    connection, parts = connection_of(given), _parts(table)
    found = _described(connection, parts)
    whole = _schema(found)
    chosen = whole.chosen(columns, skip)
    engine, begun = {"engine": f"Snowflake {_one(connection, _VERSION)}"}, is_deaf(given)
    rows = [_run(connection, one, begun) for one in _statements(connection, parts, chosen)]
    result = joined(rows, whole, chosen, engine)
    kept = [column.name for column in chosen.columns]
    seen = (*masking(found.records(), kept), *_row_access(connection, parts))
    return replace(result, notes=(*result.notes, *seen))


def _statements(
    connection: Connection, parts: Sequence[str], chosen: Schema
) -> tuple[Statement, ...]:
    """Return the statement, or several that are pinned to Snowflake's own clock."""
    made = statements(parts, chosen, _DIALECT)
    if len(made) == 1:
        return made
    return statements(parts, chosen, _DIALECT, at=At(timestamp=f"{_one(connection, _NOW)}+00:00"))


def _parts(table: str) -> list[str]:
    return stored_parts(table, load(_DIALECT))


def _described(connection: Connection, parts: Sequence[str]) -> _Result:
    template = load(_DIALECT).catalog["columns"]
    return _asked(connection, template.replace("{table}", source(parts, load(_DIALECT), None)))


def _schema(found: _Result) -> Schema:
    kinds = described.types_of(found.records())
    return Schema.from_sql(kinds, _DIALECT, origin=_DIALECT)


def _run(connection: Connection, statement: Statement, begun: bool) -> Fingerprint:
    found = _asked(connection, statement.text, begun=begun)
    # a session with QUOTED_IDENTIFIERS_IGNORE_CASE gives every name in capitals
    names = tuple(name.lower() for name in found.names)
    if len(found.rows) != 1 or names != tuple(name.lower() for name in statement.row_names):
        raise ResultError(
            f"one row of {len(statement.row_names)} figures was asked for, "
            f"not what came back: {len(found.rows)} rows of {len(names)}"
        )
    return from_values(statement.figures, found.rows[0])


def _row_access(connection: Connection, parts: Sequence[str]) -> list[str]:
    """Return a note for each row access policy, or one that says why none can be seen."""
    place = parts[0] if len(parts) > 2 else connection.database
    if place is None:
        return []
    table = source(parts, load(_DIALECT), None)
    refused: list[str] = []
    # a view is refused as a table, a table as a view
    for domain in ("TABLE", "VIEW"):
        try:
            return row_access(_asked(connection, question(place, table, domain)).records())
        except SourceError as error:
            refused.append(str(error))
    return [f"whether a row access policy hides rows is not shown to this role: {refused[0]}"]


def _one(connection: Connection, text: str) -> object:
    return _asked(connection, text).rows[0][0]


def _asked(connection: Connection, text: str, *, begun: bool = False) -> _Result:
    with (
        said(),
        closing(connection.cursor()) as cursor,
        running(cursor, text, _TAG, begun=begun),
    ):
        return _result(cursor)


def _result(cursor: Cursor) -> _Result:
    rows = cursor.fetchall()
    return _Result(
        tuple(str(column[0]) for column in cursor.description or ()),
        tuple(tuple(row.values() if isinstance(row, Mapping) else row) for row in rows),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)
