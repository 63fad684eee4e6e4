"""A dialect: one engine's SQL, read from its data file and checked when it is loaded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from . import _data
from .dialect_file import DialectFile, check
from .types import Boolean, Date, Decimal, Float, Integer, Nested, Other, String, Timestamp, Type

Fold: TypeAlias = Literal["exact", "upper", "lower"]

# a cast to text stays free of an exponent up to this scale in every engine met
_PLAIN_SCALE = 6
_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


@dataclass(frozen=True, slots=True)
class Dialect:
    """One engine's templates and limits. `text`, `row`, `figure` and `table` hold SQL templates."""

    name: str
    title: str
    sqlglot: str
    quote: str
    fold: Fold
    longest: int | None
    text: Mapping[str, str]
    row: Mapping[str, str]
    figure: Mapping[str, str]
    table: Mapping[str, str]
    most_bytes: int | None
    most_columns: int | None
    evidence: tuple[str, ...]

    def quoted(self, name: str) -> str:
        """Return a name as one quoted identifier."""
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def folded(self, name: str) -> str:
        """Return a hand-typed name as the engine stores it unquoted, if it is a plain word."""
        if self.fold == "exact" or not _PLAIN_WORD.fullmatch(name):
            return name
        return name.upper() if self.fold == "upper" else name.lower()


@lru_cache(maxsize=64)
def load(name: str) -> Dialect:
    """Return the dialect of that name, or of the file at that path (*.toml), checked."""
    file = DialectFile(name, _data.dialect_table(name))
    check(file)
    return Dialect(
        name=name,
        title=file.title("title"),
        sqlglot=file.title("sqlglot"),
        quote=_quote(file),
        fold=_fold(file),
        longest=file.number("names", "longest"),
        text=file.templates("text"),
        row=file.templates("row"),
        figure=file.templates("figure"),
        table=file.templates("table"),
        most_bytes=file.number("limits", "bytes"),
        most_columns=file.number("limits", "columns"),
        evidence=file.texts("evidence", "versions"),
    )


def _quote(file: DialectFile) -> str:
    found = file.text("names", "quote")
    if found not in ('"', "`"):
        raise file.fault("names.quote", f"is a double quote or a backtick, not {found!r}")
    return found


def _fold(file: DialectFile) -> Fold:
    match file.text("names", "fold"):
        case "exact":
            return "exact"
        case "upper":
            return "upper"
        case "lower":
            return "lower"
        case found:
            raise file.fault("names.fold", f"is exact, upper or lower, not {found!r}")


def text_key(kind: Type) -> str | None:
    """Return the key of `[text]` that holds the canonical text of this type, if it has one."""
    match kind:
        case Integer():
            return "integer"
        case Decimal(precision, scale):
            return _decimal_key(precision, scale)
        case String(label=label):
            return "enum" if label else "string"
        case Boolean():
            return "boolean"
        case Date():
            return "date"
        case Timestamp(zoned, unit):
            return _timestamp_key(zoned, unit)
        case Float() | Nested() | Other():
            return None


def _decimal_key(precision: int, scale: int) -> str:
    if scale == 0:
        return "integer"
    if scale == precision:
        return "decimal_fraction"
    return "decimal_fine" if scale > _PLAIN_SCALE else "decimal"


def _timestamp_key(zoned: bool, unit: str) -> str:
    if unit == "ns":
        return "timestamp_ns_zoned" if zoned else "timestamp_ns"
    if zoned:
        return "timestamp_zoned"
    return "timestamp" if unit == "us" else "timestamp_coarse"
