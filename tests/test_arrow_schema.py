"""Schemas from the Arrow C data interface: every type, every exporter, and memory."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import arro3.core as arro3
import polars as pl
import pyarrow as pa
import pytest

import ods_fingerprint as ods
from ods_fingerprint import Schema
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

ARROW: list[tuple[pa.DataType, Type]] = [
    (pa.null(), Other("void")),
    (pa.bool_(), Boolean()),
    (pa.int8(), Integer(8)),
    (pa.int16(), Integer(16)),
    (pa.int32(), Integer(32)),
    (pa.int64(), Integer(64)),
    (pa.uint8(), Integer(8, signed=False)),
    (pa.uint16(), Integer(16, signed=False)),
    (pa.uint32(), Integer(32, signed=False)),
    (pa.uint64(), Integer(64, signed=False)),
    (pa.float16(), Float(16)),
    (pa.float32(), Float(32)),
    (pa.float64(), Float(64)),
    (pa.string(), String()),
    (pa.large_string(), String()),
    (pa.string_view(), String()),
    (pa.binary(), Other("binary")),
    (pa.large_binary(), Other("binary")),
    (pa.binary_view(), Other("binary")),
    (pa.binary(16), Other("binary")),
    (pa.date32(), Date()),
    (pa.date64(), Date()),
    (pa.time32("s"), Other("time")),
    (pa.time32("ms"), Other("time")),
    (pa.time64("us"), Other("time")),
    (pa.time64("ns"), Other("time")),
    *((pa.duration(unit), Other("duration")) for unit in ("s", "ms", "us", "ns")),
    (pa.month_day_nano_interval(), Other("interval")),
    (pa.timestamp("s"), Timestamp(False, "s")),
    (pa.timestamp("ms"), Timestamp(False, "ms")),
    (pa.timestamp("us", "Europe/Rome"), Timestamp(True, "us", "Europe/Rome")),
    (pa.timestamp("ns", "+01:00"), Timestamp(True, "ns", "+01:00")),
    (pa.decimal128(38, 10), Decimal(38, 10)),
    (pa.decimal128(1, 0), Decimal(1, 0)),
    (pa.decimal128(5, -2), Decimal(5, -2)),
    (pa.decimal256(76, 10), Decimal(76, 10)),
    (pa.decimal256(20, 2), Decimal(20, 2)),
    (pa.list_(pa.int8()), Nested("list<int8>")),
    (pa.large_list(pa.int8()), Nested("list<int8>")),
    (pa.list_view(pa.int8()), Nested("list<int8>")),
    (pa.large_list_view(pa.int8()), Nested("list<int8>")),
    (pa.list_(pa.int8(), 3), Nested("list<int8>")),
    (pa.struct([("a\n, b", pa.int8()), ("", pa.date32())]), Nested("struct<a\\n, b: int8, : date>")),
    (pa.struct([]), Nested("struct<>")),
    (pa.map_(pa.string(), pa.list_(pa.float16())), Nested("map<string, list<half>>")),
    (pa.dense_union([pa.field("a", pa.int8()), pa.field("b", pa.string())]), Nested("union<a: int8, b: string>")),
    (pa.sparse_union([pa.field("a", pa.int8())]), Nested("union<a: int8>")),
    # encodings are no types: what they hold decides (2.5: an enum is its label)
    (pa.dictionary(pa.int8(), pa.string()), String()),
    (pa.dictionary(pa.uint32(), pa.decimal128(5, 2)), Decimal(5, 2)),
    (pa.dictionary(pa.int8(), pa.timestamp("ns")), Timestamp(False, "ns")),
    (pa.dictionary(pa.int8(), pa.list_(pa.int8())), Nested("list<int8>")),
    (pa.run_end_encoded(pa.int32(), pa.int64()), Integer(64)),
    (pa.run_end_encoded(pa.int16(), pa.dictionary(pa.int8(), pa.string())), String()),
    (pa.list_(pa.dictionary(pa.int8(), pa.string())), Nested("list<string>")),
    (pa.uuid(), Other("uuid")),
    (pa.bool8(), Boolean()),
    (pa.opaque(pa.string(), "t", "v"), Other("extension<arrow.opaque>")),
    (pa.fixed_shape_tensor(pa.int8(), [2]), Other("extension<arrow.fixed_shape_tensor>")),
    (pa.list_(pa.uuid()), Nested("list<uuid>")),
]  # fmt: skip
# types that pyarrow got later than the lowest version tested
if hasattr(pa, "json_"):
    ARROW.append((pa.json_(), Other("json")))
if hasattr(pa, "decimal32"):
    ARROW += [(pa.decimal32(5, 2), Decimal(5, 2)), (pa.decimal64(15, 3), Decimal(15, 3))]


def of(kind: pa.DataType, metadata: dict[bytes, bytes] | None = None) -> Type:
    field = pa.field("c", kind, metadata=metadata)
    return Schema.from_arrow(pa.schema([field])).columns[0].type


@pytest.mark.parametrize(("kind", "ours"), ARROW, ids=[str(kind) for kind, _ in ARROW])
def test_every_arrow_type(kind: pa.DataType, ours: Type) -> None:
    assert of(kind) == ours


def test_the_list_above_is_all_that_pyarrow_has() -> None:
    """A type id that a new pyarrow brings and that is not listed above fails here."""
    ids = {n.lstrip("_"): v for n, v in vars(pa.lib).items() if n.lstrip("_").startswith("Type_")}
    listed = {kind.id for kind, _ in ARROW}
    assert len(ids) > 30
    unlisted = {name for name, value in ids.items() if value not in listed}
    assert unlisted <= {"Type_INTERVAL_MONTHS", "Type_INTERVAL_DAY_TIME"}, "pyarrow makes none"


class Unknown(pa.ExtensionType):
    """An extension that nobody knows, stored as text."""

    def __init__(self, name: str) -> None:
        super().__init__(pa.string(), name)

    def __arrow_ext_serialize__(self) -> bytes:
        return b""


@pytest.mark.parametrize(
    ("name", "shown"),
    [("geoarrow.wkt", "geoarrow.wkt"), ("", ""), ("int64", "int64"), ("a\n--\x1b[31m", "a\\n--\\x1b[31m")],
)  # fmt: skip
def test_an_unknown_extension_is_other_even_where_its_storage_is_text(
    name: str, shown: str
) -> None:
    """R19: never hashed by the way it happens to be stored; its name is no way into the output."""
    assert of(Unknown(name)) == Other(f"extension<{shown}>")


@pytest.mark.parametrize(
    "metadata",
    [{b"\xff\xfe": b"\x00\xff"}, {b"": b""}, {b"ARROW:extension:metadata": b"\xff"}, {b"k": b"v" * 100_000}],
)  # fmt: skip
def test_metadata_that_is_no_text_harms_nothing(metadata: dict[bytes, bytes]) -> None:
    assert of(pa.int64(), metadata) == Integer(64)


def test_metadata_on_a_dictionary_and_beside_an_extension_is_read() -> None:
    assert of(pa.dictionary(pa.int8(), pa.string()), {b"a": b"b"}) == String()
    assert of(pa.string(), {b"z": b"", b"ARROW:extension:name": b"x.y"}) == Other("extension<x.y>")


def test_depth_without_end_is_an_error_that_names_the_column() -> None:
    kind = pa.int64()
    for _ in range(50):
        kind = pa.list_(kind)
    assert of(kind) == Nested("list<" * 50 + "int64" + ">" * 50)
    for _ in range(500):
        kind = pa.list_(kind)
    with pytest.raises(SchemaError, match="column c: it is nested more than 50 deep"):
        of(kind)


POLARS: list[tuple[Any, Type]] = [
    (pl.Int8(), Integer(8)),
    (pl.UInt64(), Integer(64, signed=False)),
    (pl.Int128(), Integer(128)),
    (pl.Float32(), Float(32)),
    (pl.Boolean(), Boolean()),
    (pl.String(), String()),
    (pl.Categorical(), String()),
    (pl.Enum(["a", "b"]), String()),
    (pl.Binary(), Other("binary")),
    (pl.Date(), Date()),
    (pl.Time(), Other("time")),
    (pl.Duration("us"), Other("duration")),
    (pl.Datetime("ns"), Timestamp(False, "ns")),
    (pl.Datetime("ms", "Europe/Rome"), Timestamp(True, "ms", "Europe/Rome")),
    (pl.Decimal(10, 2), Decimal(10, 2)),
    (pl.Null(), Other("void")),
    (pl.List(pl.Int8), Nested("list<int8>")),
    (pl.Array(pl.Int8, 3), Nested("list<int8>")),
    (pl.Struct({"a": pl.Int8}), Nested("struct<a: int8>")),
]


@pytest.mark.skipif(
    not hasattr(pl.Schema, "__arrow_c_schema__"), reason="this Polars exports no schema"
)
@pytest.mark.parametrize(("kind", "ours"), POLARS, ids=[str(kind) for kind, _ in POLARS])
def test_polars_exports_its_own_schema(kind: Any, ours: Type) -> None:
    assert Schema.from_arrow(pl.Schema({"c": kind})).columns[0].type == ours


def test_the_same_schema_from_every_exporter() -> None:
    """A 'é' and a name that is SQL come through as they are, in the table's order."""
    made = pa.schema(
        [("é", pa.int64()), ('x"; DROP', pa.timestamp("us", "UTC")), ("l", pa.list_(pa.string()))]
    )
    ours = Schema.from_arrow(made)
    assert [column.name for column in ours.columns] == ["é", 'x"; DROP', "l"]
    assert Schema.from_arrow(arro3.Schema.from_arrow(made)) == ours
    assert Schema.from_arrow(pa.struct(list(made))) == ours


@pytest.mark.parametrize(
    "given",
    [None, 3, "x", {"a": "int"}, pa.table({"a": [1]}), pl.DataFrame({"a": [1]}), [pa.int64()]],
)
def test_what_exports_no_schema_is_refused_by_the_name_of_its_type(given: object) -> None:
    with pytest.raises(SchemaError, match=type(given).__name__):
        Schema.from_arrow(given)


def test_a_single_type_is_no_schema() -> None:
    for given in (pa.int64(), pa.list_(pa.struct([("a", pa.int8())])), arro3.DataType.int64()):
        with pytest.raises(SchemaError, match="struct of columns"):
            Schema.from_arrow(given)


def test_no_arrow_library_is_needed() -> None:
    """The schema of another library than pyarrow is read, compiled and written without pyarrow."""
    code = """
import sys
import arro3.core as a
import ods_fingerprint as ods
schema = ods.Schema.from_arrow(a.Schema([a.Field("x", a.DataType.int64())]))
assert [c.name for c in schema.columns] == ["x"], schema
ods.Schema.from_json(schema.to_json())
loaded = {"pyarrow", "duckdb", "polars", "pandas"} & {name.partition(".")[0] for name in sys.modules}
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_decimals_of_256_bits_are_refused_by_name_where_they_are_wide() -> None:
    """R4: more than 38 digits are never read as fewer."""
    wide = pa.schema([("w", pa.decimal256(76, 10)), ("n", pa.decimal256(20, 2))])
    with pytest.raises(SchemaError, match="column w"):
        ods.sql("t", Schema.from_arrow(wide), "duckdb")
    assert "n__hash" in ods.sql("t", Schema.from_arrow(wide).chosen(["n"]), "duckdb")
