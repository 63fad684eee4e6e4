"""Column types of a Delta table or of Spark, from a schema as JSON: both write the same form."""

from __future__ import annotations

from collections.abc import Mapping

from . import _data, type_words, typetext
from .errors import SchemaError, brief
from .json_value import is_list, is_object
from .types import DEEPEST, Nested, Other, String, Type, printable, text

_CHAR = "__CHAR_VARCHAR_TYPE_STRING"
_COLLATIONS = "__COLLATIONS"


def fields(schema: Mapping[str, object]) -> list[tuple[str, Type]]:
    """Return the name and type of each column of a parsed schema, in its order."""
    columns = schema.get("fields")
    if not is_list(columns):
        raise SchemaError("the schema (of Spark, or in the Delta log) has no list of fields")
    return [_field(column) for column in columns]


def _field(column: object, depth: int = 0) -> tuple[str, Type]:
    name = column.get("name") if is_object(column) else None
    if not is_object(column) or not isinstance(name, str):
        raise SchemaError(f"a field of the schema has no name: {brief(column)}")
    kind, metadata = column.get("type"), column.get("metadata")
    try:
        return name, _column_type(name, kind, metadata if is_object(metadata) else {}, depth)
    except SchemaError as fault:
        raise SchemaError(
            f"column {name}: {brief(kind)} is no type of Spark or Delta: {fault}"
        ) from None


def _column_type(name: str, node: object, metadata: Mapping[str, object], depth: int) -> Type:
    """Return a type; a string with the CHAR length and the collation that its metadata states."""
    kind = _type(node, depth)
    declared, collations = metadata.get(_CHAR), metadata.get(_COLLATIONS)
    if isinstance(kind, String) and isinstance(declared, str):
        kind = _declared(declared)
    collation = collations.get(name) if is_object(collations) else None
    if isinstance(kind, String) and isinstance(collation, str):
        return String(kind.length, printable(collation))
    return kind


def _declared(words: str) -> String:
    """Return the CHAR(n) that Spark keeps beside a string; a VARCHAR(n) is a string."""
    kind = _words(words)
    if not isinstance(kind, String):
        raise SchemaError(f"a string is declared as {words!r}")
    return kind


def _type(node: object, depth: int = 0) -> Type:
    if isinstance(node, str):
        return _words(node)
    if is_object(node) and node.get("type") == "udt":
        return Other("udt")
    if depth >= DEEPEST:
        raise SchemaError(f"it is nested more than {DEEPEST} deep")
    return Nested(_nested(node, depth + 1))


def _words(words: str) -> Type:
    return typetext.parse(words, type_words.read("spark", _data.dialect_table("spark")["types"])[0])


def _nested(node: object, depth: int) -> str:
    form = node if is_object(node) else {}
    fields = form.get("fields")
    match form.get("type"):
        case "array" if "elementType" in form:
            return f"list<{text(_type(form['elementType'], depth))}>"
        case "map" if "keyType" in form and "valueType" in form:
            inner = (text(_type(form[key], depth)) for key in ("keyType", "valueType"))
            return f"map<{', '.join(inner)}>"
        case "struct" if is_list(fields):
            shown = (_field(column, depth) for column in fields)
            return (
                f"struct<{', '.join(f'{printable(name)}: {text(kind)}' for name, kind in shown)}>"
            )
        case _:
            raise SchemaError("neither a type text nor an array, map or struct")
