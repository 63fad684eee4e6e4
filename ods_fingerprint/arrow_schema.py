"""Column types of anything with `__arrow_c_schema__`, read from the Arrow C data interface.

Needs no Arrow library: the struct ArrowSchema is laid out as its specification says.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Callable, Mapping

from .errors import SchemaError
from .types import (
    DEEPEST,
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
    Unit,
    printable,
    text,
)


class _ArrowSchema(ctypes.Structure):
    pass


_ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowSchema))),
    ("dictionary", ctypes.POINTER(_ArrowSchema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_PLAIN: Mapping[str, Type] = {
    "n": Other("void"),
    # what Polars writes for its 128-bit integers; Arrow has none
    "_pli128": Integer(128),
    "_plu128": Integer(128, signed=False),
    "b": Boolean(),
    **{code: Integer(bits) for code, bits in zip("csil", (8, 16, 32, 64))},
    **{code: Integer(bits, signed=False) for code, bits in zip("CSIL", (8, 16, 32, 64))},
    "e": Float(16),
    "f": Float(32),
    "g": Float(64),
    **dict.fromkeys(("u", "U", "vu"), String()),
    **dict.fromkeys(("z", "Z", "vz"), Other("binary")),
    **dict.fromkeys(("tdD", "tdm"), Date()),
    **dict.fromkeys(("tts", "ttm", "ttu", "ttn"), Other("time")),
    **dict.fromkeys(("tDs", "tDm", "tDu", "tDn"), Other("duration")),
    **dict.fromkeys(("tiM", "tiD", "tin"), Other("interval")),
}
_UNITS: Mapping[str, Unit] = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
_DECIMAL = re.compile(r"d:([0-9]{1,9}),(-?[0-9]{1,9})(?:,[0-9]+)?")
_TIMESTAMP = re.compile(r"ts([smun]):(.*)", re.DOTALL)
_EXTENSIONS: Mapping[str, Type] = {
    "arrow.bool8": Boolean(),
    "arrow.uuid": Other("uuid"),
    "arrow.json": Other("json"),
    "arrow.parquet.variant": Other("variant"),
}


def fields(exporter: object) -> list[tuple[str, Type]]:
    """Return the name and type of each column of a schema object, in its order."""
    export: Callable[[], object] | None = getattr(exporter, "__arrow_c_schema__", None)
    if export is None:
        raise SchemaError(
            f"a {type(exporter).__name__} is not an Arrow schema: it has no __arrow_c_schema__; "
            "of a table, give its .schema"
        )
    capsule = export()  # owns all that is read below: it must live as long
    root = _struct_of(capsule)
    if _text(root.format) != "+s":
        raise SchemaError("an Arrow schema is a struct of columns; this is a single type")
    return [(_text(child.name), _column(child)) for child in _children(root)]


def _column(node: _ArrowSchema) -> Type:
    try:
        return _type(node)
    except SchemaError as fault:
        raise SchemaError(f"column {_text(node.name)}: {fault}") from None


def _struct_of(capsule: object) -> _ArrowSchema:
    valid, pointer = ctypes.pythonapi.PyCapsule_IsValid, ctypes.pythonapi.PyCapsule_GetPointer
    valid.argtypes = pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    pointer.restype = ctypes.c_void_p
    if not valid(capsule, b"arrow_schema"):
        raise SchemaError("what __arrow_c_schema__ returned is not an Arrow schema capsule")
    root = _ArrowSchema.from_address(pointer(capsule, b"arrow_schema"))
    if not root.release:
        raise SchemaError("the Arrow schema was released before it could be read")
    return root


def _children(node: _ArrowSchema) -> list[_ArrowSchema]:
    return [node.children[at].contents for at in range(node.n_children)]


def _exactly(node: _ArrowSchema, number: int) -> list[_ArrowSchema]:
    found = _children(node)
    if len(found) != number:
        raise SchemaError(f"the format {_text(node.format)!r} has not {len(found)} children")
    return found


def _text(raw: bytes | None) -> str:
    try:
        return (raw or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise SchemaError(f"the name {raw!r} of an Arrow column is not UTF-8") from None


def _type(node: _ArrowSchema, depth: int = 0) -> Type:
    if depth > DEEPEST:
        raise SchemaError(f"it is nested more than {DEEPEST} deep")
    extension = _metadata(node).get("ARROW:extension:name")
    if extension is not None:
        return _EXTENSIONS.get(extension, Other(f"extension<{printable(extension)}>"))
    if node.dictionary:
        return _type(node.dictionary.contents, depth + 1)
    code = _text(node.format)
    if code in _PLAIN:
        return _PLAIN[code]
    if code.startswith("+"):
        return _nested(code, node, depth + 1)
    return _parameterised(code)


def _parameterised(code: str) -> Type:
    decimal = _DECIMAL.fullmatch(code)
    if decimal:
        return Decimal(int(decimal[1]), int(decimal[2]))
    timestamp = _TIMESTAMP.fullmatch(code)
    if timestamp:
        return Timestamp(bool(timestamp[2]), _UNITS[timestamp[1]], timestamp[2] or None)
    if code.startswith("w:"):
        return Other("binary")
    raise SchemaError(f"no Arrow type with the format {code!r} is known")


def _nested(code: str, node: _ArrowSchema, depth: int) -> Type:
    if code == "+r":
        return _type(_exactly(node, 2)[1], depth)
    if code == "+m":
        entries = _exactly(_exactly(node, 1)[0], 2)
        return Nested(f"map<{', '.join(text(_type(child, depth)) for child in entries)}>")
    if code == "+s":
        return Nested(f"struct<{_named(node, depth)}>")
    if code.startswith(("+ud:", "+us:")):
        return Nested(f"union<{_named(node, depth)}>")
    if code in ("+l", "+L", "+vl", "+vL") or code.startswith("+w:"):
        return Nested(f"list<{text(_type(_exactly(node, 1)[0], depth))}>")
    raise SchemaError(f"no Arrow type with the format {code!r} is known")


def _named(node: _ArrowSchema, depth: int) -> str:
    """Return the fields of a struct or union, for people."""
    shown = ((_text(child.name), _type(child, depth)) for child in _children(node))
    return ", ".join(f"{printable(name)}: {text(kind)}" for name, kind in shown)


def _metadata(node: _ArrowSchema) -> dict[str, str]:
    """Decode the key-value block: int32 count, then length-prefixed keys and values."""
    if not node.metadata:
        return {}
    at = node.metadata
    count = _int32(at)
    at += 4
    items: list[str] = []
    for _ in range(2 * count):
        length = _int32(at)
        items.append(ctypes.string_at(at + 4, length).decode("utf-8", "replace"))
        at += 4 + length
    return dict(zip(items[::2], items[1::2]))


def _int32(address: int) -> int:
    value: int = struct.unpack("=i", ctypes.string_at(address, 4))[0]
    return value
