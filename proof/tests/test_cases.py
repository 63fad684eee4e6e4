"""Cases from the issues of others about writing and reading Delta, each by its id.

What an engine does to these values is theirs; that a comparison tells it, or that the engine
refuses by name, is ours. Versions: deltalake 1.6.6, polars 2.1.0, pandas 3.1.1.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake
from deltalake.exceptions import DeltaError
from ods_proof import engines
from ods_proof.contract import load
from ods_proof.delta_table import log
from ods_proof.engines import Place
from ods_proof.rows import differences
from ods_proof.table import Generated

import ods_fingerprint as ods

READERS = ("polars", "pandas", "pyarrow", "duckdb")


def _read(engine: str, table: Path, scratch: Path, version: int = 0) -> pa.Table:
    used = engines.find(engine)
    try:
        return used.arrow(used.read(table, version, Place(scratch))).read_all()
    finally:
        used.close()


def _differences(a: pa.Table, b: pa.Table) -> dict[str, dict[str, tuple[object, object]]]:
    """Return what differs between two tables, by column and figure."""
    found: dict[str, dict[str, tuple[object, object]]] = {}
    for one in ods.compare(ods.compute(a), ods.compute(b)).differences:
        found.setdefault(one.column or "table", {})[one.figure] = (one.a, one.b)
    return found


@pytest.mark.parametrize(
    ("engine", "nulls"), [("polars", 2), ("pandas", 3), ("pyarrow", 3), ("duckdb", 3)]
)
def test_er_03_partition_texts_that_become_null(engine: str, nulls: int, tmp_path: Path) -> None:
    keys = ["a/b", "a b", "é", "", "%41", None, "a=b", "a:b", "__HIVE_DEFAULT_PARTITION__", " x"]
    table = pa.table({"k": [*keys, "a+b"], "v": list(range(11))})
    write_deltalake(tmp_path, table, partition_by=["k"])
    found = _read(engine, tmp_path, tmp_path)
    wrong = _differences(table, found.select(["k", "v"]))
    assert wrong.keys() == {"k"}
    assert wrong["k"]["nulls"] == (1, nulls)
    kept = dict(zip(found["v"].to_pylist(), found["k"].to_pylist(), strict=True))
    lost = {at for at, key in enumerate([*keys, "a+b"]) if kept[at] != key}
    assert lost == ({3, 8} if nulls == 3 else {8})


@pytest.mark.parametrize("kind", [pl.Categorical(), pl.Enum(["a", "b"])], ids=str)
def test_er_07_a_dictionary_ends_as_a_panic_that_a_step_survives(
    kind: pl.DataType, tmp_path: Path
) -> None:
    """A panic is no Exception: the worker of a step answers with one line all the same."""
    from ods_proof.worker import _answer

    frame = pl.DataFrame({"c": pl.Series(["a", None, "b"], dtype=kind)})

    def write() -> dict[str, object]:
        frame.write_delta(str(tmp_path / "table"))
        return {}

    found = _answer(write, {})
    assert "\n" not in str(found["error"])
    cast = frame.with_columns(pl.col("c").cast(pl.String))
    cast.write_delta(str(tmp_path / "cast"))
    figures = ods.compute(_read("polars", tmp_path / "cast", tmp_path)).columns[0].figures
    assert dict(figures) == {"nulls": 1, "hash": 719112883567984232}


def test_er_09_unsigned_integers_are_refused_where_they_do_not_fit(tmp_path: Path) -> None:
    small, large = pa.array([7, 200], pa.uint8()), pa.array([1, 2**64 - 1], pa.uint64())
    figures = ods.compute(pa.table({"a": small, "b": large})).columns
    assert [dict(c.figures)["hash"] for c in figures] == [888784375851224054, 1455830901208455903]
    for name, column in (("a", small), ("b", large)):
        with pytest.raises((DeltaError, pa.ArrowInvalid), match="Can't cast value"):
            write_deltalake(tmp_path / name, pa.table({name: column}))


def test_er_11_what_default_pandas_changes_is_told() -> None:
    table = pa.table(
        {
            "p": pa.array([Decimal("1.20")], pa.decimal128(18, 2)),
            "l": pa.array([[1, None]], pa.list_(pa.int32())),
        }
    )
    found = pa.Table.from_pandas(table.to_pandas(), preserve_index=False)
    assert found.schema.types == [pa.decimal128(3, 2), pa.list_(pa.float64())]
    assert differences(table["l"].combine_chunks(), found["l"].combine_chunks()) == {0}
    kept = pa.Table.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), preserve_index=False)
    assert kept.schema.types == table.schema.types
    figures = ods.compute(kept).columns[0].figures
    assert dict(figures) == {"nulls": 0, "hash": 710664666607522009}


@pytest.mark.parametrize("engine", READERS)
def test_er_13_a_zone_goes_and_the_instants_stay(engine: str, tmp_path: Path) -> None:
    moments = pa.array([0, 1720000000000000], pa.timestamp("us", "Europe/Rome"))
    write_deltalake(tmp_path, pa.table({"ts": moments}))
    found = _read(engine, tmp_path, tmp_path)
    assert found.schema.field("ts").type.tz in ("UTC", "Etc/UTC")
    assert _differences(pa.table({"ts": moments}), found) == {}
    figures = ods.compute(found).columns[0].figures
    assert dict(figures) == {"nulls": 0, "hash": 1829771634580986841}


@pytest.mark.parametrize("engine", READERS)
def test_er_15_no_file_of_many_is_skipped(engine: str, tmp_path: Path) -> None:
    for start in range(0, 4_000, 100):
        rows = pa.table({"batch": ["b1"] * 100, "v": list(range(start, start + 100))})
        write_deltalake(tmp_path / "table", rows, mode="append", partition_by=["batch"])
    version = log(tmp_path / "table").versions[-1].number
    assert _read(engine, tmp_path / "table", tmp_path, version).num_rows == 4_000
    used = engines.find(engine)
    try:
        asked = (tmp_path / "table", version, "batch", pa.scalar("b1"), Place(tmp_path))
        assert used.count_equal(*asked) == 4_000
    finally:
        used.close()


@pytest.mark.parametrize("engine", READERS)
def test_er_17_figures_are_taken_without_a_filter(engine: str, tmp_path: Path) -> None:
    rows = pa.table({"x": pa.array([1.0, float("nan"), float("inf"), None])})
    write_deltalake(tmp_path, rows)
    dataset = DeltaTable(tmp_path)
    assert dataset.to_pyarrow_table(filters=[("x", ">", 1.0)]).num_rows == 0
    figures = dict(ods.compute(_read(engine, tmp_path, tmp_path)).columns[0].figures)
    assert figures == {
        "nulls": 1, "nan": 1, "posinf": 1, "neginf": 0, "min": 1.0, "max": 1.0, "sum": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize("engine", READERS)
def test_er_19_an_old_day_is_the_day_of_its_number(engine: str, tmp_path: Path) -> None:
    days = pa.table({"d": pa.array([-354000], pa.int32()).cast(pa.date32())})
    write_deltalake(tmp_path, days)
    stored = pq.read_table(tmp_path / next(iter(log(tmp_path).files())))
    assert stored["d"].cast(pa.int32()).to_pylist() == [-354000]
    found = _read(engine, tmp_path, tmp_path)
    assert _differences(days, found) == {}
    assert found["d"].to_pylist() == [date(1000, 10, 13)]


def test_er_19_the_generated_table_holds_days_before_1582() -> None:
    table = pa.Table.from_batches(Generated(load(), 60, 7).batches())
    assert min(day for day in table["day"].to_pylist() if day) < date(1582, 10, 5)
