"""Proofs without Dagster: a queue, one worker process at a time, and a folder that keeps it all."""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .. import engines
from ..errors import ProofError
from .backend import QUEUE, Engine, Full, Queued, engine_list
from .journal import Journal
from .records import Records, last
from .sheet import Order, Sheet

_TICK = 0.1
_PAUSE = 5.0
_PATIENCE = 15.0  # seconds for a worker to delete its sandbox
_LOG = logging.getLogger(__name__)
STOPPED = "the portal was stopped"


class Standalone:
    """A queue over a folder of records. What a dead portal left queued is run by the next one."""

    def __init__(
        self, folder: Path, sandbox: str | None = None, names: Sequence[str] = engines.NAMES
    ) -> None:
        self.records = Records(folder)
        self.sandbox = sandbox
        self.names = names
        self._lock = threading.RLock()
        self._waiting: list[Order] = []
        self._running: str | None = None
        self._worker: subprocess.Popen[bytes] | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._dispatch, name="proofs", daemon=True)
        self._owned: int | None = None

    def open(self) -> None:
        """Take the folder, find what is queued in it, and begin to run; raise ProofError."""
        self._owned = _own(self.records.folder)
        for sheet in reversed(self.records.latest()):
            if sheet.state == "queued":
                self._waiting.append(sheet.order)
            elif sheet.state in ("starting", "running"):
                self._running = sheet.order.id
        self._thread.start()

    def close(self) -> None:
        """Stop the proof that runs and cancel those that wait."""
        self._closing.set()
        self._thread.join()
        with self._lock:
            for order in self._waiting:
                self._journal(order.id).append("stopped", {"why": STOPPED})
            self._waiting.clear()
            if self._running:
                self._stop(self._running, STOPPED)
                self._reap(_PATIENCE)
        if self._owned is not None:
            os.close(self._owned)

    def engines(self) -> Sequence[Engine]:
        """Return the engines, each with the reason if it is not here."""
        return engine_list(engines.listed(self.names))

    def start(self, order: Order) -> None:
        """Queue a proof; one that is there by this id is left alone."""
        with self._lock:
            if self._known(order.id):
                return
            for waiting in self._waiting:
                if waiting.started_by == order.started_by:
                    raise Queued(waiting.id)
            if len(self._waiting) >= QUEUE:
                raise Full(f"{QUEUE} proofs wait already: try again in a few minutes")
            self._journal(order.id).begin(order)
            self._waiting.append(order)

    def latest(self) -> Sequence[Sheet]:
        """Return the newest proofs in brief."""
        return [self._placed(sheet) for sheet in self.records.latest()]

    def look(self, proof: str) -> Sheet:
        """Return a proof as it stands."""
        return self._placed(self.records.look(proof))

    def cancel(self, proof: str, user: str | None) -> None:
        """Take a proof out of the queue, or stop it."""
        why = f"cancelled by {user}" if user else None
        with self._lock:
            sheet = self.records.look(proof)
            if sheet.state == "queued":
                self._waiting = [order for order in self._waiting if order.id != proof]
                self._journal(proof).append("stopped", {"why": why})
            elif not sheet.ended:
                self._stop(proof, why)

    def _placed(self, sheet: Sheet) -> Sheet:
        """Return a queued proof with the number of those before it."""
        if sheet.state != "queued":
            return sheet
        with self._lock:
            before = [order.id for order in self._waiting]
            place = before.index(sheet.order.id) if sheet.order.id in before else 0
            return replace(sheet, ahead=place + (self._running is not None))

    def _known(self, proof: str) -> bool:
        return self._journal(proof).path.exists() or self.records.record(proof).exists()

    def _journal(self, proof: str) -> Journal:
        return self.records.journal(proof)

    def _dispatch(self) -> None:
        """Run one proof after another until the portal closes."""
        while not self._closing.wait(_TICK):
            try:
                with self._lock:
                    self._next()
            except OSError as error:  # a full disk: it may have room again
                _LOG.error("the queue stands still: %s", error)
                self._closing.wait(_PAUSE)

    def _next(self) -> None:
        if self._running:
            self._reap(0.0)
        if not self._running and self._waiting:
            self._launch(self._waiting.pop(0))

    def _launch(self, order: Order) -> None:
        journal = self._journal(order.id)
        journal.append("launched", {})
        self._running = order.id
        self._worker = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "ods_proof.portal.worker",
                str(journal.path),
                self.sandbox or "",
            ],
            stdin=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
        )

    def _reap(self, patience: float) -> None:
        """See whether the proof that runs has ended, and write its end if it left none."""
        if self._running is None:
            return
        journal = self._journal(self._running)
        if self._worker is None:  # the worker of a portal that died
            until = time.monotonic() + patience
            while journal.is_held():
                if time.monotonic() >= until:
                    return
                time.sleep(_TICK)
        elif not _over(self._worker, patience):
            return
        if not last(journal.lines()):
            self._end(journal)
        self._running, self._worker = None, None

    def _end(self, journal: Journal) -> None:
        asked = [line.values for line in journal.lines() if line.word == "cancel"]
        if asked:
            journal.append("stopped", asked[-1])
        else:
            journal.append("lost", {"why": _death(self._worker)})

    def _stop(self, proof: str, why: str | None) -> None:
        journal = self._journal(proof)
        journal.append("cancel", {"why": why})
        if self._worker is not None:
            self._worker.send_signal(signal.SIGTERM)
            return
        for line in journal.lines():
            if line.word == "began" and journal.is_held():
                os.kill(line.values["process"], signal.SIGTERM)


def _own(folder: Path) -> int:
    """Return a descriptor that holds the folder for this portal."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / ".portal", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise ProofError(f"no records can be kept in {folder}: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise ProofError(
            f"another portal keeps its records in {folder}: give ODS_PROOF_RECORDS another folder"
        ) from error
    return descriptor


def _environment() -> Mapping[str, str]:
    paths = [str(Path(path).absolute()) for path in sys.path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _over(worker: subprocess.Popen[bytes], patience: float) -> bool:
    """Return whether a worker has ended; kill one that is out of patience."""
    if worker.poll() is not None:
        return True
    if not patience:
        return False
    try:
        worker.wait(patience)
    except subprocess.TimeoutExpired:
        worker.kill()  # its reaper deletes the sandbox
        worker.wait()
    return True


def _death(worker: subprocess.Popen[bytes] | None) -> str:
    if worker is None or worker.returncode is None:
        return "its process ended and left no verdict"
    if worker.returncode < 0:
        return f"its process ended by {signal.Signals(-worker.returncode).name}"
    return f"its process ended with exit code {worker.returncode}, and left no verdict"
