"""The questions of spark.toml for a table's columns, asked through a cursor on a real Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

import ods_fingerprint as ods
from ods_fingerprint.runners import dbapi

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COLUMNS = (
    "id BIGINT, price DECIMAL(9, 2), padded CHAR(5), name STRING, day DATE, seen TIMESTAMP, "
    "plain TIMESTAMP_NTZ, score DOUBLE, tags ARRAY<STRING>, inside STRUCT<a: INT, b: STRING>"
)
ROWS = (
    "(1, 12.30, 'ab', 'x', DATE '2026-11-30', TIMESTAMP '2026-11-30 12:00:00', "
    "TIMESTAMP_NTZ '2026-11-30 12:00:00', 0.5, ARRAY('a'), NAMED_STRUCT('a', 1, 'b', 'x')), "
    "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
)


class Cursor:
    """A session as a DB-API cursor: pyspark has none, and Databricks' own needs a warehouse."""

    def __init__(self, session: SparkSession) -> None:
        self._session, self.sent = session, list[str]()
        self._frame: DataFrame | None = None

    @property
    def description(self) -> Sequence[Sequence[object]] | None:
        return None if self._frame is None else [(name, None) for name in self._frame.columns]

    def execute(self, operation: str) -> None:
        self.sent.append(operation)
        self._frame = self._session.sql(operation)

    def fetchall(self) -> Sequence[Sequence[object]]:
        assert self._frame is not None
        return self._frame.collect()

    def close(self) -> None:
        self._frame = None


@pytest.mark.usefixtures("mode")
def test_a_cursor_says_what_the_session_says(spark: SparkSession) -> None:
    session = spark
    session.sql("DROP TABLE IF EXISTS by_cursor")
    session.sql(f"CREATE TABLE by_cursor ({COLUMNS}) USING parquet")
    session.sql(f"INSERT INTO by_cursor VALUES {ROWS}")
    try:
        for dialect in ("spark", "databricks"):
            found = ods.compute(Cursor(session), "default.by_cursor", dialect=dialect)
            own = ods.compute(session, "default.by_cursor")
            assert (found.rows, found.notes) == (own.rows, own.notes)
            assert [dict(c.figures) for c in found.columns] == [
                dict(c.figures) for c in own.columns
            ]
            assert ods.compare(found, own, skip=["tags", "inside"]).verdict == "equal"
    finally:
        session.sql("DROP TABLE by_cursor")


@pytest.mark.delta
def test_a_version_is_described_as_it_was(spark: SparkSession, tmp_path: object) -> None:
    table = f"delta.`{tmp_path}/t`"
    spark.sql(f"CREATE TABLE {table} (id INT) USING delta")
    spark.sql(f"INSERT INTO {table} VALUES (1)")
    spark.sql(f"ALTER TABLE {table} ADD COLUMN later STRING")
    cursor = Cursor(spark)
    found = ods.compute(cursor, table, dialect="databricks", version=1)
    assert [c.column.name for c in found.columns] == ["id"]
    assert found.columns == ods.compute(spark, table, version=1).columns
    assert [sql.split()[0] for sql in cursor.sent] == ["DESCRIBE", "--"]
    assert [c.name for c in dbapi.schema(cursor, table, "databricks").columns] == ["id", "later"]


def test_many_fields_inside_are_read(spark: SparkSession) -> None:
    """DESCRIBE cuts the text of a struct of more than 25 fields."""
    fields = ", ".join(f"f{at}: INT" for at in range(60))
    spark.sql("DROP TABLE IF EXISTS wide_inside")
    spark.sql(f"CREATE TABLE wide_inside (s STRUCT<{fields}>, id INT) USING parquet")
    try:
        found = ods.compute(Cursor(spark), "wide_inside", dialect="spark")
        assert [c.column.name for c in found.columns] == ["s", "id"]
    finally:
        spark.sql("DROP TABLE wide_inside")
