"""An order from the fields of the start form."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Mapping, Sequence

from ..errors import ProofError
from .backend import Engine
from .sheet import Order

SEED = 7
MOST_ROWS = 1_000_000
_KEY = re.compile(r"[0-9a-f]{32}")
_ROWS = re.compile(r"[0-9]{1,10}")


class Wrong(ProofError):
    """A form that asks for what there is not."""


def read(
    form: Mapping[str, str], user: str | None, engines: Sequence[Engine], most_rows: int
) -> Order:
    """Return the order; raise Wrong with every fault."""
    first, second = form.get("first", ""), form.get("second", "")
    faults = [
        *_engine_faults("first", first, engines),
        *_engine_faults("second", second, engines),
        *_row_faults(form.get("rows", ""), most_rows),
    ]
    if not _KEY.fullmatch(form.get("key", "")):
        faults.append("the form has no key: open the page again")
    if faults:
        raise Wrong("Nothing was started: " + "; ".join(faults) + ".")
    rows = int(form["rows"])
    return Order(
        _id(form["key"], user, first, second, rows), first, second, rows, SEED, user, time.time()
    )


def _engine_faults(side: str, name: str, engines: Sequence[Engine]) -> list[str]:
    found = {engine.name: engine for engine in engines}.get(name)
    if found is None:
        return [f"choose the {side} engine"]
    return [f"{name} is not here ({found.missing})"] if found.missing else []


def _row_faults(text: str, most: int) -> list[str]:
    if _ROWS.fullmatch(text) and 1 <= int(text) <= most:
        return []
    return [f"rows are a number from 1 to {most}"]


def _id(key: str, user: str | None, first: str, second: str, rows: int) -> str:
    """Return the id: the same for the same form sent twice, another once the form is changed."""
    text = json.dumps([key, user, first, second, rows])
    return hashlib.sha256(text.encode()).hexdigest()[:12]
