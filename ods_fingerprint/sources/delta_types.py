"""The columns of a Delta table as Arrow types, and what a data file may hold them as."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from ods_fingerprint.delta_actions import Json, mapping
from ods_fingerprint.delta_log import Snapshot
from ods_fingerprint.errors import SourceError

VARIANT = pa.struct([pa.field("metadata", pa.binary()), pa.field("value", pa.binary())])

_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_PRIMITIVES: Mapping[str, pa.DataType] = {
    "byte": pa.int8(),
    "short": pa.int16(),
    "integer": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "timestamp_ntz": pa.timestamp("us"),
    "void": pa.null(),
    "variant": VARIANT,
    "decimal": pa.decimal128(10, 0),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: `physical` and `id` say how data files and the log call it.

    `stored` is `type` with the physical names of its structs.
    """

    name: str
    physical: str
    id: int | None
    type: pa.DataType
    stored: pa.DataType
    nullable: bool
    partition: bool


def table_columns(snapshot: Snapshot) -> tuple[Column, ...]:
    """Return the columns of a table in its order."""
    fields = snapshot.schema["fields"]
    assert isinstance(fields, list)
    where = f"{snapshot.path}: a field of the schema"
    found = tuple(_column(snapshot, mapping(field, where)) for field in fields)
    names = [column.name for column in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    lost = sorted(set(snapshot.partition_columns) - set(names))
    if twice or lost:
        raise SourceError(
            f"{snapshot.path}: the schema has {', '.join(twice)} twice"
            if twice
            else f"{snapshot.path}: the schema lacks the partition column {', '.join(lost)}"
        )
    return found


def accepts(source: pa.DataType, target: pa.DataType, widening: bool) -> bool:
    """Return whether a file's `source` may be cast to `target`, every value being checked.

    Integers of any width, decimals of a smaller scale and narrower floats always may; another
    family only as type widening has it: integer to double or decimal, date to zone-less timestamp.
    """
    if source == target or pa.types.is_null(source):
        return True
    if isinstance(source, pa.BaseExtensionType):
        return accepts(source.storage_type, target, widening)
    if pa.types.is_dictionary(source):
        return accepts(source.value_type, target, widening)
    if pa.types.is_nested(target):
        return _accepts_nested(source, target, widening)
    if _family(source) == _family(target):
        return _no_finer(source, target)
    if pa.types.is_string(target):
        return _family(source) == "binary"
    return widening and _widens(source, target)


def _column(snapshot: Snapshot, field: Mapping[str, Json]) -> Column:
    name = str(field["name"])
    where = f"{snapshot.path}, column {name!r}"
    mode = snapshot.mapping_mode
    return Column(
        name,
        _physical(field, where, mode != "none"),
        _id(field, where) if mode == "id" else None,
        _type(field["type"], where, mapped=False),
        _type(field["type"], where, mapped=mode != "none"),
        field.get("nullable") is not False,
        name in snapshot.partition_columns,
    )


def _physical(field: Mapping[str, Json], where: str, mapped: bool) -> str:
    name = _metadata(field).get("delta.columnMapping.physicalName") if mapped else field["name"]
    if not isinstance(name, str):
        raise SourceError(f"{where}: column mapping is on, but there is no physical name")
    return name


def _id(field: Mapping[str, Json], where: str) -> int:
    number = _metadata(field).get("delta.columnMapping.id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise SourceError(f"{where}: column mapping by id is on, but the id is {number!r}")
    return number


def _metadata(field: Mapping[str, Json]) -> Mapping[str, Json]:
    found = field.get("metadata")
    return found if isinstance(found, Mapping) else {}


def _type(kind: Json, where: str, mapped: bool) -> pa.DataType:
    if isinstance(kind, Mapping):
        return _nested_type(kind, where, mapped)
    decimal = _DECIMAL.fullmatch(kind) if isinstance(kind, str) else None
    if decimal and 1 <= int(decimal[1]) <= 38 and int(decimal[2]) <= int(decimal[1]):
        return pa.decimal128(int(decimal[1]), int(decimal[2]))
    if isinstance(kind, str) and kind in _PRIMITIVES:
        return _PRIMITIVES[kind]
    raise SourceError(f"{where}: the Delta type {kind!r} is not known here")


def _nested_type(kind: Mapping[str, Json], where: str, mapped: bool) -> pa.DataType:
    match kind:
        case {"type": "array", "elementType": element}:
            return pa.list_(_type(element, where, mapped))
        case {"type": "map", "keyType": key, "valueType": value}:
            return pa.map_(_type(key, where, mapped), _type(value, where, mapped))
        case {"type": "struct", "fields": [*fields]}:
            return pa.struct([_child(field, where, mapped) for field in fields])
        case _:
            raise SourceError(f"{where}: the Delta type {kind!r} is not known here")


def _child(field: Json, where: str, mapped: bool) -> pa.Field:
    if not isinstance(field, Mapping) or not isinstance(field.get("name"), str):
        raise SourceError(f"{where}: the field {field!r} has no name")
    name = _physical(field, where, mapped)
    return pa.field(name, _type(field.get("type"), where, mapped))


def _family(kind: pa.DataType) -> str:
    families = {
        "integer": pa.types.is_integer,
        "float": pa.types.is_floating,
        "decimal": pa.types.is_decimal,
        "date": pa.types.is_date,
        "timestamp": pa.types.is_timestamp,
        "boolean": pa.types.is_boolean,
    }
    for name, test in families.items():
        if test(kind):
            return name
    return _bytes_family(kind) or str(kind)


def _bytes_family(kind: pa.DataType) -> str | None:
    if kind in (pa.string(), pa.large_string(), pa.string_view()):
        return "string"
    if kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        return "binary"
    return "binary" if pa.types.is_fixed_size_binary(kind) else None


def _no_finer(source: pa.DataType, target: pa.DataType) -> bool:
    if pa.types.is_floating(source):
        return bool(source.bit_width <= target.bit_width)
    if pa.types.is_decimal(source):
        return bool(source.scale <= target.scale)
    return True


def _widens(source: pa.DataType, target: pa.DataType) -> bool:
    if pa.types.is_signed_integer(source):
        small = source.bit_width <= 32
        return bool(pa.types.is_decimal(target) or (small and pa.types.is_float64(target)))
    return bool(pa.types.is_date(source) and target == pa.timestamp("us"))


def _accepts_nested(source: pa.DataType, target: pa.DataType, widening: bool) -> bool:
    if pa.types.is_map(target) and pa.types.is_map(source):
        return accepts(source.key_type, target.key_type, widening) and accepts(
            source.item_type, target.item_type, widening
        )
    if pa.types.is_list(target) and _is_list(source):
        return accepts(source.value_type, target.value_type, widening)
    if pa.types.is_struct(target) and pa.types.is_struct(source):
        return _accepts_struct(source, target, widening)
    return False


def _is_list(kind: pa.DataType) -> bool:
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(test(kind) for test in lists)


def _accepts_struct(source: pa.DataType, target: pa.DataType, widening: bool) -> bool:
    """Return whether a struct will do: a field that the file lacks is null, but some must match."""
    if target == VARIANT and {field.name for field in source} != {"metadata", "value"}:
        return False
    names: Sequence[str] = [field.name for field in source]
    shared = [field for field in target if field.name in names]
    return bool(shared) and all(
        names.count(field.name) == 1
        and accepts(source.field(field.name).type, field.type, widening)
        for field in shared
    )
