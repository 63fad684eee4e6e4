"""Type text by the thousand: anything at all, and nested types with anything for names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ods_fingerprint as ods
from ods_fingerprint import Schema, _data, type_words
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

FUZZ = settings(derandomize=True, max_examples=300, deadline=None)
CLOSED = (Integer, Decimal, String, Boolean, Date, Timestamp, Float, Nested, Other)
DIALECTS = ("duckdb", "postgres", "spark", "databricks", "snowflake")
WORDS = {
    name: sorted(type_words.read(name, _data.dialect_table(name)["types"])[0]) for name in DIALECTS
}


def parsed(words: str, dialect: str) -> Type:
    return Schema.from_sql({"c": words}, dialect).columns[0].type


MARK = "zqxv"
_PIECES = [
    *(word for dialect in DIALECTS for word in WORDS[dialect]),
    *"()<>[],:;.'\"`-+*/\\\n\0 \u2028",
    *("''", '""', "--", "/*", "10", "-2", "38, 10", "COLLATE", "NOT NULL", "COMMENT", MARK, f"'{MARK}'"),
]  # fmt: skip
_BRACKETS = st.sampled_from(
    ["", "", "", "", "(3)", "(10, 2)", f"('{MARK}')", f"({MARK})", f"<{MARK}:int>", f"({MARK} int)"]
)
_CLAUSE = st.sampled_from(
    ["", "", "", "[]", " NOT NULL", f" COLLATE {MARK}", f" COMMENT '{MARK}; --'", f" -- {MARK}"]
)
_JUNK = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=12).map(" ".join),
    st.lists(st.sampled_from(_PIECES), max_size=8).map("".join),
    st.text(max_size=30),
)


def _near(dialect: str) -> st.SearchStrategy[tuple[str, str]]:
    """Return texts that are types, or nearly."""
    near = st.tuples(st.sampled_from(WORDS[dialect]), _BRACKETS, _CLAUSE).map("".join)
    return st.tuples(near, st.just(dialect))


@FUZZ
@given(st.sampled_from(DIALECTS).flatmap(_near))
def test_nearly_a_type_is_a_type_of_the_closed_set_or_a_schema_error(pair: tuple[str, str]) -> None:
    """SE-03: no other exception, the schema survives JSON, and the text is not in the statement."""
    _check(*pair)


@FUZZ
@given(_JUNK, st.sampled_from(DIALECTS))
def test_any_text_is_a_type_of_the_closed_set_or_a_schema_error(words: str, dialect: str) -> None:
    """SE-03, with text that is made of anything."""
    _check(words, dialect)


def _check(words: str, dialect: str) -> None:
    try:
        schema = Schema.from_sql({"c": words}, dialect)
    except SchemaError:
        return
    kind = schema.columns[0].type
    assert isinstance(kind, CLOSED)
    assert text(kind).isprintable()
    assert Schema.from_json(schema.to_json()) == schema
    if isinstance(kind, Decimal) and not (
        kind.precision and 0 <= kind.scale <= kind.precision <= 38
    ):
        with pytest.raises(SchemaError):
            ods.sql("t", schema, dialect)
    else:
        assert MARK not in ods.sql("t", schema, dialect).lower()


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
