"""A proof in words, as its page shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, TypeAlias

from .. import checks
from ..events import STEPS
from .sheet import Order, Sheet, State

Json: TypeAlias = "Mapping[str, Any]"
_ENGINES = {
    "polars": "Polars",
    "pandas": "pandas",
    "pyarrow": "PyArrow",
    "duckdb": "DuckDB",
    "spark": "Spark",
    "platform": "the platform",
}
MARKS = {
    "passed": "✓",
    "done": "✓",
    "failed": "✗",
    "broken": "✗",
    "lost": "✗",
    "warning": "!",
    "refused": "–",
    "cancelled": "–",
    "running": "…",
    "starting": "…",
    "queued": "…",
    "waiting": "·",
    "not reached": "·",
    "note": "·",
}
_STATES: Mapping[State, str] = {
    "queued": "Queued",
    "starting": "Starting",
    "running": "Running",
    "passed": "Passed",
    "failed": "Failed",
    "broken": "Broken",
    "cancelled": "Cancelled",
    "lost": "Worker lost",
}
_EVIDENCE = 20_000
_PASSES = {check.name: check.passes_when for check in (*checks.EVERY, checks.SANDBOX)}
_KINDS = {check.name: check.kind for check in (*checks.EVERY, checks.SANDBOX)}


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the page."""

    name: str
    title: str
    engine: str
    status: str
    mark: str
    said: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Check:
    """A check on the page; `status` is also warning (a known gap) or waiting."""

    name: str
    kind: str
    status: str
    word: str
    mark: str
    passes_when: str
    summary: str
    evidence: str | None


def engine(name: str) -> str:
    """Return an engine's name as its makers write it."""
    return _ENGINES.get(name, name)


def title(order: Order) -> str:
    """Return a proof's title."""
    first, second = engine(order.first), engine(order.second)
    return f"{first} → {second} → {first}"


def state(sheet: Sheet) -> str:
    """Return the state as a word."""
    return _STATES[sheet.state]


def step_titles(order: Order) -> dict[str, str]:
    """Return what each step of a proof is."""
    first, second = engine(order.first), engine(order.second)
    return {
        "generated": "Generated",
        "first_wrote": f"{first} wrote",
        "second_read": f"{second} read",
        "second_wrote": f"{second} wrote",
        "first_read_back": f"{first} read back",
    }


def steps(sheet: Sheet) -> Iterator[Step]:
    """Yield all five steps, also those that are not there yet."""
    found = {step["step"]: step for step in sheet.steps}
    titles = step_titles(sheet.order)
    for name in STEPS:
        if name in found:
            yield _step(found[name], titles[name])
        else:
            status = "running" if name == sheet.running else "waiting"
            status = "not reached" if sheet.ended else status
            yield Step(name, titles[name], "", status, MARKS[status], "", None)


def _step(found: Json, named: str) -> Step:
    status = found["status"]
    rows = f"{found['fingerprint']['rows']} rows" if found["fingerprint"] else ""
    said = found["error"] or rows
    seconds = found["seconds"] if status in ("done", "failed") else None
    return Step(found["step"], named, found["engine"], status, MARKS[status], said, seconds)


def check_groups(sheet: Sheet) -> dict[str, list[Check]]:
    """Return all twelve checks by kind, in the order of the description."""
    found = {check["name"]: check for check in sheet.checks}
    groups: dict[str, list[Check]] = {"data": [], "governance": []}
    for name in dict.fromkeys((*checks.NAMES, *found)):
        shown = _check(found[name]) if name in found else _waiting(name, sheet.ended)
        groups.setdefault(shown.kind, []).append(shown)
    return groups


def _check(found: Json) -> Check:
    gap = found["severity"] == "warning" and found["status"] != "passed"
    status = "warning" if gap else found["status"]
    return Check(
        found["name"],
        found["kind"],
        status,
        "known gap" if gap else status,
        MARKS[status],
        _PASSES.get(found["name"], ""),
        found["summary"],
        _evidence(found["evidence"]),
    )


def _waiting(name: str, ended: bool) -> Check:
    status = "not reached" if ended else "waiting"
    return Check(name, _KINDS[name], status, status, MARKS[status], _PASSES[name], "", None)


def _evidence(found: Json) -> str | None:
    if not found:
        return None
    text = json.dumps(found, indent=1, ensure_ascii=False)
    if len(text) <= _EVIDENCE:
        return text
    return f"{text[:_EVIDENCE]}\n… {len(text) - _EVIDENCE} more characters: the record has them"


def status(sheet: Sheet) -> str:
    """Return the one line that says how a proof stands."""
    match sheet.state:
        case "queued":
            return f"Queued: {_ahead(sheet.ahead)}"
        case "starting":
            return "Starting: its process is being started"
        case "running":
            return f"Running: {_at(sheet)}"
        case "passed" | "failed" | "broken":
            return f"{_STATES[sheet.state]}: {sheet.why or _verdict(sheet)}"
        case "cancelled" | "lost":
            return _STATES[sheet.state] + (f": {sheet.why}" if sheet.why else "")


def _ahead(count: int) -> str:
    match count:
        case 0:
            return "it is next"
        case 1:
            return "1 proof is ahead of it"
        case _:
            return f"{count} proofs are ahead of it"


def _at(sheet: Sheet) -> str:
    if sheet.running:
        number = len(sheet.steps) + 1
        return f"step {number} of {len(STEPS)}, {step_titles(sheet.order)[sheet.running]}"
    return f"check {min(len(sheet.checks) + 1, len(checks.NAMES))} of {len(checks.NAMES)}"


def _verdict(sheet: Sheet) -> str:
    errors = [check for check in sheet.checks if check["severity"] == "error"]
    failed = [check["name"] for check in errors if check["status"] == "failed"]
    unreached = [check["name"] for check in errors if check["status"] == "not reached"]
    said = []
    if failed:
        said.append(f"{', '.join(failed)} failed")
    stopped = [step for step in sheet.steps if step["status"] in ("failed", "refused")]
    if stopped and sheet.state == "broken":
        name = stopped[0]["step"]
        said.append(f"stopped at {step_titles(sheet.order).get(name, name)}")
    if unreached:
        said.append(f"{len(unreached)} of {len(errors)} checks were not reached")
    return "; ".join(said) or f"all {len(errors)} checks that can fail a proof passed"


def proves(first: str, second: str) -> str:
    """Return what a pair proves, by the Delta implementations of its engines."""
    if first == second:
        return f"Both are on {first}: this checks the engines more than the format."
    return f"{first} and {second} read each other's tables: this proves more than a pair on one."


def moment(at: float) -> datetime:
    """Return a time as UTC, to the second."""
    return datetime.fromtimestamp(int(at), timezone.utc)


def lasted(seconds: float | None) -> str:
    """Return a duration for people."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"
