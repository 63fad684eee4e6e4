"""A SOURCE of the command line: what it names, and how it is opened."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..errors import SourceError, first_line

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

Kind: TypeAlias = Literal["path", "duckdb", "spark", "snowflake"]
# what key=value folders mean: their keys are columns, or nothing; None refuses them
Hive: TypeAlias = Literal["read", "ignore"] | None


@dataclass(frozen=True, slots=True)
class Source:
    """A place with data: a path, or a table of an engine that `place` opens."""

    kind: Kind
    place: str
    table: str = ""


def parse(text: str) -> Source:
    """Return what a SOURCE names."""
    scheme, colon, rest = text.partition(":")
    if colon and scheme == "duckdb":
        return _duckdb(rest)
    if colon and scheme == "spark":
        if not rest:
            raise SourceError("spark: names no table: spark:[catalog.][schema.]table")
        return Source("spark", "", rest)
    if colon and scheme == "snowflake":
        name, _, table = rest.partition("/")
        if not (name and table):
            raise SourceError(
                f"{text} names no connection and table: snowflake:CONNECTION_NAME/DB.SCHEMA.TABLE, "
                "the name of a connection in the connector's connections.toml"
            )
        return Source("snowflake", name, table)
    return Source("path", text)


def stream(
    path: str, version: int | None = None, hive: Hive = None
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return the Arrow schema and the batches of a file, a folder, a glob or a Delta table."""
    if is_delta(path):
        from .. import delta_log
        from . import delta

        return delta.batches(delta_log.snapshot(path, version))
    if version is not None:
        raise SourceError(f"{path} is not a Delta table: it has no versions")
    from . import files

    return files.stream(path, hive)


@contextmanager
def duckdb_file(source: Source) -> Generator[DuckDBPyConnection, None, None]:
    """Open the DuckDB file of a source read only, and close it."""
    import duckdb

    try:
        connection = duckdb.connect(source.place, read_only=source.place != ":memory:")
        # it would go to standard output
        connection.execute("SET enable_progress_bar = false")
    except duckdb.Error as error:
        reason = first_line(error)
        raise SourceError(f"cannot open {source.place}: {reason}") from None
    try:
        yield connection
    finally:
        connection.close()


def is_delta(path: str) -> bool:
    """Return whether a folder holds a Delta log."""
    return (Path(path) / "_delta_log").is_dir()


def _duckdb(rest: str) -> Source:
    """Split FILE/TABLE where FILE is there: a table's name may hold a slash too."""
    at = rest.find("/")
    while at >= 0:
        if Path(rest[:at]).is_file() and rest[at + 1 :]:
            return Source("duckdb", rest[:at], rest[at + 1 :])
        at = rest.find("/", at + 1)
    raise SourceError(
        f"duckdb:{rest} names no DuckDB file and table: duckdb:FILE.duckdb/[schema.]table"
    )
