"""A downloaded DESCRIBE TABLE, or rows of information_schema.columns, as a schema."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from command import refused, run

from ods_fingerprint import described
from ods_fingerprint.errors import OdsError

# as the documentation of each engine shows its result
DATABRICKS = """col_name,data_type,comment
id,bigint,the key
price,"decimal(18,2)",
tags,"struct<a:int,b:array<string>>",null
#odd,string,a name may begin so
day,date,
"""
SECTIONS = """,,
# Partition Information,,
# col_name,data_type,comment
day,date,
,,
# Detailed Table Information,,
Name,main.sales.orders,
Type,MANAGED,
"""
SNOWFLAKE = """name,type,kind,null?,default,primary key,unique key,check,expression,comment,policy name
ID,"NUMBER(38,0)",COLUMN,N,,Y,N,,,,
price,"NUMBER(18,2)",COLUMN,Y,,N,N,,,,
At,TIMESTAMP_NTZ(9),COLUMN,Y,,N,N,,,,
NOTE,VARCHAR(16777216),COLUMN,Y,,N,N,,,,
"""
HEAD = [
    "TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "DATA_TYPE",
    "CHARACTER_MAXIMUM_LENGTH", "NUMERIC_PRECISION", "NUMERIC_SCALE", "DATETIME_PRECISION", "COLLATION_NAME",
]  # fmt: skip
ROWS: list[Sequence[object]] = [
    ["DB", "SALES", "ORDERS", "note", 3, "TEXT", 16777216, None, None, None, "en-ci"],
    ["DB", "SALES", "ORDERS", "ID", 1, "NUMBER", None, 38, 0, None, None],
    ["DB", "SALES", "ORDERS", "PRICE", 2, "NUMBER", None, 18, 2, None, None],
    ["DB", "SALES", "ORDERS", "AT", 10, "TIMESTAMP_NTZ", None, None, None, 9, None],
    ["DB", "SALES", "ORDERS", "F", 9, "FLOAT", None, None, None, None, None],
]
INFORMATION = {
    "ID": "NUMBER(38, 0)",
    "PRICE": "NUMBER(18, 2)",
    "note": "TEXT COLLATE 'en-ci'",
    "F": "FLOAT",
    "AT": "TIMESTAMP_NTZ(9)",
}


def csv_of(rows: Sequence[Sequence[object]], null: str = "", sign: str = ",") -> str:
    lines = [HEAD, *([null if cell is None else str(cell) for cell in row] for row in rows)]
    return "".join(sign.join(line) + "\r\n" for line in lines)


def test_databricks_describe_table() -> None:
    expected = {
        "id": "bigint",
        "price": "decimal(18,2)",
        "tags": "struct<a:int,b:array<string>>",
        "#odd": "string",
        "day": "date",
    }
    assert described.types(DATABRICKS) == expected
    assert described.types(DATABRICKS + SECTIONS) == expected
    assert list(described.types(DATABRICKS + SECTIONS)) == list(expected)


def test_snowflake_desc_table() -> None:
    assert described.types(SNOWFLAKE) == {
        "ID": "NUMBER(38,0)",
        "price": "NUMBER(18,2)",
        "At": "TIMESTAMP_NTZ(9)",
        "NOTE": "VARCHAR(16777216)",
    }


def test_no_kind_of_column_is_left_out_in_silence() -> None:
    external = SNOWFLAKE.replace('price,"NUMBER(18,2)",COLUMN', 'price,"NUMBER(18,2)",VIRTUAL')
    assert "price" in described.types(external)


@pytest.mark.parametrize("null", ("", "NULL", "null"))
@pytest.mark.parametrize("sign", (",", "\t", ";"))
def test_information_schema_of_snowflake(null: str, sign: str) -> None:
    found = described.types(csv_of(ROWS, null, sign))
    assert found == INFORMATION
    assert list(found) == list(INFORMATION)


@pytest.mark.parametrize("case", (str.upper, str.lower))
@pytest.mark.parametrize("form", ("array", "lines"))
def test_information_schema_as_json(case: object, form: str) -> None:
    assert callable(case)
    rows = [dict(zip(map(case, HEAD), row)) for row in ROWS]
    text = json.dumps(rows) if form == "array" else "\n".join(map(json.dumps, rows))
    assert described.types(text) == INFORMATION


def test_information_schema_of_databricks() -> None:
    text = (
        "table_catalog,table_schema,table_name,column_name,ordinal_position,data_type,full_data_type,"
        "numeric_precision,numeric_scale\n"
        'main,sales,orders,tags,2,ARRAY,"array<int>",,\n'
        'main,sales,orders,price,1,DECIMAL,"decimal(18,2)",18,2\n'
    )
    assert described.types(text) == {"price": "decimal(18,2)", "tags": "array<int>"}
    assert described.types(text.replace("full_data_type", "other")) == {
        "price": "DECIMAL(18, 2)",
        "tags": "ARRAY",
    }


def test_a_char_keeps_its_length() -> None:
    text = "column_name,data_type,character_maximum_length\nc,CHAR,5\nv,VARCHAR,9\n"
    assert described.types(text) == {"c": "CHAR(5)", "v": "VARCHAR"}


@pytest.mark.parametrize(
    ("text", "reason"),
    (
        (csv_of([*ROWS, ["DB", "SALES", "OTHER", "X", 1, "TEXT", *[None] * 5]]), "2 tables"),
        (csv_of([*ROWS, ["DB", "OLD", "ORDERS", "X", 1, "TEXT", *[None] * 5]]), "2 tables"),
        ("column_name,data_type\na,int\na,int\n", "twice"),
        ("column_name,data_type\nprice,NUMBER\n", "numeric_precision"),
        (
            "column_name,data_type,numeric_precision,numeric_scale\nprice,DECIMAL,18,\n",
            "numeric_scale",
        ),
        ("column_name,comment\na,b\n", "data_type"),
        ("id,data_type\na,int\n", "col_name or column_name"),
        ("col_name,data_type\n", "no rows"),
        ("col_name,data_type\n,,\n", "cells"),
        ("col_name,data_type\n# Partition Information,\n", "names no column"),
        ("col_name,data_type\na,int\nb,\nc,int\n", "'b' no type"),
        ("", "empty"),
        ("[]", "no rows"),
        ("[1]", "object"),
        ('[{"name": "a", "name": "b", "type": "int"}]', "twice"),
        ('[{"name": "a", "type": {"type": "FIXED"}}]', "type"),
        ("[" * 100_000, "deeply"),
    ),
)
def test_what_describes_no_table_is_refused(text: str, reason: str) -> None:
    with pytest.raises(OdsError, match=reason):
        described.types(text)


def schema_of(text: str, dialect: str, *more: str) -> str:
    return run("sql", "t", "--schema", "-", "--dialect", dialect, *more, stdin=text.encode()).out


def test_names_of_the_download_are_exact_in_the_statement() -> None:
    made = schema_of(SNOWFLAKE, "snowflake")
    assert '"ID__hash"' in made
    assert '"price__hash"' in made
    assert '"At__hash"' in made
    assert "PRICE" not in made


def test_names_of_another_engines_catalogue_fold() -> None:
    made = schema_of(DATABRICKS, "snowflake", "--schema-dialect", "spark")
    assert '"PRICE__hash"' in made
    assert '"#odd__hash"' in made


def test_the_same_statement_from_every_download() -> None:
    rows = [row for row in ROWS if row[3] in ("ID", "PRICE", "AT")]
    plain = '{"ID": "NUMBER(38,0)", "PRICE": "NUMBER(18,2)", "AT": "TIMESTAMP_NTZ(9)"}'
    expected = run("sql", "t", "--schema", plain, "--dialect", "snowflake", "--names", "exact").out
    assert schema_of(csv_of(rows), "snowflake") == expected.replace('FROM "t"', 'FROM "T"')
    assert schema_of("\ufeff" + csv_of(rows), "snowflake") == schema_of(csv_of(rows), "snowflake")


def test_columns_that_differ_by_case_alone_are_refused() -> None:
    text = 'name,type\nID,"NUMBER(38,0)"\nid,"NUMBER(38,0)"\n'
    refused(
        run("sql", "t", "--schema", "-", "--dialect", "snowflake", stdin=text.encode()), "ID and id"
    )
