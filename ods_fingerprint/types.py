"""The column types of fingerprint version 1 and the family of each (spec clause 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import SchemaError

Family: TypeAlias = Literal[
    "integer", "decimal", "string", "boolean", "date", "timestamp", "float", "nested", "other"
]
Unit: TypeAlias = Literal["s", "ms", "us", "ns"]

MAX_PRECISION = 38
# deeper nesting is refused: every reader of types calls itself once or more a level
DEEPEST = 50


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number of 8, 16, 32, 64 or 128 bits."""

    bits: int
    signed: bool = True


@dataclass(frozen=True, slots=True)
class Decimal:
    """A fixed-point number: at most 38 digits, `scale` of them after the point."""

    precision: int
    scale: int


@dataclass(frozen=True, slots=True)
class String:
    """Text. `length` is of CHAR(n) only, `label` of an enum; a collation is noted, never used."""

    length: int | None = None
    collation: str | None = None
    label: bool = False


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Date:
    """A day of the proleptic Gregorian calendar."""


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A point in time: an instant if `zoned`, else a wall clock that is read as UTC (R9)."""

    zoned: bool
    unit: Unit = "us"
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Float:
    """A binary floating-point number of 16, 32 or 64 bits."""

    bits: int


@dataclass(frozen=True, slots=True)
class Nested:
    """A list, struct or map: only its nulls are counted (R20). `text` is for people."""

    text: str


@dataclass(frozen=True, slots=True)
class Other:
    """A type without a canonical text in version 1: only its nulls are counted (R19)."""

    text: str


Type: TypeAlias = Integer | Decimal | String | Boolean | Date | Timestamp | Float | Nested | Other

_FLOATS = {16: "half", 32: "float", 64: "double"}


def family(kind: Type) -> Family:
    """Return the family of a type: what two engines must agree on (R10)."""
    match kind:
        case Integer():
            return "integer"
        case Decimal(scale=scale):
            return "decimal" if scale else "integer"
        case String():
            return "string"
        case Boolean():
            return "boolean"
        case Date():
            return "date"
        case Timestamp():
            return "timestamp"
        case Float():
            return "float"
        case Nested():
            return "nested"
        case Other():
            return "other"


def text(kind: Type) -> str:
    """Return the type in the words of the spec, as the JSON forms carry it."""
    match kind:
        case Integer(bits, signed):
            return f"{'int' if signed else 'uint'}{bits}"
        case Decimal(precision, scale):
            return f"decimal({precision}, {scale})"
        case String():
            return "string"
        case Boolean():
            return "boolean"
        case Date():
            return "date"
        case Timestamp(zoned):
            return "timestamp" if zoned else "timestamp_ntz"
        case Float(bits):
            return _FLOATS[bits]
        case Nested(words) | Other(words):
            return words


_NESTED = ("list<", "struct<", "map<", "union<")
_DECIMAL = re.compile(r"decimal\((0|-?[1-9][0-9]{0,8}), (0|-?[1-9][0-9]{0,8})\)")
_PLAIN: tuple[Type, ...] = (
    *(Integer(bits, signed) for bits in (8, 16, 32, 64, 128) for signed in (True, False)),
    *(Float(bits) for bits in _FLOATS),
    *(Timestamp(zoned) for zoned in (True, False)),
    String(),
    Boolean(),
    Date(),
)
_WORDS: Mapping[str, Type] = {text(kind): kind for kind in _PLAIN}


def from_text(words: str) -> Type:
    """Return the type that `text` wrote so: exactly the words of the spec (2.1, 2.3, 2.8)."""
    if words in _WORDS:
        return _WORDS[words]
    decimal = _DECIMAL.fullmatch(words)
    if decimal:
        return Decimal(int(decimal[1]), int(decimal[2]))
    if not words or words != printable(words):
        raise SchemaError("a type is at least one character, and all of them can be printed")
    if words.startswith("decimal"):
        raise SchemaError("a decimal is written decimal(18, 2)")
    return Nested(words) if words.startswith(_NESTED) else Other(words)


def printable(words: str) -> str:
    """Return `words` with what no terminal should be sent, such as a newline, as an escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
