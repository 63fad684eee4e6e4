"""A Snowflake connection, the user's own or one of a Snowpark session: what is used of it."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stdout
from importlib import import_module
from typing import Protocol, TypeGuard
from warnings import catch_warnings, simplefilter

from ..errors import SourceError


class Cursor(Protocol):
    """A cursor of the connector."""

    @property
    def description(self) -> Sequence[Sequence[object]] | None:
        """What the columns of the result are, each beginning with its name."""
        ...

    @property
    def sfqid(self) -> str | None:
        """The id of the query."""
        ...

    def execute(self, command: str, *, _statement_params: Mapping[str, str]) -> object:
        """Run a statement, with parameters that hold for it alone."""
        ...

    def execute_async(self, command: str, *, _statement_params: Mapping[str, str]) -> object:
        """Begin a statement and return."""
        ...

    def get_results_from_sfqid(self, sfqid: str) -> object:
        """Wait for a query and take its result, at the latest when that is fetched."""
        ...

    def abort_query(self, qid: str) -> object:
        """Cancel a query."""
        ...

    def fetchall(self) -> Sequence[Sequence[object] | Mapping[object, object]]:
        """Return the rows of the result."""
        ...

    def close(self) -> object:
        """Release what the cursor holds."""
        ...


class Connection(Protocol):
    """A connection of the connector."""

    @property
    def database(self) -> str | None:
        """The current database."""
        ...

    def cursor(self) -> Cursor:
        """Return a new cursor."""
        ...

    def close(self) -> object:
        """End the session."""
        ...


class Session(Protocol):
    """A Snowpark session."""

    @property
    def connection(self) -> Connection:
        """The connection that it works through."""
        ...


@contextmanager
def running(
    cursor: Cursor, text: str, params: Mapping[str, str], *, begun: bool
) -> Generator[None, None, None]:
    """Run a statement, its result to be fetched inside, so that Ctrl-C cancels it.

    `begun`: it is begun and waited for. A connector before 5 cancels what it runs by itself; from
    5 on it does not hear Ctrl-C before the statement has ended.
    """
    if not begun:
        cursor.execute(text, _statement_params=params)
        yield
        return
    cursor.execute_async(text, _statement_params=params)
    query = cursor.sfqid or ""
    try:
        cursor.get_results_from_sfqid(query)
        # the connector waits when the first row is fetched
        yield
    except KeyboardInterrupt:
        cursor.abort_query(query)
        raise


def is_deaf(given: object) -> bool:
    """Return whether Ctrl-C must be heard for the connector; one inside Snowpark is left as it is.

    Snowpark's may be that of a stored procedure, where nobody can press a key.
    """
    if _is_session(given):
        return False
    version = str(import_module("snowflake.connector").__version__)
    return int(version.split(".")[0]) >= 5


def is_snowflake(given: object) -> TypeGuard[Connection | Session]:
    """Return whether this is a connection or a Snowpark session, without importing either."""
    return _is_connection(given) or _is_session(given)


def connection_of(given: object) -> Connection:
    """Return the connection itself, or that of a Snowpark session."""
    if _is_session(given):
        return given.connection
    if _is_connection(given):
        return given
    raise SourceError(
        f"a {type(given).__name__} is no Snowflake connection and no Snowpark session"
    )


@contextmanager
def opened(name: str) -> Generator[Connection, None, None]:
    """Open the connection of that name in the connector's own connections.toml, and close it."""
    with _quiet(), said():
        connection: Connection = import_module("snowflake.connector").connect(connection_name=name)
    with closing(connection):
        yield connection


@contextmanager
def _quiet() -> Generator[None, None, None]:
    """Keep standard output, where results go, from a login through a browser, which talks."""
    with redirect_stdout(sys.stderr), catch_warnings():
        # version 5 tells whoever calls it of defaults to come
        simplefilter("ignore", FutureWarning)
        yield


@contextmanager
def said() -> Generator[None, None, None]:
    """Raise what the connector raises inside as a SourceError of one line."""
    try:
        yield
    except import_module("snowflake.connector").Error as error:
        words = " ".join(str(error).split())
        raise SourceError(f"Snowflake: {words or type(error).__name__}") from error


def _is_connection(given: object) -> TypeGuard[Connection]:
    return _is_of("snowflake.connector", given, "cursor")


def _is_session(given: object) -> TypeGuard[Session]:
    return _is_of("snowflake.snowpark", given, "connection")


def _is_of(package: str, given: object, wanted: str) -> bool:
    inside = any(f"{kind.__module__}.".startswith(f"{package}.") for kind in type(given).__mro__)
    return inside and hasattr(given, wanted)
