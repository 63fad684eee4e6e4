"""Files in the old calendar, told by the footer keys that Spark and Hive write: refused where it matters.

tests/spark has the same files written by Spark itself.
"""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from delta_tables import field, one_file, read

import ods_fingerprint as ods

SPARK = "org.apache.spark."
ROWS = f"{SPARK}sql.parquet.row.metadata"
NOW = {f"{SPARK}version": "4.1.4", ROWS: "{}"}
LEGACY = NOW | {f"{SPARK}legacyDateTime": "", f"{SPARK}legacyINT96": ""}
OLD = [
    LEGACY,
    {ROWS: "{}"},  # Spark to 2.4.5
    {ROWS: "{}", f"{SPARK}version": "2.4.8"},
    {"writer.date.proleptic": "false"},  # Hive
]
NEW = [NOW, {}, {"writer.date.proleptic": "true"}, NOW | {f"{SPARK}version": "10.0.0"}]
DAY, MOMENT = -141_427, -2_208_988_800_000_000  # 1582-10-15, 1900-01-01T00:00:00Z
INSTANT = pa.timestamp("us", "UTC")


def _write(path: Path, kind: pa.DataType, number: int, footer: dict[str, str]) -> Path:
    raw = pa.array([None, number], pa.int32() if kind == pa.date32() else pa.int64())
    table = pa.table({"x": raw.view(kind), "i": [1, 2]}).replace_schema_metadata(footer)
    int96 = kind == pa.timestamp("us") and "int96" in path.name
    pq.write_table(table, path, use_deprecated_int96_timestamps=int96)
    return path


def _refused(source: object) -> bool:
    try:
        ods.compute(source)
    except ods.SourceError as error:
        return "holds 'x' in the calendar of Spark 2" in str(error) or pytest.fail(str(error))
    return False


@pytest.mark.parametrize("footer", OLD + NEW, ids=str)
def test_only_what_the_calendars_disagree_on_is_refused(
    footer: dict[str, str], tmp_path: Path
) -> None:
    old = footer in OLD
    assert _refused(_write(tmp_path / "a", pa.date32(), DAY - 1, footer)) == old
    assert _refused(_write(tmp_path / "b", INSTANT, MOMENT - 1, footer)) == old
    assert _refused(_write(tmp_path / "int96", pa.timestamp("us"), MOMENT - 1, footer)) == old
    assert not _refused(_write(tmp_path / "c", pa.date32(), DAY, footer))
    assert not _refused(_write(tmp_path / "d", INSTANT, MOMENT, footer))
    assert not _refused(_write(tmp_path / "e_int96", pa.timestamp("us"), MOMENT, footer))
    if "writer.date.proleptic" not in footer:
        assert not _refused(_write(tmp_path / "f", pa.timestamp("us"), MOMENT - 1, footer))


@pytest.mark.parametrize(
    ("footer", "days", "int96"),
    [
        (NOW | {f"{SPARK}legacyDateTime": ""}, True, False),
        (NOW | {f"{SPARK}legacyINT96": ""}, False, True),
        (NOW | {f"{SPARK}version": "3.0.3"}, False, True),
        (NOW | {f"{SPARK}version": "3.1.0"}, False, False),
    ],
)
def test_int96_has_a_mark_of_its_own(
    footer: dict[str, str], days: bool, int96: bool, tmp_path: Path
) -> None:
    assert _refused(_write(tmp_path / "a", pa.date32(), DAY - 1, footer)) == days
    assert _refused(_write(tmp_path / "b", INSTANT, MOMENT - 1, footer)) == days
    assert _refused(_write(tmp_path / "int96", pa.timestamp("us"), MOMENT - 1, footer)) == int96


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_the_bound_holds_in_every_unit(unit: str, tmp_path: Path) -> None:
    first = int(datetime(1900, 1, 1, tzinfo=timezone.utc).timestamp())
    number = first * {"ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    kind = pa.timestamp(unit, "UTC")
    assert _refused(_write(tmp_path / "a", kind, number - 1, LEGACY))
    assert not _refused(_write(tmp_path / "b", kind, number, LEGACY))


def test_a_nested_value_is_in_no_figure(tmp_path: Path) -> None:
    days = pa.array([[DAY - 1]], pa.list_(pa.int32())).cast(pa.list_(pa.date32()))
    pq.write_table(pa.table({"x": days}).replace_schema_metadata(LEGACY), tmp_path / "a")
    assert not _refused(tmp_path / "a")


def test_a_delta_table_refuses_only_columns_that_are_read(tmp_path: Path) -> None:
    days = pa.array([DAY - 1], pa.int32()).view(pa.date32())
    table = pa.table({"x": days, "i": pa.array([7], pa.int64())}).replace_schema_metadata(LEGACY)
    one_file(tmp_path, table, field("x", "date"), field("i", "long"))
    with pytest.raises(ods.SourceError, match="holds 'x' in the calendar of Spark 2"):
        read(tmp_path)
    assert read(tmp_path, ["i"]).to_pylist() == [{"i": 7}]


@pytest.mark.parametrize("footer", OLD, ids=str)
def test_data_that_pyarrow_read_from_such_a_file(footer: dict[str, str], tmp_path: Path) -> None:
    for number, old in ((DAY - 1, True), (DAY, False)):
        _write(tmp_path / "a", pa.date32(), number, footer)
        table = pq.read_table(tmp_path / "a")
        assert _refused(table) == _refused(table.to_reader()) == old
        assert not _refused(table.replace_schema_metadata(None))
    _write(tmp_path / "int96", pa.timestamp("us"), MOMENT - 1, footer)
    assert _refused(pq.read_table(tmp_path / "int96", coerce_int96_timestamp_unit="us"))


def test_a_dataset_is_as_old_as_its_oldest_file(tmp_path: Path) -> None:
    for name, footer in (("a", NOW), ("b", LEGACY)):
        _write(tmp_path / name, pa.date32(), DAY - 1, footer)
    assert _refused(ds.dataset(tmp_path))
    assert not _refused(ds.dataset(tmp_path / "a"))
