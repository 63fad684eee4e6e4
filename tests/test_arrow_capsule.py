"""Capsules of the Arrow C data interface: broken ones, and whose memory it is."""

from __future__ import annotations

import ctypes
import gc
import sys

import pyarrow as pa
import pytest

from ods_fingerprint import Schema
from ods_fingerprint.errors import SchemaError
from ods_fingerprint.types import Decimal


class Exports:
    """Something whose `__arrow_c_schema__` returns what it was given."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __arrow_c_schema__(self) -> object:
        return self.capsule


def test_what_is_no_capsule_of_a_schema_is_refused() -> None:
    stream = pa.table({"a": [1]}).__arrow_c_stream__()
    for capsule in (None, 3, stream):
        with pytest.raises(SchemaError, match="capsule"):
            Schema.from_arrow(Exports(capsule))


def test_a_schema_that_was_consumed_is_refused() -> None:
    capsule = pa.schema([("a", pa.int64())]).__arrow_c_schema__()
    pa.schema(Exports(capsule))
    with pytest.raises(SchemaError, match="released"):
        Schema.from_arrow(Exports(capsule))


class Node(ctypes.Structure):
    """A struct ArrowSchema made by hand, as a faulty exporter could make it."""


Node._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Node))), ("dictionary", ctypes.POINTER(Node)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip


def handmade(code: bytes | None, name: bytes = b"c") -> tuple[object, list[object]]:
    """Return a capsule of one column with the format `code`, and what must outlive it."""
    child = Node(format=code, name=name, release=1)
    pointers = (ctypes.POINTER(Node) * 1)(ctypes.pointer(child))
    root = Node(format=b"+s", n_children=1, children=pointers, release=1)
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    tag = ctypes.c_char_p(b"arrow_schema")
    return make(ctypes.addressof(root), tag, None), [child, pointers, root, tag]


FAULTY = [None, b"", b"x", b"i8", b"d:", b"d:x", b"d:5", b"d:5,2,", b"ts", b"tss", b"tsx:", b"w", b"+x", b"+l",
          b"+w:3", b"+m", b"+r", b"+w", b"\xff", b"vx", b"d:\xd9\xa1,0"]  # fmt: skip


@pytest.mark.parametrize("code", FAULTY)
def test_a_format_that_is_not_known_is_refused(code: bytes | None) -> None:
    capsule, kept = handmade(code)
    with pytest.raises(SchemaError):
        Schema.from_arrow(Exports(capsule))
    assert kept


def test_a_name_that_is_not_utf_8_is_refused() -> None:
    capsule, kept = handmade(b"l", b"caf\xe9")
    with pytest.raises(SchemaError, match="not UTF-8"):
        Schema.from_arrow(Exports(capsule))
    assert kept


def test_types_outlive_the_exporter_that_is_gone() -> None:
    """Ten thousand schemas, each freed at once: what we keep is our own (a use after free shows)."""
    ours = [
        Schema.from_arrow(pa.schema([(f"n{at % 7}", pa.decimal128(1 + at % 38, 0))]))
        for at in range(10_000)
    ]
    gc.collect()
    for at, schema in enumerate(ours):
        (column,) = schema.columns
        assert (column.name, column.type) == (f"n{at % 7}", Decimal(1 + at % 38, 0))


def test_a_capsule_is_let_go_once_it_is_read() -> None:
    """Whoever made it frees it: reading it, well or badly, keeps no hold of it."""
    capsule = pa.schema([(f"c{at}", pa.string()) for at in range(50)]).__arrow_c_schema__()
    bad, kept = handmade(b"no such type")
    before = sys.getrefcount(capsule), sys.getrefcount(bad)
    for _ in range(200):
        Schema.from_arrow(Exports(capsule))
        with pytest.raises(SchemaError):
            Schema.from_arrow(Exports(bad))
    gc.collect()
    assert (sys.getrefcount(capsule), sys.getrefcount(bad)) == before
    assert kept
