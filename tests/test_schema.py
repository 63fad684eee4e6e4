"""A schema: from type texts, to and from JSON, and what is left of it when columns are chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import spec_vectors

import ods_fingerprint as ods
from ods_fingerprint import Column, Schema
from ods_fingerprint.errors import DialectError, SchemaError
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
    family,
    from_text,
    text,
)

ROOT = Path(__file__).resolve().parents[1]
FORM = jsonschema.Draft202012Validator(
    json.loads((ROOT / "spec" / "schemas" / "schema.json").read_text("utf-8"))
)
PRINTABLE = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=12)
ANY = st.text(st.characters(codec="utf-8"), max_size=12)
TYPES = st.one_of(
    st.builds(Integer, st.sampled_from([8, 16, 32, 64, 128]), st.booleans()),
    st.integers(1, 38).flatmap(lambda p: st.builds(Decimal, st.just(p), st.integers(0, p))),
    st.builds(String, st.none() | st.integers(1), st.none() | ANY, st.booleans()),
    st.sampled_from([Boolean(), Date(), Float(16), Float(32), Float(64)]),
    st.builds(Timestamp, st.just(True), st.sampled_from(["s", "ms", "us", "ns"]), st.none() | ANY),
    st.builds(Timestamp, st.just(False), st.sampled_from(["s", "ms", "us", "ns"])),
    st.builds(
        lambda word, inner: Nested(f"{word}<{inner}>"),
        st.sampled_from(["list", "struct", "map", "union"]),
        PRINTABLE,
    ),
    PRINTABLE.filter(lambda words: from_text(words or "?") == Other(words)).map(Other),
)
COLUMNS = st.lists(
    st.builds(Column, ANY, TYPES, st.none() | ANY), max_size=6, unique_by=lambda c: c.name.lower()
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(COLUMNS, st.none() | ANY)
def test_json_carries_a_schema_whole(columns: list[Column], origin: str | None) -> None:
    """The text is ASCII, of the spec's form, and the same for what is read back from it (7.7)."""
    schema = Schema(tuple(columns), origin)
    written = schema.to_json()
    assert written.isascii()
    assert Schema.from_json(written) == schema
    assert Schema.from_json(written).to_json() == written
    FORM.validate(json.loads(written))


@pytest.mark.parametrize("kind", [Decimal(39, 2), Decimal(10, -2), Decimal(0, 0), Decimal(3, 5)])
def test_a_type_outside_the_spec_survives_json_to_be_left_out_later(kind: Decimal) -> None:
    """R4: refused by name where figures are made, so that `--skip` can still leave it out."""
    schema = Schema((Column("d", kind), Column("i", Integer(64))))
    again = Schema.from_json(schema.to_json())
    assert again == schema
    with pytest.raises(SchemaError, match="column d"):
        ods.sql("t", again, "duckdb")


def column(**keys: object) -> dict[str, object]:
    return {"name": "c", "type": "int64", "family": "integer"} | keys


BAD_COLUMNS: list[object] = [
    *(None, 3, "c", [], {}, {"name": "c"}, {"name": 3, "type": "int64", "family": "integer"}),
    column(type=None), column(type=3), column(type=""), column(type="", family="other"),
    # a family that is not the type's: what has a hash must not pass for what has none (8.10)
    column(family=None), column(family="other"), column(family="nested"), column(family="string"),
    column(type="decimal(5, 0)", family="decimal"), column(type="decimal(5, 2)", family="other"),
    column(type="decimal", family="integer"), column(type="decimal", family="other"),
    column(type="list<int64>", family="other"), column(type="list", family="nested"),
    # words of the spec are exact (2.8)
    *(column(type=words) for words in ("INT64", "int64 ", "bigint", "int64 NOT NULL", "int64[]")),
    *(column(type=words, family="decimal")
      for words in ("decimal(5,2)", "decimal(05, 2)", "decimal(5, 2)\n", "decimal(5, ٢)", "decimal(5)")),
    column(type="string(5)", family="string"), column(type="timestamp[ns]", family="timestamp"),
    column(type="list<\x1b[31m>", family="nested"), column(type="a\nb", family="other"),
    # keys beside the type (2.9)
    column(unit="ns"), column(zone="UTC"), column(length=3), column(collation="x"), column(label=True),
    column(type="timestamp", family="timestamp", unit="ps"),
    column(type="timestamp", family="timestamp", unit=["us"]),
    column(type="timestamp", family="timestamp", zone=1),
    column(type="timestamp_ntz", family="timestamp", zone="UTC"),
    *(column(type="string", family="string", length=n) for n in (0, -1, True, 1.0, "3")),
    column(type="string", family="string", collation=3),
    *(column(type="string", family="string", label=found) for found in (False, 1, "yes")),
    column(note=3),
]  # fmt: skip


@pytest.mark.parametrize("item", BAD_COLUMNS)
def test_a_damaged_column_is_refused(item: object) -> None:
    with pytest.raises(SchemaError):
        Schema.from_json(json.dumps({"spec": "ods-fingerprint/1", "columns": [item]}))


SPEC = '{"spec": "ods-fingerprint/1", '


@pytest.mark.parametrize(
    "damaged",
    [
        "", "null", "[]", "3", '"x"', "{", "{}", '{"columns": []}', '\ufeff{}', "NaN",
        SPEC + '"columns": {}}', SPEC + '"columns": null}', SPEC + '"rows": 3}', SPEC + '"columns": []',
        SPEC + '"columns": [], "columns": []}', SPEC + '"columns": [], "dialect": 3}',
        SPEC + '"columns": ' + "[" * 950 + "]" * 950 + "}",
        "[" * 100_000, '{"a":' * 100_000,
        SPEC + '"columns": [' + "9" * 10_000 + "]}",
    ],
)  # fmt: skip
def test_damaged_json_is_a_short_schema_error(damaged: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Schema.from_json(damaged)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("spec", ["ods-fingerprint/2", "ods-fingerprint/1.0", "", None, 1, ["x"]])
def test_an_unknown_version_is_refused(spec: object) -> None:
    """R26."""
    with pytest.raises(SchemaError, match=r"spec|version"):
        Schema.from_json(json.dumps({"spec": spec, "columns": []}))


@pytest.mark.parametrize("vector", [v for v in spec_vectors("refuse") if v["what"] == "schema"])
def test_the_spec_refuses_these_schemas(vector: dict[str, Any]) -> None:
    """From the reading to the plan: somewhere on the way to a statement each is refused."""
    columns = [{"family": stated(each["type"]), **each} for each in vector["columns"]]
    written = json.dumps({"spec": "ods-fingerprint/1", "columns": columns})
    with pytest.raises(SchemaError):
        ods.sql("t", Schema.from_json(written), "duckdb")


def stated(words: str) -> str:
    """Return the family of a type text as the spec's table has it, for vectors that state none."""
    if words.startswith("decimal"):
        return "integer" if words.endswith(" 0)") or words == "decimal" else "decimal"
    if words.startswith(("list<", "struct<", "map<", "union<")):
        return "nested"
    return {"string": "string", "timestamp": "timestamp"}.get(words, "integer")


def test_words_of_the_spec_are_read_as_they_are_written() -> None:
    kinds = (Integer(8), Integer(128, signed=False), Decimal(5, 2), Timestamp(False), Float(16))
    for kind in kinds:
        assert from_text(text(kind)) == kind
    assert from_text("int256") == Other("int256")


def kinds(schema: Schema) -> list[str]:
    return [text(each.type) for each in schema.columns]


def test_sp_01_the_same_word_is_another_type_elsewhere() -> None:
    """INT8 is eight bytes in DuckDB; what Spark and Snowflake get has no word that they lack."""
    schema = Schema.from_sql(
        {"a": "INT8", "b": "INT1", "c": "HUGEINT", "d": "UBIGINT"}, dialect="duckdb"
    )
    assert kinds(schema) == ["int64", "int8", "int128", "uint64"]
    assert {family(each.type) for each in schema.columns} == {"integer"}
    for dialect in ("duckdb", "spark", "snowflake"):
        statement = ods.sql("t", schema, dialect).upper()
        assert not any(
            word in statement for word in ("INT8", "INT1 ", "INT128", "HUGEINT", "UBIGINT")
        )


def test_sp_03_names_that_are_type_words() -> None:
    found = Schema.from_sql(
        {"number": "BIGINT", "date": "DATE", "s": 'STRUCT(number BIGINT, "a b" DECIMAL(10,2))[]'}, "duckdb"
    )  # fmt: skip
    assert kinds(found) == ["int64", "date", "list<struct<number: int64, a b: decimal(10, 2)>>"]
    spark = {"s": "struct<number:bigint,`a b`:decimal(10,2)>", "timestamp": "timestamp"}
    assert kinds(Schema.from_sql(spark, "spark")) == [
        "struct<number: int64, a b: decimal(10, 2)>",
        "timestamp",
    ]


def test_sp_05_a_collation_is_seen_and_not_hashed() -> None:
    """R11: two schemas that differ in it differ, the statement is the same."""
    for dialect, words, name in (
        ("spark", "string collate UTF8_LCASE", "UTF8_LCASE"),
        ("snowflake", "VARCHAR(10) COLLATE 'en-ci'", "en-ci"),
    ):
        found = Schema.from_sql({"s": words}, dialect)
        assert found.columns[0].type == String(collation=name)
        plain = Schema.from_sql({"s": "string"}, dialect)
        assert found != plain
        assert ods.sql("t", found, dialect) == ods.sql("t", plain, dialect)
        assert json.loads(found.to_json())["columns"][0]["collation"] == name


def test_sp_07_types_outside_are_other() -> None:
    """R19: without strict their nulls are counted."""
    found = Schema.from_sql({"h": "time(6)", "i": "interval day to second"}, "spark")
    assert [family(each.type) for each in found.columns] == ["other", "other"]
    assert "MD5" not in ods.sql("t", found, "spark").upper()


def test_sp_09_void_is_read_and_compiles() -> None:
    found = Schema.from_sql({"id": "bigint", "v": "void"}, "spark")
    assert kinds(found) == ["int64", "void"]
    assert "`v`" in ods.sql("t", found, "spark")


def test_cp_07_kinds_not_words() -> None:
    """TIMESTAMP is zone-less in DuckDB, an instant in Spark, and a setting in Snowflake."""
    duck = Schema.from_sql({"a": "TIMESTAMP", "b": "TIMESTAMPTZ"}, "duckdb")
    spark = Schema.from_sql({"a": "timestamp_ntz", "b": "timestamp"}, "spark")
    assert kinds(duck) == kinds(spark) == ["timestamp_ntz", "timestamp"]


@pytest.mark.parametrize("words", ["TIMESTAMP", " timestamp ( 9 ) ", "TIMESTAMP NOT NULL"])
def test_cp_07_a_bare_snowflake_timestamp_is_zoneless_with_a_note(words: str) -> None:
    found = Schema.from_sql({"t": words}, "snowflake").columns[0]
    assert found.type == Timestamp(False, "ns")
    assert "TIMESTAMP_TYPE_MAPPING" in (found.note or "")


@pytest.mark.parametrize(
    "words", ["TIMESTAMP_NTZ(9)", "TIMESTAMP(9) WITH TIME ZONE", "TIMESTAMP WITHOUT TIME ZONE"]
)
def test_a_snowflake_timestamp_that_says_its_kind_has_no_note(words: str) -> None:
    assert Schema.from_sql({"t": words}, "snowflake").columns[0].note is None


def test_every_fault_is_named_in_one_error() -> None:
    with pytest.raises(SchemaError) as caught:
        Schema.from_sql({"a": "nope", "b": "int", "c": "int(3)", "d": "x" * 10_000}, "duckdb")
    assert [line[:9] for line in str(caught.value).splitlines()] == [
        "column a:",
        "column c:",
        "column d:",
    ]
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("vector", [v for v in spec_vectors("refuse") if v["reason"] == "name"])
def test_names_equal_but_for_case_are_refused_with_both_spellings(vector: dict[str, Any]) -> None:
    """R22, by Unicode's own lower case (6.1)."""
    if vector["what"] == "schema":
        names = [each["name"] for each in vector["columns"]]
        with pytest.raises(SchemaError) as caught:
            Schema(tuple(Column(name, Integer(64)) for name in names))
        assert sum(name in str(caught.value) for name in names) >= 2


def test_names_that_only_look_equal_are_two_columns() -> None:
    names = ["ß", "SS", "ı", "I", "e\u0301", "é", "a", "a ", ""]
    assert len(Schema(tuple(Column(name, Date()) for name in names)).columns) == 9


def test_columns_are_chosen_whatever_their_case_in_the_tables_order() -> None:
    schema = Schema.from_sql({"Id": "int", "b": "int", "É": "int"}, "duckdb", origin="duckdb")
    assert [c.name for c in schema.chosen(["é", "ID"]).columns] == ["Id", "É"]
    assert [c.name for c in schema.chosen(None, ["B"]).columns] == ["Id", "É"]
    assert schema.chosen(["b"]).origin == "duckdb"
    for columns, skip in ((["nope"], []), (None, ["nope"]), (["b"], ["B"]), ([], [])):
        with pytest.raises(SchemaError):
            schema.chosen(columns, skip)


@pytest.mark.parametrize(
    "types", ['INT = "int99"', "INT = 3", 'INT = "other string"', 'INT = "other decimal"', 'int = "int8"',
              "[types.noted]\nT = 3", '[types.noted]\nT = ["date"]', '[types.noted]\nT = ["x", "note"]', ""]
)  # fmt: skip
def test_a_dialect_file_with_a_faulty_type_is_refused_before_it_is_used(
    types: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"[types]\n{types}\n", encoding="utf-8")
    with pytest.raises(DialectError, match="types"):
        Schema.from_sql({"a": "INT"}, str(path))


def test_a_dialect_file_may_ask_for_a_stated_precision(tmp_path: Path) -> None:
    """A bare NUMERIC without bounds (PostgreSQL) is no decimal of any scale: it is refused."""
    path = tmp_path / "mine.toml"
    path.write_text('[types]\nNUMERIC = "decimal"\n', encoding="utf-8")
    assert kinds(Schema.from_sql({"a": "numeric(5, 2)"}, str(path))) == ["decimal(5, 2)"]
    with pytest.raises(SchemaError, match="not stated"):
        Schema.from_sql({"a": "numeric"}, str(path))
