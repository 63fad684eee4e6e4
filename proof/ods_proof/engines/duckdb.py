"""DuckDB on delta-kernel, by its delta extension: frames are relations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

import ods_fingerprint as ods

from .. import probes
from ..delta_table import Commit
from . import About, Place, lacks, versions_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

BATCH_ROWS = 16_384
_open: list[DuckDBPyConnection] = []


def about() -> About:
    return About(
        "duckdb",
        "delta-kernel",
        versions_of("duckdb", "duckdb-extension-delta"),
        re.compile(r"DuckDB$"),
        re.compile(r"DuckDB "),
        signs=False,
        honours_stats=False,
        dialect="duckdb",
        reads=frozenset({"timestampNtz", "deletionVectors", "columnMapping", "v2Checkpoint"}),
        unwritable={"map<": "its delta extension fails to cast maps as it inserts (duckdb 1.5.5)"},
    )


def missing() -> str | None:
    absent = lacks("duckdb", "duckdb", "duckdb-extension-delta")
    if absent:
        return absent
    if _extension() is None:
        found = versions_of("duckdb", "duckdb-extension-delta")
        return (
            f"duckdb-extension-delta {found['duckdb-extension-delta']} holds no extension for "
            f"duckdb {found['duckdb']}: pip install duckdb=={found['duckdb-extension-delta']}"
        )
    return None


def _extension() -> Path | None:
    import duckdb
    import duckdb_extension_delta

    folder = Path(str(duckdb_extension_delta.__file__)).parent
    return next(iter(folder.glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension")), None)


def _connection(place: Place) -> DuckDBPyConnection:
    import duckdb

    if not _open:
        connection = duckdb.connect(config={"temp_directory": str(place.scratch)})
        connection.execute("SET memory_limit = '500MB'")
        connection.execute("SET timezone = 'UTC'")
        connection.execute(f"LOAD '{_quoted(str(_extension()))}'")
        _open.append(connection)
    return _open[0]


def _quoted(text: str) -> str:
    return text.replace("'", "''")


def start(place: Place) -> None:
    _connection(place)


def load(path: Path, place: Place) -> DuckDBPyRelation:
    from . import pyarrow

    return _connection(place).from_arrow(pyarrow.load(path, place))


def read(table: Path, version: int, place: Place) -> DuckDBPyRelation:
    return _connection(place).sql(f"SELECT * FROM {_scan(table, version)}")


def _scan(table: Path, version: int) -> str:
    return f"delta_scan('{_quoted(str(table))}', version := {version})"


def append(frames: DuckDBPyRelation, table: Path, commit: Commit, place: Place) -> None:
    connection = _connection(place)
    connection.execute(f"ATTACH '{_quoted(str(table))}' AS target (TYPE delta)")
    try:
        frames.insert_into("target")
    finally:
        connection.execute("DETACH target")


def arrow(frames: DuckDBPyRelation) -> pa.RecordBatchReader:
    return frames.to_arrow_reader(BATCH_ROWS)


def own_fingerprint(table: Path, version: int, place: Place) -> ods.Fingerprint:
    connection = _connection(place)
    connection.execute(f"CREATE TEMP VIEW figures AS SELECT * FROM {_scan(table, version)}")
    try:
        return ods.compute(connection, "figures")
    finally:
        connection.execute("DROP VIEW figures")


def count_equal(table: Path, version: int, column: str, value: pa.Scalar, place: Place) -> int:
    name = column.replace('"', '""')
    plain = isinstance(value.as_py(), (bytes, str, int, float))  # bool is an int
    given = value.as_py() if plain else probes.text(value)
    connection = _connection(place)
    kind = connection.sql(f'SELECT "{name}" FROM {_scan(table, version)} LIMIT 0').types[0]
    found: tuple[int] = connection.execute(
        f'SELECT count(*) FROM {_scan(table, version)} WHERE "{name}" = CAST(? AS {kind})', [given]
    ).fetchall()[0]
    return found[0]


def close() -> None:
    while _open:
        _open.pop().close()
