"""Column types of anything with `__arrow_c_schema__`, read from the Arrow C data interface.

Needs no Arrow library: the struct ArrowSchema is laid out as its specification says.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping

from .errors import SchemaError
from .types import (
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
            f"a {type(exporter).__name__} is not an Arrow schema: it has no __arrow_c_schema__"
        )
    capsule = export()
    root = _struct_of(capsule)
    if _text(root.format) != "+s":
        raise SchemaError("an Arrow schema is a struct of columns; this is a single type")
    return [(_text(child.name), _type(child)) for child in _children(root)]


def _struct_of(capsule: object) -> _ArrowSchema:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return _ArrowSchema.from_address(pointer(capsule, b"arrow_schema"))


def _children(node: _ArrowSchema) -> list[_ArrowSchema]:
    return [node.children[at].contents for at in range(node.n_children)]


def _text(raw: bytes | None) -> str:
    try:
        return (raw or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise SchemaError(f"the name {raw!r} of an Arrow column is not UTF-8") from None


def _type(node: _ArrowSchema) -> Type:
    extension = _metadata(node).get("ARROW:extension:name")
    if extension is not None:
        return _EXTENSIONS.get(extension, Other(f"extension<{extension}>"))
    if node.dictionary:
        return _type(node.dictionary.contents)
    code = _text(node.format)
    if code in _PLAIN:
        return _PLAIN[code]
    if code.startswith("+"):
        return _nested(code, node)
    return _parameterised(code)


def _parameterised(code: str) -> Type:
    kind, _, rest = code.partition(":")
    if kind == "d":
        numbers = [int(part) for part in rest.split(",")]
        return Decimal(numbers[0], numbers[1])
    if kind == "w":
        return Other("binary")
    if len(kind) == 3 and kind.startswith("ts"):
        return Timestamp(bool(rest), _UNITS[kind[2]], rest or None)
    raise SchemaError(f"no Arrow type with the format {code!r} is known")


def _nested(code: str, node: _ArrowSchema) -> Type:
    inner = _children(node)
    if code == "+r":
        return _type(inner[1])
    if code == "+m":
        key, value = _children(inner[0])
        return Nested(f"map<{text(_type(key))}, {text(_type(value))}>")
    if code == "+s":
        shown = (f"{_text(child.name)}: {text(_type(child))}" for child in inner)
        return Nested(f"struct<{', '.join(shown)}>")
    if code.startswith("+u"):
        return Nested(f"union<{', '.join(text(_type(child)) for child in inner)}>")
    return Nested(f"list<{text(_type(inner[0]))}>")


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
