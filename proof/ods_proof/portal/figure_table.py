"""The fingerprints of a proof side by side: rows are figures, columns are steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import ods_fingerprint as ods

Json: TypeAlias = "Mapping[str, Any]"


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one step, held against the generated one by the library's own comparison.

    `near` is equal within a tolerance, `same` to the last digit.
    """

    text: str
    held: Literal["generated", "same", "near", "differs", "none"]

    @property
    def differs(self) -> bool:
        """Return whether it is not the generated one."""
        return self.held == "differs"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure over the steps."""

    figure: str
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool:
        """Return whether a step differs here."""
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of one column of the table, or of the table itself."""

    name: str
    type: str
    rows: tuple[Row, ...]

    @property
    def differs(self) -> bool:
        """Return whether a step differs in any of them."""
        return any(row.differs for row in self.rows)


@dataclass(frozen=True, slots=True)
class Head:
    """A step as the head of a column of figures."""

    title: str
    by: str


@dataclass(frozen=True, slots=True)
class Table:
    """The whole, with notes on what the comparison let pass."""

    heads: tuple[Head, ...]
    groups: tuple[Group, ...]
    notes: tuple[str, ...]
    differences: int
    compared: int


@dataclass(frozen=True, slots=True)
class _Side:
    """The fingerprint of a step, and where it differs from the generated one."""

    head: Head
    figures: Mapping[str, Mapping[str, object]]
    differs: frozenset[tuple[str, str]]
    notes: tuple[str, ...]


def table(steps: Sequence[Json], title: Mapping[str, str]) -> Table | None:
    """Return the table of the steps that are done, or None before there is one.

    `title` names a step for people.
    """
    done = [step for step in steps if step["fingerprint"]]
    if not done or done[0]["step"] != "generated":
        return None
    first = _fingerprint(done[0]["fingerprint"])
    sides = list(_sides(done, first, title))
    groups = (_whole(sides), *_columns(first, sides))
    return Table(
        tuple(side.head for side in sides),
        groups,
        tuple(dict.fromkeys(note for side in sides for note in side.notes)),
        sum(cell.differs for group in groups for row in group.rows for cell in row.cells),
        sum(len(group.rows) for group in groups),
    )


def _sides(
    done: Sequence[Json], first: ods.Fingerprint, title: Mapping[str, str]
) -> Iterator[_Side]:
    for step in done:
        name = title.get(step["step"], step["step"])
        yield _side(Head(name, step["engine"]), step["fingerprint"], first)
        if step["own_fingerprint"]:
            yield _side(
                Head(f"{name}, by its own SQL", step["engine"]), step["own_fingerprint"], first
            )


def _side(head: Head, found: Json, first: ods.Fingerprint) -> _Side:
    compared = ods.compare(first, _fingerprint(found))
    figures: dict[str, Mapping[str, object]] = {"": {"rows": found["rows"]}}
    for column in found["columns"]:
        figures[column["name"].lower()] = {"type": column["type"], **column["figures"]}
    differs = frozenset(((d.column or "").lower(), d.figure) for d in compared.differences)
    notes = tuple(f"{note.column}: {note.text}" for note in compared.notes)
    return _Side(head, figures, differs, notes)


def _fingerprint(found: Json) -> ods.Fingerprint:
    return ods.Fingerprint.from_json(json.dumps(found))


def _whole(sides: Sequence[_Side]) -> Group:
    return Group("the table", "", (_row("", "rows", sides),))


def _columns(first: ods.Fingerprint, sides: Sequence[_Side]) -> Iterator[Group]:
    """Yield a group for each column of any step, those of the generated table first."""
    known = {found.column.name.lower(): found.column.name for found in first.columns}
    names = dict.fromkeys([*known, *(key for side in sides for key in side.figures if key)])
    for key in names:
        figures = dict.fromkeys(f for side in sides for f in side.figures.get(key, {}))
        rows = [_row(key, figure, sides) for figure in figures]
        if not rows[0].differs:  # the type stands at the column's name
            rows = rows[1:]
        type_ = sides[0].figures.get(key, {}).get("type", "")
        yield Group(known.get(key, key), str(type_), tuple(rows))


def _row(column: str, figure: str, sides: Sequence[_Side]) -> Row:
    generated = _text(sides[0], column, figure)
    cells = [Cell(generated or "–", "generated")]
    return Row(figure, (*cells, *(_cell(column, figure, side, generated) for side in sides[1:])))


def _cell(column: str, figure: str, side: _Side, generated: str | None) -> Cell:
    text = _text(side, column, figure)
    if (column, figure) in side.differs or (column, "missing") in side.differs:
        return Cell(text or "missing", "differs")
    if text is None:
        return Cell("–", "none")
    return Cell(text, "same" if text == generated else "near")


def _text(side: _Side, column: str, figure: str) -> str | None:
    found = side.figures.get(column, {})
    if figure not in found:
        return None
    return "none" if found[figure] is None else str(found[figure])
