"""A fingerprint: the figures of one table, from a result row, to and from JSON (spec clause 8)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from ._version import VERSION
from .errors import FingerprintError, OdsError, ResultError
from .figures import Figure, FigureName, names, notes
from .schema import SPEC, Column, Schema, column_from_json, column_to_json, refuse_doubles
from .show import fingerprint_html, fingerprint_text
from .types import Float

Value: TypeAlias = int | float | None

MOST_PER_VALUE = (1 << 60) - 1
_COUNTS = ("rows", "nulls", "nan", "posinf", "neginf")
_OVERFLOWS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


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
        if self.rows < 0:
            raise FingerprintError(f"a table has no negative number of rows: {self.rows}")
        refuse_doubles(found.column.name for found in self.columns)
        for found in self.columns:
            _check(found, self.rows)

    @classmethod
    def from_json(cls, source: str) -> Fingerprint:
        """Read what `to_json` wrote; refuse an unknown version or a fingerprint that cannot be."""
        try:
            found = json.loads(source)
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
        parsed = parse(figure, value)
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


def parse(figure: Figure, value: object) -> Value:
    """Return one figure from what a driver or a text gave; refuse what may have lost digits (R3)."""
    where = f"{figure.column.name}: {figure.name}" if figure.column else figure.name
    if figure.name in ("min", "max", "sum"):
        return _float(value, where)
    whole = _whole(value, where)
    if whole is None:
        raise ResultError(f"{where} is empty; a count or a hash is never NULL")
    return whole


def _whole(value: object, where: str) -> int | None:
    if isinstance(value, bool) or isinstance(value, float):
        raise ResultError(
            f"{where} came as the {type(value).__name__} {value!r}: digits may be lost"
        )
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, int):
        return value
    text = str(value).strip()
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ResultError(f"{where} is {text!r}, not a whole number") from None
    if "e" in text.lower() and not isinstance(value, Decimal):
        raise ResultError(
            f"{where} is {text!r}: written with an exponent, it has lost digits; copy it as text"
        )
    if not number.is_finite() or number != number.to_integral_value():
        raise ResultError(f"{where} is {text!r}, not a whole number")
    return int(number)


def _float(value: object, where: str) -> float | None:
    if value is None or (isinstance(value, str) and value.strip() in ("", "NULL", "null")):
        return None
    if isinstance(value, (int, float, Decimal, str)) and not isinstance(value, bool):
        try:
            return float(value) + 0.0
        except (ValueError, OverflowError):
            pass
    raise ResultError(f"{where} is {value!r}, not a number")


def fingerprint_from(found: object) -> Fingerprint:
    """Return the fingerprint that parsed JSON holds."""
    if not isinstance(found, dict) or "spec" not in found:
        raise FingerprintError(
            f'a fingerprint as JSON is an object with "spec": "{SPEC}"; this is not'
        )
    if found["spec"] != SPEC:
        raise FingerprintError(
            f"fingerprint version {found['spec']!r} is not known here; known: {SPEC}"
        )
    columns = found.get("columns")
    if not isinstance(columns, list) or not _is_count(found.get("rows")):
        raise FingerprintError('a fingerprint has "rows", a whole number, and "columns", a list')
    try:
        return Fingerprint(
            found["rows"],
            tuple(_column_from(item) for item in columns),
            skipped=_texts(found, "skipped"),
            notes=_texts(found, "notes"),
            made_by=_made_by(found.get("made_by", {})),
        )
    except FingerprintError:
        raise
    except OdsError as fault:
        raise FingerprintError(f"not a fingerprint: {fault}") from None


def _column_from(item: object) -> ColumnFigures:
    column = column_from_json(item)
    given = item.get("figures") if isinstance(item, dict) else None
    expected = names(column.type)
    if not isinstance(given, dict) or set(given) != set(expected):
        raise FingerprintError(
            f"column {column.name} has the figures {', '.join(expected)}, no others"
        )
    figures = {name: _value_from(name, given[name], column.name) for name in expected}
    return ColumnFigures(column, figures)


def _value_from(name: FigureName, value: object, column: str) -> Value:
    where = f"column {column}: {name}"
    if name in ("min", "max", "sum"):
        if name == "sum" and isinstance(value, str) and value in _OVERFLOWS:
            return _OVERFLOWS[value]
        if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
            return _float(value, where)
        raise FingerprintError(f"{where} is {value!r}: a number, or null")
    if name == "hash":
        if isinstance(value, str) and value.isascii() and value.isdigit():
            return int(value)
        raise FingerprintError(f"{where} is {value!r}: a hash is a text of digits")
    if not _is_count(value):
        raise FingerprintError(f"{where} is {value!r}: a count is a whole number")
    assert isinstance(value, int)
    return value


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _texts(found: Mapping[str, object], key: str) -> tuple[str, ...]:
    items = found.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise FingerprintError(f'"{key}" is a list of texts')
    return tuple(items)


def _made_by(found: object) -> dict[str, str]:
    if not isinstance(found, dict):
        raise FingerprintError('"made_by" is an object')
    return {str(key): str(value) for key, value in found.items()}


def _column_json(found: ColumnFigures) -> dict[str, object]:
    figures = {name: value_json(name, found.figures[name]) for name in names(found.column.type)}
    return {**column_to_json(found.column), "figures": figures}


def value_json(name: FigureName, value: Value) -> object:
    """Return a figure as JSON carries it: a hash as text, an overflowed sum as text (R3, R18)."""
    if name == "hash":
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _check(found: ColumnFigures, rows: int) -> None:
    """Refuse figures that contradict each other, so that damage is never compared (clause 8)."""
    name, figures = found.column.name, found.figures
    values = rows - int(figures["nulls"] or 0)
    finite = found.finite(rows)
    if values < 0 or finite < 0 or any(int(figures[c] or 0) < 0 for c in figures if c in _COUNTS):
        raise FingerprintError(f"column {name}: its counts do not fit {rows} rows")
    hashed = figures.get("hash")
    if hashed is not None and not 0 <= hashed <= values * MOST_PER_VALUE:
        raise FingerprintError(f"column {name}: no {values} values have the hash {hashed}")
    if isinstance(found.column.type, Float):
        _check_float(name, finite, figures["min"], figures["max"], figures["sum"])


def _check_float(name: str, finite: int, low: Value, high: Value, total: Value) -> None:
    bounds = [value for value in (low, high, total) if value is not None]
    if len(bounds) != (3 if finite else 0):
        raise FingerprintError(
            f"column {name}: min, max and sum are there if and only if a value is finite ({finite} are)"
        )
    if low is None or high is None:
        return
    for figure, value in (("min", low), ("max", high)):
        if not math.isfinite(value):
            raise FingerprintError(f"column {name}: {figure} is {value}: not a finite figure")
    if low > high:
        raise FingerprintError(f"column {name}: min {low} is above max {high}")
