"""Fingerprints in a Spark session of the user's own, classic or Connect, left as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from .. import delta_types, table_name
from ..compiler import At, source, statements
from ..dialect import load
from ..errors import ResultError, SourceError
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import Column, Schema
from ..statement import UNPINNED, Statement
from .spark_cancel import cancellable
from .spark_session import Session
from .spark_settings import notes
from .spark_words import said


def schema(session: Session, table: str, *, version: int | None = None) -> Schema:
    """Return the schema of a table, a view, or a path (delta.`/folder`), as its catalogue has it.

    `version` is one of a Delta table, as for `compute`.
    """
    return _schema(session, _parts(table), _at(version))


def compute(
    session: Session,
    table: str,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    version: int | None = None,
) -> Fingerprint:
    """Return the fingerprint of a table, a view or a path; one statement, one row.

    A very wide table takes several, of one version if it is a Delta table; else a note says so.
    Right whatever the session's time zone and ANSI mode; no setting is changed. What a setting
    makes Spark read otherwise than it is stored is said in the notes.
    """
    parts, at = _parts(table), _at(version)
    whole = _schema(session, parts, at)
    chosen = whole.chosen(columns, skip)
    made = statements(parts, chosen, "spark", at=at)
    if len(made) > 1 and at is None and (at := _latest(session, parts)):
        made = statements(parts, chosen, "spark", at=at)
    figures = [_run(session, one) for one in made]
    with said():
        engine, heard = f"Spark {session.version}", notes(session.conf, chosen)
    found = joined(figures, whole, chosen, {"engine": engine})
    split = (UNPINNED.format(len(made)),) if len(made) > 1 and at is None else ()
    return replace(found, notes=(*found.notes, *heard, *split))


def _parts(table: str) -> list[str]:
    return [name for name, _ in table_name.parts(table)]


def _at(version: int | None) -> At | None:
    return None if version is None else At(version=version)


def _latest(session: Session, parts: Sequence[str]) -> At | None:
    """Return the newest version of a Delta table; Spark refuses the question for all others."""
    table = source(parts, load("spark"), None)
    try:
        with said():
            (row,) = session.sql(f"DESCRIBE HISTORY {table} LIMIT 1").collect()
    except SourceError:
        return None
    return At(version=int(str(row[0])))


def _schema(session: Session, parts: Sequence[str], at: At | None) -> Schema:
    with said():
        frame = session.sql(f"SELECT * FROM {source(parts, load('spark'), at)}")
        found = json.loads(frame.schema.json())
    columns = tuple(Column(name, kind) for name, kind in delta_types.fields(found))
    return Schema(columns, origin="spark")


def _run(session: Session, statement: Statement) -> Fingerprint:
    with said():
        names, rows = cancellable(session, lambda: _fetched(session, statement.text))
    if len(rows) != 1 or names != statement.row_names:
        raise ResultError(
            f"one row of {len(statement.row_names)} figures was asked for, not what came back"
        )
    return from_values(statement.figures, tuple(rows[0]))


def _fetched(session: Session, text: str) -> tuple[tuple[str, ...], Sequence[Sequence[object]]]:
    frame = session.sql(text)
    return tuple(frame.columns), frame.collect()
