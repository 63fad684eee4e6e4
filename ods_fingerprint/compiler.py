"""From a schema to SQL: a dialect's templates, with quoted identifiers spliced in (spec clause 7).

A template reaches the engine exactly as its dialect file has it: no SQL is parsed or printed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache

from . import table_name
from .dialect import Dialect, load, text_key
from .errors import CompileError
from .figures import Figure, refuse
from .figures import names as figure_names
from .part import Part
from .schema import Column, Schema, refuse_doubles
from .statement import Statement, printed
from .types import Decimal, Float, Type

_HOLE = re.compile(r"\{([xh])\}")
_LONGEST_FIGURE = "__posinf"
# the comment, SELECT, the rows figure, FROM and what stands around a subquery
_FRAME_BYTES = 400


@dataclass(frozen=True, slots=True)
class At:
    """A pinned read: one version of the table, or one moment as an ISO 8601 text."""

    version: int | None = None
    timestamp: str | None = None


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
    refuse(schema)
    _refuse_textless(schema, used)
    named = stored_parts(table, used, exact)
    stored = _stored_names(schema, used, exact or schema.origin == dialect)
    origin = aliased(named, stored, used, at)
    groups = _groups(parts(schema.columns, stored, used), used, len(origin.encode()))
    made = tuple(
        printed(group, used, origin, f"part {number} of {len(groups)}, " if groups[1:] else "")
        for number, group in enumerate(groups, start=1)
    )
    _refuse_oversize(made, used)
    return made


def parts(columns: Sequence[Column], stored: Sequence[str], used: Dialect) -> list[Part]:
    """Return what each column of a table adds to a statement, under the names it is stored by."""
    heads = _row_heads(stored, used.longest)
    tail = _spare_tail(stored)
    return [
        _part(column, f"{index}{tail}", used, stored[index], heads[index])
        for index, column in enumerate(columns)
    ]


def aliased(
    named: Sequence[str], stored: Sequence[str], used: Dialect, at: At | None = None
) -> str:
    """Return what stands behind FROM for a table with these columns."""
    return source(named, used, at) + _alias(named[-1], stored, used)


def stored_parts(table: str | Sequence[str], used: Dialect, exact: bool = False) -> list[str]:
    """Return the parts of a table's name as the engine stores them: hand-typed ones folded."""
    if isinstance(table, str):
        split = table_name.parts(table)
        named = [name if quoted or exact else used.folded(name) for name, quoted in split]
    else:
        named = list(table)
    if not named:
        raise CompileError("a table name has at least one part")
    _refuse_names(named)
    return named


def _refuse_textless(schema: Schema, used: Dialect) -> None:
    """Refuse columns for whose type the dialect file has no canonical text, all of them named."""
    keys = [(column.name, text_key(column.type)) for column in schema.columns]
    lacking = [f"{name} (text.{key})" for name, key in keys if key and key not in used.text]
    if lacking:
        raise CompileError(
            f"dialect {used.name} cannot hash {', '.join(lacking)}: "
            "leave these columns out (skip), or add the key to the dialect file"
        )


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


def source(named: Sequence[str], used: Dialect, at: At | None) -> str:
    """Return a table's quoted name, read at `at` where that is given."""
    name = ".".join(used.quoted(part) for part in named)
    key, value = _pin(at)
    template = used.table.get(key)
    if template is None:
        raise CompileError(f"{used.title} has no read that is pinned to a {key}")
    head, tail = template.replace("{" + key + "}", value).split("{table}")
    return head + name + tail


def _alias(table: str, stored: Sequence[str], used: Dialect) -> str:
    """Return an alias for a table that has the name of a column, so that no engine reads a row.

    DuckDB and PostgreSQL take the name of a column that is not there for the table's whole row.
    """
    taken = {name.lower() for name in stored}
    if table.lower() not in taken:
        return ""
    alias = "t"
    while alias in taken:
        alias += "_"
    return f" AS {used.quoted(alias)}"


def _pin(at: At | None) -> tuple[str, str]:
    match at:
        case None:
            return "plain", ""
        case At(int(version), None) if version >= 0 and not isinstance(version, bool):
            return "version", str(version)
        case At(None, str(timestamp)):
            return "timestamp", f"'{_moment(timestamp)}'"
        case _:
            raise CompileError(
                "a pinned read has a version, a whole number from 0 on, or a timestamp; "
                f"not version {at.version!r} and timestamp {at.timestamp!r}"
            )


def _moment(written: str) -> str:
    """Return an ISO 8601 text as a moment in UTC; one without a zone is read as UTC (R9)."""
    try:
        moment = datetime.fromisoformat(written.replace("Z", "+00:00"))
        utc = moment.astimezone(timezone.utc) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        like = "2026-11-30 12:00:00+00:00"
        raise CompileError(f"{written!r} is not an ISO 8601 moment, like {like}") from None
    return f"{utc.replace(tzinfo=None).isoformat(sep=' ')}+00:00"


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


def _spare_tail(stored: Sequence[str]) -> str:
    """Return what ends c0, h0 … of the subquery so that none is the name of a column.

    Spark would read the alias in the place of a column that the table turns out not to have.
    """
    taken = {name.lower() for name in stored}
    tail = ""
    while any(f"{head}{at}{tail}" in taken for at in range(len(stored)) for head in "ch"):
        tail += "_"
    return tail


def _part(column: Column, index: str, used: Dialect, stored: str, head: str) -> Part:
    x, hashed = used.quoted(stored), used.quoted(f"h{index}")
    inner: list[str] = []
    names = figure_names(column.type)
    if used.row:
        if "hash" in names:
            row = _template(used, "row", "h", column.type)
            inner.append(f"{_filled(row, x, '')} AS {hashed}")
        inner.insert(0, f"{x} AS {used.quoted(f'c{index}')}")
        x = used.quoted(f"c{index}")
    templates = [_template(used, "figure", name, column.type) for name in names]
    return Part(
        tuple(inner),
        tuple(_filled(template, x, hashed) for template in templates),
        _cell(column.type, used, used.quoted(stored)),
        tuple(Figure(name, column) for name in names),
        tuple(f"{head}__{name}" for name in names),
    )


def _cell(kind: Type, used: Dialect, x: str) -> str:
    """Return a column's value where it is a row; empty where a dialect has none."""
    if used.unpivot is None:
        return ""
    key = text_key(kind)
    if key is None:
        template = used.unpivot.float if isinstance(kind, Float) else used.unpivot.there
        return template.replace("{x}", x)
    precision, scale = (kind.precision, kind.scale) if isinstance(kind, Decimal) else (0, 0)
    return _filled(_cut(used, "unpivot", "text", key, precision, scale), x, "")


def _filled(template: tuple[str, ...], x: str, hashed: str) -> str:
    """Splice identifiers into a cut template: texts at even places, `x` or `h` at odd ones."""
    given = {"x": x, "h": hashed}
    return "".join(given[piece] if at % 2 else piece for at, piece in enumerate(template))


def _template(used: Dialect, part: str, key: str, kind: Type) -> tuple[str, ...]:
    if isinstance(kind, Decimal):
        return _cut(used, part, key, text_key(kind), kind.precision, kind.scale)
    return _cut(used, part, key, text_key(kind))


@lru_cache(maxsize=4096)
def _cut(
    used: Dialect, part: str, key: str, words: str | None, precision: int = 0, scale: int = 0
) -> tuple[str, ...]:
    """Return a template with the canonical text in its place, cut at `{x}` and `{h}`."""
    match part:
        case "row":
            template = used.row[key]
        case "unpivot" if used.unpivot:
            template = used.unpivot.text
        case _:
            template = used.figure[key]
    if words is not None:
        template = template.replace("{text}", used.text[words])
    for name, value in (("precision", precision), ("scale", scale), ("zeros", "0" * scale)):
        template = template.replace("{" + name + "}", str(value))
    return tuple(_HOLE.split(template))


def _groups(made: Sequence[Part], used: Dialect, source_bytes: int) -> list[list[Part]]:
    """Return the columns of each statement: all in one, or as few as the limits allow."""
    most_columns = used.most_columns or len(made) or 1
    most_bytes = (used.most_bytes or 1 << 62) - source_bytes - _FRAME_BYTES
    most_figures = (used.most_figures or 1 << 62) - 1
    groups: list[list[Part]] = [[]]
    size = figures = 0
    for part in made:
        size, figures = size + part.size(used), figures + len(part.figures)
        full = size > most_bytes or figures > most_figures or len(groups[-1]) >= most_columns
        if groups[-1] and full:
            groups.append([])
            size, figures = part.size(used), len(part.figures)
        groups[-1].append(part)
    return groups


def _refuse_oversize(made: Iterable[Statement], used: Dialect) -> None:
    """Refuse statements of one column that still pass the dialect's limit."""
    for statement in made:
        size = len(statement.text.encode())
        if used.most_bytes is not None and size > used.most_bytes:
            raise CompileError(
                f"{statement.row_names[-1]} alone makes a statement of {size} bytes; "
                f"{used.name} takes {used.most_bytes}: leave this column out (skip)"
            )
