"""Type text of each engine: every word, every form, and text that is no type."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    family,
    text,
)

FUZZ = settings(derandomize=True, max_examples=200, deadline=None)
CLOSED = (Integer, Decimal, String, Boolean, Date, Timestamp, Float, Nested, Other)
DIALECTS = ("duckdb", "spark", "databricks", "snowflake")
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


MARK = "zqxv"
_PIECES = [
    *(word for dialect in DIALECTS for word in WORDS[dialect]),
    *"()<>[],:;.'\"`-+*/\\\n\0 \u2028",
    *("''", '""', "--", "/*", "10", "-2", "38, 10", "COLLATE", "NOT NULL", "COMMENT", MARK, f"'{MARK}'"),
]  # fmt: skip
HOSTILE = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=12).map(" ".join),
    st.lists(st.sampled_from(_PIECES), max_size=8).map("".join),
    st.text(max_size=30),
)


@FUZZ
@given(HOSTILE, st.sampled_from(DIALECTS))
def test_any_text_is_a_type_of_the_closed_set_or_a_schema_error(words: str, dialect: str) -> None:
    """SE-03: no other exception, the schema survives JSON, and the text is not in the statement."""
    try:
        schema = Schema.from_sql({"c": words}, dialect)
    except SchemaError:
        return
    kind = schema.columns[0].type
    assert isinstance(kind, CLOSED)
    assert text(kind).isprintable()
    assert Schema.from_json(schema.to_json()) == schema
    try:
        statement = ods.sql("t", schema, dialect)
    except ods.OdsError as fault:
        assert isinstance(kind, Decimal | Integer | Timestamp), fault
        return
    assert MARK not in statement.lower()


_SIMPLE = st.sampled_from(
    [("int", "int32"), ("decimal(10,2)", "decimal(10, 2)"), ("timestamp", "timestamp"),
     ("string", "string"), ("binary", "binary"), ("timestamp_ntz", "timestamp_ntz")]
)  # fmt: skip
_NAME = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=8
)


def _grown(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    fields = st.lists(st.tuples(_NAME, inner), min_size=1, max_size=3)
    return st.one_of(
        inner.map(lambda pair: (f"array<{pair[0]}>", f"list<{pair[1]}>")),
        st.tuples(inner, inner).map(
            lambda pair: (f"map<{pair[0][0]},{pair[1][0]}>", f"map<{pair[0][1]}, {pair[1][1]}>")
        ),
        fields.map(
            lambda found: (
                "struct<" + ",".join(f"{_ticked(n)}:{pair[0]}" for n, pair in found) + ">",
                "struct<" + ", ".join(f"{_shown(n)}: {pair[1]}" for n, pair in found) + ">",
            )
        ),
    )


def _ticked(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


@FUZZ
@given(st.recursive(_SIMPLE, _grown, max_leaves=12))
def test_sp_03_names_inside_a_nested_type_may_be_anything(pair: tuple[str, str]) -> None:
    """Type words, brackets, quotes, colons and commas in the names of fields do not mislead."""
    words, shown = pair
    kind = parsed(words, "spark")
    assert text(kind) == shown
    assert (family(kind) == "nested") == (words.startswith(("array", "map", "struct")))


def test_the_phrase_is_what_stands_outside_brackets_and_clauses() -> None:
    assert typetext.phrase("timestamp(3) with time zone NOT NULL") == "TIMESTAMP WITH TIME ZONE"
    assert typetext.phrase("struct<timestamp:int> COMMENT 'timestamp'") == "STRUCT"
