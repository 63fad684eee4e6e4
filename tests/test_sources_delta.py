"""The Delta reader against the tables of other writers."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from delta_tables import (
    read,
    rows,
    unpack,
)
from shared import OUTSIDE, needs_shared

from ods_fingerprint.delta_log import snapshot
from ods_fingerprint.errors import SourceError
from ods_fingerprint.sources.delta import batches

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1)
ARROW = int(pa.__version__.partition(".")[0])
GOLDEN = sorted(p.name.split(".")[0] for p in (OUTSIDE / "delta-golden").glob("*.tar.zst"))

REFUSED = {
    "checkpoint": "the data file .*/15 is missing",
    "deltalog-invalid-protocol-version": "reader of version 99",
    "deltalog-state-reconstruction-from-checkpoint-missing-protocol": "'schemaString'",
    "deltalog-state-reconstruction-without-protocol": "no protocol action",
}
"""The golden tables that are refused: their logs are made to be, or name files that are not there."""

WRONG_EXPECTATION = {"data-reader-partition-values": "as_timestamp"}
"""The writer's zone was not UTC and the log does not say it; delta-kernel-rs skips the case too."""

FACTS = (
    {k: v for k, v in json.loads((OUTSIDE / "facts.json").read_text()).items() if "delta-" in k}
    if OUTSIDE.is_dir()
    else {}
)
WRONG_FACT = ("delta-rs/table_with_edge_timestamps", "BIG_DATE")


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    for name in GOLDEN:
        unpack(name, folder)
    return folder


@needs_shared
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_tables(golden: Path, name: str) -> None:
    root = golden / name / "delta"
    if name in REFUSED:
        with pytest.raises(SourceError, match=REFUSED[name]):
            read(root)
        return
    found = read(root)
    parts = sorted((golden / name / "expected").glob("*.parquet"))
    if not parts:
        assert snapshot(root).files == ()
        assert found.num_rows == 0
        return
    expected = pa.concat_tables(
        [pq.read_table(part, partitioning=None) for part in parts], promote_options="permissive"
    )
    assert sorted(expected.column_names) == sorted(found.column_names)
    kept = [c for c in found.column_names if c != WRONG_EXPECTATION.get(name)]
    assert rows(in_micros(expected.select(kept))) == rows(found.select(kept))


def in_micros(table: pa.Table) -> pa.Table:
    """Return a table with its timestamps in microseconds: pyarrow reads INT96 as nanoseconds."""
    schema = pa.schema(
        [
            pa.field(f.name, pa.timestamp("us", f.type.tz)) if pa.types.is_timestamp(f.type) else f
            for f in table.schema
        ]
    )
    marked = table.cast(schema)
    instants = {f.name: pa.timestamp("us", "UTC") for f in table.schema if is_int96(f.type)}
    return marked.cast(pa.schema([f.with_type(instants.get(f.name, f.type)) for f in schema]))


def is_int96(kind: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(kind) and kind.unit == "ns")


@needs_shared
def test_the_refused_golden_tables_are_all_there() -> None:
    assert set(REFUSED) | set(WRONG_EXPECTATION) <= set(GOLDEN)


@needs_shared
def test_every_table_is_held_against_something_and_the_odd_ones_are_in_the_docs() -> None:
    tables = {f"delta-rs/{path.name}" for path in (OUTSIDE / "delta-rs").iterdir()}
    assert tables - {"delta-rs/COVID-19_NYT"} == {name for name in FACTS if "delta-rs" in name}
    page = (Path(__file__).resolve().parents[1] / "docs" / "files.md").read_text(encoding="utf-8")
    assert f"{len(tables) + len(GOLDEN)} Delta tables" in page
    assert f"| {len(GOLDEN)} tables" in page
    odd = {*REFUSED, *WRONG_EXPECTATION, WRONG_FACT[0].partition("/")[2]}
    assert not [name for name in odd if f"| `{name}`" not in page]


@needs_shared
@pytest.mark.parametrize("name", [name for name in FACTS if "error" not in FACTS[name]])
def test_figures_computed_with_hashlib(golden: Path, name: str) -> None:
    folder = golden / name.partition("/")[2] / "delta"
    found = read(folder if name.startswith("delta-golden") else OUTSIDE / name)
    assert found.num_rows == FACTS[name]["rows"]
    figures = {column: figure for column, _, figure in FACTS[name]["columns"]}
    assert sorted(figures) == sorted(found.column_names)
    for column, expected in figures.items():
        if (name, column) != WRONG_FACT:
            assert (column, given(found[column], expected)) == (column, expected)


@needs_shared
def test_the_wrong_fact_is_the_wrapped_value(golden: Path) -> None:
    """The facts hold what DataFusion read: nanoseconds wrapped at 64 bits, cut toward zero (T7)."""
    name, column = WRONG_FACT
    expected = {c: figure for c, _, figure in FACTS[name]["columns"]}[column]
    micros = read(OUTSIDE / name)[column].cast(pa.int64()).to_pylist()
    wrapped = [-((2**64 - value * 1000 % 2**64) // 1000) for value in micros]
    assert all(abs(value) * 1000 >= 2**63 for value in micros)
    assert str(hashes(map(str, wrapped))) == expected["hash"]


def given(column: pa.ChunkedArray, expected: dict[str, object]) -> dict[str, object]:
    values = [value for value in column.to_pylist() if value is not None]
    if "not_in_v1" in expected:
        return expected
    found: dict[str, object] = {"nulls": column.null_count}
    if "hash" in expected:
        found["hash"] = str(hashes(text(value, column.type) for value in values))
    if "sum" in expected:
        assert all(value - value == 0 for value in values)
        low, high = (str(float(f(values))) if values else None for f in (min, max))
        found |= {"nan": 0, "posinf": 0, "neginf": 0, "min": low, "max": high}
        found["sum"] = str(sum(values)) if values else None
    return found


def hashes(texts: Iterable[str]) -> int:
    counted = Counter(texts)
    return sum(
        int(hashlib.md5(value.encode()).hexdigest()[:15], 16) * times
        for value, times in counted.items()
    )


def text(value: object, kind: pa.DataType) -> str:
    """Return the canonical text of rulings R4 to R9."""
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return str((value.replace(tzinfo=None) - EPOCH) // timedelta(microseconds=1))
        case date():
            return value.isoformat()
        case Decimal():
            return f"{value:.{kind.scale}f}"
        case _:
            return str(value)


@needs_shared
def test_a_million_rows_against_duckdb() -> None:
    root = OUTSIDE / "delta-rs" / "COVID-19_NYT"
    schema, stream = batches(snapshot(root), ["county", "cases"])
    assert schema.names == ["county", "cases"]
    counts: Counter[str | None] = Counter()
    total = 0
    for batch in stream:
        counts.update(batch.column("county").to_pylist())
        total += batch.num_rows
    assert total == 1_111_930
    ours = sum(
        int(hashlib.md5(value.encode()).hexdigest()[:15], 16) * times
        for value, times in counts.items()
        if value is not None
    )
    theirs = duckdb.sql(
        "select sum(('0x' || substr(md5(county), 1, 15))::bigint)::varchar, count(*) - count(county)"
        f" from read_parquet('{root}/*.parquet')"
    ).fetchall()
    assert theirs == [(str(ours), counts[None])]


@pytest.fixture
def deltalake() -> ModuleType:
    return pytest.importorskip("deltalake")


def query(deltalake: ModuleType, root: Path) -> pa.Table:
    """Return a table as DataFusion reads it, through delta-rs."""
    builder = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(root))
    return pa.table(builder.execute("select * from t").read_all())


NAME_MODE = {"delta.columnMapping.mode": "name"}


def test_column_mapping_by_name(deltalake: ModuleType, tmp_path: Path) -> None:
    """T1 and T2: pyarrow's dataset and DuckDB give NULL here."""
    table = pa.table({"id": [1, 2], "p": ["a", "b"], "s": [{"x": 1}, None]})
    deltalake.write_deltalake(tmp_path, table, partition_by=["p"], configuration=NAME_MODE)
    assert rows(read(tmp_path)) == rows(table)
    assert rows(read(tmp_path, ["p"])) == rows(table.select(["p"]))
    assert read(tmp_path).schema.field("s").type == pa.struct({"x": pa.int64()})


TYPES = {
    "i8": pa.array([-128, 127, None], pa.int8()),
    "i16": pa.array([-(2**15), 2**15 - 1, None], pa.int16()),
    "i32": pa.array([-(2**31), 2**31 - 1, None], pa.int32()),
    "i64": pa.array([-(2**63), 2**63 - 1, None], pa.int64()),
    "f32": pa.array([float("nan"), -0.0, 1e-45], pa.float32()),
    "f64": pa.array([float("-inf"), 5e-324, None], pa.float64()),
    "d18": pa.array([Decimal("-9999999999999999.99"), Decimal("0.01"), None], pa.decimal128(18, 2)),
    "d38": pa.array(
        [Decimal("-" + "9" * 20 + "." + "9" * 18), Decimal(0), None], pa.decimal128(38, 18)
    ),
    "bool": pa.array([True, False, None]),
    "text": pa.array(["", "a\0b", "e\u0301\U0001f600"]),
    "bytes": pa.array([b"", b"\xff\0", None], pa.binary()),
    "day": pa.array([date.min, date(1582, 10, 10), date.max]),
    "instant": pa.array([datetime.min, datetime.max, None], pa.timestamp("us", "UTC")),
    "clock": pa.array([datetime.min, datetime.max, None], pa.timestamp("us")),
    "list": pa.array([[], [None, 1], None], pa.list_(pa.int32())),
    "struct": pa.array([{"a": None}, {"a": "x"}, None], pa.struct({"a": pa.string()})),
    "map": pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int64())),
}


@pytest.mark.parametrize("configuration", [{}, NAME_MODE])
def test_every_type_as_delta_rs_writes_it(
    deltalake: ModuleType, tmp_path: Path, configuration: dict[str, str]
) -> None:
    table = pa.table(TYPES)
    deltalake.write_deltalake(tmp_path, table, configuration=configuration)
    found = read(tmp_path)
    assert [f.type for f in found.schema] == [f.type for f in table.schema]
    assert rows(found) == rows(table)


def test_columns_that_a_file_lacks_are_null(deltalake: ModuleType, tmp_path: Path) -> None:
    deltalake.write_deltalake(tmp_path, pa.table({"a": [1]}))
    wider = pa.table({"a": [2], "b": ["x"], "c": [[{"y": 1}]]})
    deltalake.write_deltalake(tmp_path, wider, mode="append", schema_mode="merge")
    assert rows(read(tmp_path)) == rows(query(deltalake, tmp_path))
    assert read(tmp_path, ["b"])["b"].null_count == 1
    assert read(snapshot(tmp_path, 0)).to_pylist() == [{"a": 1}]


def test_partition_texts_that_are_easily_mistaken(deltalake: ModuleType, tmp_path: Path) -> None:
    values = ["%41", "a/b", "é", " x", "a+b", "a%2Fb", "#?&", "a:b", "x ", "a=b", "NULL", None]
    table = pa.table({"i": range(len(values)), "p": values})
    deltalake.write_deltalake(tmp_path, table, partition_by=["p"])
    assert rows(read(tmp_path)) == rows(table)
