"""Fingerprints in a Spark session of the user's own, classic or Connect, left as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from .. import delta_types, table_name
from ..compiler import At, source, statements
from ..dialect import load
from ..errors import ResultError
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import Column, Schema
from ..statement import Statement
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

    Right whatever the session's time zone and ANSI mode; no setting is changed. What a setting
    makes Spark read otherwise than it is stored is said in the notes.
    """
    parts, at = _parts(table), _at(version)
    whole = _schema(session, parts, at)
    chosen = whole.chosen(columns, skip)
    found = [_run(session, made) for made in statements(parts, chosen, "spark", at=at)]
    with said():
        engine, heard = f"Spark {session.version}", notes(session.conf, chosen)
    made = joined(found, whole, chosen, {"engine": engine})
    return replace(made, notes=(*made.notes, *heard))


def _parts(table: str) -> list[str]:
    return [name for name, _ in table_name.parts(table)]


def _at(version: int | None) -> At | None:
    return None if version is None else At(version=version)


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
