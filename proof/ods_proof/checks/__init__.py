"""The twelve checks, in the order of the description, and what each rests on.

A check is a function from `Facts` to a `Finding`, or to None where the proof did not come so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
        found = self.find(facts)
        if found is None:
            why = "the proof did not come so far"
            return CheckDone(self.name, self.kind, self.severity, "not reached", why)
        status: CheckStatus = "passed" if found.passed else "failed"
        return CheckDone(self.name, self.kind, self.severity, status, found.summary, found.evidence)


def every() -> tuple[Check, ...]:
    """Return the eleven checks that run before the sandbox is deleted."""
    from . import data, governance

    return (
        Check("rows_match", "data", "every step has the generated row count", data.rows_match),
        Check(
            "schema_match",
            "data",
            "both Delta tables have the generated names and types",
            data.schema_match,
        ),
        Check(
            "fingerprints_match",
            "data",
            "every step's fingerprint equals the generated data's",
            data.fingerprints_match,
        ),
        Check(
            "rows_identical",
            "data",
            "the last read equals the generated data, row by row and bit by bit",
            data.rows_identical,
        ),
        Check(
            "declared_schema",
            "governance",
            "both tables match the declared column schema",
            governance.declared_schema,
        ),
        Check(
            "tags_carried",
            "governance",
            "the declared tags and descriptions are inside the Delta files",
            governance.tags_carried,
        ),
        Check(
            "sensitivity_floor",
            "governance",
            "no carried tag is weaker than declared, at any version",
            governance.sensitivity_floor,
        ),
        Check(
            "profile_no_leak",
            "governance",
            "profiles of confidential columns hold counts only, and no statistics quote them",
            governance.profile_no_leak,
        ),
        Check(
            "delta_protocol",
            "governance",
            "each engine read the other's protocol and table features",
            governance.delta_protocol,
        ),
        Check(
            "one_writer",
            "governance",
            "every commit on each table is by the expected engine",
            governance.one_writer,
        ),
        Check(
            "access_d11",
            "governance",
            "never yet: access enforcement on-prem is deferred",
            governance.access_d11,
            "warning",
        ),
    )


SANDBOX = Check(
    "sandbox_discarded",
    "governance",
    "the sandbox is empty afterwards",
    lambda _: None,
)
NAMES = (*(check.name for check in every()), SANDBOX.name)


def info(facts: Facts) -> Iterator[Json]:
    """Yield what a record says beside the checks: it never changes the verdict."""
    from . import beside

    return beside.every(facts)
