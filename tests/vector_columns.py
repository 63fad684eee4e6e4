"""Columns of values in the words of the spec, as Arrow arrays and as DuckDB literals."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from decimal import Decimal

import pyarrow as pa

_INTEGERS = {
    "int8": (pa.int8(), "TINYINT"),
    "int16": (pa.int16(), "SMALLINT"),
    "int32": (pa.int32(), "INTEGER"),
    "int64": (pa.int64(), "BIGINT"),
    "uint8": (pa.uint8(), "UTINYINT"),
    "uint16": (pa.uint16(), "USMALLINT"),
    "uint32": (pa.uint32(), "UINTEGER"),
    "uint64": (pa.uint64(), "UBIGINT"),
    "int128": (None, "HUGEINT"),
    "uint128": (None, "UHUGEINT"),
}
_FLOATS = {"half": pa.float16(), "float": pa.float32(), "double": pa.float64()}
_NESTED = {
    "list<string>": pa.list_(pa.string()),
    "list<double>": pa.list_(pa.float64()),
    "list<int64>": pa.list_(pa.int64()),
    "list<list<int64>>": pa.list_(pa.list_(pa.int64())),
    "struct<a: int64>": pa.struct([("a", pa.int64())]),
    "struct<x: int32>": pa.struct([("x", pa.int32())]),
    "struct<x: decimal(18, 2)>": pa.struct([("x", pa.decimal128(18, 2))]),
    "map<string, int64>": pa.map_(pa.string(), pa.int64()),
    "binary": pa.binary(),
    "void": pa.null(),
    "time": pa.time64("us"),
    "json": pa.json_(),
    "uuid": pa.uuid(),
}


def hash_of(*texts: str) -> int:
    """Return the sum of the hashes of canonical texts, by hashlib (clause 4.1)."""
    digests = (hashlib.md5(text.encode()).hexdigest() for text in texts)
    return sum(int(digest[:15], 16) for digest in digests)


class NoForm(Exception):
    """A column that this way of writing it down does not have."""


def arrow(
    kind: str, values: Sequence[object], unit: str = "us", zone: str | None = None
) -> pa.Array:
    """Return the values of a vector as an Arrow array of its type."""
    decimal = re.fullmatch(r"decimal\((\d+), (\d+)\)", kind)
    if decimal:
        numbers = [None if value is None else Decimal(str(value)) for value in values]
        return pa.array(numbers, pa.decimal128(int(decimal[1]), int(decimal[2])))
    if kind in _INTEGERS:
        wanted = _INTEGERS[kind][0]
        if wanted is None:
            raise NoForm("Arrow has no 128-bit integers")
        return pa.array(_ints(values), wanted)
    if kind in _FLOATS:
        numbers = [None if value is None else float.fromhex(str(value)) for value in values]
        return pa.array(numbers, pa.float64()).cast(_FLOATS[kind])
    if kind == "date":
        return pa.array(_ints(values), pa.int32()).view(pa.date32())
    if kind in ("timestamp", "timestamp_ntz"):
        named = (zone or "UTC") if kind == "timestamp" else None
        return pa.array(_ints(values), pa.int64()).view(pa.timestamp(unit, named))
    if kind in ("string", "boolean"):
        return pa.array(values, pa.string() if kind == "string" else pa.bool_())
    return _nested(kind, values)


def _nested(kind: str, values: Sequence[object]) -> pa.Array:
    if kind not in _NESTED:
        raise NoForm(f"Arrow has no {kind}")
    if kind == "uuid":
        stored = [None if value is None else bytes(16) for value in values]
        return pa.ExtensionArray.from_storage(pa.uuid(), pa.array(stored, pa.binary(16)))
    if kind == "json":
        return pa.ExtensionArray.from_storage(pa.json_(), pa.array(values, pa.string()))
    return pa.array([_inner(kind, value) for value in values], _NESTED[kind])


def _inner(kind: str, value: object) -> object:
    if isinstance(value, dict):
        pairs = {key: None if inner is None else int(inner) for key, inner in value.items()}
        return list(pairs.items()) if kind.startswith("map") else pairs
    if isinstance(value, list):
        return [_inner(kind, inner) for inner in value]
    if isinstance(value, str):
        if kind == "binary":
            return bytes.fromhex(value)
        if kind == "time" or "int" in kind:
            return int(value)
        return float.fromhex(value) if "double" in kind else value
    return value


def _ints(values: Sequence[object]) -> list[int | None]:
    return [None if value is None else int(str(value)) for value in values]


def duckdb_literals(kind: str, values: Sequence[object], unit: str = "us") -> list[str]:
    """Return the values of a vector as DuckDB expressions of its type."""
    return [_literal(kind, value, unit) for value in values]


def _literal(kind: str, value: object, unit: str) -> str:
    typed = duckdb_type(kind, unit)
    if value is None:
        return f"CAST(NULL AS {typed})"
    if kind == "string":
        return f"decode(from_hex('{str(value).encode().hex()}'))"
    if kind in _FLOATS:
        return f"CAST({float.fromhex(str(value))!r}::VARCHAR AS {typed})".replace(
            "CAST(", "CAST('"
        ).replace("::VARCHAR", "'")
    if kind == "date":
        return f"DATE '1970-01-01' + CAST({value} AS INTEGER)"
    if kind == "timestamp_ntz":
        function = {"us": "make_timestamp", "ns": "make_timestamp_ns"}.get(unit, "make_timestamp")
        factor = {"s": 1_000_000, "ms": 1_000}.get(unit, 1)
        return f"CAST({function}({int(str(value)) * factor}) AS {typed})"
    if kind == "timestamp":
        factor = {"s": 1_000_000, "ms": 1_000}.get(unit, 1)
        return f"TIMESTAMPTZ 'epoch' + to_microseconds({int(str(value)) * factor})"
    if kind == "boolean":
        return str(bool(value)).lower()
    return f"CAST('{value}' AS {typed})"


def duckdb_type(kind: str, unit: str = "us") -> str:
    """Return DuckDB's word for a type of the spec."""
    if kind == "timestamp_ntz":
        return "TIMESTAMP" if unit == "us" else f"TIMESTAMP_{unit.upper()}"
    if kind == "timestamp":
        if unit == "ns":
            raise NoForm("DuckDB 1.5 has no zoned nanoseconds")
        return "TIMESTAMPTZ"
    if kind in _INTEGERS:
        return _INTEGERS[kind][1]
    if kind.startswith(("decimal", "string", "boolean", "date", "double", "float")):
        return {"string": "VARCHAR"}.get(kind, kind.upper())
    others = {"time", "interval", "uuid", "json", "variant", "bit", "bignum"}
    if kind in others:
        return kind.upper()
    raise NoForm(f"no literal of {kind} is written here")
