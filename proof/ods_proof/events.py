"""What happens in a proof, as frozen values in the order of happening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import ods_fingerprint as ods

StepName = Literal["generated", "first_wrote", "second_read", "second_wrote", "first_read_back"]
StepStatus = Literal["done", "failed", "refused", "not reached"]
CheckStatus = Literal["passed", "failed", "not reached"]
Kind = Literal["data", "governance"]
Severity = Literal["error", "warning"]
Verdict = Literal["passed", "failed", "broken"]
Evidence: TypeAlias = "Mapping[str, Any]"

STEPS: tuple[StepName, ...] = (
    "generated",
    "first_wrote",
    "second_read",
    "second_wrote",
    "first_read_back",
)


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step begins in its own process."""

    step: StepName
    engine: str


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step's end: its fingerprint, or why there is none.

    `schema` holds the types that the engine returned, by column.
    """

    step: StepName
    engine: str
    status: StepStatus
    seconds: float = 0.0
    fingerprint: ods.Fingerprint | None = None
    own_fingerprint: ods.Fingerprint | None = None
    error: str | None = None
    schema: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckDone:
    """The result of one check, with what it rests on."""

    name: str
    kind: Kind
    severity: Severity
    status: CheckStatus
    summary: str
    evidence: Evidence = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a proof: its verdict, and its record as JSON values."""

    verdict: Verdict
    record: Mapping[str, Any]


Event: TypeAlias = StepStarted | StepDone | CheckDone | Finished
