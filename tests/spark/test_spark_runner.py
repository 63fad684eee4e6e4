"""Fingerprints in a Spark session of the user's own: right, and the session as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from command import orders, refused, run
from modes import set_to
from shared import COVID, needs_shared

import ods_fingerprint as ods
from ods_fingerprint.runners import spark as runner

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Listening:
    """The user's session, with what was sent to it written down."""

    def __init__(self, session: SparkSession) -> None:
        self.session, self.sent = session, list[str]()
        self.version, self.conf = session.version, session.conf
        self.sparkContext = session.sparkContext

    def sql(self, sqlQuery: str) -> DataFrame:
        self.sent.append(sqlQuery)
        return self.session.sql(sqlQuery)


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The example of the front doors: a Parquet file, a table `shop.orders`, views of it."""
    folder = tmp_path_factory.mktemp("orders")
    pq.write_table(orders(), folder / "o.parquet")
    spark.sql("CREATE DATABASE shop")
    spark.sql(f"CREATE TABLE shop.orders USING parquet LOCATION '{folder}'")
    spark.sql("CREATE VIEW shop.seen AS SELECT * FROM shop.orders")
    spark.table("shop.orders").createOrReplaceTempView("passing")
    spark.table("shop.orders").createOrReplaceGlobalTempView("everywhere")
    yield folder / "o.parquet"
    spark.sql("DROP DATABASE shop CASCADE")


def test_a_table_is_found_by_every_name_that_spark_has_for_it(
    spark: SparkSession, place: Path, mode: str
) -> None:
    here = ods.compute(orders())
    for name in (
        "shop.orders", "SHOP.Orders", "spark_catalog.shop.orders", "`shop`.`orders`",
        '"spark_catalog".shop."orders"', "shop.seen", "passing", "global_temp.everywhere",
        f"parquet.`{place}`", f'parquet."{place}"',
    ):  # fmt: skip
        found = ods.compute(spark, name)
        assert ods.compare(found, here).differences == (), name
        assert found.made_by["engine"] == f"Spark {spark.version}"


def test_exactly_the_text_of_sql_is_sent_once(spark: SparkSession, place: Path) -> None:
    listening = Listening(spark)
    runner.compute(listening, "shop.orders")
    text = ods.sql(("shop", "orders"), orders().schema, "spark")
    assert [sent for sent in listening.sent if "MD5" in sent] == [text]


def test_jobs_run_in_the_group_of_the_caller(spark: SparkSession, place: Path) -> None:
    spark.sparkContext.setJobGroup("theirs", "a group of the caller")
    ods.compute(spark, "shop.orders")
    assert spark.sparkContext.getLocalProperty("spark.jobGroup.id") == "theirs"
    assert spark.sparkContext.statusTracker().getJobIdsForGroup("theirs")
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)


def _state(spark: SparkSession) -> object:
    return (
        sorted(tuple(row) for row in spark.sql("SET").collect()),
        spark.catalog.currentCatalog(),
        spark.catalog.currentDatabase(),
        sorted(str(table) for table in spark.catalog.listTables()),
        sorted(database.name for database in spark.catalog.listDatabases()),
        sorted(spark.getTags()) if hasattr(spark, "getTags") and spark.version >= "4" else None,
    )


def test_the_session_is_as_it_was(spark: SparkSession, place: Path, mode: str) -> None:
    spark.sql("USE shop")
    before = _state(spark)
    ods.compute(spark, "orders")
    for missing in ("no.such.table", "orders_", "parquet.`/nowhere`"):
        with pytest.raises(ods.SourceError):
            ods.compute(spark, missing)
    assert _state(spark) == before
    spark.sql("USE default")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", "TABLE_OR_VIEW_NOT_FOUND"),
        ("shop.nowhere", "`shop`.`nowhere`"),
        ("parquet.`/nowhere/x`", "/nowhere/x"),
        ("nocatalog.shop.orders.x", "nocatalog"),
    ],
)
def test_what_is_not_there_is_named_in_one_line(
    spark: SparkSession, place: Path, name: str, words: str
) -> None:
    with pytest.raises(ods.SourceError, match=words) as said:
        ods.compute(spark, name)
    assert "\n" not in str(said.value)
    assert "SQLSTATE" not in str(said.value)


def test_a_fault_while_it_runs_is_one_line(spark: SparkSession) -> None:
    spark.sql("SELECT RAISE_ERROR('no such day') AS x FROM RANGE(3)").createOrReplaceTempView("bad")
    with pytest.raises(ods.SourceError, match=r"Spark: .*no such day$") as said:
        ods.compute(spark, "bad")
    assert "\n" not in str(said.value)


def test_a_file_that_is_no_parquet_is_named(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1 no parquet PAR1")
    with pytest.raises(ods.SourceError, match="not a file of this format") as said:
        ods.compute(spark, f"parquet.`{path}`")
    assert "\n" not in str(said.value)


def test_columns_that_differ_by_case_are_refused(spark: SparkSession) -> None:
    with set_to(spark, {"spark.sql.caseSensitive": "true"}):
        spark.sql("SELECT 1 AS a, 2 AS A").createOrReplaceTempView("twins")
        with pytest.raises(ods.SchemaError, match="a and A"):
            ods.compute(spark, "twins")


def test_columns_and_versions_are_chosen(spark: SparkSession, place: Path) -> None:
    found = ods.compute(spark, "shop.orders", columns=["ID", "price"], skip=["price"])
    assert [column.column.name for column in found.columns] == ["id"]
    assert found.skipped == ("price", "score", "tags")
    with pytest.raises(ods.NotCovered, match="tags list<string>"):
        ods.compute(spark, "shop.orders", strict=True)
    with pytest.raises(ods.SourceError, match="Spark: ") as said:
        ods.compute(spark, "shop.orders", version=3)
    assert "\n" not in str(said.value)
    with pytest.raises(ods.SourceError, match="belong to local data"):
        ods.compute(spark, "shop.orders", hive="read")


@pytest.mark.delta
def test_a_version_of_a_delta_table_is_read(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "d"
    for values in ("(1), (2)", "(3)"):
        frame = spark.sql(f"SELECT * FROM VALUES {values} AS t(id)")
        frame.coalesce(1).write.format("delta").mode("append").save(str(path))
    spark.sql(f"CREATE TABLE by_name USING delta LOCATION '{path}'")
    for name in (f"delta.`{path}`", f'delta."{path}"', "by_name", "spark_catalog.default.by_name"):
        assert [ods.compute(spark, name, version=v).rows for v in (0, 1)] == [2, 3], name
        assert ods.compute(spark, name).rows == 3
    assert ods.compare(ods.compute(spark, "by_name"), ods.compute(path)).verdict == "equal"
    with pytest.raises(ods.SourceError, match="Spark: ") as said:
        ods.compute(spark, "by_name", version=7)
    assert "\n" not in str(said.value)
    spark.sql("DROP TABLE by_name")


@needs_shared
@pytest.mark.one_version
def test_covid_19_nyt_is_the_same_as_parquet(spark: SparkSession) -> None:
    found = ods.compute(spark, f"parquet.`{COVID}/*.parquet`")
    assert found.rows == 1111930
    result = ods.compare(found, ods.compute(COVID))
    assert (result.verdict, result.differences) == ("equal", ())


@needs_shared
@pytest.mark.delta
def test_covid_19_nyt_is_the_same_as_delta(spark: SparkSession) -> None:
    result = ods.compare(ods.compute(spark, f"delta.`{COVID}`"), ods.compute(COVID))
    assert result.verdict == "equal"


def test_the_command_line_reads_the_session_that_there_is(
    spark: SparkSession, place: Path, tmp_path: Path
) -> None:
    ran = run("compare", "spark:shop.orders", place)
    assert (ran.code, ran.err) == (3, ""), ran.err  # tags is nested
    ran = run("compute", f"spark:parquet.`{place}`", "--json", "--skip", "tags")
    stored = ods.Fingerprint.from_json(ran.out)
    assert stored.skipped == ("tags",)
    assert ods.compare(stored, ods.compute(orders())).differences == ()
    ran = run("schema", "spark:shop.orders")
    assert ods.Schema.from_json(ran.out).origin == "spark"
    refused(run("compute", "spark:shop.nowhere"), "shop", "nowhere")
    refused(run("compute", "spark:"), "names no table")
    refused(run("compute", "spark:shop.orders", "--version", "1"), "Spark: ")
    refused(run("compute", "spark:shop.orders", "--strict"), "tags list<string>", "--skip tags")
