"""A table's name as a person types it, split into its parts."""

from __future__ import annotations

from .errors import CompileError

_QUOTES = ('"', "`")


def parts(table: str) -> list[tuple[str, bool]]:
    """Split a dotted name into parts, each with whether it stood in quotes and is exact.

    Quotes are double ones, or the backticks that Spark people write: delta.`/data/orders`.
    """
    found: list[tuple[str, bool]] = []
    rest = table
    while True:
        if rest.startswith(_QUOTES):
            part, rest = _quoted(rest, table)
            found.append((part, True))
        else:
            part, dot, tail = rest.partition(".")
            found.append((part, False))
            rest = dot + tail
        if not found[-1][0]:
            raise CompileError(f"a part of the table name {table!r} is empty")
        if not rest:
            return found
        if not rest.startswith("."):
            raise CompileError(f"in the table name {table!r} only a dot may follow a quoted part")
        rest = rest[1:]


def _quoted(rest: str, table: str) -> tuple[str, str]:
    quote, end = rest[0], 1
    while (end := rest.find(quote, end)) >= 0:
        if rest[end + 1 : end + 2] != quote:
            return rest[1:end].replace(quote * 2, quote), rest[end + 1 :]
        end += 2
    raise CompileError(f"in the table name {table!r} a quote is not closed")
