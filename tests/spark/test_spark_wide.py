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
