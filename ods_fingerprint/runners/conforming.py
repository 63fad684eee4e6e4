"""The vectors asked of an engine, on a connection of the user's own, which is left as it was."""

from __future__ import annotations

from ..conform import Conform
from ..errors import ResultError
from . import dbapi, snowflake_session, spark_session
from .spark_cancel import cancellable
from .spark_words import said


def answers(connection: object, asked: Conform) -> list[dict[str, object]]:
    """Return the one row of each statement, by name.

    `connection`: a Spark or Snowpark session, or any DB-API cursor or connection, as DuckDB's.
    """
    return [_answer(connection, text, asked.dialect) for text in asked.statements]


def _answer(connection: object, text: str, dialect: str) -> dict[str, object]:
    if spark_session.is_spark(connection):
        names, rows = _of_spark(connection, text)
    elif snowflake_session.is_snowflake(connection):
        names, rows = dbapi.answer(snowflake_session.connection_of(connection), text, dialect)
    else:
        names, rows = dbapi.answer(connection, text, dialect)
    if len(rows) != 1:
        raise ResultError(f"one row was asked for; {len(rows)} came back")
    if len({name.lower() for name in names}) < len(names):
        raise ResultError("the engine gave two figures the same name")
    return dict(zip(names, rows[0]))


def _of_spark(
    session: spark_session.Session, text: str
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    def fetched() -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        frame = session.sql(text)
        return tuple(frame.columns), [tuple(row) for row in frame.collect()]

    with said():
        return cancellable(session, fetched)
