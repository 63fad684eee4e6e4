"""A dialect file with a fault is refused: the error names the file, the key and the reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from dialect_files import DIALECTS, keys, refusal, shipped, written

import ods_fingerprint as ods
from ods_fingerprint.dialect import load
from ods_fingerprint.errors import DialectError

# all others are required
OPTIONAL = {
    "names.longest", "text.enum", "text.timestamp_coarse", "text.timestamp_ns",
    "text.timestamp_ns_zoned", "table.version", "table.timestamp", "limits.bytes", "limits.columns", "limits.figures",
    "evidence.version_sql",
    "catalog.columns", "catalog.pinned",
}  # fmt: skip
PARTS = ("names", "text", "row", "figure", "table", "catalog", "limits", "unpivot", "evidence")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_file_written_anew_is_the_shipped_one(dialect: str, tmp_path: Path) -> None:
    own, known = load(written(shipped(dialect), tmp_path)), load(dialect)
    for part in ("title", "sqlglot", "quote", "fold", "longest", "text", "row", "figure", "table"):
        assert getattr(own, part) == getattr(known, part)


@pytest.mark.parametrize(("dialect", "part", "key"), keys(*PARTS))
def test_a_missing_key_is_named(dialect: str, part: str, key: str, tmp_path: Path) -> None:
    root = shipped(dialect)
    del root[part][key]
    if f"{part}.{key}" in OPTIONAL:
        assert load(written(root, tmp_path))
    else:
        assert refusal(root, tmp_path).startswith(f"{part}.{key} is missing")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("key", ["title", "sqlglot", "types"])
def test_a_missing_head_is_named(dialect: str, key: str, tmp_path: Path) -> None:
    root = shipped(dialect)
    del root[key]
    assert refusal(root, tmp_path).startswith(f"{key} is ")


@pytest.mark.parametrize("part", ["names", "text", "figure", "table", "evidence"])
def test_a_missing_part_is_named_by_its_first_key(part: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    del root[part]
    assert re.match(rf"{part}\.\w+ is missing$", refusal(root, tmp_path))


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_no_table_is_named(part: str, tmp_path: Path) -> None:
    root = shipped("spark")
    root[part] = "x"
    assert refusal(root, tmp_path) == f"{part} is a table, not 'x'"


@pytest.mark.parametrize(("dialect", "part", "key"), keys(*PARTS))
def test_a_misspelt_key_is_named(dialect: str, part: str, key: str, tmp_path: Path) -> None:
    root = shipped(dialect)
    root[part][f"{key}x"] = root[part].pop(key)
    assert refusal(root, tmp_path).startswith(f"{part}.{key}x is not known; known: ")


@pytest.mark.parametrize("key", ["titel", "type", "session", "TEXT"])
def test_an_unknown_head_is_named(key: str, tmp_path: Path) -> None:
    root = shipped("duckdb") | {key: "x"}
    assert refusal(root, tmp_path).startswith(f"{key} is not known; known: title, ")


@pytest.mark.parametrize(("dialect", "part", "key"), keys(*PARTS))
def test_a_value_of_the_wrong_type_is_named(
    dialect: str, part: str, key: str, tmp_path: Path
) -> None:
    numbers = part == "limits" or key in ("past", "columns")
    for wrong in (5.5, True, "", [7]) if numbers else (5, True, "", [7], {"a": "b"}):
        if (part, key) == ("names", "longest") and wrong == 5 and wrong is not True:
            continue
        root = shipped(dialect)
        root[part][key] = wrong
        assert refusal(root, tmp_path).startswith(f"{part}.{key} is "), wrong


@pytest.mark.parametrize("key", ["bytes", "columns"])
@pytest.mark.parametrize("wrong", [0, -1, 1.0, "9"])
def test_a_limit_is_a_whole_number_above_zero(key: str, wrong: object, tmp_path: Path) -> None:
    root = shipped("duckdb") | {"limits": {key: wrong}}
    assert refusal(root, tmp_path) == f"limits.{key} is a whole number above 0, not {wrong!r}"


@pytest.mark.parametrize(
    ("key", "value"), [("fold", "Upper"), ("fold", "none"), ("quote", "["), ("quote", "'")]
)
def test_a_closed_word_is_named(key: str, value: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["names"][key] = value
    assert re.match(rf"names\.{key} is .*, not {re.escape(repr(value))}$", refusal(root, tmp_path))


@pytest.mark.parametrize(("dialect", "quote"), [("snowflake", "`"), ("spark", '"')])
def test_a_quote_that_quotes_no_name_there_is_named(
    dialect: str, quote: str, tmp_path: Path
) -> None:
    root = shipped(dialect)
    root["names"]["quote"] = quote
    assert refusal(root, tmp_path) == f"names.quote quotes no name in sqlglot's {dialect}"


@pytest.mark.parametrize("name", ["nosuch", "DuckDB", "duckdb, x=1", "spark2x"])
def test_an_unknown_dialect_of_sqlglot_is_named(name: str, tmp_path: Path) -> None:
    assert refusal(shipped("duckdb") | {"sqlglot": name}, tmp_path).startswith("sqlglot is no ")


@pytest.mark.parametrize(
    ("types", "reason"),
    [
        ({}, "types is missing"),
        ({"noted": {}}, "types is missing"),
        ({"INT": "int23"}, "types.INT is no type of the spec: 'int23'"),
        ({"INT": 5}, "types.INT is no type of the spec: 5"),
        ({"INT": ["int32", "note"]}, "types.INT is no type of the spec"),
        ({"INT": "other "}, "types.INT is no type of the spec"),
        ({"INT": "other a b"}, "types.INT is no type of the spec"),
        ({"INT": "decimal(10,0)"}, "types.INT is no type of the spec"),
        ({"int": "int32"}, "types.int is written in capitals"),
        ({"INT": "int32", "noted": {"T": "date"}}, "types.noted.T is a list of a type and a note"),
        ({"INT": "int32", "noted": {"T": ["date"]}}, "types.noted.T is a list of"),
        ({"INT": "int32", "noted": {"T": ["date", ""]}}, "types.noted.T is a list of"),
        ({"INT": "int32", "noted": {"T": ["dat", "x"]}}, "types.noted.T is no type of the spec"),
        ({"INT": "int32", "noted": {"t": ["date", "x"]}}, "types.noted.t is written in capitals"),
        ({"INT": "int32", "other": {"T": ["date", "x"]}}, "types.other is no type of the spec"),
    ],
)
def test_a_type_word_with_a_fault_is_named(
    types: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    root = shipped("duckdb") | {"types": types}
    assert refusal(root, tmp_path).startswith(reason)
    with pytest.raises(DialectError, match="types"):
        ods.Schema.from_sql({"a": "INT"}, written(root, tmp_path))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("postgre", "no dialect 'postgre'; known: databricks, duckdb, postgres, snowflake, spark"),
        ("", "no dialect ''; known: "),
        ("../dialects/duckdb", "no dialect '../dialects/duckdb'; known: "),
        ("absent.toml", "cannot read the dialect file absent.toml: "),
    ],
)
def test_an_unknown_dialect_says_what_is_known(name: str, reason: str) -> None:
    with pytest.raises(DialectError) as found:
        load(name)
    assert str(found.value).startswith(reason)


@pytest.mark.parametrize("content", [b"title = ", b"\xff\xfe", b"a = 1\na = 2"])
def test_a_file_that_is_no_toml_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)
    with pytest.raises(DialectError, match=r"own\.toml"):
        load(str(path))


@pytest.mark.parametrize(
    ("key", "query", "reason"),
    [
        ("columns", "DESCRIBE orders", "must hold {table} or {name}"),
        ("columns", "DROP TABLE {table}", "is not one query: SELECT or DESCRIBE"),
        ("columns", "DELETE FROM {table}", "is not one query: SELECT or DESCRIBE"),
        ("columns", "DESCRIBE {table}; DROP TABLE {table}", "is not one query: SELECT or DESCRIBE"),
        ("columns", "SELECT name FROM {table", "has a brace that belongs to no placeholder"),
        ("columns", "SELECT ( FROM {table}", "is not one query ("),
        ("columns", "DESCRIBE {source}", "may hold {name}, {table}, not {source}"),
        ("pinned", "DESCRIBE {table}", "may hold {source}, not {table}"),
        ("pinned", "DESCRIBE orders", "must hold {source}"),
    ],
)
def test_a_question_for_the_columns_is_one_query(
    key: str, query: str, reason: str, tmp_path: Path
) -> None:
    root = shipped("duckdb")
    root["catalog"] = {key: query}
    assert refusal(root, tmp_path).startswith(f"catalog.{key} {reason}")


@pytest.mark.parametrize(
    ("key", "template", "reason"),
    [
        ("cells", "POSEXPLODE(ARRAY(1)) AS (`p`, `v`)", "must hold {cells}"),
        ("cells", "POSEXPLODE(ARRAY({x}, {cells})) AS (`p`, `v`)", "may hold {cells}, not {x}"),
        ("cells", "POSEXPLODE(ARRAY({cells}", "is not one item of a SELECT ("),
        ("cells", "{cells} AS `v`, 1 AS `p`", "is not one item of a SELECT: "),
        ("cells", "(SELECT {cells})", "is not one item of a SELECT: "),
        ("cells", "{cells} AS `v` FROM x --", "is not one item of a SELECT"),
        ("cells", "EXPLODE(ARRAY('{cells}')) AS `v`", "holds a placeholder where no column can"),
        ("text", "{text}", "must hold {text} as an argument"),
        ("text", "CAST({text} AS STRING", "is not one SQL expression ("),
        ("float", "CAST({x} AS DOUBLE), 1", "is not one SQL expression: "),
        ("there", "1", "must hold {x}"),
        ("list", "COLLECT_LIST(STRUCT({figures})) AS l", "is not one SQL expression: "),
        ("list", "COLLECT_LIST('{figures}')", "holds a placeholder where no column can"),
        ("item", "GET({list}, 0)", "must hold {at}"),
        ("item", "GET({list}, {at}) -- ", "is not one SQL expression"),
    ],
)
def test_what_cannot_make_rows_of_columns_is_refused(
    key: str, template: str, reason: str, tmp_path: Path
) -> None:
    root = shipped("spark")
    root["unpivot"][key] = template
    assert refusal(root, tmp_path).startswith(f"unpivot.{key} {reason}")
