"""The folder of records: every proof that ran here, of the portal or of the command line."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import shape
from .backend import Unknown
from .journal import ID, LAST, Journal, Line
from .sheet import Order, Sheet, State, of_record

_NEWEST = 500
_STATES: dict[str, State] = {"broke": "broken", "stopped": "cancelled", "lost": "lost"}
NO_END = "its process is gone and left no end: it was killed, or the machine stopped"


@dataclass(slots=True)
class Records:
    """A folder with the journal and the record of each proof; ended ones are kept in brief."""

    folder: Path
    _brief: dict[str, tuple[float, Sheet]] = field(default_factory=dict)

    def journal(self, proof: str) -> Journal:
        """Return the journal of a proof, there or not."""
        if not ID.fullmatch(proof):
            raise Unknown(f"no proof {proof!r}: an id is twelve hexadecimal digits")
        return Journal(self.folder / f"{proof}.journal")

    def record(self, proof: str) -> Path:
        """Return the path of a record, there or not."""
        return self.journal(proof).path.with_suffix(".json")

    def look(self, proof: str) -> Sheet:
        """Return a proof as its files say; raise Unknown."""
        journal, record = self.journal(proof), self.record(proof)
        lines = journal.lines() if journal.path.exists() else []
        if lines and not record.exists() and not last(lines) and not journal.is_held():
            # it let go of the lock after it was read: what it wrote at its end is there by now
            lines = [*journal.lines(), Line(0.0, "free", {})]
        if record.exists():
            return _finished(record, lines)
        if not lines:
            raise Unknown(f"no proof {proof} is known here")
        return _unfinished(lines)

    def latest(self) -> list[Sheet]:
        """Return the newest proofs in brief, newest first."""
        found = []
        for changed, proof in self._newest():
            with contextlib.suppress(Unknown):  # its order was never written to the end
                found.append(self._listed(proof, changed))
        return sorted(found, key=lambda sheet: sheet.order.at, reverse=True)

    def _newest(self) -> list[tuple[float, str]]:
        changed: dict[str, float] = {}
        for path in self.folder.iterdir():
            if path.suffix in (".json", ".journal") and _id(path):
                changed[path.stem] = max(path.stat().st_mtime, changed.get(path.stem, 0.0))
        return sorted(((at, proof) for proof, at in changed.items()), reverse=True)[:_NEWEST]

    def _listed(self, proof: str, changed: float) -> Sheet:
        known = self._brief.get(proof)
        if known and known[0] == changed:
            return known[1]
        found = self.look(proof).brief()
        if found.ended:
            self._brief[proof] = (changed, found)
        return found


def last(lines: list[Line]) -> Line | None:
    """Return the line that ended a proof."""
    return next((line for line in lines if line.word in LAST), None)


def _id(path: Path) -> bool:
    return ID.fullmatch(path.stem) is not None


def _finished(path: Path, lines: list[Line]) -> Sheet:
    """Return a proof that has a record; it may have no journal, if the command line ran it."""
    changed = path.stat().st_mtime
    try:
        record = json.loads(path.read_bytes())
        shape.refuse(record)
    except ValueError as error:  # of JSON, or of another form
        why = f"its record cannot be read: {error}"
        order = _order(lines) or Order(path.stem, "?", "?", 0, 0, None, changed)
        return Sheet(order, "broken", why=why)
    given = (record["first"], record["second"], record["rows"], record["seed"])
    order = _order(lines) or Order(path.stem, *given, None, changed)
    return of_record(order, record, _seconds(lines))


def _order(lines: list[Line]) -> Order | None:
    return Order(**lines[0].values) if lines else None


def _unfinished(lines: list[Line]) -> Sheet:
    """Return a proof that has no record: it waits, runs, or came to no verdict."""
    words = {line.word: line.values for line in lines}
    found = {word: tuple(x.values for x in lines if x.word == word) for word in ("step", "check")}
    state, why = _state(words)
    return Sheet(
        Order(**lines[0].values),
        state,
        found["step"],
        found["check"],
        why=why,
        seconds=_seconds(lines),
    )


def _state(words: dict[str, dict[str, Any]]) -> tuple[State, str | None]:
    for word, state in _STATES.items():
        if word in words:
            return state, words[word]["why"] or words.get("cancel", {}).get("why")
    if "began" in words:
        return ("lost", NO_END) if "free" in words else ("running", None)
    return ("starting" if "launched" in words else "queued"), None


def _seconds(lines: list[Line]) -> float | None:
    """Return how long it ran, from its worker's first line to the one that ended it."""
    began = next((line.at for line in lines if line.word == "began"), None)
    end = last(lines)
    return None if began is None or end is None else end.at - began
