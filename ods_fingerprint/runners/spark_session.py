"""A Spark session, classic or Connect: what is used of one, and the one that there is."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, TypeGuard

from ..errors import SourceError, first_line


class Described(Protocol):
    """The schema of a DataFrame."""

    def json(self) -> str:
        """Return the schema as JSON, in the form that Delta keeps too."""
        ...


class Frame(Protocol):
    """A DataFrame."""

    @property
    def schema(self) -> Described:
        """The schema."""
        ...

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        ...

    def collect(self) -> Sequence[Sequence[object]]:
        """Run the query and return its rows."""
        ...


class Settings(Protocol):
    """The settings of a session."""

    def get(self, key: str, default: None) -> str | None:
        """Return a setting, or `default` where it was never set."""
        ...


class Context(Protocol):
    """What runs the jobs of a classic session."""

    def getLocalProperty(self, key: str) -> str | None:
        """Return a property of this thread."""
        ...

    def setLocalProperty(self, key: str, value: str) -> None:
        """Set a property of this thread."""
        ...

    def addJobTag(self, tag: str) -> None:
        """Tag what this thread runs from now on."""
        ...

    def removeJobTag(self, tag: str) -> None:
        """Tag it no longer."""
        ...

    def cancelJobsWithTag(self, tag: str) -> None:
        """Cancel what runs under a tag."""
        ...


class Session(Protocol):
    """A Spark session."""

    @property
    def sparkContext(self) -> Context:
        """The context; of a classic session only."""
        ...

    @property
    def version(self) -> str:
        """The version of Spark."""
        ...

    @property
    def conf(self) -> Settings:
        """The settings."""
        ...

    def sql(self, sqlQuery: str) -> Frame:
        """Return the DataFrame of a statement."""
        ...


class Builder(Protocol):
    """What makes sessions."""

    def getOrCreate(self) -> Session:
        """Return the session that there is, or a new one."""
        ...


class ConnectSession(Session, Protocol):
    """A session of Spark Connect, whose work has tags."""

    def addTag(self, tag: str) -> None:
        """Tag what is run from now on."""
        ...

    def removeTag(self, tag: str) -> None:
        """Tag it no longer."""
        ...

    def interruptTag(self, tag: str) -> object:
        """Cancel what runs under a tag."""
        ...


def is_spark(given: object) -> TypeGuard[Session]:
    """Return whether this is a Spark session, classic or Connect, without importing Spark."""
    return any(
        kind.__name__ == "SparkSession" and kind.__module__.startswith("pyspark.sql.")
        for kind in type(given).__mro__
    )


def is_connect(session: Session) -> TypeGuard[ConnectSession]:
    """Return whether a session is one of Spark Connect (the classic one of 3.5 has no tags)."""
    return any(kind.__module__.startswith("pyspark.sql.connect") for kind in type(session).__mro__)


def current() -> Session:
    """Return the session that there is: of spark-submit, of a cluster, or a new local one."""
    sessions = import_module("pyspark.sql").SparkSession
    there: Session | None = sessions.getActiveSession()
    return _started(sessions.builder) if there is None else there


def _started(builder: Builder) -> Session:
    # Spark 4 logs each error once more, as JSON with its stack; ours is one line
    logging.disable(logging.ERROR)
    try:
        session = builder.getOrCreate()
    except import_module("pyspark.errors").PySparkException as error:
        raise SourceError(f"no Spark session: {first_line(error)}") from error
    context = getattr(session, "_sc", None)
    # the log of spark-submit is its user's; a Connect session has none
    if context is not None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        context.setLogLevel("OFF")
    return session
