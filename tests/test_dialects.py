"""The shipped dialect files: what each template must be, and that sqlglot reads it as we do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlglot
from command import run
from dialect_files import DIALECTS, shipped, written
from golden_cases import TYPES, of_types
from vector_columns import hash_of

import ods_fingerprint as ods
from ods_fingerprint import _data
from ods_fingerprint.dialect import load
from ods_fingerprint.dialect_file import FIGURES, TEXT_KEYS
from ods_fingerprint.errors import CompileError
from ods_fingerprint.types import Float

ROOT = Path(__file__).resolve().parents[1]
FILLED = {
    "{precision}": "18", "{scale}": "9", "{zeros}": "000000000", "{version}": "7",
    "{timestamp}": "'2026-11-30 12:00:00+00:00'",
}  # fmt: skip
TEMPLATES = [
    (dialect, f"{part}.{key}")
    for dialect in DIALECTS
    for part in ("text", "row", "figure", "table")
    for key in shipped(dialect).get(part, {})
]
# sqlglot 26.33 prints whole seconds here: why a template is emitted as written, never as printed
REWRITTEN_IN_26 = {
    "text.timestamp", "text.timestamp_zoned", "text.timestamp_coarse",
    "text.timestamp_ns", "text.timestamp_ns_zoned",
}  # fmt: skip
# a name of the same type: TIMESTAMP_LTZ
REWRITTEN = {("snowflake", "table.timestamp")}


def filled(dialect: str, name: str) -> str:
    part, _, key = name.partition(".")
    used = load(dialect)
    sql: str = getattr(used, part)[key]
    for hole in ("x", "h", "text", "table"):
        sql = sql.replace("{" + hole + "}", used.quoted(hole))
    for hole, value in FILLED.items():
        sql = sql.replace(hole, value)
    return f"SELECT 1 FROM {sql}" if part == "table" else f"SELECT {sql}"


@pytest.mark.parametrize(("dialect", "name"), TEMPLATES)
def test_a_template_is_a_fixed_point_of_sqlglot(dialect: str, name: str) -> None:
    sql = filled(dialect, name)
    printed = sqlglot.parse_one(sql, dialect=dialect).sql(dialect=dialect)
    old = sqlglot.__version__.startswith("26.")
    rewritten = (dialect, name) in REWRITTEN
    rewritten |= old and dialect == "snowflake" and name in REWRITTEN_IN_26
    assert (printed != sql) == rewritten, printed


def test_cp_01_the_epoch_of_snowflake_is_emitted_as_written() -> None:
    made = ods.sql("t", {"ts": "timestamp_ntz(6)"}, "snowflake")
    assert 'MD5(CAST(DATE_PART(EPOCH_MICROSECOND, "TS") AS VARCHAR))' in made
    assert "* 1000" not in made
    assert "EPOCH_SECOND" not in made.upper()
    assert "FLOAT" not in made.upper()


def test_cp_01_nanoseconds_of_snowflake_are_floored() -> None:
    """R5. A Snowflake timestamp has nanoseconds unless its type says otherwise."""
    made = ods.sql("t", {"ts": "timestamp_ntz"}, "snowflake")
    assert 'CAST(FLOOR(DATE_PART(EPOCH_NANOSECOND, "TS") / 1000) AS VARCHAR)' in made


def test_cp_03_md5_digits_reach_an_exact_integer() -> None:
    exact = {
        "duckdb": "CAST('0x' || SUBSTRING(MD5({s}), 1, 15) AS BIGINT)",
        "snowflake": "TO_NUMBER(SUBSTRING(MD5({s}), 1, 15), 'XXXXXXXXXXXXXXX')",
        "spark": "CAST(CONV(SUBSTRING(MD5({s}), 1, 15), 16, 10) AS BIGINT)",
    }
    for dialect, wanted in exact.items():
        made = ods.sql("t", {"s": "varchar"}, dialect, exact=True)
        assert wanted.replace("{s}", load(dialect).quoted("s")) in made
        assert "DOUBLE" not in made.upper()
        assert "FLOAT" not in made.upper()


@pytest.mark.parametrize("dialect", [*DIALECTS, "databricks"])
def test_cp_05_float_figures_need_no_function_of_one_engine(dialect: str) -> None:
    made = ods.sql("t", of_types(Float(64), Float(32)), dialect).lower()
    duckdbs_own = ("isfinite",) if dialect == "duckdb" else ()
    for word in ("isfinite", "is_inf", "isinf", "isnan", "is_nan", "iff(", "filter", "count_if"):
        assert word not in made or word in duckdbs_own


def test_cp_09_spark_converts_15_digits_and_sums_exactly() -> None:
    """16 digits overflow CONV under ANSI; a DECIMAL(20, 0) sum overflows within 10^12 rows (R3)."""
    made = ods.sql("t", {"s": "string"}, "spark")
    assert re.findall(r"CONV\((.*?), 16, 10\)", made) == ["SUBSTRING(MD5(`s`), 1, 15)"]
    assert set(re.findall(r"AS DECIMAL\((\d+), 0\)", made)) == {"38"}
    lanes = [int(lane) for lane in re.findall(r"CAST\((\d+) AS DECIMAL", made)]
    assert lanes == [2**40, 2**20]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_ct_13_no_column_is_hashed_without_a_text_of_its_own(dialect: str) -> None:
    """A bare number is turned into text by the engine's own rule: 5.000000 may become 5."""
    for name, kind in TYPES.items():
        made = ods.sql("t", of_types(kind), dialect, exact=True)
        bare = f"MD5({load(dialect).quoted('x0')})" in made
        text = name.startswith("string") or (name == "enum" and dialect != "duckdb")
        # PostgreSQL cuts the blanks of CHAR(n): no text of it is bare
        assert bare == (text and dialect != "postgres")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_has_a_text_for_every_type_and_a_template_for_every_figure(dialect: str) -> None:
    used = load(dialect)
    assert set(used.text) == set(TEXT_KEYS)
    assert set(used.figure) == set(FIGURES)


def test_cp_07_the_same_kinds_in_the_words_of_each_engine() -> None:
    duckdb = ods.Schema.from_sql({"a": "TIMESTAMP", "b": "TIMESTAMPTZ"}, "duckdb")
    spark = ods.Schema.from_sql({"a": "timestamp_ntz", "b": "timestamp"}, "spark")
    assert duckdb.columns == spark.columns
    snowflake = ods.Schema.from_sql({"a": "TIMESTAMP"}, "snowflake")
    assert snowflake.columns[0].note is not None
    assert "TIMESTAMP_TYPE_MAPPING" in snowflake.columns[0].note


def test_dialects_are_known_by_name() -> None:
    assert _data.dialect_names() == ("databricks", "duckdb", "postgres", "snowflake", "spark")


def test_a_dialect_file_of_ones_own_works(tmp_path: Path) -> None:
    root = shipped("snowflake") | {"title": "Frost"}
    root["names"]["fold"] = "lower"
    path = written(root, tmp_path)
    made = ods.sql("Sales.Orders", {"ID": "int"}, path)
    assert made.startswith("-- ods-fingerprint/1, dialect Frost, library ")
    assert 'COUNT("id") AS "id__nulls"' in made
    assert made.endswith('FROM "sales"."orders"\n')


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """Someone who writes a dialect in a notebook must not get the SQL of the file as it was."""
    root = shipped("duckdb")
    first = ods.sql("t", {"a": "int"}, written(root, tmp_path))
    root["text"]["integer"] = "CAST({x} AS VARCHAR)"
    second = ods.sql("t", {"a": "int"}, written(root, tmp_path))
    assert second == first.replace('MD5(CAST("a" AS TEXT))', 'MD5(CAST("a" AS VARCHAR))') != first
    root["types"] = {"NUMMER": "int32"}
    assert ods.sql("t", {"a": "NUMMER"}, written(root, tmp_path)) == second


def test_columns_without_a_text_are_all_named(tmp_path: Path) -> None:
    root = shipped("duckdb")
    del root["text"]["enum"]
    del root["text"]["timestamp_ns"]
    path = written(root, tmp_path)
    types = {"a": "int", "e": "ENUM('x')", "n": "TIMESTAMP_NS", "m": "TIMESTAMP_NS"}
    with pytest.raises(CompileError) as found:
        ods.sql("t", types, path)
    listed = "e (text.enum), n (text.timestamp_ns), m (text.timestamp_ns)"
    assert f"cannot hash {listed}: leave these columns out" in str(found.value)
    assert ods.sql("t", {"a": "int"}, path)


def test_the_hashes_in_the_readme_of_the_dialects_are_right() -> None:
    readme = (ROOT / "dialects" / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\w+)`[^|]*\| (\d+)", readme, re.MULTILINE))
    assert told == {"abc": str(hash_of("abc")), "v6995068": str(hash_of(*["v6995068"] * 9))}


def test_the_first_step_of_the_walk_through(tmp_path: Path) -> None:
    root = shipped("duckdb") | {"title": "Mine"}
    for part in ("catalog", "limits", "literals"):
        root.pop(part, None)
    ran = run("sql", "t", "--schema", "{}", "--dialect", written(root, tmp_path))
    assert ran.out.split("\n", 1)[1] == 'SELECT\n  COUNT(*) AS "rows"\nFROM "t"\n'


def test_the_readme_of_the_dialects_names_every_key() -> None:
    readme = (ROOT / "dialects" / "README.md").read_text(encoding="utf-8")
    for dialect in DIALECTS:
        for part, table in shipped(dialect).items():
            if isinstance(table, dict) and part not in ("types", "literals"):
                wanted = list(table)
            else:
                wanted = [f"[{part}]" if part == "literals" else part]
            assert [key for key in wanted if f"`{key}`" not in readme] == []
