"""Type text as DuckDB itself prints it, read back: its words, its names, its nested types."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ods_fingerprint import Schema, _data, type_words
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

WORDS = sorted(type_words.read("duckdb", _data.dialect_table("duckdb")["types"])[0])
# words of a type that is never made of the word alone, and what stands for it
NEEDS_MORE = {
    "ENUM": "ENUM('a')",
    "STRUCT": "STRUCT(a INTEGER)",
    "ROW": "ROW(a INTEGER)",
    "UNION": "UNION(a INTEGER)",
    "MAP": "MAP(INTEGER, INTEGER)",
    "LIST": "INTEGER[]",
}
# words that DuckDB 2 knows and 1.5 does not, and one that no column of 1.5 has
SINCE_2 = {"TIMESTAMPTZ_NS", "PARQUET_VARIANT", "TUPLE", '"NULL"'}
# printed by no version here, read because other tools write it for DuckDB
NEVER = {"TIMESTAMP_NS WITH TIME ZONE", "NULL"}
VERSION = tuple(int(part) for part in duckdb.__version__.split(".")[:2])


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def described(connection: duckdb.DuckDBPyConnection, words: str) -> str:
    """Return the type text that DuckDB prints for a column that was made with `words`."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE described (c {words})")
    return str(connection.execute("DESCRIBE described").fetchall()[0][1])


def parsed(words: str) -> Type:
    return Schema.from_sql({"c": words}, "duckdb").columns[0].type


@pytest.mark.parametrize("word", WORDS)
def test_every_word_means_what_duckdb_makes_of_it(
    connection: duckdb.DuckDBPyConnection, word: str
) -> None:
    """SP-01: the word as typed and the word as DuckDB then prints it are one type."""
    if word == '"NULL"' and VERSION < (2, 0):
        assert described(connection, word) == "INTEGER"
        return
    if word in NEVER or (word in SINCE_2 and VERSION < (2, 0)):
        with pytest.raises(duckdb.Error):
            described(connection, word)
        return
    typed = "TUPLE(INTEGER)" if word == "TUPLE" else NEEDS_MORE.get(word, word)
    assert parsed(typed) == parsed(described(connection, typed))


def test_every_type_that_duckdb_lists_is_known(connection: duckdb.DuckDBPyConnection) -> None:
    listed = connection.execute("SELECT DISTINCT upper(type_name) FROM duckdb_types()").fetchall()
    # ARRAY has no text of its own (INTEGER[3]); no column may be a TYPE
    assert {str(row[0]) for row in listed} - set(WORDS) <= {"ARRAY", "TYPE"}


PRINTED: list[tuple[str, Type]] = [
    ("INT8", Integer(64)),
    ("INT1", Integer(8)),
    ("HUGEINT", Integer(128)),
    ("UHUGEINT", Integer(128, signed=False)),
    ("UBIGINT", Integer(64, signed=False)),
    ("DECIMAL", Decimal(18, 3)),
    ("DECIMAL(5)", Decimal(5, 0)),
    ("DECIMAL(38,38)", Decimal(38, 38)),
    ("FLOAT(24)", Float(32)),
    ("FLOAT(25)", Float(64)),
    ("TIMESTAMP(0)", Timestamp(False, "s")),
    ("TIMESTAMP(3)", Timestamp(False, "ms")),
    ("TIMESTAMP(6)", Timestamp(False, "us")),
    ("TIMESTAMP(9)", Timestamp(False, "ns")),
    ("TIMESTAMPTZ", Timestamp(True)),
    ("CHAR(3)", String()),
    ("VARCHAR COLLATE NOCASE", String()),
    ("BOOLEAN", Boolean()),
    ("DATE", Date()),
    ("GEOMETRY('OGC:CRS84')", Other("geometry")),
    ("BIT", Other("bit")),
    ("JSON", Other("json")),
    ("JSON[]", Nested("list<json>")),
    ("INT[3][]", Nested("list<list<int32>>")),
    ("TIMESTAMP WITH TIME ZONE[]", Nested("list<timestamp>")),
    ("UNION(num INT, str VARCHAR)", Nested("union<num: int32, str: string>")),
    ("MAP(VARCHAR, DECIMAL(38,10))", Nested("map<string, decimal(38, 10)>")),
    ("ENUM('a', ']', '>,(', 'it''s', 'a\\', '\n', '')", String(label=True)),
    ("ENUM('x')[]", Nested("list<string>")),
    ('STRUCT("b, c" INT, "d""e" INT[3], "f)" INT, "not" INT, "comment" ENUM(\')\'))',
     Nested('struct<b, c: int32, d"e: list<int32>, f): int32, not: int32, comment: string>')),
]  # fmt: skip


@pytest.mark.parametrize(("made_of", "kind"), PRINTED)
def test_types_as_duckdb_prints_them(
    connection: duckdb.DuckDBPyConnection, made_of: str, kind: Type
) -> None:
    assert parsed(described(connection, made_of)) == kind


@pytest.mark.parametrize(
    ("name", "made_of", "kind"),
    [
        ("mine", "INTEGER", Integer(32)),
        ('"my t"', "DECIMAL(4,2)", Decimal(4, 2)),
        ("my_enum", "ENUM('x', 'y')", String(label=True)),
        ('"double precision"', "INTEGER", Integer(32)),
        ('"DECIMAL(3,2)"', "DOUBLE", Float(64)),
        ('"x[]"', "DATE", Date()),
        ("number", "STRUCT(a my_enum)", Nested("struct<a: string>")),
    ],
)
def test_types_of_the_users_own_are_read_as_what_they_stand_for(
    connection: duckdb.DuckDBPyConnection, name: str, made_of: str, kind: Type
) -> None:
    """A type may be named like another; DuckDB prints what it stands for."""
    connection.execute(f"CREATE TYPE {name} AS {made_of}")
    assert parsed(described(connection, name)) == kind


def test_sp_09_a_column_of_nulls_alone_is_read(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE OR REPLACE TEMP VIEW nulls AS SELECT NULL AS a, [] AS b")
    rows = connection.execute("DESCRIBE nulls").fetchall()
    found = Schema.from_sql({str(row[0]): str(row[1]) for row in rows}, "duckdb")
    assert [family(column.type) for column in found.columns] == (
        ["other", "nested"] if VERSION >= (2, 0) else ["integer", "nested"]
    )


_SIMPLE = st.sampled_from(
    [("INTEGER", "int32"), ("DECIMAL(10,2)", "decimal(10, 2)"), ("TIMESTAMP", "timestamp_ntz"),
     ("VARCHAR", "string"), ("BLOB", "binary"), ("TIMESTAMPTZ", "timestamp")]
)  # fmt: skip
_NAME = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=6
)
_LABELS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5),
                   min_size=1, max_size=4, unique=True)  # fmt: skip
Pair = tuple[str, str]


def _enum(labels: list[str]) -> Pair:
    return "ENUM(" + ", ".join(
        "'" + each.replace("'", "''") + "'" for each in labels
    ) + ")", "string"


def _struct(word: str, fields: list[tuple[str, Pair]]) -> Pair:
    quoted = (f'"{name.replace(chr(34), chr(34) * 2)}" {pair[0]}' for name, pair in fields)
    shown = (f"{name}: {pair[1]}" for name, pair in fields)
    return f"{word.upper()}({', '.join(quoted)})", f"{word}<{', '.join(shown)}>"


def _grown(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    fields = st.lists(
        st.tuples(_NAME, inner), min_size=1, max_size=3, unique_by=lambda field: field[0].casefold()
    )
    return st.one_of(
        inner.map(lambda pair: (f"{pair[0]}[]", f"list<{pair[1]}>")),
        inner.map(lambda pair: (f"{pair[0]}[7]", f"list<{pair[1]}>")),
        st.tuples(inner, inner).map(
            lambda two: (f"MAP({two[0][0]}, {two[1][0]})", f"map<{two[0][1]}, {two[1][1]}>")
        ),
        fields.map(lambda found: _struct("struct", found)),
        fields.map(lambda found: _struct("union", found)),
    )


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.recursive(st.one_of(_SIMPLE, _LABELS.map(_enum)), _grown, max_leaves=10))
def test_any_type_that_duckdb_can_make_is_read_back(pair: Pair) -> None:
    """Quotes, commas, brackets and emoji in names and labels, through DuckDB's own printing."""
    with duckdb.connect() as connection:
        assert text(parsed(described(connection, pair[0]))) == pair[1]
