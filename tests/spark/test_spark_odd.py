"""What Spark itself makes odd: each right, or named as not covered, or refused with what would do."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from modes import MODES, set_to
from odd_columns import CORRECTED, ODD, Odd, table

import ods_fingerprint as ods

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOCS = Path(__file__).resolve().parents[2] / "docs" / "spark.md"


def digits(*texts: str) -> int:
    return sum(int(hashlib.md5(text.encode()).hexdigest()[:15], 16) for text in texts)


def _figures(fingerprint: ods.Fingerprint, name: str = "x") -> dict[str, object]:
    return dict({c.column.name: c for c in fingerprint.columns}[name].figures)


def _in_duckdb(path: Path) -> ods.Fingerprint:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW v AS SELECT * FROM read_parquet('{path}/*.parquet')")
        return ods.compute(connection, "v")


def _verdict(found: ods.Fingerprint, other: ods.Fingerprint) -> str:
    result = ods.compare(found, other)
    assert result.verdict != "different" or result.differences
    return result.verdict


def _cases() -> list[object]:
    later = pytest.mark.spark4
    return [pytest.param(o, marks=later if o.since == 4 else (), id=o.name) for o in ODD]


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("odd", _cases())
def test_what_spark_wrote_is_right_or_named(odd: Odd, spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "written"
    with set_to(spark, dict(odd.settings)):
        frame = spark.sql(f"SELECT EXPLODE(ARRAY({odd.values})) AS x")
        frame.coalesce(1).write.parquet(str(path))
        found = ods.compute(spark, f"parquet.`{path}`")
    if odd.texts is not None:
        assert _figures(found)["hash"] == digits(*odd.texts)
    assert odd.note in " ".join(found.notes)
    for expected, compute in ((odd.here, ods.compute), (odd.duck, _in_duckdb)):
        if expected is None:
            assert odd.error
            with pytest.raises(ods.SourceError, match=odd.error):
                compute(path)
        else:
            assert _verdict(found, compute(path)) == expected


def test_the_table_of_the_docs_is_what_these_tests_say() -> None:
    text = DOCS.read_text(encoding="utf-8")
    found = re.search(r"<!-- tests/spark/odd_columns.py -->\n(.*?)\n\n", text, re.DOTALL)
    assert found is not None
    assert found[1] == table()


@pytest.mark.usefixtures("mode")
def test_char_is_padded_and_noted(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE chars (c CHAR(5), v VARCHAR(5), s STRUCT<x: CHAR(3)>) USING parquet")
    spark.sql("INSERT INTO chars VALUES ('ab', 'cd', NAMED_STRUCT('x', 'q'))")
    spark.sql("CREATE OR REPLACE TEMP VIEW chars_seen AS SELECT * FROM chars")
    try:
        for name in ("chars", "chars_seen"):
            found = ods.compute(spark, name)
            assert _figures(found, "c")["hash"] == digits("ab   ")
            assert _figures(found, "v")["hash"] == digits("cd")
            assert [n for n in found.notes if n.startswith("c: CHAR(5)")]
    finally:
        spark.sql("DROP TABLE chars")


def test_bytes_that_are_not_utf8_are_hashed_as_they_are(spark: SparkSession) -> None:
    spark.sql("SELECT CAST(X'FF61' AS STRING) AS x").createOrReplaceTempView("bytes")
    expected = int(hashlib.md5(b"\xffa").hexdigest()[:15], 16)
    assert _figures(ods.compute(spark, "bytes"))["hash"] == expected


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("spark.sql.caseSensitive", "true"),
        ("spark.sql.parser.escapedStringLiterals", "true"),
        ("spark.sql.ansi.doubleQuotedIdentifiers", "true"),
        ("spark.sql.ansi.enforceReservedKeywords", "true"),
        ("spark.sql.timestampType", "TIMESTAMP_NTZ"),
        ("spark.sql.decimalOperations.allowPrecisionLoss", "false"),
        ("spark.sql.legacy.timeParserPolicy", "LEGACY"),
        ("spark.sql.legacy.interval.enabled", "true"),
        ("spark.sql.legacy.castComplexTypesToString.enabled", "true"),
        ("spark.sql.legacy.literal.pickMinimumPrecision", "false"),
        ("spark.sql.legacy.allowNegativeScaleOfDecimal", "true"),
        ("spark.sql.datetime.java8API.enabled", "true"),
        ("spark.sql.codegen.wholeStage", "false"),
        ("spark.sql.storeAssignmentPolicy", "LEGACY"),
    ],
)
def test_no_setting_of_the_session_changes_a_figure(
    setting: str, value: str, spark: SparkSession, tmp_path: Path
) -> None:
    everything = _everything()
    pq.write_table(everything, tmp_path / "x.parquet")
    here = ods.compute(everything)
    for name, mode in MODES.items():
        with set_to(spark, {**CORRECTED, **mode, setting: value}):
            found = ods.compute(spark, f"parquet.`{tmp_path / 'x.parquet'}`")
        assert ods.compare(found, here).verdict == "equal", name


def _everything() -> pa.Table:
    from datetime import date
    from decimal import Decimal

    micros = pa.array([-1, 1615689000123456, -14826758400000000], pa.int64())
    fine = [Decimal("0.000000001"), Decimal("-0.5"), Decimal(0)]
    return pa.table(
        {
            "i": pa.array([1, None, -(1 << 63)], pa.int64()),
            "d": pa.array(fine, pa.decimal128(38, 18)),
            "s": pa.array(["", "a\\b'c\"", "ä\0"]),
            "b": pa.array([True, False, None]),
            "day": pa.array([date(1500, 2, 28), date(1, 1, 1), date(9999, 12, 31)]),
            "at": micros.cast(pa.timestamp("us", "UTC")),
            "clock": pa.array([-1, 1615689000123456, -(1 << 63)], pa.int64()).cast(
                pa.timestamp("us")
            ),
            "x": pa.array([0.1, float("nan"), -0.0]),
        }
    )


@pytest.mark.parametrize("setting", ["ignoreCorruptFiles", "ignoreMissingFiles"])
def test_a_session_that_leaves_files_out_is_noted(setting: str, spark: SparkSession) -> None:
    spark.sql("SELECT 1 AS x").createOrReplaceTempView("one")
    assert ods.compute(spark, "one").notes == ()
    with set_to(spark, {f"spark.sql.files.{setting}": "true"}):
        (note,) = ods.compute(spark, "one").notes
    assert (
        note == f"spark.sql.files.{setting} is true: what cannot be read is left out without a word"
    )


def test_a_rebase_is_noted_for_dates_and_times_alone(spark: SparkSession) -> None:
    spark.sql("SELECT 1 AS x, DATE '2020-01-01' AS d").createOrReplaceTempView("dated")
    with set_to(spark, {"spark.sql.parquet.int96RebaseModeInRead": "LEGACY"}):
        assert ods.compute(spark, "dated", columns=["x"]).notes == ()
        (note,) = ods.compute(spark, "dated").notes
    assert note.startswith("spark.sql.parquet.int96RebaseModeInRead is LEGACY: dates before 1582")
