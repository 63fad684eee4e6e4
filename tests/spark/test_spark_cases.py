"""Cases of the field, on Spark: their numbers were computed with hashlib."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from modes import set_to

import ods_fingerprint as ods

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.usefixtures("mode")
INF, NAN = float("inf"), float("nan")


def on_spark(spark: SparkSession, folder: Path, table: pa.Table) -> ods.Fingerprint:
    path = folder / f"{len(list(folder.iterdir()))}.parquet"
    pq.write_table(table, path)
    return ods.compute(spark, f"parquet.`{path}`")


def figures(fingerprint: ods.Fingerprint, name: str) -> dict[str, object]:
    return dict({c.column.name: c for c in fingerprint.columns}[name].figures)


def digits(*texts: str) -> int:
    return sum(int(hashlib.md5(text.encode()).hexdigest()[:15], 16) for text in texts)


def test_ct_01_a_decimal_keeps_its_leading_zero(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table(
        {
            "rate": pa.array([Decimal("0.5")], pa.decimal128(1, 1)),
            "tiny": pa.array([Decimal("-0.5")], pa.decimal128(38, 38)),
        }
    )
    found = on_spark(spark, tmp_path, table)
    assert figures(found, "rate")["hash"] == 950554961032877051
    assert figures(found, "tiny")["hash"] == digits("-0.5" + "0" * 37)
    assert ods.compare(found, ods.compute(table)).verdict == "equal"


def test_ct_03_a_decimal_has_no_negative_zero(spark: SparkSession) -> None:
    spark.sql(
        "SELECT CAST(x AS DECIMAL(10, 2)) AS x FROM VALUES ('-0.00'), ('0.00') AS t(x)"
    ).createOrReplaceTempView("zeros")
    assert figures(ods.compute(spark, "zeros"), "x")["hash"] == 2232583173120806986


def test_ct_06_nanoseconds_are_refused_with_what_would_do(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = pa.table({"t": pa.array([-1, -1001, 1999], pa.timestamp("ns"))})
    with pytest.raises(ods.SourceError, match=r"Spark: \[.*nanosAsLong") as refused:
        on_spark(spark, tmp_path, table)
    assert "\n" not in str(refused.value)


def test_ct_06_nanoseconds_as_whole_numbers_are_no_timestamps(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = pa.table({"t": pa.array([-1, -1001, 1999], pa.timestamp("ns"))})
    with set_to(spark, {"spark.sql.legacy.parquet.nanosAsLong": "true"}):
        found = on_spark(spark, tmp_path, table)
    assert figures(found, "t")["hash"] == digits("-1", "-1001", "1999")
    result = ods.compare(found, ods.compute(table))
    assert [one.figure for one in result.differences] == ["type"]


def test_ct_07_a_wall_clock_is_read_as_utc_in_any_zone(spark: SparkSession) -> None:
    spark.sql("SELECT TIMESTAMP_NTZ '2021-03-14 02:30:00' AS c").createOrReplaceTempView("gap")
    assert figures(ods.compute(spark, "gap"), "c")["hash"] == 922595963800571477


def test_ct_09_strings_are_their_bytes(spark: SparkSession, tmp_path: Path) -> None:
    composed = on_spark(spark, tmp_path, pa.table({"n": ["\u00e9", "a", "x"]}))
    other = on_spark(spark, tmp_path, pa.table({"n": ["e\u0301", "a\u200b", "x"]}))
    assert figures(composed, "n")["hash"] == 1231526119886671400
    assert figures(other, "n")["hash"] == 2073451461495888512


def test_ct_11_a_nul_is_a_byte_like_others(spark: SparkSession, tmp_path: Path) -> None:
    found = on_spark(spark, tmp_path, pa.table({"s": ["a\0b", "a"], "t": ["a\0b", None]}))
    assert figures(found, "s")["hash"] == 562783178206144929
    assert figures(found, "t")["hash"] == 505336600729472567


def test_ct_13_a_column_keeps_its_scale(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"x": pa.array([Decimal("5")], pa.decimal128(38, 6))})
    assert figures(on_spark(spark, tmp_path, table), "x")["hash"] == 316336842563250481


def test_fg_01_sums_of_hashes_pass_64_bits(spark: SparkSession, tmp_path: Path) -> None:
    found = on_spark(spark, tmp_path, pa.table({"s": ["a"] * 200}))
    assert figures(found, "s")["hash"] == 11489315495334472400


def test_fg_04_nan_and_infinities_are_counted_apart(spark: SparkSession, tmp_path: Path) -> None:
    found = on_spark(spark, tmp_path, pa.table({"x": pa.array([NAN, 1.0, None, INF, -INF, -2.5])}))
    assert found.rows == 6
    assert figures(found, "x") == {
        "nulls": 1, "nan": 1, "posinf": 1, "neginf": 1, "min": -2.5, "max": 1.0, "sum": -1.5,
    }  # fmt: skip


def test_fg_06_a_sum_that_overflowed_is_no_difference(spark: SparkSession, tmp_path: Path) -> None:
    a = on_spark(spark, tmp_path, pa.table({"x": [1e308, 1e308, -1e308, -1e308]}))
    b = on_spark(spark, tmp_path, pa.table({"x": [1e308, -1e308, 1e308, -1e308]}))
    assert figures(a, "x")["sum"] in (INF, -INF, NAN)  # what overflowed: the case is not idle
    result = ods.compare(a, b)
    assert (result.verdict, result.differences) == ("equal, partial", ())


def test_fg_10_an_empty_table_has_figures(spark: SparkSession, tmp_path: Path) -> None:
    empty = pa.table({"i": pa.array([], pa.int64()), "x": pa.array([], pa.float64())})
    found = on_spark(spark, tmp_path, empty)
    assert found.rows == 0
    assert figures(found, "i") == {"nulls": 0, "hash": 0}
    assert figures(found, "x") == {
        "nulls": 0, "nan": 0, "posinf": 0, "neginf": 0, "min": None, "max": None, "sum": None,
    }  # fmt: skip
    assert ods.compare(found, ods.compute(empty)).verdict == "equal"
    null = on_spark(
        spark, tmp_path, pa.table({"i": pa.nulls(1, pa.int64()), "x": pa.nulls(1, pa.float64())})
    )
    assert ods.compare(found, null).verdict == "different"


def test_fg_14_floats_are_widened_before_they_are_summed(
    spark: SparkSession, tmp_path: Path
) -> None:
    found = figures(
        on_spark(spark, tmp_path, pa.table({"x": pa.array([0.1, 0.2], pa.float32())})), "x"
    )
    assert (found["min"], found["max"]) == (0.10000000149011612, 0.20000000298023224)
    assert found["sum"] == 0.30000000447034836


def test_sp_01_types_of_another_engine_name_none_that_spark_lacks(spark: SparkSession) -> None:
    words = {"a": "INT8", "b": "INT1", "c": "HUGEINT", "d": "UBIGINT"}
    spark.sql(
        "SELECT CAST(1 AS BIGINT) AS a, CAST(2 AS TINYINT) AS b, CAST(3 AS DECIMAL(38, 0)) AS c, CAST(4 AS DECIMAL(20, 0)) AS d"
    ).createOrReplaceTempView("whole")
    schema = ods.Schema.from_sql(words, "duckdb")
    row = spark.sql(ods.sql("whole", schema, "spark")).collect()[0]
    assert [row[f"{name}__hash"] for name in words] == [str(digits(text)) for text in "1234"]


@pytest.mark.spark4
def test_sp_05_a_collation_is_seen_and_not_hashed(spark: SparkSession) -> None:
    spark.sql("SELECT 'A' COLLATE UTF8_LCASE AS s").createOrReplaceTempView("collated")
    found = ods.compute(spark, "collated")
    assert figures(found, "s")["hash"] == digits("A")
    assert [note for note in found.notes if "UTF8_LCASE" in note]


def test_sp_07_what_has_no_canonical_text_is_named_not_hashed(spark: SparkSession) -> None:
    spark.sql(
        "SELECT 1 AS id, INTERVAL 1 DAY AS d, INTERVAL 2 MONTH AS m, X'00' AS b"
    ).createOrReplaceTempView("odd")
    found = ods.compute(spark, "odd")
    assert {name: figures(found, name) for name in "dmb"} == {name: {"nulls": 0} for name in "dmb"}
    with pytest.raises(ods.NotCovered, match="d interval, m interval, b binary"):
        ods.compute(spark, "odd", strict=True)
    assert ods.compute(spark, "odd", strict=True, skip=["d", "m", "b"]).skipped == ("d", "m", "b")


def test_sp_09_a_column_of_nothing_but_null(spark: SparkSession) -> None:
    spark.sql("SELECT id, NULL AS v FROM VALUES (1L), (2L), (3L) AS x(id)").createOrReplaceTempView(
        "v"
    )
    found = ods.compute(spark, "v")
    assert figures(found, "id")["hash"] == 2853953765945779037
    assert figures(found, "v") == {"nulls": 3}
    assert "void" in str(ods.compare(found, found).uncovered)


def test_id_04_names_with_quotes(spark: SparkSession) -> None:
    names = ["cust#", 'a"b', "a`b", "a'b", "a\\b", "select", "$1", "{{x}}", "a;--"]
    spark.range(1).selectExpr(
        *(f"{at}L AS `{name.replace('`', '``')}`" for at, name in enumerate(names))
    ).createOrReplaceTempView("quotes")
    found = ods.compute(spark, "quotes")
    assert [column.column.name for column in found.columns] == names
    assert [column.figures["hash"] for column in found.columns] == [
        digits(str(at)) for at in range(9)
    ]


def test_id_05_a_dot_in_a_name_is_no_field(spark: SparkSession) -> None:
    spark.sql("SELECT 1 AS `s.x`, named_struct('x', 2) AS s").createOrReplaceTempView("dotted")
    found = ods.compute(spark, "dotted")
    assert figures(found, "s.x")["hash"] == 886263699231969848
    assert figures(found, "s") == {"nulls": 0}


def test_id_07_names_like_those_of_our_figures(spark: SparkSession) -> None:
    names = ["month", "month_num", "a", "a__nulls", "A__hash", "rows", "c0", "h1", "t"]
    spark.range(1).selectExpr(
        *(f"{at} AS `{name}`" for at, name in enumerate(names))
    ).createOrReplaceTempView("t")
    found = ods.compute(spark, "t")
    assert {c.column.name: c.figures["hash"] for c in found.columns} == {
        name: digits(str(at)) for at, name in enumerate(names)
    }


def test_cp_01_a_moment_before_1970_keeps_its_fraction(spark: SparkSession) -> None:
    spark.sql("SELECT TIMESTAMP_NTZ '1969-12-31 23:59:59.999999' AS ts").createOrReplaceTempView(
        "before"
    )
    assert figures(ods.compute(spark, "before"), "ts")["hash"] == 485089015540539539


def test_cp_05_nan_and_infinity_without_functions_that_spark_lacks(spark: SparkSession) -> None:
    values = ", ".join(f"CAST('{x}' AS DOUBLE)" for x in ("NaN", "inf", "-inf", "1.0")) + ", NULL"
    spark.sql(
        f"SELECT x, CAST(x AS FLOAT) AS f FROM (SELECT EXPLODE(ARRAY({values})) AS x)"
    ).createOrReplaceTempView("e")
    for name in "xf":
        assert figures(ods.compute(spark, "e"), name) == {
            "nulls": 1, "nan": 1, "posinf": 1, "neginf": 1, "min": 1.0, "max": 1.0, "sum": 1.0,
        }  # fmt: skip


def test_cp_07_kinds_not_words(spark: SparkSession) -> None:
    spark.sql(
        "SELECT TIMESTAMP_NTZ '2024-01-01 00:00:00' AS a, TIMESTAMP '2024-01-01 00:00:00 UTC' AS b"
    ).createOrReplaceTempView("moments")
    found = ods.compute(spark, "moments")
    theirs = ods.Schema.from_sql({"a": "TIMESTAMP", "b": "TIMESTAMPTZ"}, "duckdb")
    assert [c.column.type for c in found.columns] == [c.type for c in theirs.columns]
    assert [figures(found, name)["hash"] for name in "ab"] == [digits("1704067200000000")] * 2


def test_cp_09_fifteen_digits_never_overflow(spark: SparkSession, tmp_path: Path) -> None:
    high = [str(n) for n in range(100) if hashlib.md5(str(n).encode()).hexdigest()[0] == "f"][:3]
    assert len(high) == 3
    found = on_spark(
        spark, tmp_path, pa.table({"s": [*high, "12.30"], "t": ["12.30", None, None, None]})
    )
    assert figures(found, "s")["hash"] == digits(*high, "12.30")
    assert figures(found, "t")["hash"] == 707420959341253616


def test_se_03_hostile_names_are_names(spark: SparkSession) -> None:
    column, table = 'x"; DROP TABLE t; --`', 'd"; DROP VIEW t; --'
    spark.sql(f"SELECT 1 AS `{column.replace('`', '``')}`").createOrReplaceTempView("hostile")
    assert figures(ods.compute(spark, "hostile"), column)["hash"] == digits("1")
    with pytest.raises(ods.SourceError, match="TABLE_OR_VIEW_NOT_FOUND"):
        ods.compute(spark, '"' + table.replace('"', '""') + '"')


def test_cm_01_a_hash_comes_as_text_and_counts_as_whole_numbers(spark: SparkSession) -> None:
    spark.sql("SELECT 'a' AS s").createOrReplaceTempView("a")
    row = spark.sql(ods.sql("a", {"s": "string"}, "spark")).collect()[0]
    assert {name: type(value) for name, value in row.asDict().items()} == {
        "rows": int, "s__nulls": int, "s__hash": str,
    }  # fmt: skip
    assert row["s__hash"] == "57446577476672362"


def test_er_19_old_dates_are_not_moved(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"d": pa.array([-354000], pa.int32()).cast(pa.date32())})
    here = ods.compute(table)
    if spark.version < "4":
        # 3.5 refuses by default, and is told what would do
        with pytest.raises(ods.SourceError, match=r"datetimeRebaseModeInRead.*CORRECTED"):
            on_spark(spark, tmp_path, table)
    with set_to(spark, {"spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED"}):
        assert ods.compare(on_spark(spark, tmp_path, table), here).verdict == "equal"
    with set_to(spark, {"spark.sql.parquet.datetimeRebaseModeInRead": "LEGACY"}):
        moved = on_spark(spark, tmp_path, table)
    assert ods.compare(moved, here).verdict == "different"
    assert [note for note in moved.notes if "datetimeRebaseModeInRead is LEGACY" in note]
