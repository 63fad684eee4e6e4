"""What a data file of a Delta table may hold, against what its log says of it."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from delta_tables import (
    field,
    one_file,
    parquet,
    read,
    rows,
)
from shared import OUTSIDE, needs_shared

from ods_fingerprint.delta_log import snapshot
from ods_fingerprint.errors import SourceError
from ods_fingerprint.sources.delta import batches

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1)
ARROW = int(pa.__version__.partition(".")[0])


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
