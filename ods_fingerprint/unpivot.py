"""A wide table's SELECT where wide aggregates are slow: its columns are rows of one aggregation.

A cell is a canonical text, or a double for the figures of floats. Few columns at a time are made
rows, each in a SELECT of its own over the same table, and all are aggregated by their place. The
result has no `rows` if the SELECTs saw different numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .dialect import Dialect, Unpivot
from .figures import FigureName, names
from .part import Part
from .types import Float, String

# over no rows there is no place either
_OF_NONE = {"hash": "'0'", "min": None, "max": None, "sum": None}


@dataclass(frozen=True, slots=True)
class _Cells:
    """Columns whose cells are of one type, and the figures of a cell's column."""

    alias: str
    parts: Sequence[Part]
    figures: tuple[FigureName, ...]


def unpivoted(parts: Sequence[Part], used: Dialect, source: str) -> str:
    """Return the SELECT of `rows` and of these columns' figures, as `select` has them."""
    if used.unpivot is None:
        raise AssertionError("the dialect unpivots")
    floats = [part for part in parts if _is_float(part)]
    texts = [part for part in parts if not _is_float(part)]
    both = (_Cells("s0", texts, names(String())), _Cells("s1", floats, names(Float(64))))
    cells = [one for one in both if one.parts]
    rows = [f"{used.quoted(one.alias)}.{used.quoted('rows')}" for one in cells]
    same = f"CASE WHEN {' = '.join(rows)} THEN {rows[0]} END" if rows[1:] else rows[0]
    places = {id(part): (one, at) for one in cells for at, part in enumerate(one.parts)}
    lines = [f"{same} AS {used.quoted('rows')}"]
    for part in parts:
        lines += _items(part, *places[id(part)], used, used.unpivot)
    selects = [
        f"(\n{_listed(one, used, used.unpivot, source)}\n) AS {used.quoted(one.alias)}"
        for one in cells
    ]
    listed, crossed = ",\n  ".join(lines), "\nCROSS JOIN ".join(selects)
    return f"SELECT\n  {listed}\nFROM {crossed}"


def _is_float(part: Part) -> bool:
    column = part.figures[0].column
    return column is not None and isinstance(column.type, Float)


def _items(part: Part, cells: _Cells, at: int, used: Dialect, how: Unpivot) -> list[str]:
    """Return the figures of a column, read out of the list of its cells' figures."""
    listed = f"{used.quoted(cells.alias)}.{used.quoted('g')}"
    item = how.item.replace("{list}", listed).replace("{at}", str(at))
    found: list[str] = []
    for figure, name in zip(part.figures, part.row_names):
        value, none = f"{item}.{used.quoted(figure.name)}", _OF_NONE.get(figure.name, "0")
        value = value if none is None else f"COALESCE({value}, {none})"
        found.append(f"{value} AS {used.quoted(name)}")
    return found


def _listed(cells: _Cells, used: Dialect, how: Unpivot, source: str) -> str:
    """Return the SELECT of one row: the number of rows, and the figures of all places as a list."""
    p, rows = used.quoted("p"), used.quoted("rows")
    figures = ", ".join(used.quoted(name) for name in ("p", *cells.figures))
    same = f"COUNT(*) = {len(cells.parts)} AND MIN({rows}) = MAX({rows})"
    counted = f"CASE WHEN COUNT(*) = 0 THEN 0 WHEN {same} THEN MIN({rows}) END AS {rows}"
    listed = f"{how.list.replace('{figures}', figures)} AS {used.quoted('g')}"
    union = "\n    UNION ALL\n".join(
        _cut(cells, at, used, how, source) for at in range(0, len(cells.parts), how.columns)
    )
    value = used.quoted(_value(cells, used))
    given = ",\n    ".join(
        f"{_over(used.figure[name], value)} AS {used.quoted(name)}"
        for name in ("rows", *cells.figures)
    )
    grouped = f"SELECT\n    {p},\n    {given}\n  FROM (\n{union}\n  ) AS {used.quoted('t')}"
    t = used.quoted("t")
    return f"SELECT {counted}, {listed}\nFROM (\n  {grouped}\n  GROUP BY {p}\n) AS {t}"


def _cut(cells: _Cells, at: int, used: Dialect, how: Unpivot, source: str) -> str:
    """Return the SELECT that makes some columns rows, from the place `at` on."""
    given = ",\n        ".join(part.cell for part in cells.parts[at : at + how.columns])
    cut = how.cells.replace("{cells}", f"\n        {given}\n      ")
    p, v, value = used.quoted("p"), used.quoted("v"), _value(cells, used)
    place = f"{p} + {at} AS {p}" if at else p
    made = f"{_over(used.row[value], v)} AS {used.quoted(value)}" if value in used.row else v
    rows = f"(\n      SELECT {cut}\n      FROM {source}\n    ) AS {used.quoted('t')}"
    return f"    SELECT {place}, {made} FROM {rows}"


def _value(cells: _Cells, used: Dialect) -> str:
    """Return the name of what is aggregated: the cell, or what is computed of it once a row."""
    return "h" if "hash" in cells.figures and "h" in used.row else "v"


def _over(template: str, value: str) -> str:
    for hole in ("{x}", "{h}", "{text}"):
        template = template.replace(hole, value)
    return template
