"""Fingerprints in a Spark session of the user's own, classic or Connect, which is left as it was."""

from __future__ import annotations

import json
import uuid
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import delta_types, table_name
from ..compiler import At, Statement, source, statements
from ..errors import ResultError, SourceError
from ..fingerprint import Fingerprint, from_values, joined
from ..schema import Column, Schema

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def schema(session: SparkSession, table: str, *, version: int | None = None) -> Schema:
    """Return the schema of a table, a view, or a path (delta."/folder"), as Spark's catalogue has it."""
    return _schema(session, _parts(table), _at(version))


def compute(
    session: SparkSession,
    table: str,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    version: int | None = None,
) -> Fingerprint:
    """Return the fingerprint of a table, a view or a path; at `version` of a Delta table.

    Right whatever the session's time zone and ANSI mode; no setting is changed.
    """
    parts, at = _parts(table), _at(version)
    whole = _schema(session, parts, at)
    chosen = whole.chosen(columns, skip)
    found = [_run(session, made) for made in statements(parts, chosen, "spark", at=at)]
    return joined(found, whole, chosen, {"engine": f"Spark {session.version}"})


def _parts(table: str) -> list[str]:
    return [name for name, _ in table_name.parts(table)]


def _at(version: int | None) -> At | None:
    return None if version is None else At(version=version)


def _schema(session: SparkSession, parts: Sequence[str], at: At | None) -> Schema:
    with _said():
        frame = session.sql(f"SELECT * FROM {source(parts, 'spark', at)}")
        found = json.loads(frame.schema.json())
    columns = tuple(Column(name, kind) for name, kind in delta_types.fields(found))
    return Schema(columns, origin="spark")


def _run(session: SparkSession, statement: Statement) -> Fingerprint:
    with _said(), _interruptible(session):
        frame = session.sql(statement.text)
        names = tuple(frame.columns)
        rows = frame.collect()
    if len(rows) != 1 or names != statement.row_names:
        raise ResultError(
            f"one row of {len(statement.row_names)} figures was asked for, not what came back"
        )
    return from_values(statement.figures, tuple(rows[0]))


@contextmanager
def _said() -> Generator[None, None, None]:
    """Say what Spark raised in one line."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise SourceError(f"Spark: {lines[0] if lines else type(error).__name__}") from error


@contextmanager
def _interruptible(session: SparkSession) -> Generator[None, None, None]:
    """Cancel what runs in Spark when the user interrupts; sessions without tags do so themselves."""
    tag = f"ods-fingerprint-{uuid.uuid4().hex}"
    tagged = hasattr(session, "addTag")
    if tagged:
        session.addTag(tag)
    try:
        yield
    except KeyboardInterrupt:
        if tagged:
            session.interruptTag(tag)
        raise
    finally:
        if tagged:
            session.removeTag(tag)
