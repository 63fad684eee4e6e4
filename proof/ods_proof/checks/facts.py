"""What the checks of a proof rest on, and what a check is.

A check is a function from `Facts` to a `Finding`, or to None where the proof did not come so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..contract import Contract
from ..delta_table import Log
from ..engines import About
from ..events import CheckDone, CheckStatus, Evidence, Kind, Severity, StepDone, StepName

Side = Literal["first", "second"]
Json: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known of a proof when its checks run.

    `logs` and `files` hold a side once its table is written; `rows` is the report on the last read.
    """

    proof: str
    rows: int
    contract: Contract
    marker: str
    engines: Mapping[Side, About]
    steps: Mapping[StepName, StepDone]
    read_only: str | None = None
    logs: Mapping[Side, Log] = field(default_factory=dict)
    files: Mapping[Side, list[Json]] = field(default_factory=dict)
    profiles: Mapping[Side, list[Json]] = field(default_factory=dict)
    compared: Json | None = None

    def done(self) -> dict[StepName, StepDone]:
        """Return the steps that came to their end."""
        return {name: step for name, step in self.steps.items() if step.status == "done"}

    def whole(self) -> bool:
        """Return whether every step was done, or refused as was foreseen."""
        expected = 3 if self.read_only else 5
        return len(self.done()) == expected

    def tables(self) -> tuple[Side, ...]:
        """Return the sides whose table must be there."""
        return ("first",) if self.read_only else ("first", "second")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: whether it passed, in one line, and the evidence."""

    passed: bool
    summary: str
    evidence: Evidence = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """A check: what "passes" means, and the function that decides it."""

    name: str
    kind: Kind
    passes_when: str
    find: Callable[[Facts], Finding | None]
    severity: Severity = "error"

    def done(self, facts: Facts) -> CheckDone:
        """Return its result on the facts of a proof."""
        return self.told(self.find(facts))

    def told(self, found: Finding | None) -> CheckDone:
        """Return a finding as this check's result; None is one that was not reached."""
        if found is None:
            why = "the proof did not come so far"
            return CheckDone(self.name, self.kind, self.severity, "not reached", why)
        status: CheckStatus = "passed" if found.passed else "failed"
        return CheckDone(self.name, self.kind, self.severity, status, found.summary, found.evidence)
