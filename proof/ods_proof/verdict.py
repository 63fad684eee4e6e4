"""The record of a proof as JSON values, and its verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import ods_fingerprint as ods

from .events import CheckDone, StepDone, Verdict

Json: TypeAlias = "dict[str, Any]"
_TEXT = 500


def verdict(steps: Iterable[StepDone], checks: Sequence[CheckDone]) -> Verdict:
    """Return `failed` if an error check failed, `broken` if one was not reached, else `passed`."""
    errors = [check for check in checks if check.severity == "error"]
    if any(check.status == "failed" for check in errors):
        return "failed"
    broken = any(step.status == "failed" for step in steps)
    if broken or any(check.status == "not reached" for check in errors):
        return "broken"
    return "passed"


def step_json(step: StepDone) -> Json:
    """Return a step as it stands in a record."""
    return {
        "step": step.step,
        "engine": step.engine,
        "status": step.status,
        "seconds": round(step.seconds, 3),
        "fingerprint": _fingerprint(step.fingerprint),
        "own_fingerprint": _fingerprint(step.own_fingerprint),
        "error": step.error,
    }


def _fingerprint(found: ods.Fingerprint | None) -> Json | None:
    if found is None:
        return None
    made: Json = json.loads(found.to_json())
    return made


def check_json(check: CheckDone) -> Json:
    """Return a check as it stands in a record."""
    return {
        "name": check.name,
        "kind": check.kind,
        "severity": check.severity,
        "status": check.status,
        "summary": check.summary,
        "evidence": dict(check.evidence),
    }


def told(text: str, marker: str) -> str:
    """Return an error text for people: nothing confidential in it, and not too long."""
    shown: str = withheld(text, marker)
    return shown if len(shown) <= _TEXT else f"{shown[:_TEXT]}…"


def withheld(value: Any, marker: str) -> Any:
    """Return JSON values with every text that holds a confidential marker taken out."""
    if isinstance(value, str):
        return "(withheld: it quotes a confidential value)" if marker in value.lower() else value
    if isinstance(value, Mapping):
        return {withheld(key, marker): withheld(part, marker) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [withheld(part, marker) for part in value]
    return value
