"""Spark's SQL, DuckDB's SQL, the local calculator and the spec agree on random tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import random_values
import tables
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ods_fingerprint as ods

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Column = dict[str, object]
ROWS = 1500
NAMES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=9
)
# few examples, each of tens of thousands of values: what costs is the job, not the value
few = settings(
    derandomize=True,
    max_examples=3,
    deadline=None,
    phases=[Phase.generate],  # a seed cannot be shrunk
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    return tables.reference()


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("SET TimeZone = 'America/New_York'")
        yield opened


def _columns(names: Sequence[str], rows: int, seed: int) -> list[Column]:
    random = Random(seed)
    kinds = [*random_values.KINDS]
    random.shuffle(kinds)
    return [
        {"name": name, "type": kind, "values": random_values.column(kind, rows, random)}
        for name, kind in zip(names, kinds)
    ]


def _stored(columns: Sequence[Column], folder: Path) -> Path:
    """Return a new folder of Parquet: three files, small row groups, some dictionaries."""
    table = tables.arrow(columns, [str(column["name"]) for column in columns])
    place = folder / f"{len(list(folder.iterdir()))}"
    place.mkdir()
    third = -(-table.num_rows // 3)
    for at in range(3):
        part = table.slice(at * third, third)
        pq.write_table(part, place / f"{at}.parquet", row_group_size=400, use_dictionary=at != 1)
    return place


def _on_spark(frame: DataFrame) -> ods.Fingerprint:
    frame.createOrReplaceTempView("random_table")
    return ods.compute(frame.sparkSession, "random_table")


def _on_duckdb(connection: duckdb.DuckDBPyConnection, place: Path) -> ods.Fingerprint:
    files = f"read_parquet('{place}/*.parquet', hive_partitioning = false)"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW random_table AS SELECT * FROM {files}")
    return ods.compute(connection, "random_table")


def _bare(fingerprint: dict[str, object]) -> dict[str, object]:
    """Return a fingerprint without what engines may differ in: widths, units and notes."""
    columns = fingerprint["columns"]
    assert isinstance(columns, list)
    kept = [
        {key: column[key] for key in ("name", "type", "family", "figures")} for column in columns
    ]
    return {"spec": fingerprint["spec"], "rows": fingerprint["rows"], "columns": kept}


def _hashes(fingerprint: ods.Fingerprint) -> dict[str, object]:
    found = json.loads(fingerprint.to_json())["columns"]
    return {column["name"]: column["figures"].get("hash") for column in found}


@pytest.mark.usefixtures("mode")
@given(
    names=st.lists(
        NAMES, min_size=len(random_values.KINDS), max_size=len(random_values.KINDS),
        unique_by=str.lower,
    ),
    rows=st.sampled_from([ROWS, 0, 1, ROWS + 1]),
    seed=st.integers(0, 2**32),
)  # fmt: skip
@few
def test_four_voices_agree_on_every_type(
    names: list[str],
    rows: int,
    seed: int,
    spark: SparkSession,
    connection: duckdb.DuckDBPyConnection,
    reference: ModuleType,
    tmp_path: Path,
) -> None:
    columns = _columns(names, rows, seed)
    place = _stored(columns, tmp_path)
    expected = reference.fingerprint(columns, rows)
    found = {
        "spark": _on_spark(tables.parquet(spark, place)),
        "duckdb": _on_duckdb(connection, place),
        "local": ods.compute(place),
    }
    for voice, fingerprint in found.items():
        said = reference.compare(_bare(expected), _bare(json.loads(fingerprint.to_json())))
        assert (voice, said["differences"]) == (voice, [])
        assert len(said["notes"]) <= len(columns)
    for other in ("duckdb", "local"):
        assert ods.compare(found["spark"], found[other]).verdict == "equal"


@pytest.mark.usefixtures("mode")
def test_one_changed_value_changes_the_hash_of_its_column(
    spark: SparkSession, tmp_path: Path
) -> None:
    random = Random(20)
    kinds = [kind for kind in random_values.KINDS if kind not in ("float", "double", "boolean")]
    before = [
        {"name": kind, "type": kind, "values": [random_values.drawer(kind)(random) for _ in range(500)]}
        for kind in kinds
    ]  # fmt: skip
    after = [{**column, "values": _one_changed(column, random)} for column in before]
    first, second = (
        _on_spark(tables.parquet(spark, _stored(columns, tmp_path))) for columns in (before, after)
    )
    assert ods.compare(first, second).verdict == "different"
    one, other = _hashes(first), _hashes(second)
    assert [kind for kind in kinds if one[kind] == other[kind]] == []


def _one_changed(column: Column, random: Random) -> list[object]:
    values = [*tables.values(column)]
    at = random.randrange(len(values))
    draw = random_values.drawer(str(column["type"]))
    while (value := draw(random)) == values[at]:
        pass
    values[at] = value
    return values


def _amounts(rows: int) -> list[float]:
    """Return amounts of a ledger, each booked and booked back: they sum to 0 to the cent."""
    random = Random(7)
    booked = [random.randint(-(10**8), 10**8) for _ in range(rows // 2)]
    cents = booked + [-amount for amount in booked]
    random.shuffle(cents)
    assert sum(map(Decimal, cents)) == 0
    return [amount / 100 for amount in cents]


ORDERS = ("id", "amount", "amount DESC", "ABS(amount)", "ABS(amount) DESC", "MD5(STRING(id))")


def _orders(spark: SparkSession, path: Path) -> Iterator[DataFrame]:
    frame = spark.read.parquet(str(path))
    for order in ORDERS:
        yield frame.coalesce(1).selectExpr("*").orderBy(*_by(order))
    for parts in (1, 3, 64):
        yield frame.repartition(parts, "id")


def _by(order: str) -> list[object]:
    from pyspark.sql.functions import expr

    ascending = expr(order.removesuffix(" DESC"))
    return [ascending.desc() if order.endswith("DESC") else ascending]


def _summed(spark: SparkSession, path: Path) -> list[ods.Fingerprint]:
    """Return what Spark adds up in several orders, checked to be of more than one sum."""
    return [_on_spark(frame) for frame in _orders(spark, path)]


@pytest.mark.parametrize("shape", ["ledger", "mixed"])
def test_sums_in_other_orders_stay_equal(shape: str, spark: SparkSession, tmp_path: Path) -> None:
    amounts = _amounts(100_000) if shape == "ledger" else _mixed(100_000)
    path = tmp_path / "amounts.parquet"
    ids = pa.array(range(len(amounts)), pa.int64())
    pq.write_table(pa.table({"id": ids, "amount": amounts}), path, row_group_size=10_000)
    local = ods.compute(path)
    found = _summed(spark, path)
    assert len({json.loads(one.to_json())["columns"][1]["figures"]["sum"] for one in found}) > 2
    for one in found:
        assert ods.compare(one, local).verdict == "equal"
        assert all(ods.compare(one, other).verdict == "equal" for other in found)


def _mixed(rows: int) -> list[float]:
    draw, random = random_values.floating("<d"), Random(8)
    return [float.fromhex(str(draw(random))) for _ in range(rows)]


@pytest.mark.parametrize("cents", [1, -1])
def test_a_cent_in_a_ledger_is_never_rounding(
    cents: int, spark: SparkSession, tmp_path: Path
) -> None:
    amounts = _amounts(100_000)
    inner = next(at for at, amount in enumerate(amounts) if abs(amount) < 1000)
    changed = [*amounts]
    changed[inner] += cents / 100
    found = []
    for name, values in (("before", amounts), ("after", changed)):
        path = tmp_path / f"{name}.parquet"
        pq.write_table(pa.table({"amount": values}), path)
        found.append(_on_spark(spark.read.parquet(str(path))))
    result = json.loads(ods.compare(*found).to_json())
    assert [(d["column"], d["figure"]) for d in result["differences"]] == [("amount", "sum")]
