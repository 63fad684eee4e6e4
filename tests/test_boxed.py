"""Results that someone copied from a terminal."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import duckdb
import pytest

from ods_fingerprint.errors import ResultError
from ods_fingerprint.pasted import figures, rows

ROW = {
    "rows": "4",
    "id__nulls": "0",
    "id__hash": "3612809648614498766",
    "f__max": "NULL",
    "f__sum": "-1.5",
}
SQL = (
    "SELECT 4 AS \"rows\", 0 AS id__nulls, '3612809648614498766' AS id__hash, "
    "NULL::VARCHAR AS f__max, '-1.5' AS f__sum"
)
SPARK = """
+----+---------+-------------------+------+------+
|rows|id__nulls|           id__hash|f__max|f__sum|
+----+---------+-------------------+------+------+
|   4|        0|3612809648614498766|  NULL|  -1.5|
+----+---------+-------------------+------+------+

"""
SPARK_VERTICAL = """-RECORD 0------------------------
 rows      | 4
 id__nulls | 0
 id__hash  | 3612809648614498766
 f__max    | NULL
 f__sum    | -1.5
"""
# DuckDB's own shell writes a reading aid below long numbers
DUCKDB_SHELL = """┌────────────────┬───────────┬─────────────────────┬─────────┬─────────┐
│      rows      │ id__nulls │      id__hash       │ f__max  │ f__sum  │
│     int64      │   int64   │       varchar       │ varchar │ varchar │
├────────────────┼───────────┼─────────────────────┼─────────┼─────────┤
│       4        │         0 │ 3612809648614498766 │ NULL    │ -1.5    │
│ (4.00 nothing) │           │                     │         │         │
└────────────────┴───────────┴─────────────────────┴─────────┴─────────┘
"""
PSQL = """ rows | id__nulls |      id__hash       | f__max | f__sum
------+-----------+---------------------+--------+--------
    4 |         0 | 3612809648614498766 | NULL   | -1.5
(1 row)

"""
PSQL_EXPANDED = """-[ RECORD 1 ]------------------
rows      | 4
id__nulls | 0
id__hash  | 3612809648614498766
f__max    | NULL
f__sum    | -1.5

"""
MARKDOWN = """| rows | id__nulls |      id__hash       | f__max | f__sum |
|-----:|----------:|---------------------|--------|-------:|
| 4    | 0         | 3612809648614498766 | NULL   | -1.5   |
"""
DRAWN = {
    "spark": SPARK,
    "spark, vertical": SPARK_VERTICAL,
    "duckdb's shell": DUCKDB_SHELL,
    "psql": PSQL,
    "psql, expanded": PSQL_EXPANDED,
    "markdown": MARKDOWN,
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_drawn_table_is_read(name: str, end: str) -> None:
    assert rows(DRAWN[name].replace("\n", end)) == [ROW]
    assert rows("\ufeff" + DRAWN[name]) == [ROW]
    assert figures(DRAWN[name]) == [ROW]


def _shown(sql: str) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        print(duckdb.sql(sql))
    return said.getvalue()


def test_what_duckdb_draws_is_read() -> None:
    assert rows(_shown(SQL)) == [ROW]
    assert rows(_shown('SELECT 7 AS "rows"')) == [{"rows": "7"}]


def test_what_duckdb_leaves_out_is_refused() -> None:
    many = ", ".join(f"{at} AS column_number_{at}__nulls" for at in range(60))
    with pytest.raises(ResultError, match="cut to fit the screen"):
        rows(_shown(f'SELECT 1 AS "rows", {many}'))


@pytest.mark.parametrize("cut", ["36128096486144987...", "3612809648…"])
@pytest.mark.parametrize("name", DRAWN)
def test_a_cell_that_was_cut_is_refused(name: str, cut: str) -> None:
    with pytest.raises(ResultError, match=r"cut to fit the screen.*vertical=True"):
        rows(DRAWN[name].replace("3612809648614498766", cut))


def test_two_rows_stay_two() -> None:
    line = "|   4|        0|3612809648614498766|  NULL|  -1.5|\n"
    assert rows(SPARK.replace(line, line * 2)) == [ROW, ROW]
    record = SPARK_VERTICAL.replace("RECORD 0", "RECORD 1")
    assert rows(SPARK_VERTICAL + record) == [ROW, ROW]


def test_psql_with_an_empty_cell_at_the_end() -> None:
    assert rows(" rows | x__sum \n------+--------\n    0 | \n(1 row)\n") == [
        {"rows": "0", "x__sum": ""}
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("+----+\n|rows|\n+----+\n|1|2|\n+----+\n", "2 cells, the header has 1"),
        ("+----+----+\n|rows|rows|\n+----+----+\n|1|2|\n+----+----+\n", "rows stands twice"),
        ("-RECORD 0---\n rows   4\n", "a line of a record"),
        ("+----+\n|ro  |\n|ws  |\n|    |\n+----+\n|1   |\n+----+\n", "more than one line"),
    ],
)
def test_what_is_drawn_wrong_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ResultError, match=reason):
        rows(text)


def test_a_negative_number_is_no_border() -> None:
    assert rows("rows,x__min\n-1,-2\n") == [{"rows": "-1", "x__min": "-2"}]
