"""From a schema to SQL: one statement or several, pinned or not, and what is refused."""

from __future__ import annotations

import hashlib
import time
from decimal import Decimal as D
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import sqlglot
from dialect_files import shipped, written
from golden_cases import MIXED, TYPES, limited, of_types
from sqlglot import exp

import ods_fingerprint as ods
from ods_fingerprint.compiler import At, statements
from ods_fingerprint.errors import CompileError, DialectError, SchemaError
from ods_fingerprint.figures import plan
from ods_fingerprint.types import Decimal, Other

DIALECTS = ("duckdb", "postgres", "snowflake", "spark")


def digest(text: str) -> int:
    return int(hashlib.md5(text.encode()).hexdigest()[:15], 16)


@pytest.mark.parametrize("dialect", [*DIALECTS, "databricks"])
def test_the_row_is_the_plan(dialect: str) -> None:
    schema = of_types(*TYPES.values())
    (made,) = statements("t", schema, dialect)
    assert made.figures == plan(schema)
    select = sqlglot.parse_one(made.text, dialect=dialect)
    assert tuple(select.named_selects) == made.row_names
    by_hand = [f"{f.column.name if f.column else ''}__{f.name}" for f in plan(schema)]
    assert [name.lower() for name in made.row_names] == ["rows", *by_hand[1:]]


def test_a_schema_without_columns_counts_rows() -> None:
    for dialect in DIALECTS:
        made = ods.sql("t", {}, dialect, exact=True)
        select = sqlglot.parse_one(made, dialect=dialect)
        assert isinstance(select, exp.Select)
        assert select.named_selects == ["rows"]
    assert duckdb.sql(ods.sql("range", {}, "duckdb").replace('"range"', "range(7)")).fetchall() == [
        (7,)
    ]


def test_ct_13_the_hash_is_of_the_text_at_the_declared_scale() -> None:
    table = pa.table({"x": pa.array([D("5")], pa.decimal128(38, 6))})
    assert ods.compute(table).columns[0].figures["hash"] == 316336842563250481
    assert 'MD5("x")' not in ods.sql("t", table.schema, "snowflake")
    assert 'MD5("X")' not in ods.sql("t", table.schema, "snowflake")


def test_cp_03_the_hash_is_exact() -> None:
    made = ods.sql("t", {"s": "varchar"}, "duckdb")
    with duckdb.connect() as connection:
        connection.sql("CREATE TABLE t AS SELECT 'a' AS s")
        assert connection.sql(made).fetchall() == [(1, 0, "57446577476672362")]


def test_cp_05_floats_of_every_kind() -> None:
    made = ods.sql("t", {"x": "double", "f": "float"}, "duckdb")
    values = "('nan'), ('inf'), ('-inf'), ('1.0'), (NULL)"
    with duckdb.connect() as connection:
        connection.sql(
            f"CREATE TABLE t AS SELECT CAST(v AS DOUBLE) AS x, CAST(v AS FLOAT) AS f FROM (VALUES {values}) AS g(v)"
        )
        assert connection.sql(made).fetchall() == [(5, *((1, 1, 1, 1, "1.0", "1.0", "1.0") * 2))]


@pytest.mark.parametrize(
    ("pin", "dialect", "source"),
    [
        (At(version=0), "spark", "`t` VERSION AS OF 0"),
        (At(version=2**40), "databricks", "`t` VERSION AS OF 1099511627776"),
        (At(timestamp="2026-11-30"), "spark", "`t` TIMESTAMP AS OF '2026-11-30 00:00:00+00:00'"),
        # the same moment, whatever the zone of the session is
        (
            At(timestamp="2026-11-30T12:00:00"),
            "spark",
            "`t` TIMESTAMP AS OF '2026-11-30 12:00:00+00:00'",
        ),
        (
            At(timestamp="2026-11-30T12:00:00Z"),
            "spark",
            "`t` TIMESTAMP AS OF '2026-11-30 12:00:00+00:00'",
        ),
        (
            At(timestamp="2026-11-30 17:30:00.000001+05:30"),
            "snowflake",
            "\"T\" AT (TIMESTAMP => CAST('2026-11-30 12:00:00.000001+00:00' AS TIMESTAMP_LTZ))",
        ),
    ],
)
def test_a_pinned_read_says_its_version_or_its_moment(pin: At, dialect: str, source: str) -> None:
    (made,) = statements("t", MIXED, dialect, at=pin)
    assert f"FROM {source}\n" in made.text


@pytest.mark.parametrize(
    ("dialect", "pin"), [("duckdb", "version"), ("duckdb", "timestamp"), ("snowflake", "version")]
)
def test_a_pin_that_the_engine_has_not_is_refused(dialect: str, pin: str) -> None:
    given = At(version=1) if pin == "version" else At(timestamp="2026-11-30")
    with pytest.raises(CompileError, match=rf"has no read that is pinned to a {pin}"):
        statements("t", MIXED, dialect, at=given)


@pytest.mark.parametrize(
    "moment",
    ["", "' OR 1=1 --", "2026-11-30' --", "now()", "2026-13-01", "12:00", "0001-01-01T00:00+09:00"],
)
def test_se_03_a_moment_is_read_never_pasted(moment: str) -> None:
    with pytest.raises(CompileError, match="is not an ISO 8601 moment"):
        ods.sql("t", MIXED, "spark", timestamp=moment)


@pytest.mark.parametrize("version", [True, -1, 1.0, 1.9, "3", "3; DROP TABLE t"])
def test_a_version_is_a_whole_number(version: object) -> None:
    with pytest.raises(CompileError, match="a whole number from 0 on"):
        ods.sql("t", MIXED, "spark", version=version)  # type: ignore[arg-type]


def test_a_version_and_a_timestamp_together_are_refused() -> None:
    with pytest.raises(CompileError, match=r"a version, .* or a timestamp"):
        ods.sql("t", MIXED, "spark", version=1, timestamp="2026-11-30")


LIMITS = ("columns = 1", "columns = 4", "figures = 9", "bytes = 1600", "bytes = 1700")
# the figures of one float column of PostgreSQL take more
LARGER = {"bytes = 1600": "bytes = 2300", "bytes = 1700": "bytes = 2500"}


@pytest.mark.parametrize(
    ("dialect", "limit"),
    [
        (d, LARGER.get(limit, limit) if d == "postgres" else limit)
        for d in DIALECTS
        for limit in LIMITS
    ],
)
def test_parts_hold_every_figure_once_within_the_limit(
    dialect: str, limit: str, tmp_path: Path
) -> None:
    path = str(limited(dialect, limit, tmp_path))
    made = statements("sales.orders", MIXED, path)
    assert len(made) > 1
    columns = [figure for part in made for figure in part.figures[1:]]
    assert tuple(columns) == plan(MIXED)[1:]
    for number, part in enumerate(made, start=1):
        assert part.row_names[0] == "rows"
        assert f", part {number} of {len(made)}, " in part.text.split("\n")[0]
        key, _, most = limit.partition(" = ")
        sizes = {
            "bytes": len(part.text.encode()),
            "columns": len({f.column for f in part.figures}) - 1,
            "figures": len(part.figures),
        }
        assert sizes[key] <= int(most)


def test_sql_refuses_parts_and_names_the_way_out(tmp_path: Path) -> None:
    path = str(limited("duckdb", "columns = 2", tmp_path))
    with pytest.raises(CompileError, match=r"3 statements are needed .* use `statements`"):
        ods.sql("t", MIXED, path)
    assert len(ods.statements("t", MIXED, path)) == 3
    assert ods.sql("t", MIXED.chosen(["id", "price"]), path)


def test_a_column_that_no_statement_can_hold_is_named(tmp_path: Path) -> None:
    path = str(limited("duckdb", "bytes = 700", tmp_path))
    with pytest.raises(CompileError, match=r"score__sum alone makes a statement of \d+ bytes"):
        ods.statements("t", MIXED, path)


def test_parts_on_an_engine_say_what_one_statement_says(tmp_path: Path) -> None:
    path = str(limited("duckdb", "columns = 1", tmp_path))
    with duckdb.connect() as connection:
        connection.sql("CREATE TABLE t AS SELECT range AS a, 'x' || range AS b FROM range(9)")
        types = {"a": "bigint", "b": "varchar"}
        whole = connection.execute(ods.sql("t", types, "duckdb")).fetchone()
        first, second = (connection.execute(s).fetchone() for s in ods.statements("t", types, path))
    assert whole is not None
    assert first is not None
    assert second is not None
    assert whole == (*first, *second[1:])
    assert whole[2] == str(sum(digest(str(at)) for at in range(9)))


def test_types_outside_the_spec_are_all_named() -> None:
    """R4. A wide decimal would be summed or printed wrongly."""
    schema = of_types(Decimal(39, 0), Decimal(10, -2), Decimal(3, 4))
    with pytest.raises(SchemaError) as found:
        statements("t", schema, "spark")
    assert [f"x{at}" in str(found.value) for at in range(3)] == [True] * 3


def test_se_03_a_type_text_never_reaches_the_sql() -> None:
    hostile = "bigint); DROP TABLE t; --"
    for dialect in DIALECTS:
        with pytest.raises(SchemaError, match="column y"):
            ods.sql("t", {"y": hostile}, dialect)
        assert "DROP" not in ods.sql("t", of_types(Other(hostile)), dialect)


def test_an_unknown_dialect_is_refused_first() -> None:
    with pytest.raises(DialectError, match="no dialect 'oracle'; known: "):
        ods.sql("t", {"a": "no type"}, "oracle")


def test_sc_01_compiling_grows_with_the_columns_and_no_faster() -> None:
    small, large = ({f"c{at}": "string" for at in range(n)} for n in (200, 2000))
    for dialect in DIALECTS:
        taken: list[float] = []
        for types in (small, large):
            schema = ods.Schema.from_sql(types, "spark")
            ods.statements("wide", schema, dialect)
            begun = [time.process_time()]
            for _ in range(5):
                ods.statements("wide", schema, dialect)
                begun.append(time.process_time())
            taken.append(min(map(float.__sub__, begun[1:], begun)))
        assert taken[1] < 40 * taken[0]


def test_sc_01_two_thousand_columns_have_the_right_figures() -> None:
    types = {f"c{at}": "varchar" for at in range(2000)}
    made = ods.sql("wide", types, "duckdb")
    table = pa.table({name: pa.array([name, None]) for name in types})
    with duckdb.connect() as connection:
        connection.register("wide", table)
        row = connection.execute(made).fetchone()
    assert row == (2, *(figure for name in types for figure in (1, str(digest(name)))))


def test_a_fault_of_the_dialect_file_comes_before_any_sql(tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["text"]["boolean"] = "CAST({x} AS TEXT"
    with pytest.raises(DialectError, match=r"text\.boolean"):
        ods.sql("t", {"a": "int"}, written(root, tmp_path))


@pytest.mark.parametrize(
    ("texts", "floats", "selects"),
    [(16, 0, 0), (15, 1, 0), (17, 0, 1), (16, 1, 2), (32, 0, 1), (33, 32, 3), (1, 33, 3)],
)
def test_more_than_sixteen_columns_are_rows_on_spark(texts: int, floats: int, selects: int) -> None:
    """tests/spark/test_spark_wide.py runs them."""
    types = {f"t{at}": "string" for at in range(texts)} | {
        f"f{at}": "double" for at in range(floats)
    }
    made = ods.sql("wide", types, "spark")
    assert made.count("POSEXPLODE") == selects
    assert made.count("FROM `wide`") == (selects or 1)
    for name in types:
        assert made.count(f"AS `{name}__nulls`") == 1
