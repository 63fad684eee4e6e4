"""A template with a fault is refused: a wrong placeholder, or SQL that is not what it must be."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from dialect_files import keys, refusal, shipped, written

import ods_fingerprint as ods

TEMPLATES = keys("text", "row", "figure", "table")
Change = Callable[[str], str]
WRONG_PLACEHOLDERS: dict[str, Change] = {
    "unknown": lambda sql: sql + " || {y}",
    "capital": lambda sql: sql + " || {X}",
    "empty": lambda sql: sql + " || {}",
    "spaced": lambda sql: sql + " || { x }",
    "unclosed": lambda sql: sql + " || {x",
    "unopened": lambda sql: sql + " || x}",
    "doubled": lambda sql: sql + " || {{x}}",
}


@pytest.mark.parametrize(("dialect", "part", "key"), TEMPLATES)
def test_a_wrong_placeholder_is_named(dialect: str, part: str, key: str, tmp_path: Path) -> None:
    words = "may hold|holds no placeholder|has a brace|holds a placeholder"
    for what, change in WRONG_PLACEHOLDERS.items():
        root = shipped(dialect)
        root[part][key] = change(root[part][key])
        assert re.match(rf"{part}\.{key} ({words})", refusal(root, tmp_path)), what


@pytest.mark.parametrize(("dialect", "part", "key"), TEMPLATES)
def test_a_lost_placeholder_is_named(dialect: str, part: str, key: str, tmp_path: Path) -> None:
    """Without {x} a column would have the figures of nothing; without {version} the pin is lost."""
    root = shipped(dialect)
    for held in set(re.findall(r"\{(x|text|h|table|version|timestamp)\}", root[part][key])):
        changed = shipped(dialect)
        changed[part][key] = root[part][key].replace(f"{{{held}}}", "'1'")
        assert re.match(rf"{part}\.{key} must hold \{{", refusal(changed, tmp_path))


@pytest.mark.parametrize("key", ["precision", "scale", "zeros"])
def test_a_number_of_the_type_is_for_decimals_alone(key: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["text"]["integer"] = f"LPAD({{x}}, {{{key}}})"
    assert refusal(root, tmp_path) == f"text.integer may hold {{x}}, not {{{key}}}"


WRONG_SQL: dict[str, Change] = {
    "unparsable": lambda sql: f"{sql} )",
    "bracket too many": lambda sql: f"{sql}) + (1",
    "torn": lambda sql: f"{sql}) AS y, (1",
    "torn without a name": lambda sql: f"{sql}), (1",
    "CAST left open": lambda sql: f"{sql} + CAST(1 AS INT",
    "two statements": lambda sql: f"{sql}; DROP TABLE t",
    "ended": lambda sql: f"{sql};",
    "commented": lambda sql: f"{sql} -- x",
    "comment left open": lambda sql: f"{sql} /*",
    "quote left open": lambda sql: f"{sql} || 'x",
    "two expressions": lambda sql: f"{sql}, 1",
    "named": lambda sql: f"{sql} AS y",
    "reads a table": lambda sql: f"{sql} + (SELECT 1 FROM t)",
    "brings its FROM": lambda sql: f"{sql} FROM t",
    "a union": lambda sql: f"{sql} UNION ALL SELECT 1",
    "filtered": lambda sql: f"{sql} FROM t WHERE 1 = 0",
}


@pytest.mark.parametrize(("dialect", "part", "key"), TEMPLATES)
def test_sql_that_is_not_one_expression_is_named(
    dialect: str, part: str, key: str, tmp_path: Path
) -> None:
    words = "table" if part == "table" else "SQL expression"
    # Spark's file has every part: the others need no more than a sample
    changes = WRONG_SQL if dialect == "spark" else ("commented", "reads a table")
    for what in changes:
        root = shipped(dialect)
        root[part][key] = WRONG_SQL[what](root[part][key])
        reason = rf"{part}\.{key} (is not one {words}|may not read a table)"
        assert re.match(reason, refusal(root, tmp_path)), what


@pytest.mark.parametrize(
    ("key", "sql"),
    [
        ("string", "'{x}'"),  # a name with a quote would end the literal
        ("string", "CONCAT('a', '{x}')"),
        ("string", '"{x}"'),
        ("integer", "CAST({x} AS TEXT) /* {x} */"),
        ("integer", "CAST(t.{x} AS TEXT)"),
        ("integer", "CAST({x}.f AS TEXT)"),
        ("integer", "{x}(1)"),
        ("integer", "DISTINCT {x}"),
    ],
)
def test_se_03_a_placeholder_stands_where_a_column_can(key: str, sql: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["text"][key] = sql
    assert re.match(rf"text\.{key} (holds a placeholder where|is not one)", refusal(root, tmp_path))


@pytest.mark.parametrize(
    "sql", ["{table}, u", "(SELECT * FROM {table})", "f({table})", "a.{table}"]
)
def test_a_table_template_is_one_table(sql: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["table"]["plain"] = sql
    assert refusal(root, tmp_path).startswith("table.plain is not one table")


def test_a_value_stands_where_a_value_can(tmp_path: Path) -> None:
    root = shipped("spark")
    root["table"]["timestamp"] = "{table} TIMESTAMP AS OF '{timestamp}'"
    assert refusal(root, tmp_path).startswith("table.timestamp ")
    root["table"]["timestamp"] = "{table} TIMESTAMP AS OF CAST({timestamp} AS DATE"
    assert refusal(root, tmp_path).startswith("table.timestamp is not one table")
    root["table"]["timestamp"] = "{table} TIMESTAMP AS OF now() /* {timestamp} */"
    assert refusal(root, tmp_path).startswith("table.timestamp holds a placeholder where no value")


@pytest.mark.parametrize("sql", ["SUM(LENGTH({text} || 'x'))", "SUM({text} + 1)", "SUM(-{text})"])
def test_a_text_is_an_argument_so_that_no_operator_tears_it(sql: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["figure"]["hash"] = sql
    assert refusal(root, tmp_path).startswith("figure.hash must hold {text} as an argument")


def test_a_hash_hashes_a_text(tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["figure"]["hash"] = "COUNT(*)"
    assert refusal(root, tmp_path) == "figure.hash must hold {text} or {h}"


@pytest.mark.parametrize("line", ["a\nb", "a\rb", "a\tb", "a\u2028b", "a\u00a0b", "\n"])
def test_a_title_or_a_template_is_one_line(line: str, tmp_path: Path) -> None:
    """A line break in the title would end the comment that repeats it."""
    root = shipped("duckdb")
    assert "title is " in refusal(root | {"title": line}, tmp_path)
    root["figure"]["rows"] = f"COUNT({line}*)"
    assert "figure.rows is one line" in refusal(root, tmp_path)


def test_a_template_keeps_its_spaces(tmp_path: Path) -> None:
    """Two spaces inside a literal are part of the text that is hashed."""
    root = shipped("duckdb")
    root["text"]["string"] = "REPLACE({x}, '  ', ' ')"
    made = ods.sql("t", {"s": "VARCHAR"}, written(root, tmp_path))
    assert """MD5(REPLACE("s", '  ', ' '))""" in made
