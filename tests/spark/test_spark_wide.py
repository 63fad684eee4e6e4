"""A wide table on Spark; bench/spark_ratio.py has one of 2,000 columns. The last file of the run: what Spark remembers of it is large."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from vector_columns import hash_of

import ods_fingerprint as ods

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.slow
def test_sc_01_six_hundred_columns_in_three_statements_have_the_right_figures(
    spark: SparkSession, tmp_path: Path
) -> None:
    texts = [str(at * 7) for at in range(600)]
    table = pa.table({f"c{at}": [text, None, text] for at, text in enumerate(texts)})
    pq.write_table(table, tmp_path / "wide.parquet")
    # of a path Spark would infer the types anew for each group
    spark.read.parquet(str(tmp_path / "wide.parquet")).createOrReplaceTempView("wide")
    found = ods.compute(spark, "wide")
    assert [(c.figures["nulls"], c.figures["hash"]) for c in found.columns] == [
        (1, 2 * hash_of(text)) for text in texts
    ]
