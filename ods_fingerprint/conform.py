"""The vectors of the spec as SQL over literals, made of the templates that make fingerprints.

No table is read and no right is needed: whoever may run a SELECT can prove a dialect (clause 14).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .compiler import aliased, parts
from .dialect import Dialect, load
from .errors import CompileError, DialectError
from .figures import Figure, plan
from .schema import SPEC, Schema
from .statement import made_for, select
from .vectors import Told, Vector, engine_vectors

# columns of one literal table: of one aggregation, or of so many that they are unpivoted
_TOGETHER = 40
# what stands around a group: WITH, the SELECT, CROSS JOIN; and around all of them
_FRAME_BYTES = 400
_MOST = 1 << 62
VERSION_NAME = "engine_version"


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of the result: its name there, its vector, and the answer that is right."""

    name: str
    vector: Vector
    figure: Figure
    answer: int | float | None
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A vector that the dialect cannot express, and why."""

    vector: Vector
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """One statement over literals, and the cells of its one row, in the row's order."""

    text: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Conform:
    """What a dialect is asked: `questions`, all of which must be answered, and its `gaps`."""

    dialect: str
    questions: tuple[Question, ...]
    gaps: tuple[Gap, ...]
    whole: bool = True

    @property
    def statements(self) -> tuple[str, ...]:
        """The SQL: one statement, or several past the limits of the dialect."""
        return tuple(question.text for question in self.questions)

    @property
    def vectors(self) -> tuple[Vector, ...]:
        """The vectors that are asked."""
        cells = (cell for question in self.questions for cell in question.cells)
        return tuple({cell.vector.id: cell.vector for cell in cells}.values())


@dataclass(frozen=True, slots=True)
class _Unit:
    """A column of a vector under the name that it has in the result."""

    vector: Vector
    told: Told
    label: str


@dataclass(frozen=True, slots=True)
class _Group:
    """Columns of as many rows, all in one literal table; `size` is of their text."""

    units: tuple[_Unit, ...]
    size: int = 0

    @property
    def figures(self) -> int:
        """The figures that it adds to the row."""
        return 1 + sum(len(unit.told.figures) for unit in self.units)


def conform(dialect: str, *, only: Container[str] | None = None) -> Conform:
    """Return the statements that ask an engine for every vector that its dialect can express.

    `only` asks for the vectors with these ids alone: who mends one template need not wait for all.
    """
    used = load(dialect)
    _refuse_unprepared(used)
    wanted = [vector for vector in engine_vectors() if only is None or vector.id in only]
    gaps = [Gap(vector, why) for vector in wanted if (why := _why_not(vector, used))]
    left_out = {gap.vector.id for gap in gaps}
    asked = [vector for vector in wanted if vector.id not in left_out]
    batches = _batches(_groups(asked, used), used)
    questions = tuple(
        _question(batch, used, f"part {at} of {len(batches)}, " if batches[1:] else "", len(asked))
        for at, batch in enumerate(batches, 1)
    )
    return Conform(dialect, questions, tuple(gaps), only is None)


def _refuse_unprepared(used: Dialect) -> None:
    if not used.literals.templates:
        raise DialectError(
            f"dialect file {used.name}: literals is missing: "
            "conform needs to know how the engine writes a value of each type"
        )
    known = {vector.id for vector in engine_vectors()}
    if unknown := sorted(used.literals.gaps.keys() - known):
        raise DialectError(
            f"dialect file {used.name}: literals.gaps.{unknown[0]} is no vector of {SPEC}"
        )


def _why_not(vector: Vector, used: Dialect) -> str | None:
    """Return why this dialect cannot express a vector, or None."""
    told = used.literals.gaps.get(vector.id)
    reasons = (used.literals.why_not(one.column.type) for one in vector.columns)
    return told or next((why for why in reasons if why), None) or _too_wide(vector, used)


def _too_wide(vector: Vector, used: Dialect) -> str | None:
    columns = len(vector.columns)
    figures = 2 + sum(len(one.figures) for one in vector.columns)
    if columns <= (used.most_columns or _MOST) and figures <= (used.most_figures or _MOST):
        return None
    return "it has more columns than one statement of this dialect takes"


def _groups(vectors: Iterable[Vector], used: Dialect) -> list[_Group]:
    """Return literal tables: one for each table vector, the other vectors by their rows."""
    tables: list[_Group] = []
    single: list[_Unit] = []
    for vector in vectors:
        units = [
            _Unit(vector, told, f"{vector.id}-{n}") for n, told in enumerate(vector.columns, 1)
        ]
        if vector.table:
            tables.append(_Group(tuple(units), sum(_size(unit, used) for unit in units)))
        else:
            single += [_Unit(vector, told, vector.id) for told in vector.columns]
    single.sort(key=lambda unit: unit.vector.rows)
    return [*_shared(single, used), *tables]


def _shared(units: Sequence[_Unit], used: Dialect) -> Iterator[_Group]:
    most = _Group((), used.most_bytes or _MOST)
    columns = min(_TOGETHER, used.most_columns or _MOST)
    group = _Group(())
    for unit in units:
        grown = _Group((*group.units, unit), group.size + _size(unit, used))
        full = len(grown.units) > columns or grown.size > most.size - 2 * _FRAME_BYTES
        full = full or grown.figures + 1 > (used.most_figures or _MOST)
        if group.units and (full or group.units[0].vector.rows != unit.vector.rows):
            yield group
            grown = _Group((unit,), _size(unit, used))
        group = grown
    if group.units:
        yield group


def _batches(groups: Iterable[_Group], used: Dialect) -> list[list[_Group]]:
    """Return the groups of each statement: all in one, or as few as the limits allow."""
    batches: list[list[_Group]] = [[]]
    for group in groups:
        grown = [*batches[-1], group]
        size = sum(one.size + _FRAME_BYTES for one in grown) + _FRAME_BYTES
        columns = sum(len(one.units) for one in grown)
        figures = sum(one.figures for one in grown) + 1
        full = size > (used.most_bytes or _MOST) or columns > (used.most_columns or _MOST)
        full = full or figures > (used.most_figures or _MOST)
        if batches[-1] and full:
            batches.append([group])
        else:
            batches[-1] = grown
    return batches


def _size(unit: _Unit, used: Dialect) -> int:
    """Return at least the bytes that a column adds: its literals, its part, and its cells."""
    (part,) = parts([unit.told.column], [unit.told.column.name], used)
    literals = sum(len(line.encode()) + 16 for line in _values(unit, used))
    cells = sum(len(f"{name}{unit.label}".encode()) + 40 for name in part.row_names)
    return part.size(used) + literals + len(unit.told.column.name.encode()) + cells


def _values(unit: _Unit, used: Dialect) -> list[str]:
    """Return the values of a column as literals; a NULL of its type where it has no row."""
    values = unit.told.values or (None,)
    return [used.literals.written(unit.told.column.type, value) for value in values]


def _question(groups: Sequence[_Group], used: Dialect, which: str, asked: int) -> Question:
    tables: list[str] = []
    selects: list[str] = []
    lines: list[str] = []
    cells: list[Cell] = []
    for at, group in enumerate(groups):
        named, alias = f"v{at}", used.quoted(f"s{at}")
        found, names, body = _asked(group, named, used)
        tables.append(f"{used.quoted(named)} AS (\n{_literal_table(group, used)}\n)")
        selects.append(f"(\n{body}\n) AS {alias}")
        cells += found
        lines += [
            f"{alias}.{used.quoted(name)} AS {used.quoted(cell.name)}"
            for name, cell in zip(names, found)
        ]
    if used.version_sql:
        lines.append(f"{used.version_sql} AS {used.quoted(VERSION_NAME)}")
    head = f"-- {SPEC}, conform: {asked} vectors, {which}{made_for(used)}"
    with_, columns = ",\n".join(tables), ",\n  ".join(lines)
    joined = "\nCROSS JOIN ".join(selects)
    text = f"{head}\nWITH {with_}\nSELECT\n  {columns}\nFROM {joined}\n"
    _refuse_oversize(text, groups, used)
    return Question(text, tuple(cells))


def _asked(group: _Group, named: str, used: Dialect) -> tuple[list[Cell], list[str], str]:
    """Return the cells of a literal table, their names in its SELECT, and that SELECT."""
    columns = tuple(unit.told.column for unit in group.units)
    stored = [column.name for column in columns]
    plan(Schema(columns))
    made = parts(columns, stored, used)
    first = group.units[0].vector
    cells = [Cell(f"{first.id}__rows", first, Figure("rows"), first.rows)]
    for unit, part in zip(group.units, made):
        cells += [
            Cell(
                f"{unit.label}__{figure.name}",
                unit.vector,
                figure,
                unit.told.figures[figure.name],
                unit.told,
            )
            for figure in part.figures
        ]
    names = ["rows", *(name for part in made for name in part.row_names)]
    return cells, names, select(made, used, aliased([named], stored, used))


def _literal_table(group: _Group, used: Dialect) -> str:
    columns = [_values(unit, used) for unit in group.units]
    names = [used.quoted(unit.told.column.name) for unit in group.units]
    first = ", ".join(f"{line[0]} AS {name}" for line, name in zip(columns, names))
    if not group.units[0].vector.rows:
        return f"  SELECT * FROM (SELECT {first}) AS {used.quoted('e')} WHERE 1 = 0"
    rows = [", ".join(row) for row in zip(*columns)]
    return "\n  UNION ALL ".join(f"SELECT {row}" for row in (first, *rows[1:]))


def _refuse_oversize(text: str, groups: Sequence[_Group], used: Dialect) -> None:
    if len(text.encode()) > (used.most_bytes or _MOST):
        raise CompileError(
            f"{groups[0].units[0].vector.id} alone makes a statement of {len(text.encode())} "
            f"bytes; {used.name} takes {used.most_bytes}: name it under literals.gaps"
        )
