"""Two fingerprints, to a verdict with named differences (spec clause 9)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from . import figure_value
from .errors import FingerprintError, SchemaError
from .figures import FigureName, names, why_uncovered
from .fingerprint import ColumnFigures, Fingerprint
from .schema import SPEC, refuse_doubles
from .show import comparison_html, comparison_text
from .tolerance import sum_rule
from .types import Decimal, String, Timestamp, Type, family, text

Verdict: TypeAlias = Literal["equal", "equal, partial", "different"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure that differs. `column` is None for a figure of the table; `a`, `b` as in JSON."""

    column: str | None
    figure: str
    a: object
    b: object


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader must know about one column: why it is not covered, or a note."""

    column: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on two fingerprints. True in an `if` only where the verdict is `equal`."""

    differences: tuple[Difference, ...]
    uncovered: tuple[Remark, ...]
    skipped: tuple[str, ...]
    notes: tuple[Remark, ...]

    @property
    def verdict(self) -> Verdict:
        """Return `equal`, `equal, partial` or `different` (R24)."""
        if self.differences:
            return "different"
        return "equal, partial" if self.uncovered else "equal"

    def __bool__(self) -> bool:
        return self.verdict == "equal"

    def to_json(self) -> str:
        """Return the comparison as JSON; the same text for the same input."""
        form = {
            "spec": SPEC,
            "verdict": self.verdict,
            "differences": [
                {"column": d.column, "figure": d.figure, "a": d.a, "b": d.b}
                for d in self.differences
            ],
            "uncovered": [{"column": r.column, "why": r.text} for r in self.uncovered],
            "skipped": list(self.skipped),
            "notes": [{"column": r.column, "note": r.text} for r in self.notes],
        }
        return json.dumps(form, indent=1, allow_nan=False) + "\n"

    def __str__(self) -> str:
        return comparison_text(self)

    def _repr_html_(self) -> str:
        return comparison_html(self)


def compare(
    a: Fingerprint,
    b: Fingerprint,
    *,
    rename: Mapping[str, str] | None = None,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
) -> Comparison:
    """Compare two fingerprints, columns by name whatever their case and order.

    `rename` maps names of `a` to names of `b`. `columns` keeps only these, `skip` leaves these out
    (names of `b`): what they leave out is listed as skipped and does not make the verdict partial.
    """
    _refuse_other(a)
    _refuse_other(b)
    a = _renamed(a, rename or {})
    kept, skipped = _selected(a, b, columns, skip)
    ours, theirs = _by_name(a.columns), _by_name(b.columns)
    left_out = _left_out(a, b)
    differences: list[Difference] = []
    uncovered: list[Remark] = []
    notes: list[Remark] = []
    if a.rows != b.rows:
        differences.append(Difference(None, "rows", a.rows, b.rows))
    for key, name in kept.items():
        if key in left_out:
            uncovered.append(Remark(name, left_out[key]))
        elif key in ours and key in theirs:
            found = _Pair(name, ours[key], theirs[key], a.rows, b.rows)
            differences += found.differences()
            uncovered += found.uncovered()
            notes += found.notes()
        else:
            differences.append(_missing(name, ours.get(key), theirs.get(key)))
    return Comparison(tuple(differences), tuple(uncovered), tuple(skipped), tuple(notes))


def _refuse_other(given: object) -> None:
    if not isinstance(given, Fingerprint):
        raise FingerprintError(
            f"a {type(given).__name__} is no fingerprint: compare(compute(a), compute(b)), "
            "or Fingerprint.from_json(text)"
        )


def _renamed(a: Fingerprint, rename: Mapping[str, str]) -> Fingerprint:
    wanted = {old.lower(): new for old, new in rename.items()}
    if len(wanted) < len(rename):
        raise SchemaError(f"rename: two new names for one column: {', '.join(rename)}")
    unknown = [old for old in rename if old.lower() not in _names(a)]
    if unknown:
        raise SchemaError(f"rename: the first side has no column {', '.join(unknown)}")
    columns = tuple(
        replace(
            found,
            column=replace(
                found.column, name=wanted.get(found.column.name.lower(), found.column.name)
            ),
        )
        for found in a.columns
    )
    skipped = tuple(wanted.get(name.lower(), name) for name in a.skipped)
    refuse_doubles([*(found.column.name for found in columns), *skipped])
    return replace(a, columns=columns, skipped=skipped)


def _names(side: Fingerprint) -> dict[str, str]:
    """Return every column that a side knows of, also those that it left out: lower case → name."""
    names = [*(found.column.name for found in side.columns), *side.skipped]
    return {name.lower(): name for name in names}


def _by_name(columns: Iterable[ColumnFigures]) -> dict[str, ColumnFigures]:
    return {found.column.name.lower(): found for found in columns}


def _selected(
    a: Fingerprint, b: Fingerprint, columns: Sequence[str] | None, skip: Sequence[str]
) -> tuple[dict[str, str], list[str]]:
    """Return the columns to compare (lower case → name) and the names of those left out."""
    known = {**_names(b), **_names(a)}
    order = dict.fromkeys([*_names(a), *_names(b)])
    unknown = [name for name in (*(columns or ()), *skip) if name.lower() not in known]
    if unknown:
        raise SchemaError(
            f"no column {', '.join(unknown)} on either side; there are: {', '.join(known.values())}"
        )
    wanted = {name.lower() for name in columns} if columns is not None else set(order)
    wanted -= {name.lower() for name in skip}
    if not wanted and order:
        raise SchemaError("no column is left to compare")
    kept = {key: known[key] for key in order if key in wanted}
    return kept, [known[key] for key in order if key not in wanted]


def _left_out(a: Fingerprint, b: Fingerprint) -> dict[str, str]:
    """Return why a column has no figures on a side: lower case → reason. It is no difference."""
    without_a, without_b = ({name.lower() for name in side.skipped} for side in (a, b))
    sides = {**dict.fromkeys(without_a, "A"), **dict.fromkeys(without_b, "B")}
    sides.update(dict.fromkeys(without_a & without_b, "both"))
    return {key: f"left out of {side}" for key, side in sides.items()}


def _missing(name: str, ours: ColumnFigures | None, theirs: ColumnFigures | None) -> Difference:
    a = text(ours.column.type) if ours else None
    return Difference(name, "missing", a, text(theirs.column.type) if theirs else None)


@dataclass(frozen=True, slots=True)
class _Pair:
    """One column on both sides."""

    name: str
    a: ColumnFigures
    b: ColumnFigures
    rows_a: int
    rows_b: int

    def same_type(self) -> bool:
        one, other = self.a.column.type, self.b.column.type
        return family(one) == family(other) and _scale(one) == _scale(other)

    def differences(self) -> Iterator[Difference]:
        """Yield the figures that differ; of columns of unlike types, the type and the nulls."""
        if not self.same_type():
            yield Difference(self.name, "type", text(self.a.column.type), text(self.b.column.type))
        compared = names(self.a.column.type) if self.same_type() else ("nulls",)
        for figure in compared:
            one, other = self.a.figures[figure], self.b.figures[figure]
            differs = not self._sums_equal() if figure == "sum" else one != other
            if differs:
                yield Difference(
                    self.name,
                    figure,
                    figure_value.to_json(figure, one),
                    figure_value.to_json(figure, other),
                )

    def uncovered(self) -> Iterator[Remark]:
        """Yield why the column is not covered in full."""
        if not self.same_type():
            return
        why = why_uncovered(self.a.column.type) or why_uncovered(self.b.column.type)
        if why:
            yield Remark(self.name, why)
        if self._overflowed():
            yield Remark(self.name, "sum overflowed: undetermined")

    def notes(self) -> Iterator[Remark]:
        """Yield what the comparison cannot see, and which tolerance made sums equal."""
        if not self.same_type():
            return
        found = [*_type_notes(self.a.column.type, self.b.column.type), *self._sum_notes()]
        found += [column.note for column in (self.a.column, self.b.column) if column.note]
        yield from (Remark(self.name, note) for note in dict.fromkeys(found))

    def _sums(self) -> tuple[float, float] | None:
        one, other = self.a.figures.get("sum"), self.b.figures.get("sum")
        return None if one is None or other is None else (float(one), float(other))

    def _overflowed(self) -> bool:
        sums = self._sums()
        return sums is not None and not all(map(math.isfinite, sums))

    def _sums_equal(self) -> bool:
        sums = self._sums()
        if sums is None:
            return self.a.figures["sum"] is self.b.figures["sum"] is None
        return self._overflowed() or sum_rule(*sums, *self._bounds()) is not None

    def _bounds(self) -> tuple[int, float]:
        """Return the larger number of finite rows, and the largest magnitude, of both sides."""
        edges = [side.figures[key] or 0.0 for side in (self.a, self.b) for key in _EDGES]
        finite = max(self.a.finite(self.rows_a), self.b.finite(self.rows_b))
        return finite, max(abs(edge) for edge in edges)

    def _sum_notes(self) -> Iterator[str]:
        sums = self._sums()
        rule = sum_rule(*sums, *self._bounds()) if sums and not self._overflowed() else None
        if rule:
            yield rule


_EDGES: tuple[FigureName, ...] = ("min", "max")


def _type_notes(a: Type, b: Type) -> Iterator[str]:
    match (a, b):
        case (Timestamp(), Timestamp()):
            yield from _timestamp_notes(a, b)
        case (String(), String()):
            lengths = sorted({side.length for side in (a, b) if side.length is not None})
            if lengths:
                shown = " against ".join(f"CHAR({length})" for length in lengths)
                yield f"{shown}: some engines pad it, which makes the same value differ"
            collations = sorted({side.collation for side in (a, b) if side.collation is not None})
            if collations:
                yield f"collation {' against '.join(collations)} is ignored: bytes are compared"
        case _:
            pass


def _timestamp_notes(a: Timestamp, b: Timestamp) -> Iterator[str]:
    if a.zoned != b.zoned:
        yield f"{text(a)} against {text(b)}: equal microseconds count as equal"
    elif a.zone != b.zone and a.zone and b.zone:
        yield f"zone {a.zone} against {b.zone}: only the instants are compared"
    if "ns" in (a.unit, b.unit):
        yield "digits below a microsecond are not compared"


def _scale(kind: Type) -> int:
    return kind.scale if isinstance(kind, Decimal) else 0
