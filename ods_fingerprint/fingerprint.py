"""A fingerprint: the figures of one table, from a result row, to and from JSON (spec clause 8)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from . import figure_value, json_text
from ._version import VERSION
from .errors import FingerprintError, OdsError, ResultError, brief
from .figures import Figure, FigureName, names, notes, refuse
from .json_value import is_list, is_object, is_texts
from .schema import SPEC, Column, Schema, column_from_json, column_to_json, refuse_doubles
from .show import fingerprint_html, fingerprint_text
from .types import Float

Value: TypeAlias = int | float | None

MOST_ROWS = (1 << 127) - 1
MOST_PER_VALUE = (1 << 60) - 1
_COUNTS = ("nulls", "nan", "posinf", "neginf")
_EDGES = ("min", "max", "sum")
_KEYS = ("spec", "rows", "columns", "skipped", "notes", "made_by")
_AS_IF_ABSENT = (("unit", "us"),)


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """The figures of one column: counts and `hash` as int, min, max and sum as float or None."""

    column: Column
    figures: Mapping[FigureName, Value]

    def finite(self, rows: int) -> int:
        """Return how many of the column's values are finite numbers."""
        counts = (self.figures[name] or 0 for name in names(self.column.type) if name in _COUNTS)
        return rows - int(sum(counts))


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a table holds, in one row of numbers; columns in the table's order.

    `skipped` names the columns that were left out on request. `made_by` takes part in nothing.
    """

    rows: int
    columns: tuple[ColumnFigures, ...]
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    made_by: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)

    def __post_init__(self) -> None:
        if not figure_value.is_count(self.rows) or self.rows > MOST_ROWS:
            raise FingerprintError(f"a table has 0 to 2^127-1 rows, not {brief(self.rows)}")
        refuse_doubles([*(found.column.name for found in self.columns), *self.skipped])
        refuse(Schema(tuple(found.column for found in self.columns)))
        for found in self.columns:
            _check(found, self.rows)

    @classmethod
    def from_json(cls, source: str) -> Fingerprint:
        """Read what `to_json` wrote; refuse an unknown version or a fingerprint that cannot be."""
        try:
            found = json_text.parse(source)
        except ValueError as error:
            raise FingerprintError(f"a fingerprint is JSON; this is not: {error}") from None
        return fingerprint_from(found)

    def to_json(self) -> str:
        """Return the fingerprint as JSON, one column a line; the same text for the same input."""
        columns = ",\n  ".join(json.dumps(_column_json(found)) for found in self.columns)
        lines = [f'{{"spec": "{SPEC}", "rows": {self.rows},\n "columns": [\n  {columns}]']
        for key, value in (
            ("skipped", list(self.skipped)),
            ("notes", list(self.notes)),
            ("made_by", dict(self.made_by)),
        ):
            if value:
                lines.append(f' "{key}": {json.dumps(value)}')
        return ",\n".join(lines) + "}\n"

    def __str__(self) -> str:
        return fingerprint_text(self)

    def _repr_html_(self) -> str:
        return fingerprint_html(self)


def from_values(figures: Sequence[Figure], values: Sequence[object]) -> Fingerprint:
    """Return the fingerprint that a result row holds, its values in the order of `figures`."""
    if len(figures) != len(values):
        raise ResultError(f"a row of {len(figures)} figures was asked for, {len(values)} came back")
    rows = 0
    columns: dict[str, tuple[Column, dict[FigureName, Value]]] = {}
    for figure, value in zip(figures, values):
        parsed = figure_value.parse(figure, value)
        if figure.column is None:
            rows = int(parsed or 0)
        else:
            column = figure.column
            columns.setdefault(column.name, (column, {}))[1][figure.name] = parsed
    found = tuple(ColumnFigures(column, given) for column, given in columns.values())
    return Fingerprint(rows, found, notes=tuple(notes(c for c, _ in columns.values())))


def joined(
    parts: Sequence[Fingerprint], whole: Schema, chosen: Schema, made_by: Mapping[str, str]
) -> Fingerprint:
    """Return one fingerprint from those of its statements, which must have seen as many rows."""
    counts = {part.rows for part in parts}
    if len(counts) != 1:
        seen = ", ".join(str(part.rows) for part in parts)
        raise ResultError(f"the parts of one fingerprint saw different tables: {seen} rows")
    kept = {column.name for column in chosen.columns}
    return Fingerprint(
        counts.pop(),
        tuple(found for part in parts for found in part.columns),
        skipped=tuple(column.name for column in whole.columns if column.name not in kept),
        notes=tuple(note for part in parts for note in part.notes),
        made_by={**made_by, "library": VERSION},
    )


def fingerprint_from(found: object) -> Fingerprint:
    """Return the fingerprint that parsed JSON holds."""
    if not is_object(found) or "spec" not in found:
        raise FingerprintError(
            f'a fingerprint as JSON is an object with "spec": "{SPEC}"; this is not'
        )
    if found["spec"] != SPEC:
        raise FingerprintError(
            f"fingerprint version {brief(found['spec'])} is not known here; known: {SPEC}"
        )
    unknown = [repr(key) for key in found if key not in _KEYS]
    if unknown:
        raise FingerprintError(f"a fingerprint of {SPEC} has no {', '.join(unknown)}")
    try:
        return _fingerprint(found)
    except FingerprintError:
        raise
    except OdsError as fault:
        raise FingerprintError(f"not a fingerprint: {fault}") from None


def _fingerprint(found: Mapping[str, object]) -> Fingerprint:
    rows, columns = found.get("rows"), found.get("columns")
    if not isinstance(rows, int) or not is_list(columns):
        raise FingerprintError('a fingerprint has "rows", a whole number, and "columns", a list')
    return Fingerprint(
        rows,
        tuple(_column_from(item) for item in columns),
        skipped=_texts(found, "skipped"),
        notes=_texts(found, "notes"),
        made_by=_made_by(found.get("made_by", {})),
    )


def _column_from(item: object) -> ColumnFigures:
    column = column_from_json(item)
    form = item if is_object(item) else {}
    stated = {k: v for k, v in form.items() if k != "figures" and (k, v) not in _AS_IF_ABSENT}
    kept = column_to_json(column)
    if stated != kept:
        raise FingerprintError(
            f"column {column.name}: {SPEC} writes it as {json.dumps(kept)}, "
            f"not {json.dumps(stated)}"
        )
    given = form.get("figures")
    if not is_object(given):
        raise FingerprintError(f'column {column.name} has "figures", an object')
    _check_names(column, given)
    figures: dict[FigureName, Value] = {
        name: figure_value.from_json(name, given[name], column.name) for name in names(column.type)
    }
    return ColumnFigures(column, figures)


def _texts(found: Mapping[str, object], key: str) -> tuple[str, ...]:
    items = found.get(key, [])
    if not is_texts(items):
        raise FingerprintError(f'"{key}" is a list of texts, not {brief(items)}')
    return tuple(items)


def _made_by(found: object) -> dict[str, str]:
    if not is_object(found):
        raise FingerprintError('"made_by" is an object')
    return {key: str(value) for key, value in found.items()}


def _column_json(found: ColumnFigures) -> dict[str, object]:
    figures = {
        name: figure_value.to_json(name, found.figures[name]) for name in names(found.column.type)
    }
    return {**column_to_json(found.column), "figures": figures}


def _check(found: ColumnFigures, rows: int) -> None:
    """Refuse figures that contradict each other, so that damage is never compared (clause 8)."""
    name, figures = found.column.name, found.figures
    _check_names(found.column, figures)
    for figure in names(found.column.type):
        if figure not in _EDGES and not figure_value.is_count(figures[figure]):
            raise FingerprintError(
                f"column {name}: {figure} is {brief(figures[figure])}, not a whole number from 0 on"
            )
    values, finite = rows - int(figures["nulls"] or 0), found.finite(rows)
    if values < 0 or finite < 0:
        raise FingerprintError(f"column {name}: its counts do not fit {rows} rows")
    hashed = figures.get("hash")
    if hashed is not None and hashed > values * MOST_PER_VALUE:
        raise FingerprintError(f"column {name}: no {values} values have the hash {hashed}")
    if isinstance(found.column.type, Float):
        _check_float(name, finite, figures["min"], figures["max"], figures["sum"])


def _check_names(column: Column, given: Iterable[str]) -> None:
    expected = names(column.type)
    if set(given) != set(expected):
        raise FingerprintError(
            f"column {column.name} has the figures {', '.join(expected)}, no others"
        )


def _check_float(name: str, finite: int, low: Value, high: Value, total: Value) -> None:
    edges = [value for value in (low, high, total) if value is not None]
    if len(edges) != (3 if finite else 0) or not all(isinstance(edge, float) for edge in edges):
        raise FingerprintError(
            f"column {name}: min, max and sum are floats where a value is finite, else none "
            f"({finite} are finite; they are {low!r}, {high!r}, {total!r})"
        )
    if low is None or high is None:
        return
    for figure, value in (("min", low), ("max", high)):
        if not math.isfinite(value):
            raise FingerprintError(f"column {name}: {figure} is {value}: not a finite figure")
    if low > high:
        raise FingerprintError(f"column {name}: min {low} is above max {high}")
