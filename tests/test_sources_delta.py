"""The Delta reader against the tables of other writers, and what it must refuse."""

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
    add,
    commit,
    field,
    metadata,
    protocol,
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


def parquet(root: Path, name: str, table: pa.Table, **options: object) -> int:
    root.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, root / name, **options)
    return table.num_rows


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


def constant(root: Path, kind: str, text: str | None) -> pa.Scalar:
    """Return what a table of one row gives for a partition value of the log."""
    count = parquet(root, "a.parquet", pa.table({"id": [1]}))
    assert count == 1
    described = metadata(field("id", "long"), field("p", kind), partitions=("p",))
    commit(root, 0, protocol(), described, add("a.parquet", partitionValues={"p": text}))
    return read(root)["p"][0]


INSTANT = datetime(2021, 9, 8, 11, 11, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "", None),
        ("string", "__HIVE_DEFAULT_PARTITION__", "__HIVE_DEFAULT_PARTITION__"),
        ("string", "%41", "%41"),
        ("long", None, None),
        ("long", "", None),
        ("long", "-9223372036854775808", -(2**63)),
        ("byte", "-128", -128),
        ("double", "1.0E10", 1e10),
        ("double", "-Infinity", float("-inf")),
        ("float", "0.1", 0.10000000149011612),
        ("boolean", "true", True),
        ("boolean", "false", False),
        ("date", "2020-02-29", date(2020, 2, 29)),
        ("date", "0001-01-01", date(1, 1, 1)),
        ("date", "9999-12-31", date(9999, 12, 31)),
        ("timestamp", "2021-09-08 11:11:11", INSTANT),
        ("timestamp", "2021-09-08T11:11:11Z", INSTANT),
        ("timestamp", "2021-09-08T13:11:11.000000+02:00", INSTANT),
        ("timestamp", "2021-09-08T11:11:11.1Z", INSTANT.replace(microsecond=100_000)),
        ("timestamp", "2021-09-08 11:11:11.000001", INSTANT.replace(microsecond=1)),
        ("timestamp", "0001-01-01 00:00:00", datetime(1, 1, 1, tzinfo=UTC)),
        ("timestamp", "9999-12-31 23:59:59.999999", datetime.max.replace(tzinfo=UTC)),
        ("timestamp_ntz", "2021-09-08 11:11:11.123456", datetime(2021, 9, 8, 11, 11, 11, 123456)),
        ("timestamp_ntz", "1969-12-31 23:59:59.999999", datetime(1969, 12, 31, 23, 59, 59, 999999)),
        ("decimal(12,5)", "-2342342.23423", Decimal("-2342342.23423")),
        ("decimal(12,5)", "1", Decimal("1.00000")),
        ("decimal(20,10)", "0E-10", Decimal("0E-10")),
        ("decimal(38,0)", "-" + "9" * 38, Decimal("-" + "9" * 38)),
        ("binary", "\x01\x02a", b"\x01\x02a"),
    ],
)
def test_partition_values(tmp_path: Path, kind: str, text: str | None, value: object) -> None:
    assert constant(tmp_path, kind, text).as_py() == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("long", "9223372036854775808"),
        ("byte", "128"),
        ("integer", "1.0"),
        ("integer", "1_000"),
        ("integer", "١"),
        ("integer", " 1"),
        ("double", "one"),
        ("double", "1_0"),
        ("boolean", "1"),
        ("date", "2021-02-29"),
        ("date", "20210208"),
        ("date", "10000-01-01"),
        ("timestamp", "2021-09-08"),
        ("timestamp", "2021-09-08 24:00:00"),
        ("timestamp", "2021-09-08 11:11:11.1234567"),
        ("timestamp_ntz", "2021-09-08 11:11:11+02:00"),
        ("decimal(4,1)", "1.25"),
        ("decimal(4,1)", "1234.5"),
        ("decimal(4,1)", "NaN"),
        ("decimal(38,0)", "1E9999"),
        ("binary", "é"),
        ("long", "__HIVE_DEFAULT_PARTITION__"),
        ("variant", "1"),
    ],
)
def test_partition_values_that_are_none(tmp_path: Path, kind: str, text: str) -> None:
    with pytest.raises(SourceError, match=r"a\.parquet: the partition value .* of the column 'p'"):
        constant(tmp_path, kind, text)


def test_a_partition_value_that_the_log_lacks(tmp_path: Path) -> None:
    parquet(tmp_path, "a.parquet", pa.table({"id": [1]}))
    described = metadata(field("id", "long"), field("p", "long"), partitions=("p",))
    commit(tmp_path, 0, protocol(), described, add("a.parquet", partitionValues={"P": "1"}))
    with pytest.raises(SourceError, match="no value of the partition 'p'"):
        read(tmp_path)


def one_file(root: Path, table: pa.Table, *fields: dict[str, object], **more: object) -> None:
    """Write a table of one file; `features`, `mode` and the rest are of the protocol and the log."""
    features = more.pop("features", ())
    mode = more.pop("mode", None)
    reader = protocol(1, 2, *features) if features else protocol(2 if mode else 1, 5)
    parquet(root, "a.parquet", table, **more.pop("options", {}))
    described = metadata(*fields, **({"mode": mode} if mode else {}))
    commit(root, 0, reader, described, add("a.parquet", **more))


EDGES = [datetime(1, 1, 1), datetime(1582, 10, 10), datetime(1969, 12, 31, 23, 59, 59, 999999)]
EDGES += [datetime(1677, 1, 1), datetime(2262, 5, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)]


@pytest.mark.parametrize("int96", [True, False])
@pytest.mark.parametrize(("kind", "zone"), [("timestamp", "UTC"), ("timestamp_ntz", None)])
def test_years_1_to_9999_as_int96_and_as_micros(
    tmp_path: Path, int96: bool, kind: str, zone: str | None
) -> None:
    """T7: as INT96 these years wrap or saturate in other readers."""
    options = {"use_deprecated_int96_timestamps": int96}
    table = pa.table({"t": pa.array([*EDGES, None], pa.timestamp("us"))})
    one_file(tmp_path, table, field("t", kind), options=options)
    physical = pq.ParquetFile(tmp_path / "a.parquet").schema.column(0).physical_type
    assert physical == ("INT96" if int96 else "INT64")
    if int96 and ARROW < 23:
        with pytest.raises(SourceError, match="Arrow misreads"):
            read(tmp_path)
        return
    found = read(tmp_path)
    assert found.schema.field("t").type == pa.timestamp("us", zone)
    assert [v and v.replace(tzinfo=None) for v in found["t"].to_pylist()] == [*EDGES, None]


@pytest.mark.skipif(ARROW < 23, reason="the test above has the real file")
@pytest.mark.parametrize("writer", ["parquet-cpp-arrow version 22.", "parquet-cpp-velox version 9"])
def test_int96_of_writers_with_negative_times(tmp_path: Path, writer: str) -> None:
    table = pa.table({"t": pa.array([EDGES[2]], pa.timestamp("us")), "a": [1]})
    options = {"use_deprecated_int96_timestamps": True}
    one_file(tmp_path, table, field("t", "timestamp"), field("a", "long"), options=options)
    path = tmp_path / "a.parquet"
    ours = f"parquet-cpp-arrow version {ARROW}.".encode()
    assert ours in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(ours, writer.encode()))
    with pytest.raises(SourceError, match=f"{writer}.* wrote t as INT96"):
        read(tmp_path)
    assert read(tmp_path, ["a"]).to_pylist() == [{"a": 1}]


@needs_shared
def test_edge_timestamps_of_spark_against_duckdb() -> None:
    root = OUTSIDE / "delta-rs" / "table_with_edge_timestamps"
    files = [file.path for file in snapshot(root).files]
    theirs = duckdb.execute(
        "select epoch_us(BIG_DATE), epoch_us(NORMAL_DATE) from read_parquet(?)", [files]
    ).fetchall()
    found = read(root)
    ours = zip(
        *(found[name].cast(pa.int64()).to_pylist() for name in ("BIG_DATE", "NORMAL_DATE")),
        strict=True,
    )
    assert sorted(ours) == sorted(theirs)


def test_column_mapping_by_id(tmp_path: Path) -> None:
    ids = [
        pa.field(n, pa.int64(), metadata={"PARQUET:field_id": i})
        for n, i in (("b", "1"), ("a", "7"))
    ]
    table = pa.table([pa.array([10]), pa.array([20])], schema=pa.schema(ids))
    fields = [field(n, "long", id=i, physical=n) for n, i in (("a", 1), ("b", 2))]
    one_file(tmp_path, table, *fields, mode="id")
    assert read(tmp_path).to_pylist() == [{"a": 10, "b": None}]
    parquet(
        tmp_path,
        "a.parquet",
        table.replace_schema_metadata().cast(pa.schema({"b": pa.int64(), "a": pa.int64()})),
    )
    with pytest.raises(SourceError, match="none of the table's columns"):
        read(tmp_path)


def test_renamed_and_dropped_columns(tmp_path: Path) -> None:
    table = pa.table({"col-1": [1], "col-2": ["dropped"], "col-3": [{"col-4": 5, "col-5": 6}]})
    inner = {"type": "struct", "fields": [field("y", "long", id=5, physical="col-5")]}
    fields = (
        field("renamed", "long", id=1, physical="col-1"),
        field("s", inner, id=3, physical="col-3"),
    )
    one_file(tmp_path, table, *fields, features=("columnMapping",), mode="name")
    assert read(tmp_path).to_pylist() == [{"renamed": 1, "s": {"y": 6}}]


def test_a_mapping_mode_without_its_protocol_counts_for_nothing(tmp_path: Path) -> None:
    one_file(
        tmp_path,
        pa.table({"a": [1]}),
        field("a", "long", physical="x"),
        features=("timestampNtz",),
        mode="name",
    )
    assert read(tmp_path).to_pylist() == [{"a": 1}]


@pytest.mark.parametrize("mode", ["name", None])
def test_a_file_without_any_of_the_columns(tmp_path: Path, mode: str | None) -> None:
    one_file(tmp_path, pa.table({"x": [1]}), field("a", "long", id=1, physical="y"), mode=mode)
    with pytest.raises(SourceError, match="none of the table's columns"):
        read(tmp_path)


def test_columns_that_contradict_the_file(tmp_path: Path) -> None:
    table = pa.table({"a": [1], "B": [2]})
    one_file(tmp_path, table, field("a", "long"), field("b", "long"))
    with pytest.raises(SourceError, match="has 'B', the table 'b'"):
        read(tmp_path)
    one_file(tmp_path, table, field("a", "long"), field("c", "long", nullable=False))
    with pytest.raises(SourceError, match="lacks the column 'c', which is NOT NULL"):
        read(tmp_path)
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    one_file(tmp_path, twice, field("a", "long"))
    with pytest.raises(SourceError, match="has the column a twice"):
        read(tmp_path)


WIDENING = ("typeWidening",)


@pytest.mark.parametrize(
    ("values", "kind", "expected", "features"),
    [
        (pa.array([1, None], pa.int8()), "long", [1, None], ()),
        (pa.array([1], pa.int64()), "byte", [1], ()),
        (pa.array([255], pa.uint8()), "short", [255], ()),
        (pa.array([0.1], pa.float32()), "double", [0.10000000149011612], ()),
        (pa.array([Decimal("1.5")], pa.decimal128(3, 1)), "decimal(6,2)", [Decimal("1.50")], ()),
        (pa.array(["a"], pa.large_string()), "string", ["a"], ()),
        (pa.array([b"\xc3\xa9"]), "string", ["é"], ()),
        (pa.array(["a", "a"]).dictionary_encode(), "string", ["a", "a"], ()),
        (pa.array([b"ab"], pa.binary(2)), "binary", [b"ab"], ()),
        (pa.array([None], pa.null()), "long", [None], ()),
        (pa.array([1000], pa.timestamp("ns")), "timestamp_ntz", [EPOCH.replace(microsecond=1)], ()),
        (pa.array([1], pa.int32()), "double", [1.0], WIDENING),
        (pa.array([-7], pa.int32()), "decimal(12,2)", [Decimal("-7.00")], WIDENING),
        (pa.array([2**63 - 1]), "decimal(21,1)", [Decimal("9223372036854775807.0")], WIDENING),
        (pa.array([date(9999, 12, 31)]), "timestamp_ntz", [datetime(9999, 12, 31)], WIDENING),
        (
            pa.array([[1], None], pa.list_(pa.int32())),
            {"type": "array", "elementType": "long", "containsNull": True},
            [[1], None],
            WIDENING,
        ),
    ],
)
def test_types_that_hold_the_same_values(
    tmp_path: Path,
    values: pa.Array,
    kind: object,
    expected: list[object],
    features: tuple[str, ...],
) -> None:
    one_file(tmp_path, pa.table({"a": values}), field("a", kind), features=features)
    assert read(tmp_path)["a"].to_pylist() == expected


@pytest.mark.parametrize(
    ("values", "kind", "features"),
    [
        (pa.array([1]), "string", WIDENING),
        (pa.array(["1"]), "long", WIDENING),
        (pa.array([True]), "integer", WIDENING),
        (pa.array([128]), "byte", ()),
        (pa.array([2**63], pa.uint64()), "long", ()),
        (pa.array([1.5]), "float", WIDENING),
        (pa.array([1.0]), "long", WIDENING),
        (pa.array([1], pa.int32()), "double", ()),
        (pa.array([1], pa.int64()), "double", WIDENING),
        (pa.array([1], pa.int32()), "decimal(12,2)", ()),
        (pa.array([date(2020, 1, 1)]), "timestamp_ntz", ()),
        (pa.array([date(2020, 1, 1)]), "timestamp", WIDENING),
        (pa.array([Decimal("1.50")]), "decimal(6,1)", WIDENING),
        (pa.array([Decimal("12345.6")]), "decimal(5,1)", WIDENING),
        (pa.array([1], pa.timestamp("ns")), "timestamp_ntz", ()),
        (pa.array([b"\xff"]), "string", ()),
        (pa.array(["a"]), "binary", ()),
        (pa.array([{"x": 1}]), {"type": "struct", "fields": [field("y", "long")]}, ()),
        (pa.array([{"x": 1}]), "long", ()),
        (pa.array([1]), {"type": "array", "elementType": "long", "containsNull": True}, ()),
    ],
)
def test_types_that_do_not(
    tmp_path: Path, values: pa.Array, kind: object, features: tuple[str, ...]
) -> None:
    one_file(tmp_path, pa.table({"a": values}), field("a", kind), features=features)
    with pytest.raises(SourceError, match=r"a\.parquet: the column 'a' is .* of the table"):
        read(tmp_path)


@pytest.mark.parametrize("kind", ["interval", "decimal(39,1)", "decimal(2,3)", "geometry", {}, 1])
def test_types_that_delta_does_not_have(tmp_path: Path, kind: object) -> None:
    one_file(tmp_path, pa.table({"a": [1]}), field("a", kind))
    with pytest.raises(SourceError, match=r"column 'a': the Delta type .* is not known"):
        read(tmp_path)


def test_void_and_variant(tmp_path: Path) -> None:
    stored = pa.array([{"metadata": b"\1", "value": b"\2"}, None])
    table = pa.table({"a": [1, 2], "v": stored})
    fields = (field("a", "long"), field("n", "void"), field("v", "variant"))
    one_file(tmp_path, table, *fields, features=("variantType",))
    found = read(tmp_path)
    assert [found[name].null_count for name in ("a", "n", "v")] == [0, 2, 1]
    shredded = pa.array([{"metadata": b"\1", "value": b"\2", "typed_value": 1}])
    one_file(tmp_path, pa.table({"a": [1], "v": shredded}), *fields, features=("variantType",))
    with pytest.raises(SourceError, match="column 'v'"):
        read(tmp_path)


def test_columns_by_name(tmp_path: Path) -> None:
    one_file(tmp_path, pa.table({"a.b": [1], "a": [2]}), field("a", "long"), field("a.b", "long"))
    assert read(tmp_path).to_pylist() == [{"a": 2, "a.b": 1}]
    assert read(tmp_path, ["a.b", "a"]).column_names == ["a", "a.b"]
    assert read(tmp_path, ["a.b"]).to_pylist() == [{"a.b": 1}]
    with pytest.raises(SourceError, match=r"no column z; it has a, a.b"):
        read(tmp_path, ["a", "z"])
    schema, stream = batches(snapshot(tmp_path), [])
    assert (schema.names, sum(batch.num_rows for batch in stream)) == ([], 1)


def test_a_row_count_that_the_log_contradicts(tmp_path: Path) -> None:
    one_file(tmp_path, pa.table({"a": [1]}), field("a", "long"), stats='{"numRecords": 2}')
    with pytest.raises(SourceError, match="has 1 rows, the log says 2"):
        read(tmp_path)


def test_missing_and_cut_files(tmp_path: Path) -> None:
    one_file(tmp_path, pa.table({"a": range(1000)}), field("a", "long"))
    path = tmp_path / "a.parquet"
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(SourceError, match=f"{path} cannot be read"):
            read(tmp_path)
    path.unlink()
    with pytest.raises(SourceError, match=f"{path} is missing"):
        read(tmp_path)


def test_any_byte_of_a_data_file_may_be_damaged(tmp_path: Path) -> None:
    """With page checksums no damaged value comes through, and no other error than ours."""
    table = pa.table({"a": range(500), "s": [f"text {n * n}" for n in range(500)]})
    options = {"write_page_checksum": True, "store_schema": False}
    one_file(tmp_path, table, field("a", "long"), field("s", "string"), options=options)
    path = tmp_path / "a.parquet"
    whole = path.read_bytes()
    pages = pq.ParquetFile(path).metadata.row_group(0).column(1)
    end = pages.data_page_offset + pages.total_compressed_size
    assert read(tmp_path).equals(table.cast(read(tmp_path).schema))
    refused = 0
    for place in range(4, len(whole), 31):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            found = read(tmp_path)
        except SourceError:
            refused += 1
            continue
        if place < end:
            assert rows(found) == rows(table)
    assert refused > 50
