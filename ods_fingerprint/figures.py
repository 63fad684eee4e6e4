"""Which figures a fingerprint has for which column: the plan (spec clauses 4 to 6)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import NotCovered, SchemaError
from .schema import Column, Schema
from .types import (
    MAX_PRECISION,
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
    printable,
    text,
)

FigureName: TypeAlias = Literal[
    "rows", "nulls", "hash", "nan", "posinf", "neginf", "min", "max", "sum"
]

_NULLS: tuple[FigureName, ...] = ("nulls",)
_HASHED: tuple[FigureName, ...] = ("nulls", "hash")
_FLOAT: tuple[FigureName, ...] = ("nulls", "nan", "posinf", "neginf", "min", "max", "sum")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the row. A figure without a column is of the table."""

    name: FigureName
    column: Column | None = None


def plan(schema: Schema, version: int = 1) -> tuple[Figure, ...]:
    """Return every figure of a fingerprint in row order; refuse types that have none (R4)."""
    if version != 1:
        raise SchemaError(f"fingerprint version {version} is not known; known: 1")
    refuse(schema)
    figures = (Figure(name, column) for column in schema.columns for name in names(column.type))
    return (Figure("rows"), *figures)


def names(kind: Type) -> tuple[FigureName, ...]:
    """Return the names of the figures of a column of this type."""
    match kind:
        case Integer() | Decimal() | String() | Boolean() | Date() | Timestamp():
            return _HASHED
        case Float():
            return _FLOAT
        case Nested() | Other():
            return _NULLS


def why_uncovered(kind: Type) -> str | None:
    """Return why version 1 does not cover a column of this type in full, or None (R19, R20)."""
    match kind:
        case Nested():
            return "nested: only nulls are counted in version 1"
        case Other(words):
            return f"{words}: only nulls are counted in version 1"
        case Integer() | Decimal() | String() | Boolean() | Date() | Timestamp() | Float():
            return None


def refuse(schema: Schema) -> None:
    """Refuse columns whose type is outside the spec, all of them named (R4)."""
    faults = [
        f"column {printable(column.name)}: {text(column.type)} is outside version 1: {reason}"
        for column in schema.columns
        if (reason := _fault(column.type))
    ]
    if faults:
        raise SchemaError("\n".join(faults) + "\nleave these columns out (skip), or cast them")


def strictly(schema: Schema) -> None:
    """Refuse columns that are not covered in full, all of them named in one error (R19)."""
    found = [column for column in schema.columns if why_uncovered(column.type)]
    if found:
        listed = ", ".join(f"{printable(column.name)} {text(column.type)}" for column in found)
        raise NotCovered(
            f"not in fingerprint v1: {listed}\n"
            f"use --skip {_list_option(column.name for column in found)}"
        )


def notes(columns: Iterable[Column]) -> list[str]:
    """Return what a reader of the fingerprint must know about its columns (R5, R11, R13)."""
    return [f"{column.name}: {note}" for column in columns for note in _notes(column)]


def _notes(column: Column) -> list[str]:
    found = [column.note] if column.note else []
    match column.type:
        case Timestamp(unit="ns"):
            found.append("digits below a microsecond are floored away")
        case String(length, collation):
            if length is not None:
                found.append(
                    f"CHAR({length}): hashed as the engine presents it; some engines pad it"
                )
            if collation is not None:
                found.append(f"collation {collation} is ignored: bytes are hashed")
        case _:
            pass
    return found


def _fault(kind: Type) -> str | None:
    match kind:
        case Decimal(precision) if not 1 <= precision <= MAX_PRECISION:
            return f"a decimal has 1 to {MAX_PRECISION} digits"
        case Decimal(precision, scale) if not 0 <= scale <= precision:
            return "its scale is not between 0 and its precision"
        case _:
            return None


def _list_option(names: Iterable[str]) -> str:
    """Return names as the list of an option, quoted for its commas and then for a shell."""
    cells = (
        '"' + name.replace('"', '""') + '"'
        if set(name) & set(',"\r\n') or name != name.strip()
        else name
        for name in names
    )
    return shlex.quote(",".join(cells))
