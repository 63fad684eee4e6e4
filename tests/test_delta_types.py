"""Column types of a Delta table, from the schema in its log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from deltalake import DeltaTable
from deltalake import Schema as DeltaSchema
from shared import COVID, needs_shared

from ods_fingerprint import Schema, delta_types
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
    text,
)


def field(name: str, kind: object, **metadata: object) -> dict[str, object]:
    return {"name": name, "type": kind, "nullable": True, "metadata": metadata}


def one(kind: object, **metadata: object) -> Type:
    """Return our type of one column `c`, after a way through JSON as in a log."""
    found = json.loads(json.dumps({"type": "struct", "fields": [field("c", kind, **metadata)]}))
    return delta_types.fields(found)[0][1]


def array(element: object) -> dict[str, object]:
    return {"type": "array", "elementType": element, "containsNull": True}


# the primitive types of the Delta protocol, and what its previews add
PRIMITIVES: dict[str, Type] = {
    "string": String(),
    "long": Integer(64),
    "integer": Integer(32),
    "short": Integer(16),
    "byte": Integer(8),
    "float": Float(32),
    "double": Float(64),
    "decimal(38,18)": Decimal(38, 18),
    "decimal(10, 0)": Decimal(10, 0),
    "boolean": Boolean(),
    "binary": Other("binary"),
    "date": Date(),
    "timestamp": Timestamp(zoned=True),
    "timestamp_ntz": Timestamp(zoned=False),
    "void": Other("void"),
    "variant": Other("variant"),
    "geometry(OGC:CRS84)": Other("geometry"),
    "geography(OGC:CRS84, spherical)": Other("geography"),
    "interval day to second": Other("interval"),
}


@pytest.mark.parametrize(("words", "kind"), PRIMITIVES.items())
def test_primitive_types_of_the_protocol(words: str, kind: Type) -> None:
    """CP-07: timestamp is an instant, timestamp_ntz is none."""
    assert one(words) == kind


STRUCT = {"type": "struct", "fields": [field("x, y", "long"), field("number", array("date"))]}


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (array("string"), "list<string>"),
        (array(array("decimal(3,1)")), "list<list<decimal(3, 1)>>"),
        (STRUCT, "struct<x, y: int64, number: list<date>>"),
        ({"type": "struct", "fields": []}, "struct<>"),
        ({"type": "map", "keyType": "string", "valueType": STRUCT, "valueContainsNull": True},
         "map<string, struct<x, y: int64, number: list<date>>>"),
        ({"type": "struct", "fields": [field("a\n\x1b[31m", "long")]},
         "struct<a\\n\\x1b[31m: int64>"),
    ],
)  # fmt: skip
def test_nested_types(kind: object, shown: str) -> None:
    assert one(kind) == Nested(shown)


@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        ({"__CHAR_VARCHAR_TYPE_STRING": "char(12)"}, String(length=12)),
        ({"__CHAR_VARCHAR_TYPE_STRING": "varchar(12)"}, String()),
        ({"__COLLATIONS": {"c": "spark.UTF8_LCASE"}}, String(collation="spark.UTF8_LCASE")),
        ({"__COLLATIONS": {"other": "spark.UTF8_LCASE"}}, String()),
        ({"__COLLATIONS": "damaged"}, String()),
        ({"__CHAR_VARCHAR_TYPE_STRING": "char(3)", "__COLLATIONS": {"c": "icu.de_CI"}},
         String(length=3, collation="icu.de_CI")),
        ({"comment": "char(3)"}, String()),
    ],
)  # fmt: skip
def test_char_and_collation_of_a_string_are_kept(metadata: dict[str, object], kind: Type) -> None:
    """R11, R13, SP-05: neither changes the hash; both are told."""
    assert one("string", **metadata) == kind
    assert one("long", **metadata) == Integer(64)


@pytest.mark.parametrize(
    "kind",
    ["", "uint8", "strin", "decimal(10,2", "string; drop", 7, None, True, [], {}, {"type": "array"},
     {"type": "map", "keyType": "string"}, {"type": "struct", "fields": {}}, {"type": "object"},
     array("nope"), {"type": "struct", "fields": [{"type": "long"}]}, array(array({"type": 3}))],
)  # fmt: skip
def test_an_unknown_type_is_refused_with_the_name_of_its_column(kind: object) -> None:
    with pytest.raises(SchemaError, match="column c"):
        one(kind)


@pytest.mark.parametrize(
    "schema", [{}, {"fields": None}, {"fields": {}}, {"fields": [1]}, {"fields": [{"name": 3}]}]
)
def test_a_damaged_schema_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(SchemaError, match="the schema"):
        delta_types.fields(schema)


@pytest.mark.parametrize("words", ["char(0)", "bigint", "char(", "char(2) x"])
def test_a_damaged_char_declaration_is_refused(words: str) -> None:
    with pytest.raises(SchemaError, match="column c"):
        one("string", __CHAR_VARCHAR_TYPE_STRING=words)


def test_depth_without_end_is_refused_shortly() -> None:
    kind: object = "long"
    for _ in range(50):
        kind = array(kind)
    assert delta_types.fields({"fields": [field("c", kind)]})[0][1] == Nested(
        "list<" * 50 + "int64" + ">" * 50
    )
    for _ in range(100_000):
        kind = array(kind)
    with pytest.raises(SchemaError, match="nested more than 50 deep") as caught:
        delta_types.fields({"fields": [field("c", kind)]})
    assert len(str(caught.value)) < 400


@needs_shared
def test_the_log_of_a_shared_table_says_what_deltalake_says() -> None:
    """Another reader's schema, exported through Arrow, has the same families in the same order."""
    ours = Schema.from_delta(COVID)
    theirs = Schema.from_arrow(DeltaTable(COVID).schema())
    assert shown(ours) == shown(theirs)
    assert len(ours.columns) == 6


def test_a_table_that_deltalake_makes(tmp_path: Path) -> None:
    kinds = ["string", "long", "integer", "short", "byte", "float", "double", "decimal(38,18)",
             "boolean", "binary", "date", "timestamp", "timestamp_ntz", array("string")]  # fmt: skip
    columns = [field(f"c{at}", kind) for at, kind in enumerate(kinds)]
    made = DeltaSchema.from_json(json.dumps({"type": "struct", "fields": columns}))
    DeltaTable.create(tmp_path / "t", schema=made)
    assert shown(Schema.from_delta(tmp_path / "t")) == shown(Schema.from_arrow(made))


def shown(schema: Schema) -> list[tuple[str, str]]:
    return [(column.name, text(column.type)) for column in schema.columns]
