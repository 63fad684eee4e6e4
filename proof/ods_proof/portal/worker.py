"""The process that runs one proof of the standalone portal, and writes its journal."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import NoReturn

from ods_fingerprint import whole_file

from .. import verdict
from ..errors import ProofError
from ..events import CheckDone, Event, Finished, StepDone
from ..proof import Proof
from ..round_trip import run
from ..table import marker
from .journal import Journal, Line
from .records import last
from .sheet import Order


def main(path: str, sandbox: str | None) -> None:
    """Run the proof whose journal this is."""
    journal = Journal(Path(path))
    with journal.held():
        lines = journal.lines()
        if last(lines):
            return  # it was given up before it began
        if _cancelled(lines):
            journal.append("stopped", {"why": None})
            return
        order = journal.order()
        journal.append("began", {"process": os.getpid()})
        try:
            signal.signal(signal.SIGTERM, _stop)
            _prove(order, journal, sandbox)
        except KeyboardInterrupt:
            journal.append("stopped", {"why": None})
        except ProofError as error:
            journal.append("broke", {"why": verdict.told(str(error), marker(order.seed))})


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _prove(order: Order, journal: Journal, sandbox: str | None) -> None:
    proof = Proof(order.first, order.second, order.rows, order.seed, id=order.id)
    with closing(run(proof, sandbox)) as events:
        for event in events:
            # a signal is lost where it comes into a callback of the garbage collector
            if _cancelled(journal.lines()):
                raise KeyboardInterrupt
            _write(event, journal)


def _cancelled(lines: list[Line]) -> bool:
    return any(line.word == "cancel" for line in lines)


def _write(event: Event, journal: Journal) -> None:
    match event:
        case StepDone():
            journal.append("step", verdict.step_json(event))
        case CheckDone():
            journal.append("check", verdict.check_json(event))
        case Finished():
            text = json.dumps(event.record, indent=1, ensure_ascii=False) + "\n"
            whole_file.write(str(journal.path.with_suffix(".json")), text)
            journal.append("ended", {"verdict": event.verdict})
        case _:
            pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] or None)
