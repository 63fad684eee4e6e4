"""What the portal knows of one proof: the order for it, and how far it has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ..events import STEPS

Json: TypeAlias = "Mapping[str, Any]"
State = Literal["queued", "starting", "running", "passed", "failed", "broken", "cancelled", "lost"]
ENDED: frozenset[State] = frozenset({"passed", "failed", "broken", "cancelled", "lost"})


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for, by whom and when (seconds since 1970)."""

    id: str
    first: str
    second: str
    rows: int
    seed: int
    started_by: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A proof as it stands: steps, checks and info are objects of the record.

    `ahead` counts the proofs before a queued one; `why` is said beside a state; `link` leads to
    the run elsewhere; one that is `stuck` is lost, but holds up the queue until it is cancelled.
    """

    order: Order
    state: State
    steps: tuple[Json, ...] = ()
    checks: tuple[Json, ...] = ()
    info: tuple[Json, ...] = ()
    record: Json | None = None
    why: str | None = None
    ahead: int = 0
    seconds: float | None = None
    link: str | None = None
    stuck: bool = False

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen."""
        return self.state in ENDED

    @property
    def running(self) -> str | None:
        """Return the step that runs."""
        if self.state != "running" or len(self.steps) == len(STEPS):
            return None
        return STEPS[len(self.steps)]

    def brief(self) -> Sheet:
        """Return it without its steps, checks and record, for a list."""
        return replace(self, steps=(), checks=(), info=(), record=None)


def of_record(order: Order, record: Json, seconds: float | None = None) -> Sheet:
    """Return the sheet of a finished proof."""
    return Sheet(
        order,
        record["verdict"],
        _objects(record["steps"]),
        _objects(record["checks"]),
        _objects(record["info"]),
        record,
        None,
        0,
        seconds,
    )


def _objects(found: Sequence[Json]) -> tuple[Json, ...]:
    return tuple(found)
