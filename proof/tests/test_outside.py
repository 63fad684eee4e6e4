"""Delta tables that nobody here wrote, through every engine's reader: right, or refused by name.

GOLDEN is Delta kernel's own golden tables with the rows that are expected of each; DELTA_RS holds
tables without: there all readers must agree, or refuse. What an engine gets wrong without a word
stands in SILENT, with what catches it in a proof; a defect that is mended fails this test.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from delta_tables import unpack
from ods_proof import delta_files, engines
from ods_proof.checks import Facts, Side
from ods_proof.checks.governance import delta_protocol, features
from ods_proof.contract import load
from ods_proof.delta_table import log
from ods_proof.engines import About, Place, spark
from ods_proof.events import StepDone
from ods_proof.rows import plain_type
from shared import OUTSIDE, needs_shared

import ods_fingerprint as ods

GOLDEN, DELTA_RS = OUTSIDE / "delta-golden", OUTSIDE / "delta-rs"
READERS = ("polars", "pandas", "pyarrow", "duckdb")


def _version(table: Path) -> int:
    """Return the newest version of a table, by the names of its commits and checkpoints."""
    stems = (path.name.split(".")[0] for path in (table / "_delta_log").iterdir())
    return max(int(stem) for stem in stems if stem.isdigit())


def _read(engine: str, table: Path, scratch: Path) -> pa.Table:
    """Return what an engine reads of a table, as a proof would have it read."""
    used = engines.find(engine)
    try:
        return _plain(used.arrow(used.read(table, _version(table), Place(scratch))).read_all())
    finally:
        used.close()


def _plain(table: pa.Table) -> pa.Table:
    """Return a table in plain types, timestamps in microseconds."""
    fields = [pa.field(f.name, _micros(plain_type(f.type))) for f in table.schema]
    return table.cast(pa.schema(fields))


def _micros(kind: pa.DataType) -> pa.DataType:
    return pa.timestamp("us", kind.tz) if pa.types.is_timestamp(kind) else kind


def _expected(case: Path) -> pa.Table | None:
    files = sorted((case / "expected").rglob("*.parquet"))
    if not files:
        return None
    return _plain(pa.concat_tables([pq.read_table(path, partitioning=None) for path in files]))


def _rows(table: pa.Table) -> list[str]:
    names = sorted(table.schema.names)
    return sorted(repr([row[name] for name in names]) for row in table.to_pylist())


def _same(expected: pa.Table, found: pa.Table) -> bool:
    """Return whether two tables hold the same rows; the fingerprint must not call equal what differs."""
    rows = _rows(expected) == _rows(found)
    order = [name for name in expected.schema.names if name in found.schema.names]
    equal = ods.compare(ods.compute(expected), ods.compute(found.select(order))).verdict
    assert rows or equal == "different" or equal == "equal, partial"
    return rows


# the kernel's own tests skip it: an expectation in the writer's time zone
WRONG_EXPECTATION = "data-reader-partition-values"
# logs without their data files
FILELESS = ("canonicalized-paths-normal-b", "canonicalized-paths-special-b", "checkpoint")
REFUSALS = {
    "data-reader-timestamp_ntz-name-mode": {
        "polars": "columnMapping", "pandas": "columnMapping", "pyarrow": "columnMapping",
    },
    "data-skipping-basic-stats-all-types-columnmapping-name": {"polars": "column mapping"},
    "deltalog-invalid-protocol-version": dict.fromkeys(READERS, "Reader features must not be"),
    "deltalog-state-reconstruction-from-checkpoint-missing-protocol": dict.fromkeys(
        READERS, "non-nullable StructArray"
    ),
    "deltalog-state-reconstruction-without-protocol": dict.fromkeys(READERS, "rotocol"),
    "dv-partitioned-with-checkpoint": {"pandas": "deletionVectors", "pyarrow": "deletionVectors"},
    "checkpoint-v2-table": dict.fromkeys(("polars", "pandas", "pyarrow"), "v2Checkpoint"),
    "table_with_column_mapping": {"polars": "column mapping"},
}  # fmt: skip
# deltalake 1.6.6, polars 2.1.0, duckdb 1.5.5 and its delta extension
SILENT = {
    ("data-skipping-basic-stats-all-types-columnmapping-name", "pandas"): "read columnMapping",
    ("data-skipping-basic-stats-all-types-columnmapping-name", "pyarrow"): "read columnMapping",
    ("data-reader-timestamp_ntz-name-mode", "duckdb"): "read columnMapping of partitions",
    ("table_with_column_mapping", "pandas"): "read columnMapping",
    ("table_with_column_mapping", "pyarrow"): "read columnMapping",
    ("table_with_edge_timestamps", "polars"): "stored as INT96",
}


def _cases() -> Iterator[str]:
    for path in sorted(GOLDEN.glob("*.tar.zst")):
        yield path.name.removesuffix(".tar.zst")


@needs_shared
@pytest.mark.parametrize("engine", READERS)
@pytest.mark.parametrize("case", list(_cases()))
def test_a_golden_table_is_read_rightly_or_refused(case: str, engine: str, tmp_path: Path) -> None:
    folder = unpack(case, tmp_path)
    if case in FILELESS:
        with pytest.raises(Exception, match=r"No such file|not found|Could not open Parquet"):
            _read(engine, folder / "delta", tmp_path)
        return
    found = _found(case, engine, folder / "delta", tmp_path)
    if found is None:
        return
    expected = _expected(folder)
    assert expected is not None
    if case == WRONG_EXPECTATION:
        expected, found = (part.drop_columns(["as_timestamp"]) for part in (expected, found))
    assert _same(expected, found) == ((case, engine) not in SILENT)


def _found(case: str, engine: str, table: Path, scratch: Path) -> pa.Table | None:
    """Return what an engine reads, or None where it refuses, for the reason that is foreseen."""
    reason = REFUSALS.get(case, {}).get(engine)
    if reason is None:
        return _read(engine, table, scratch)
    with pytest.raises(Exception, match=reason):
        _read(engine, table, scratch)
    return None


def _tables() -> list[str]:
    # the library's own tests read the one of a million rows
    names = (path.name for path in DELTA_RS.iterdir()) if DELTA_RS.is_dir() else ()
    return sorted(name for name in names if name != "COVID-19_NYT")


@needs_shared
@pytest.mark.parametrize("case", _tables())
def test_all_readers_agree_or_refuse(case: str, tmp_path: Path) -> None:
    """DuckDB, whose reader is another implementation than the rest's, is what they are held to."""
    right = _read("duckdb", DELTA_RS / case, tmp_path)
    assert right.num_rows > 0
    for engine in READERS[:-1]:
        found = _found(case, engine, DELTA_RS / case, tmp_path)
        if found is not None:
            assert _same(right, found) == ((case, engine) not in SILENT), engine


@needs_shared
@pytest.mark.parametrize(("case", "engine"), SILENT, ids=["-".join(key) for key in SILENT])
def test_er_01_what_is_misread_without_a_word_is_caught(
    case: str, engine: str, tmp_path: Path
) -> None:
    """ER-01: `delta_protocol` fails on the log and files of the table, and says why."""
    golden = (GOLDEN / f"{case}.tar.zst").is_file()
    table = unpack(case, tmp_path) / "delta" if golden else DELTA_RS / case
    figures = ods.compute(_read(engine, table, tmp_path))
    step = StepDone("second_read", engine, "done", fingerprint=figures)
    sides: dict[Side, About] = {"first": spark.about(), "second": engines.find(engine).about()}
    facts = Facts(
        "0" * 12, figures.rows, load(), "mk", sides, {"second_read": step}, "it only reads",
        {"first": log(table)}, {"first": delta_files.look(table)},
    )  # fmt: skip
    found = delta_protocol(facts)
    assert found is not None
    assert not found.passed
    assert SILENT[case, engine] in found.summary


@needs_shared
def test_a_reader_that_knows_a_feature_is_no_alarm(tmp_path: Path) -> None:
    table = unpack("data-skipping-basic-stats-all-types-columnmapping-name", tmp_path) / "delta"
    assert features(log(table)) <= engines.find("duckdb").about().reads
    assert features(log(table)) <= spark.about().reads
    assert not features(log(table)) <= engines.find("pyarrow").about().reads


@needs_shared
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_er_05_deleted_rows_are_not_counted(engine: str, tmp_path: Path) -> None:
    """The rest refuse (REFUSALS); the files' own counts do not know of the deletion."""
    folder = unpack("dv-partitioned-with-checkpoint", tmp_path)
    expected = _expected(folder)
    assert expected is not None
    found = _read(engine, folder / "delta", tmp_path)
    stored = sum(pq.read_metadata(p).num_rows for p in (folder / "delta").rglob("part=*/*.parquet"))
    assert found.num_rows == expected.num_rows < stored
