"""Type text of each engine: every word, every form, and text that is no type."""

from __future__ import annotations

import pytest

import ods_fingerprint as ods
from ods_fingerprint import Schema, _data, type_words, typetext
from ods_fingerprint.errors import SchemaError
from ods_fingerprint.types import (
    Boolean,
    Date,
    Decimal,
    Float,
    Integer,
    Nested,
    Other,
    String,
    Timestamp,
    Type,
)

DIALECTS = ("duckdb", "postgres", "spark", "databricks", "snowflake")
WORDS = {
    name: sorted(type_words.read(name, _data.dialect_table(name)["types"])[0]) for name in DIALECTS
}
NTZ, INSTANT = Timestamp(zoned=False), Timestamp(zoned=True)
NTZ_NS, INSTANT_NS = Timestamp(False, "ns"), Timestamp(True, "ns")

# what each engine's manual says that its words mean; DuckDB's are asked of DuckDB itself
MEANINGS: dict[str, dict[Type, str]] = {
    "spark": {
        Integer(8): "TINYINT BYTE",
        Integer(16): "SMALLINT SHORT",
        Integer(32): "INT INTEGER",
        Integer(64): "BIGINT LONG",
        Decimal(10, 0): "DECIMAL DEC NUMERIC",
        String(): "STRING VARCHAR",
        String(length=1): "CHAR CHARACTER",
        Boolean(): "BOOLEAN",
        Date(): "DATE",
        INSTANT: "TIMESTAMP TIMESTAMP_LTZ",
        NTZ: "TIMESTAMP_NTZ",
        Float(32): "FLOAT REAL",
        Float(64): "DOUBLE",
        Nested("list<>"): "ARRAY",
        Nested("struct<>"): "STRUCT",
        Nested("map<>"): "MAP",
        Other("binary"): "BINARY",
        Other("time"): "TIME",
        Other("variant"): "VARIANT",
        Other("object"): "OBJECT",
        Other("geometry"): "GEOMETRY",
        Other("geography"): "GEOGRAPHY",
        Other("void"): "VOID NULL",
    },
    "snowflake": {
        Decimal(38, 0): "NUMBER DECIMAL NUMERIC DEC FIXED INT INTEGER BIGINT SMALLINT TINYINT BYTEINT",
        Float(64): "FLOAT FLOAT4 FLOAT8 DOUBLE DOUBLE_PRECISION REAL",
        String(): "VARCHAR CHAR CHARACTER CHAR_VARYING CHARACTER_VARYING NCHAR NCHAR_VARYING NVARCHAR "
        "NVARCHAR2 STRING TEXT",
        Boolean(): "BOOLEAN",
        Date(): "DATE",
        NTZ_NS: "TIMESTAMP:NTZ TIMESTAMPNTZ DATETIME TIMESTAMP_WITHOUT_TIME_ZONE",
        INSTANT_NS: "TIMESTAMP:LTZ TIMESTAMPLTZ TIMESTAMP_WITH_LOCAL_TIME_ZONE TIMESTAMP:TZ "
        "TIMESTAMPTZ TIMESTAMP_WITH_TIME_ZONE",
        Nested("list<>"): "ARRAY VECTOR",
        Nested("struct<>"): "OBJECT",
        Nested("map<>"): "MAP",
        Other("binary"): "BINARY VARBINARY",
        Other("time"): "TIME",
        Other("variant"): "VARIANT",
        Other("geography"): "GEOGRAPHY",
        Other("geometry"): "GEOMETRY",
        Other("decfloat"): "DECFLOAT",
        Other("uuid"): "UUID",
        Other("file"): "FILE",
    },
}  # fmt: skip


def parsed(words: str, dialect: str) -> Type:
    return Schema.from_sql({"c": words}, dialect).columns[0].type


@pytest.mark.parametrize("dialect", ["spark", "snowflake"])
def test_every_word_of_a_dialect_means_what_its_manual_says(dialect: str) -> None:
    """SP-01, CP-07: the same word means other things elsewhere, so each dialect has its own."""
    blank = "_" if dialect == "snowflake" else " "
    meant = {
        word.replace(blank, " ").replace(":", "_"): kind
        for kind, words in MEANINGS[dialect].items()
        for word in words.split()
    }
    intervals = {word for word in WORDS[dialect] if word.startswith("INTERVAL")}
    assert set(WORDS[dialect]) == set(meant) | intervals
    for word, kind in meant.items():
        assert parsed(word, dialect) == kind, word
        assert parsed(f"  {word.lower()}\n", dialect) == kind, word
    assert {parsed(word, dialect) for word in intervals} == {Other("interval")}


FORMS = [
    # SP-05: a collation is kept, and is text all the same
    ("spark", "string collate UTF8_LCASE", String(collation="UTF8_LCASE")),
    ("databricks", "STRING COLLATE `en_CI`", String(collation="en_CI")),
    ("spark", "varchar(10) COLLATE system.builtin.UNICODE", String(collation="system.builtin.UNICODE")),
    ("snowflake", "VARCHAR(10) COLLATE 'en-ci'", String(collation="en-ci")),
    ("snowflake", "VARCHAR(16777216) COLLATE 'en-ci' NOT NULL", String(collation="en-ci")),
    ("spark", "char(5)", String(length=5)),
    ("spark", "varchar(5)", String()),
    ("duckdb", "CHAR(5)", String()),
    ("snowflake", "CHAR(5)", String()),
    ("spark", "bigint NOT NULL COMMENT 'x, y) or '' z'", Integer(64)),
    ("duckdb", "DECIMAL", Decimal(18, 3)),
    ("spark", "decimal", Decimal(10, 0)),
    ("spark", "decimal(10)", Decimal(10, 0)),
    ("snowflake", "NUMBER", Decimal(38, 0)),
    ("snowflake", "NUMBER(38,0)", Decimal(38, 0)),
    ("snowflake", "NUMBER( 12 , 2 )", Decimal(12, 2)),
    ("snowflake", "TIMESTAMP_NTZ(9)", NTZ_NS),
    ("snowflake", "TIMESTAMP_NTZ(6)", NTZ),
    ("snowflake", "TIMESTAMP_TZ(0)", INSTANT),
    ("snowflake", "TIMESTAMP(3) WITH TIME ZONE", INSTANT),
    ("spark", "timestamp_ntz(9)", NTZ_NS),
    ("duckdb", "TIMESTAMP WITH TIME ZONE", INSTANT),
    ("duckdb", "FLOAT(24)", Float(32)),
    ("duckdb", "FLOAT(25)", Float(64)),
    ("snowflake", "BINARY(8388608)", Other("binary")),
    ("snowflake", "TIME(9)", Other("time")),
    ("snowflake", "INTERVAL DAY(9) TO SECOND(6)", Other("interval")),
    ("spark", "interval day to second", Other("interval")),
    ("spark", "time(6)", Other("time")),
    ("databricks", "GEOGRAPHY(OGC:CRS84, SPHERICAL)", Other("geography")),
    ("databricks", "geometry(4326)", Other("geometry")),
    ("snowflake", "ARRAY(NUMBER NOT NULL)", Nested("list<decimal(38, 0)>")),
    ("snowflake", 'OBJECT(a NUMBER, "b c" VARCHAR)', Nested("struct<a: decimal(38, 0), b c: string>")),
    ("snowflake", "MAP(VARCHAR, NUMBER(4,1) NOT NULL)", Nested("map<string, decimal(4, 1)>")),
    ("snowflake", "VECTOR(FLOAT, 3)", Nested("list<double, 3>")),
    ("spark", "struct<a:int,b:string COMMENT 'x, y'>", Nested("struct<a: int32, b: string>")),
    ("spark", "STRUCT<`a>b`: INT, c STRING NOT NULL>", Nested("struct<a>b: int32, c: string>")),
    ("spark", "struct<a b:int,c#d:string>", Nested("struct<a b: int32, c # d: string>")),
    ("spark", "array<map<string,array<double>>>", Nested("list<map<string, list<double>>>")),
    ("spark", "struct<a:int,... 12 more fields>", Nested("struct<a: int32, ... 12 more fields>")),
    ("spark", "map<string,timestamp_ntz> COMMENT 'm'", Nested("map<string, timestamp_ntz>")),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "words", "kind"), FORMS)
def test_forms_that_engines_print_and_people_type(dialect: str, words: str, kind: Type) -> None:
    assert parsed(words, dialect) == kind


REFUSED = [
    ("duckdb", ""),
    ("duckdb", "   "),
    ("duckdb", "serial"),
    ("duckdb", "bigint); DROP TABLE t; --"),
    ("duckdb", "decimal(10,2) /* */"),
    ("duckdb", "bigint bigint"),
    ("duckdb", '"BIGINT"'),
    ("duckdb", "'BIGINT'"),
    ("duckdb", "ıNT"),
    ("duckdb", "decimal(1 0,2)"),
    ("duckdb", "decimal(١٠,2)"),
    ("duckdb", "decimal(10,2,3)"),
    ("duckdb", "decimal(10,2)(3)"),
    ("duckdb", "decimal<10,2>"),
    ("duckdb", "decimal(,)"),
    ("duckdb", "decimal()"),
    ("duckdb", "decimal(1e1)"),
    ("duckdb", "decimal(10"),
    ("duckdb", "decimal 10)"),
    ("duckdb", "integer(11)"),
    ("duckdb", "float(54)"),
    ("duckdb", "varchar(-1)"),
    ("duckdb", "timestamp(10)"),
    ("duckdb", "enum(a, b)"),
    ("duckdb", "enum('a"),
    ("duckdb", "serial[]"),
    ("duckdb", "int[x]"),
    ("duckdb", "int]"),
    ("duckdb", "[]"),
    ("duckdb", "blob(1; drop table t)"),
    ("spark", "char(0)"),
    ("spark", "int COLLATE x"),
    ("spark", "string COLLATE"),
    ("spark", "string COLLATE a COLLATE b"),
    ("spark", "string NOT"),
    ("spark", "string COMMENT 'a' or more"),
    ("spark", "array<int"),
    ("spark", "struct<a:array<int>"),
    ("spark", "struct<a:int)>"),
    ("spark", "struct<a:int> x"),
    ("snowflake", "TIMESTAMP_NTZ(-1)"),
    ("postgres.", "int"),
]


@pytest.mark.parametrize(("dialect", "words"), REFUSED)
def test_text_that_is_no_type_is_refused(dialect: str, words: str) -> None:
    """SE-03: the parse is of a closed set; what it does not know is an error, never a guess."""
    with pytest.raises(ods.OdsError):
        parsed(words, dialect)


def test_se_03_hostile_names_and_types() -> None:
    """Types are refused, all of them in one error; what is accepted is not echoed."""
    hostile = {'x"; DROP TABLE t; --': "bigint", "y": "bigint); DROP TABLE t; --", "z": "int /* */"}
    for dialect in DIALECTS:
        with pytest.raises(SchemaError) as caught:
            Schema.from_sql(hostile, dialect)
        lines = str(caught.value).splitlines()
        assert [line.partition(":")[0] for line in lines] == ["column y", "column z"]


@pytest.mark.parametrize(
    ("precision", "scale"), [(39, 2), (76, 10), (0, 0), (10, -2), (3, 5), (-1, 0)]
)
def test_decimals_out_of_range_are_refused_by_name_and_never_narrowed(
    precision: int, scale: int
) -> None:
    """R4: the type is kept as stated, so that the column can be left out; a statement is refused."""
    schema = Schema.from_sql({"d": f"decimal({precision},{scale})", "i": "int"}, "duckdb")
    assert schema.columns[0].type == Decimal(precision, scale)
    with pytest.raises(SchemaError, match="column d"):
        ods.sql("t", schema, "duckdb")
    assert "COUNT" in ods.sql("t", schema.chosen(None, ["d"]), "duckdb")


@pytest.mark.parametrize(
    "words",
    [
        "array<" * 100_000 + "int" + ">" * 100_000,
        "array<" * 100_000,
        "int" + "[]" * 100_000,
        "struct<a:" * 51 + "int" + ">" * 51,
        "(" * 100_000,
        '"' * 100_001,
        "decimal(" + "9" * 100_000 + ")",
        "int" + "[3][]" * 30,
    ],
)
def test_depth_without_end_is_an_error_that_can_be_read(words: str) -> None:
    for dialect in ("duckdb", "spark"):
        with pytest.raises(SchemaError) as caught:
            parsed(words, dialect)
        assert len(str(caught.value)) < 400


def test_fifty_levels_are_read() -> None:
    assert parsed("array<" * 50 + "int" + ">" * 50, "spark") == Nested(
        "list<" * 50 + "int32" + ">" * 50
    )
    assert parsed("int" + "[]" * 50, "duckdb") == Nested("list<" * 50 + "int32" + ">" * 50)


def test_the_phrase_is_what_stands_outside_brackets_and_clauses() -> None:
    assert typetext.phrase("timestamp(3) with time zone NOT NULL") == "TIMESTAMP WITH TIME ZONE"
    assert typetext.phrase("struct<timestamp:int> COMMENT 'timestamp'") == "STRUCT"
