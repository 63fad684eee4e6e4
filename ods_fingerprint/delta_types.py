"""Column types of a Delta table, from the schema in its log."""

from __future__ import annotations

from collections.abc import Mapping

from . import _data, typetext
from .errors import SchemaError
from .types import Nested, String, Type, text

_CHAR = "__CHAR_VARCHAR_TYPE_STRING"
_COLLATIONS = "__COLLATIONS"


def fields(schema: Mapping[str, object]) -> list[tuple[str, Type]]:
    """Return the name and type of each column of a parsed `schemaString`, in its order."""
    columns = schema.get("fields")
    if not isinstance(columns, list):
        raise SchemaError("the schema in the Delta log has no list of fields")
    return [_field(column) for column in columns]


def _field(column: object) -> tuple[str, Type]:
    if not isinstance(column, dict) or not isinstance(column.get("name"), str):
        raise SchemaError(f"the schema in the Delta log holds a field without a name: {column!r}")
    name: str = column["name"]
    try:
        kind = _type(column.get("type"))
    except SchemaError as fault:
        raise SchemaError(
            f"column {name}: {column.get('type')!r} is no Delta type: {fault}"
        ) from None
    metadata = column.get("metadata")
    if isinstance(kind, String) and isinstance(metadata, dict):
        kind = _string(name, kind, metadata)
    return name, kind


def _string(name: str, kind: String, metadata: Mapping[str, object]) -> Type:
    """Return a string with the CHAR length and the collation that its metadata states."""
    declared = metadata.get(_CHAR)
    if isinstance(declared, str):
        kind = _words(declared) if declared.lower().startswith("char") else kind
    collations = metadata.get(_COLLATIONS)
    collation = collations.get(name) if isinstance(collations, dict) else None
    if isinstance(kind, String) and isinstance(collation, str):
        return String(kind.length, collation)
    return kind


def _type(node: object) -> Type:
    if isinstance(node, str):
        return _words(node)
    return Nested(_nested(node))


def _words(words: str) -> Type:
    types = _data.dialect_table("spark")["types"]
    assert isinstance(types, dict)
    return typetext.parse(words, types)


def _nested(node: object) -> str:
    match node:
        case {"type": "array", "elementType": element}:
            return f"list<{text(_type(element))}>"
        case {"type": "map", "keyType": key, "valueType": value}:
            return f"map<{text(_type(key))}, {text(_type(value))}>"
        case {"type": "struct", "fields": list(inner)}:
            shown = (_field(column) for column in inner)
            return f"struct<{', '.join(f'{name}: {text(kind)}' for name, kind in shown)}>"
        case _:
            raise SchemaError("neither a type text nor an array, map or struct")
