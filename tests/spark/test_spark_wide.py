"""Wide tables on Spark; bench/spark_ratio.py has one of 2,000 columns.

The last file of the run: what Spark remembers of it is large.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dialect_files import shipped, written
from vector_columns import hash_of

import ods_fingerprint as ods
from ods_fingerprint.compiler import statements
from ods_fingerprint.errors import ResultError
from ods_fingerprint.runners import spark as runner

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.slow
def test_sc_01_three_hundred_columns_in_two_statements_have_the_right_figures(
    spark: SparkSession, tmp_path: Path
) -> None:
    texts = [str(at * 7) for at in range(300)]
    table = pa.table({f"c{at}": [text, None, text] for at, text in enumerate(texts)})
    pq.write_table(table, tmp_path / "wide.parquet")
    # of a path Spark would infer the types anew for each group
    spark.read.parquet(str(tmp_path / "wide.parquet")).createOrReplaceTempView("wide")
    found = ods.compute(spark, "wide")
    assert found.notes == ("computed by 2 statements that no version of the table was pinned for",)
    assert [(c.figures["nulls"], c.figures["hash"]) for c in found.columns] == [
        (1, 2 * hash_of(text)) for text in texts
    ]


@pytest.mark.parametrize("rows", [0, 1, 5])
@pytest.mark.parametrize("kinds", [("text",), ("float",), ("nested",), ("text", "float", "nested")])
def test_columns_that_become_rows_have_the_figures_of_the_calculator(
    rows: int, kinds: tuple[str, ...], spark: SparkSession, tmp_path: Path
) -> None:
    cells = {
        "text": pa.array(["é", None, "", "a\0b", "e\u0301"]),
        "float": pa.array([float("nan"), None, float("-inf"), -0.0, 1e308]),
        "nested": pa.array([[1], None, [], [None], [1, 2]]),
    }
    made = {f"{kind}{at}": cells[kind].slice(0, rows) for kind in kinds for at in range(40)}
    table = pa.table(made)
    pq.write_table(table, tmp_path / "wide.parquet")
    spark.read.parquet(str(tmp_path / "wide.parquet")).createOrReplaceTempView("wide")
    found, local = ods.compute(spark, "wide"), ods.compute(table)
    assert [column.figures for column in found.columns] == [c.figures for c in local.columns]
    assert found.rows == rows


def test_the_names_that_a_statement_gives_are_free_for_columns(spark: SparkSession) -> None:
    names = ("p", "v", "h", "g", "t", "s0", "s1", "rows", "nulls", "hash", "min", "c0", "h0")
    texts = [*names, *(f"x{at}" for at in range(9))]
    cells = ", ".join(f"'{name}' AS `{name}`" for name in texts)
    spark.sql(f"CREATE OR REPLACE TEMP VIEW named AS SELECT {cells}, 0.5D AS `sum`")
    found = ods.compute(spark, "named")
    assert [c.figures["hash"] for c in found.columns[:-1]] == [hash_of(name) for name in texts]
    assert found.columns[-1].figures["sum"] == 0.5


def test_selects_that_see_other_rows_give_no_row(spark: SparkSession) -> None:
    """Each SELECT asks this view anew."""
    cells = ", ".join(f"id AS c{at}" for at in range(33))
    spark.sql(
        f"CREATE OR REPLACE TEMP VIEW moving AS SELECT {cells} FROM RANGE(10000) WHERE RAND() < 0.5"
    )
    with pytest.raises(ResultError, match="rows"):
        ods.compute(spark, "moving")


@pytest.mark.spark4
def test_strings_of_several_collations_are_cells_of_one_array(spark: SparkSession) -> None:
    kinds = ("UTF8_BINARY", "UTF8_LCASE", "UNICODE_CI", "UNICODE")
    cells = ", ".join(f"'aB' COLLATE {kinds[at % 4]} AS c{at}" for at in range(20))
    spark.sql("DROP TABLE IF EXISTS collated")
    spark.sql(f"CREATE TABLE collated USING parquet AS SELECT {cells}")
    try:
        found = ods.compute(spark, "collated")
    finally:
        spark.sql("DROP TABLE collated")
    assert [column.figures["hash"] for column in found.columns] == [hash_of("aB")] * 20


@pytest.mark.delta
def test_the_statements_of_a_wide_delta_table_read_one_version(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a limit of 8 columns: what is read does not hang on how many are too many."""
    root = shipped("spark")
    root["limits"]["columns"] = 8
    file = written(root, tmp_path)
    monkeypatch.setattr(
        runner, "statements", lambda parts, chosen, _, at: statements(parts, chosen, file, at=at)
    )
    frame = spark.range(3).selectExpr(*(f"id + {at} AS c{at}" for at in range(9)))
    frame.write.format("delta").save(str(tmp_path / "wide"))
    before = ods.compute(pa.table({f"c{at}": range(at, at + 3) for at in range(9)}))
    fetched, sent = runner._fetched, list[str]()

    def another_writes(session: SparkSession, text: str) -> object:
        sent.append(text)
        found = fetched(session, text)
        frame.write.format("delta").mode("append").save(str(tmp_path / "wide"))
        return found

    monkeypatch.setattr(runner, "_fetched", another_writes)
    found = ods.compute(spark, f"delta.`{tmp_path / 'wide'}`")
    assert len(sent) == 2
    assert (ods.compare(found, before).differences, found.notes) == ((), ())
