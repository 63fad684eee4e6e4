"""From a schema to SQL: a dialect's templates, with quoted identifiers spliced in (spec clause 7).

A template reaches the engine exactly as its dialect file has it. sqlglot only reads it, to make
sure that it is one expression of that dialect; what sqlglot would print is never used, because it
rewrites: UNIX_DATE in every version, EPOCH_MICROSECOND to whole seconds in 26.33.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from . import table_name
from ._version import VERSION
from .dialect import Dialect, load, text_key
from .errors import CompileError, DialectError
from .figures import Figure, plan
from .figures import names as figure_names
from .schema import SPEC, Column, Schema, refuse_doubles
from .types import Decimal, Type

_HOLE = re.compile(r"\{([xh])\}")
_LONGEST_FIGURE = "__posinf"
# the comment, SELECT, the rows figure, FROM and what stands around a subquery
_FRAME_BYTES = 400


@dataclass(frozen=True, slots=True)
class At:
    """A pinned read: one version of the table, or one moment as an ISO 8601 text."""

    version: int | None = None
    timestamp: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT of one row: `figures` in the row's order, under the names `row_names`."""

    text: str
    figures: tuple[Figure, ...]
    row_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """What one column adds to a statement: lines of the subquery, lines of the row."""

    inner: tuple[str, ...]
    outer: tuple[str, ...]
    figures: tuple[Figure, ...]
    row_names: tuple[str, ...]

    def size(self) -> int:
        """Return the bytes that the lines take, with their indent and comma."""
        return sum(len(line.encode()) + 6 for line in (*self.inner, *self.outer))


def statements(
    table: str | Sequence[str],
    schema: Schema,
    dialect: str,
    *,
    exact: bool = False,
    at: At | None = None,
) -> tuple[Statement, ...]:
    """Return the statements that fingerprint `table`: one, unless the dialect's limits say more.

    `table` is a dotted name (a part in double quotes is exact), or its parts, which are all exact.
    `exact` keeps hand-typed names as they are where the dialect would fold them.
    """
    used = load(dialect)
    plan(schema)
    source = _source(_table(table, used, exact), used, at)
    stored = _stored_names(schema, used, exact or schema.origin == dialect)
    heads = _row_heads(stored, used.longest)
    parts = [
        _part(column, index, used, stored[index], heads[index])
        for index, column in enumerate(schema.columns)
    ]
    groups = _groups(parts, used, len(source.encode()))
    return tuple(
        _statement(group, used, source, f"part {number} of {len(groups)}, " if groups[1:] else "")
        for number, group in enumerate(groups, start=1)
    )


def _table(table: str | Sequence[str], used: Dialect, exact: bool) -> list[str]:
    if isinstance(table, str):
        split = table_name.parts(table)
        parts = [name if quoted or exact else used.folded(name) for name, quoted in split]
    else:
        parts = list(table)
    if not parts:
        raise CompileError("a table name has at least one part")
    _refuse_names(parts)
    return parts


def _stored_names(schema: Schema, used: Dialect, exact: bool) -> list[str]:
    names = [c.name if exact else used.folded(c.name) for c in schema.columns]
    _refuse_names(names)
    refuse_doubles(names)
    return names


def _refuse_names(names: Iterable[str]) -> None:
    for name in names:
        if not name or "\0" in name:
            raise CompileError(f"{name!r} cannot be a name in SQL: it is empty or holds a NUL")
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise CompileError(f"{name!r} cannot be a name in SQL: it is not valid Unicode")


def _source(parts: Sequence[str], used: Dialect, at: At | None) -> str:
    name = ".".join(used.quoted(part) for part in parts)
    key, value = _pin(at)
    template = used.table.get(key)
    if template is None:
        raise CompileError(f"{used.title} has no read that is pinned to a {key}")
    head, tail = template.replace("{" + key + "}", value).split("{table}")
    return head + name + tail


def _pin(at: At | None) -> tuple[str, str]:
    if at is None:
        return "plain", ""
    if at.version is not None:
        return "version", str(int(at.version))
    return "timestamp", f"'{_moment(at.timestamp or '')}'"


def _moment(moment: str) -> str:
    try:
        return datetime.fromisoformat(moment.replace("Z", "+00:00")).isoformat(sep=" ")
    except ValueError:
        like = "2026-11-30 12:00:00+00:00"
        raise CompileError(f"{moment!r} is not an ISO 8601 moment, like {like}") from None


def _row_heads(stored: Sequence[str], longest: int | None) -> list[str]:
    """Return what each column's row names begin with: its name, or a short unique one (R25)."""
    taken = {name.lower() for name in stored}
    heads: list[str] = []
    for index, name in enumerate(stored):
        head = name
        if longest is not None and len(f"{name}{_LONGEST_FIGURE}".encode()) > longest:
            head = f"c{index}"
            while head in taken:
                head += "_"
        heads.append(head)
    return heads


def _part(column: Column, index: int, used: Dialect, stored: str, head: str) -> _Part:
    x, hashed = used.quoted(stored), used.quoted(f"h{index}")
    inner: list[str] = []
    outer: list[str] = []
    names = figure_names(column.type)
    if used.row:
        if "hash" in names:
            row = _template(used, "row", "h", column.type)
            inner.append(f"{_filled(row, x, '')} AS {hashed}")
        inner.insert(0, f"{x} AS {used.quoted(f'c{index}')}")
        x = used.quoted(f"c{index}")
    row_names = tuple(f"{head}__{name}" for name in names)
    for name, row_name in zip(names, row_names):
        template = _template(used, "figure", name, column.type)
        outer.append(f"{_filled(template, x, hashed)} AS {used.quoted(row_name)}")
    return _Part(tuple(inner), tuple(outer), tuple(Figure(n, column) for n in names), row_names)


def _filled(template: tuple[str, ...], x: str, hashed: str) -> str:
    """Splice identifiers into a cut template: texts at even places, `x` or `h` at odd ones."""
    given = {"x": x, "h": hashed}
    return "".join(given[piece] if at % 2 else piece for at, piece in enumerate(template))


def _template(used: Dialect, part: str, key: str, kind: Type) -> tuple[str, ...]:
    if isinstance(kind, Decimal):
        return _cut(used.name, part, key, text_key(kind), kind.precision, kind.scale)
    return _cut(used.name, part, key, text_key(kind))


@lru_cache(maxsize=4096)
def _cut(
    dialect: str, part: str, key: str, words: str | None, precision: int = 0, scale: int = 0
) -> tuple[str, ...]:
    """Return a template with the canonical text in its place, cut at `{x}` and `{h}`."""
    used = load(dialect)
    template = (used.row if part == "row" else used.figure)[key]
    if "{text}" in template and words is not None:
        if words not in used.text:
            raise CompileError(
                f"dialect {dialect} has no text.{words}: it cannot hash such a column"
            )
        template = template.replace("{text}", used.text[words])
    for name, value in (("precision", precision), ("scale", scale), ("zeros", "0" * scale)):
        template = template.replace("{" + name + "}", str(value))
    cut = tuple(_HOLE.split(template))
    _refuse_unless_expression(
        _filled(cut, used.quoted("x"), used.quoted("h")), used, f"{part}.{key}"
    )
    return cut


def _refuse_unless_expression(sql: str, used: Dialect, key: str) -> None:
    """Refuse a template that sqlglot does not read as one expression of its dialect."""
    import sqlglot
    from sqlglot import exp

    try:
        parsed = sqlglot.parse(f"SELECT {sql}", dialect=used.sqlglot)
    except (sqlglot.errors.SqlglotError, ValueError) as error:
        raise DialectError(f"dialect {used.name}: {key} cannot be read: {error}") from None
    select = parsed[0] if len(parsed) == 1 else None
    if not isinstance(select, exp.Select) or len(select.expressions) != 1:
        raise DialectError(f"dialect {used.name}: {key} is not one expression: {sql}")
    if len(list(select.find_all(exp.Query, exp.From))) > 1:
        raise DialectError(f"dialect {used.name}: {key} may not read a table: {sql}")


def _groups(parts: Sequence[_Part], used: Dialect, source_bytes: int) -> list[list[_Part]]:
    """Return the columns of each statement: all in one, or as few as the limits allow."""
    most_columns = used.most_columns or len(parts) or 1
    most_bytes = (used.most_bytes or 1 << 62) - source_bytes - _FRAME_BYTES
    groups: list[list[_Part]] = [[]]
    size = 0
    for part in parts:
        if groups[-1] and (size + part.size() > most_bytes or len(groups[-1]) >= most_columns):
            groups.append([])
            size = 0
        groups[-1].append(part)
        size += part.size()
    return groups


def _statement(group: Sequence[_Part], used: Dialect, source: str, which: str) -> Statement:
    rows = f"{used.figure['rows']} AS {used.quoted('rows')}"
    outer = ",\n  ".join([rows, *(line for part in group for line in part.outer)])
    inner = ",\n    ".join(line for part in group for line in part.inner)
    table = (
        f"(\n  SELECT\n    {inner}\n  FROM {source}\n) AS {used.quoted('t')}" if inner else source
    )
    return Statement(
        f"-- {SPEC}, {which}{_origin(used)}\nSELECT\n  {outer}\nFROM {table}\n",
        (Figure("rows"), *(figure for part in group for figure in part.figures)),
        ("rows", *(name for part in group for name in part.row_names)),
    )


def _origin(used: Dialect) -> str:
    untested = "" if used.evidence else "; vectors never passed on this engine: run conform"
    label = used.name if used.name.isidentifier() else used.title
    return f"dialect {label}, library {VERSION}{untested}"
