"""One statement as text: the lines of its columns, framed as SELECTs (spec clause 6, R23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._version import VERSION
from .dialect import Dialect
from .figures import Figure
from .schema import SPEC

UNPINNED = "computed by {} statements that no version of the table was pinned for"


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT of one row: `figures` in the row's order, under the names `row_names`."""

    text: str
    figures: tuple[Figure, ...]
    row_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What one column adds to a statement: lines of the subquery, expressions of the row."""

    inner: tuple[str, ...]
    outer: tuple[str, ...]
    figures: tuple[Figure, ...]
    row_names: tuple[str, ...]

    def size(self, used: Dialect) -> int:
        """Return the bytes that the column takes, with what stands between its lines."""
        names = sum(len(used.quoted(name).encode()) + 4 for name in self.row_names)
        lines = sum(len(line.encode()) + 6 for line in (*self.inner, *self.outer))
        return lines + names * (1 if used.together is None else 3 if used.packed is None else 4)


def printed(parts: Sequence[Part], used: Dialect, source: str, which: str) -> Statement:
    """Return the statement of these columns; `which` says which part of several it is.

    Past `limits.together` columns they are aggregated in groups, each in a SELECT of its own over
    the same table, joined to the one row; it has no `rows` if the groups saw different numbers.
    With `limits.packed` each group is one value, which is unpacked at the end.
    """
    together = used.together or len(parts) or 1
    groups = [parts[at : at + together] for at in range(0, len(parts), together)]
    body = _joined(groups, used, source) if len(groups) > 1 else select(parts, used, source)
    return Statement(
        f"-- {SPEC}, {which}{made_for(used)}\n{body}\n",
        (Figure("rows"), *(figure for part in parts for figure in part.figures)),
        ("rows", *(name for part in parts for name in part.row_names)),
    )


def select(parts: Sequence[Part], used: Dialect, source: str) -> str:
    """Return the SELECT of `rows` and of these columns' figures over what `source` names."""
    return _over(parts, _figures(parts, used), used, source)


def _figures(parts: Sequence[Part], used: Dialect) -> str:
    outer = [f"{used.figure['rows']} AS {used.quoted('rows')}"]
    for part in parts:
        pairs = zip(part.outer, part.row_names)
        outer += [f"{expression} AS {used.quoted(name)}" for expression, name in pairs]
    return ",\n  ".join(outer)


def _over(parts: Sequence[Part], figures: str, used: Dialect, source: str) -> str:
    inner = ",\n    ".join(line for part in parts for line in part.inner)
    table = f"(\n  SELECT\n    {inner}\n  FROM {source}\n) AS {used.quoted('t')}"
    return f"SELECT\n  {figures}\nFROM {table if inner else source}"


def _joined(groups: Sequence[Sequence[Part]], used: Dialect, source: str) -> str:
    tables = [used.quoted(f"s{at}") for at in range(len(groups))]
    places = [f"{table}.{used.quoted('g')}" if used.packed else table for table in tables]
    rows = [f"{place}.{used.quoted('rows')}" for place in places]
    same = " AND ".join(f"{other} = {rows[0]}" for other in rows[1:])
    lines = [f"CASE WHEN {same} THEN {rows[0]} END AS {used.quoted('rows')}"]
    for place, group in zip(places, groups):
        names = (used.quoted(name) for part in group for name in part.row_names)
        lines += [f"{place}.{name} AS {name}" for name in names]
    selects = [
        f"(\n{_group(group, used, source)}\n) AS {table}" for table, group in zip(tables, groups)
    ]
    joined, crossed = ",\n  ".join(lines), "\nCROSS JOIN ".join(selects)
    return f"SELECT\n  {joined}\nFROM {crossed}"


def _group(parts: Sequence[Part], used: Dialect, source: str) -> str:
    figures = _figures(parts, used)
    if used.packed:
        packed = used.packed.replace("{figures}", f"\n  {figures}\n  ")
        figures = f"{packed} AS {used.quoted('g')}"
    return _over(parts, figures, used, source)


def made_for(used: Dialect) -> str:
    """Return what the comment of a statement says of the dialect and this library."""
    untested = "" if used.evidence else "; vectors never passed on this engine: run conform"
    label = used.name if used.name.isidentifier() else used.title
    return f"dialect {label}, library {VERSION}{untested}"
