"""Every golden statement is parsed and analysed by Spark, and has the row that we plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from golden_cases import Case, cases, limited, path, printed

from ods_fingerprint import table_name
from ods_fingerprint.compiler import source, statements
from ods_fingerprint.dialect import load
from ods_fingerprint.types import Float, Integer, Nested, Other, String, Timestamp, Type, text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPARK_CASES = [case for case in cases() if "spark" in case.dialects]


def spark_type(kind: Type) -> str:
    """Return the type that Spark has where its dialect meets a column of `kind`."""
    match kind:
        case Integer(bits, signed):
            return "BIGINT" if bits < 64 or (bits == 64 and signed) else "DECIMAL(38, 0)"
        case Float(bits):
            return "DOUBLE" if bits == 64 else "FLOAT"
        case Timestamp(zoned):
            return "TIMESTAMP" if zoned else "TIMESTAMP_NTZ"
        case String():
            return "STRING"
        case Nested(words):
            return "STRUCT<a: BIGINT>" if words.startswith("struct") else "ARRAY<BIGINT>"
        case Other():
            return "BINARY"
        case _:
            return text(kind)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("case", SPARK_CASES, ids=lambda case: case.name)
def test_a_golden_statement_is_analysed(case: Case, spark: SparkSession, tmp_path: Path) -> None:
    golden = path(case, "spark").read_text(encoding="utf-8")
    assert golden == printed(case, "spark", tmp_path)
    columns = (
        f"CAST(NULL AS {spark_type(c.type)}) AS `{c.name.replace('`', '``')}`"
        for c in case.schema.columns
    )
    spark.range(1).selectExpr(*columns).createOrReplaceTempView("golden")
    named = [name for name, _ in table_name.parts(case.table)]
    used = str(limited("spark", case.limit, tmp_path)) if case.limit else "spark"
    made = statements(case.table, case.schema, used, at=case.at)
    for one in made:
        # Spark's own parser takes the pin too, which only Delta could analyse
        spark._jsparkSession.sessionState().sqlParser().parsePlan(one.text)
        bare = one.text.replace(source(named, load("spark"), case.at), "golden")
        frame = spark.sql(bare)
        assert tuple(frame.columns) == one.row_names
        assert len(frame.schema) == len(one.figures)
