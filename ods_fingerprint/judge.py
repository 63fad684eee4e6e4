"""What an engine answered to the vectors, judged cell by cell (spec clauses 5, 9.9 and 14)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from . import figure_value, pasted
from .conform import VERSION_NAME, Cell, Conform, Gap
from .dialect import load
from .errors import ResultError
from .schema import SPEC
from .tolerance import sum_rule
from .vectors import Told, Vector

_MISSING = "missing"
# from here on the exact sum of doubles rounds to infinity (clause 5.10)
_OVERFLOW = Fraction(2**1024 - 2**970)


@dataclass(frozen=True, slots=True)
class Failure:
    """A figure of a vector that is not what the spec says; `expected` and `got` are for people."""

    vector: Vector
    figure: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """How an engine did: it conforms where nothing failed. `gaps` were not asked."""

    dialect: str
    asked: int
    failures: tuple[Failure, ...]
    gaps: tuple[Gap, ...]
    engine_version: str | None = None

    def __bool__(self) -> bool:
        """Return whether every vector that was asked passed."""
        return not self.failures

    @property
    def failed(self) -> tuple[Vector, ...]:
        """The vectors that failed, each once."""
        return tuple({one.vector.id: one.vector for one in self.failures}.values())

    @property
    def evidence(self) -> str | None:
        """The line for `[evidence]` of the file, where all passed and the version is known."""
        if self.failures or self.engine_version is None:
            return None
        known = dict.fromkeys((*load(self.dialect).evidence, self.engine_version))
        return f"versions = {json.dumps(list(known))}"

    def __str__(self) -> str:
        """Return the judgement for a person: every failed vector, its clause and its bug."""
        lines = [
            f"dialect {self.dialect}: {self.asked - len(self.failed)} of {self.asked} vectors "
            f"passed, {len(self.failed)} failed, {len(self.gaps)} cannot be expressed"
        ]
        for vector in self.failed:
            lines.append(f"FAILED {vector.id}, clause {vector.clause}: {vector.hunts}")
            lines += [
                f"  {one.figure}: expected {one.expected}, got {one.got}"
                for one in self.failures
                if one.vector.id == vector.id
            ]
        return "\n".join([*lines, *gap_lines(self.gaps)])

    def to_json(self) -> str:
        """Return the judgement as JSON."""
        form = {
            "spec": SPEC,
            "dialect": self.dialect,
            "engine_version": self.engine_version,
            "asked": self.asked,
            "passed": self.asked - len(self.failed),
            "failed": [
                {
                    **_named(one.vector),
                    "figure": one.figure,
                    "expected": one.expected,
                    "got": one.got,
                }
                for one in self.failures
            ],
            "not_expressed": gaps_json(self.gaps),
        }
        return json.dumps(form, indent=1) + "\n"


def gap_lines(gaps: Iterable[Gap]) -> list[str]:
    """Return a line for each reason for which vectors are not asked, with all their names."""
    by_reason: dict[str, list[str]] = {}
    for gap in gaps:
        by_reason.setdefault(gap.why, []).append(gap.vector.id)
    return [
        f"not expressed ({len(ids)}), {why}: {', '.join(ids)}" for why, ids in by_reason.items()
    ]


def gaps_json(gaps: Iterable[Gap]) -> list[dict[str, str]]:
    """Return the vectors that are not asked, each with the reason."""
    return [{**_named(gap.vector), "why": gap.why} for gap in gaps]


def _named(vector: Vector) -> dict[str, str]:
    return {"vector": vector.id, "clause": vector.clause, "hunts": vector.hunts}


def judge_texts(asked: Conform, texts: Sequence[str]) -> Judgement:
    """Judge result rows as tools save or copy them: CSV, TSV, JSON; one row of each statement."""
    return judge(asked, [row for text in texts for row in pasted.figures(text)])


def judge(asked: Conform, rows: Sequence[Mapping[str, object]]) -> Judgement:
    """Judge the rows that came back, one of each statement, matched by name whatever its case.

    A cell that is missing fails its vector; a cell that was not asked for is an error.
    """
    cells = [cell for question in asked.questions for cell in question.cells]
    given = _given(rows, {cell.name.lower() for cell in cells})
    failures = [found for cell in cells if (found := _fault(cell, given)) is not None]
    version = given.get(VERSION_NAME)
    return Judgement(
        asked.dialect,
        len(asked.vectors),
        tuple(failures),
        asked.gaps,
        None if version is None or not asked.whole else str(version).strip(),
    )


def _given(rows: Sequence[Mapping[str, object]], wanted: set[str]) -> dict[str, object]:
    if not rows:
        raise ResultError("there is no row: a header alone is no answer")
    given: dict[str, object] = {}
    unknown: list[str] = []
    for row in rows:
        for name, value in row.items():
            key = name.strip().lower()
            if key == VERSION_NAME:
                given.setdefault(key, value)
            elif key not in wanted:
                unknown.append(name)
            elif key in given:
                raise ResultError(f"{name} is there twice: one row of each statement was expected")
            else:
                given[key] = value
    if unknown:
        shown = ", ".join(unknown[:5]) + (f" and {len(unknown) - 5} more" if unknown[5:] else "")
        raise ResultError(
            f"the row holds {shown}, which the statement has not: "
            "was it made by this version, for this dialect?"
        )
    return given


def _fault(cell: Cell, given: Mapping[str, object]) -> Failure | None:
    name, expected = cell.name.lower(), str(cell.answer)
    if name not in given:
        return Failure(cell.vector, cell.figure.name, expected, _MISSING)
    try:
        got = figure_value.parse(cell.figure, given[name])
    except ResultError as error:
        return Failure(cell.vector, cell.figure.name, expected, f"no figure: {error}")
    if cell.figure.name == "sum" and cell.told:
        right = _right_sum(cell.told, cell.answer, got)
    else:
        right = got == cell.answer
    return None if right else Failure(cell.vector, cell.figure.name, expected, str(got))


def _right_sum(told: Told, answer: float | None, got: float | None) -> bool:
    """Return whether adding doubles in some order may give this sum."""
    if answer is None or got is None:
        return answer is got
    given = [float.fromhex(str(value)) for value in told.values if value is not None]
    finite = [value for value in given if math.isfinite(value)]
    if not math.isfinite(got):
        return _may_overflow(finite)
    if not math.isfinite(answer):
        return False
    largest = max(abs(value) for value in finite)
    return sum_rule(answer, got, len(finite), largest) is not None


def _may_overflow(finite: Sequence[float]) -> bool:
    """Return whether a running sum passes the largest double in some order (clause 9.8)."""
    ups = sum(Fraction(value) for value in finite if value > 0)
    downs = sum(Fraction(-value) for value in finite if value < 0)
    return max(ups, downs) >= _OVERFLOW
