"""Fingerprints through any DB-API 2 cursor or connection of the user's own, by a dialect file."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Protocol, TypeGuard

from .. import described
from ..compiler import At, source, statements, stored_parts
from ..dialect import Dialect, load
from ..errors import CompileError, DialectError, ResultError, SourceError
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import Schema
from ..statement import UNPINNED, Statement
from . import interruptible


class Cursor(Protocol):
    """What is used of a DB-API 2 cursor; a row may be a mapping too, as some drivers make it."""

    @property
    def description(self) -> Sequence[Sequence[object]] | None:
        """What the columns of the result are, each beginning with its name."""
        ...

    def execute(self, operation: str, /) -> object:
        """Run a statement."""
        ...

    def fetchall(self) -> Iterable[Sequence[object] | Mapping[object, object]]:
        """Return the rows of the result."""
        ...

    def close(self) -> object:
        """Release what the cursor holds."""
        ...


class Connection(Protocol):
    """What is used of a DB-API 2 connection."""

    def cursor(self) -> Cursor:
        """Return a new cursor."""
        ...


def schema(given: object, table: str, dialect: str, *, version: int | None = None) -> Schema:
    """Return the schema of a table, as the query of the dialect file's `[catalog]` has it."""
    with _opened(given) as cursor:
        used = load(dialect)
        return _schema(cursor, stored_parts(table, used), used, _at(version))


def compute(
    given: object,
    table: str,
    dialect: str,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    version: int | None = None,
) -> Fingerprint:
    """Return the fingerprint of a table or view.

    A cursor is used as it is given; a connection is asked for one, which is closed. A plain name
    is folded as the engine folds it, a part in double quotes is exact. Where the dialect's limits
    ask for several statements, `version` pins them; if none is given, a note says so.
    """
    used, at = load(dialect), _at(version)
    parts = stored_parts(table, used)
    with _opened(given) as cursor:
        whole = _schema(cursor, parts, used, at)
        chosen = whole.chosen(columns, skip)
        made = statements(parts, chosen, dialect, at=at)
        found = joined([_run(cursor, one, used) for one in made], whole, chosen, _made_by(used))
    split = (UNPINNED.format(len(made)),) if len(made) > 1 and at is None else ()
    return replace(found, notes=(*found.notes, *split))


def answer(
    given: object, text: str, dialect: str
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return what one statement gives: the names of its columns, and its rows."""
    used = load(dialect)
    with _opened(given) as cursor:
        return _cancellable(cursor, lambda: _fetched(cursor, text, used))


@contextmanager
def _opened(given: object) -> Generator[Cursor, None, None]:
    if _is_cursor(given):
        yield given
    elif _is_connection(given):
        with closing(given.cursor()) as cursor:
            yield cursor
    else:
        raise SourceError(
            f"a {type(given).__name__} is no DB-API cursor (execute, fetchall, description) and no "
            "connection that gives one (cursor)"
        )


def _is_cursor(given: object) -> TypeGuard[Cursor]:
    return all(callable(getattr(given, name, None)) for name in ("execute", "fetchall"))


def _is_connection(given: object) -> TypeGuard[Connection]:
    return callable(getattr(given, "cursor", None))


def _at(version: int | None) -> At | None:
    return None if version is None else At(version=version)


def _made_by(used: Dialect) -> dict[str, str]:
    return {"engine": used.title}


def _schema(cursor: Cursor, parts: Sequence[str], used: Dialect, at: At | None) -> Schema:
    names, rows = _fetched(cursor, _question(parts, used, at), used)
    if not rows:
        raise SourceError(f"{used.title}: there is no table or view {'.'.join(parts)}")
    kinds = described.types_of(dict(zip(names, map(_text, row))) for row in rows)
    return Schema.from_sql(kinds, used.name, origin=used.name)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _question(parts: Sequence[str], used: Dialect, at: At | None) -> str:
    """Return the statement of the dialect file that asks for the names and types of the columns."""
    key = "columns" if at is None else "pinned"
    origin = source(parts, used, at)
    template = used.catalog.get(key)
    if template is None:
        raise DialectError(
            f"dialect {used.name} has no catalog.{key}, the query for a table's columns: "
            "add it to the dialect file"
        )
    named = ".".join(used.quoted(part) for part in parts)
    if "{name}" in template:
        return template.replace("{name}", _literal(named))
    return template.replace("{table}", named).replace("{source}", origin)


def _literal(named: str) -> str:
    if "\\" in named:
        raise CompileError(f"the table name {named} holds a backslash, which not all engines keep")
    return "'" + named.replace("'", "''") + "'"


def _run(cursor: Cursor, statement: Statement, used: Dialect) -> Fingerprint:
    names, rows = _cancellable(cursor, lambda: _fetched(cursor, statement.text, used))
    lowered = tuple(name.lower() for name in statement.row_names)
    if len(rows) != 1 or tuple(name.lower() for name in names) != lowered:
        raise ResultError(
            f"one row of {len(lowered)} figures was asked for; "
            f"{len(rows)} rows of {len(names)} came back"
        )
    return from_values(statement.figures, rows[0])


def _fetched(
    cursor: Cursor, text: str, used: Dialect
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    with _said(used):
        cursor.execute(text)
        rows = [tuple(r.values() if isinstance(r, Mapping) else r) for r in cursor.fetchall()]
    return tuple(str(column[0]) for column in cursor.description or ()), rows


@contextmanager
def _said(used: Dialect) -> Generator[None, None, None]:
    """Raise what the driver raises as a SourceError of one line; PEP 249 names its class Error."""
    try:
        yield
    except Exception as error:
        if all(kind.__name__ != "Error" for kind in type(error).__mro__):
            raise
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise SourceError(f"{used.title}: {(lines or [type(error).__name__])[0]}") from error


def _cancellable(
    cursor: Cursor, work: Callable[[], tuple[tuple[str, ...], list[tuple[object, ...]]]]
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Return what `work` returns; Ctrl-C cancels it where the driver has a way to do that."""
    ways = (
        getattr(cursor, "cancel", None),  # databricks-sql-connector, pyodbc
        getattr(getattr(cursor, "connection", None), "cancel", None),  # psycopg
        getattr(cursor, "interrupt", None),  # DuckDB
    )
    stop = next((way for way in ways if callable(way)), None)
    return work() if stop is None else interruptible.run(work, stop)
