"""What happens in a proof as metadata of another system: JSON that every reader takes, and bounded.

No NaN and no infinity, no integer that a browser would round, no text without an end.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

import ods_fingerprint as ods

from . import verdict
from .events import CheckDone, Finished, StepDone, StepName

Json: TypeAlias = "dict[str, Any]"
_EXACT = 1 << 53  # what a double, and so a browser, counts without a gap
_TEXT = 2_000
_ENTRIES = 1_000
_EVIDENCE = 50_000
_LINES = 500
DIFFERS = "≠ "


def plain(value: object) -> Any:
    """Return a value as JSON of a bounded size: numbers that JSON has not are texts."""
    match value:
        case None | bool():
            return value
        case int():
            return value if abs(value) <= _EXACT else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            return _text(value)
        case Decimal() | date():
            return str(value)
        case Mapping():
            kept = {_text(str(key)): plain(part) for key, part in list(value.items())[:_ENTRIES]}
            return {**kept, "…": _more(value)} if len(value) > _ENTRIES else kept
        case list() | tuple():
            shown = [plain(part) for part in value[:_ENTRIES]]
            return [*shown, _more(value)] if len(value) > _ENTRIES else shown
        case _:
            raise TypeError(f"no metadata of a proof: {type(value).__name__}")


def _text(value: str) -> str:
    """Return a text that can be written as UTF-8, with its end cut off where it is too long."""
    shown = value.encode("utf-8", "replace").decode("utf-8")
    return shown if len(shown) <= _TEXT else f"{shown[:_TEXT]}…"


def _more(value: Mapping[Any, Any] | list[Any] | tuple[Any, ...]) -> str:
    return f"… {len(value) - _ENTRIES} more"


def step(done: StepDone) -> Json:
    """Return the end of a step as the record has it."""
    found: Json = plain(verdict.step_json(done))
    return found


def check(done: CheckDone) -> Json:
    """Return the result of a check as the record has it."""
    return _check(verdict.check_json(done))


def record(finished: Finished) -> Json:
    """Return the whole record."""
    found: Json = plain({**finished.record, "checks": []})
    return {**found, "checks": [_check(check) for check in finished.record["checks"]]}


def _check(found: Mapping[str, Any]) -> Json:
    """Return a check, without its evidence if that is too long."""
    shown: Json = plain(found)
    size = len(json.dumps(shown["evidence"]))
    if size > _EVIDENCE:
        return {**shown, "evidence": {"left out": f"{size} characters, which is too long here"}}
    return shown


def figures(steps: Mapping[StepName, StepDone]) -> list[dict[str, str]]:
    """Return every figure of every step, a line a figure; what differs is marked with `≠`."""
    start = steps["generated"].fingerprint if "generated" in steps else None
    if start is None:
        return []
    shown = {label: _cells(start, found) for label, found in _prints(steps).items()}
    names = dict.fromkeys(name for cells in shown.values() for name in cells)
    lines = [
        {"figure": name, **{label: cells.get(name, "") for label, cells in shown.items()}}
        for name in list(names)[:_LINES]
    ]
    return lines if len(names) <= _LINES else [*lines, _last(len(names), shown)]


def _last(lines: int, shown: Mapping[str, object]) -> dict[str, str]:
    return {"figure": f"… {lines - _LINES} more", **dict.fromkeys(shown, "")}


def _prints(steps: Mapping[StepName, StepDone]) -> dict[str, ods.Fingerprint]:
    found: dict[str, ods.Fingerprint] = {}
    for name, done in steps.items():
        if done.fingerprint:
            found[name] = done.fingerprint
        if done.own_fingerprint:
            found[f"{name} (own SQL)"] = done.own_fingerprint
    return found


def _cells(start: ods.Fingerprint, found: ods.Fingerprint) -> dict[str, str]:
    """Return figures by name, those marked that differ from the generated data's."""
    differ = ods.compare(start, found).differences
    marked = {_name(d.column, d.figure): f"{DIFFERS}{_figure(d.b)}" for d in differ}
    stored = json.loads(found.to_json())
    cells = {"rows": str(stored["rows"])}
    for column in stored["columns"]:
        for figure, value in column["figures"].items():
            cells[_name(column["name"], figure)] = _figure(value)
    return {name: _text(text) for name, text in {**cells, **marked}.items()}


def _name(column: str | None, figure: str) -> str:
    return _text(f"{column} {figure}" if column else figure)


def _figure(value: object) -> str:
    return "none" if value is None else str(value)
