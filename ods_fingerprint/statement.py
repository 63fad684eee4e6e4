"""One statement as text: the lines of its columns, framed as SELECTs (spec clause 6, R23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._version import VERSION
from .dialect import Dialect
from .figures import Figure
from .part import Part
from .schema import SPEC
from .unpivot import unpivoted

UNPINNED = "computed by {} statements that no version of the table was pinned for"


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT of one row: `figures` in the row's order, under the names `row_names`."""

    text: str
    figures: tuple[Figure, ...]
    row_names: tuple[str, ...]


def printed(parts: Sequence[Part], used: Dialect, source: str, which: str) -> Statement:
    """Return the statement of these columns; `which` says which part of several it is."""
    return Statement(
        f"-- {SPEC}, {which}{made_for(used)}\n{select(parts, used, source)}\n",
        (Figure("rows"), *(figure for part in parts for figure in part.figures)),
        ("rows", *(name for part in parts for name in part.row_names)),
    )


def select(parts: Sequence[Part], used: Dialect, source: str) -> str:
    """Return the SELECT of `rows` and of these columns' figures over what `source` names.

    Past `unpivot.past` columns they are rows of one aggregation.
    """
    if used.unpivot is not None and len(parts) > used.unpivot.past:
        return unpivoted(parts, used, source)
    outer = [f"{used.figure['rows']} AS {used.quoted('rows')}"]
    for part in parts:
        pairs = zip(part.outer, part.row_names)
        outer += [f"{expression} AS {used.quoted(name)}" for expression, name in pairs]
    figures = ",\n  ".join(outer)
    inner = ",\n    ".join(line for part in parts for line in part.inner)
    table = f"(\n  SELECT\n    {inner}\n  FROM {source}\n) AS {used.quoted('t')}"
    return f"SELECT\n  {figures}\nFROM {table if inner else source}"


def made_for(used: Dialect) -> str:
    """Return what the comment of a statement says of the dialect and this library."""
    untested = "" if used.evidence else "; vectors never passed on this engine: run conform"
    label = used.name if used.name.isidentifier() else used.title
    return f"dialect {label}, library {VERSION}{untested}"
