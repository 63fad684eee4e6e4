"""Jobs in a process of their own: spawned, timed, one JSON result each, and nothing left after."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = "dict[str, Any]"
_DYING = 10.0  # seconds for a process that answers no more to end
# first of all it asks the kernel to die with its parent (PR_SET_PDEATHSIG): imports take a while
_BOOT = """
import ctypes, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
from ods_proof.worker import main
main()
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no result; `refused` if the engine itself said that it cannot."""

    text: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a job returned, or why it did not, and the seconds that it took."""

    result: Json | None
    failure: Failure | None
    seconds: float


Waiting: TypeAlias = "Callable[[], Outcome]"


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that does one job after the other, in a process group of its own."""

    process: subprocess.Popen[bytes]
    reading: int
    errors: Path

    def ask(self, job: str, arguments: Mapping[str, object], limit: float) -> Waiting:
        """Hand it a job of `jobs`, and return what waits for its result, `limit` seconds from now.

        The result must be waited for before another job is asked; after a failure there is only
        `end`.
        """
        line = json.dumps({"job": job, "arguments": dict(arguments)}) + "\n"
        if self.process.stdin is None:
            raise AssertionError("a worker has standard input")
        with contextlib.suppress(BrokenPipeError):  # it died: its exit code says how
            self.process.stdin.write(line.encode())
        return partial(self._answer, time.monotonic(), limit)

    def _answer(self, asked: float, limit: float) -> Outcome:
        text = _line(self.reading, asked + limit)
        seconds = time.monotonic() - asked
        if text is None:
            why = f"it took more than {limit:.0f} s and was stopped"
            return Outcome(None, Failure(why), seconds)
        if text.endswith(b"\n"):
            return _outcome(text, asked, seconds)
        how = _death(_exit_code(self.process), self.errors)
        return Outcome(None, Failure(f"its answer was cut short: {how}" if text else how), seconds)

    def end(self) -> None:
        """Kill the whole group: a JVM outlives its Python."""
        with contextlib.suppress(ProcessLookupError):  # the group is gone already
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        os.close(self.reading)


def start(scratch: Path, engine: str | None = None) -> Worker:
    """Start a process that starts an engine, and waits for jobs; it spills into `scratch`."""
    scratch.mkdir(mode=0o700, exist_ok=True)
    reading, writing = os.pipe()
    errors = scratch / "stderr.txt"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, str(writing), str(os.getpid()), engine or ""],
            stdin=subprocess.PIPE,
            stdout=stderr,
            stderr=stderr,
            bufsize=0,
            cwd=scratch,
            env=_environment(scratch),
            pass_fds=[writing],
            start_new_session=True,
        )
    os.close(writing)
    return Worker(process, reading, errors)


def _environment(scratch: Path) -> dict[str, str]:
    """Return the environment with every place to spill inside the sandbox."""
    spills = {"TMPDIR": str(scratch), "POLARS_TEMP_DIR": str(scratch)}
    paths = [str(Path(path).absolute()) for path in sys.path]
    return {**os.environ, **spills, "PYTHONPATH": os.pathsep.join(paths)}


def _line(reading: int, until: float) -> bytes | None:
    """Return what comes up to the end of a line or of the process, or None after the time limit."""
    found = b""
    while not found.endswith(b"\n"):
        ready, _, _ = select.select([reading], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return None
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        found += piece
    return found


def _outcome(line: bytes, asked: float, seconds: float) -> Outcome:
    try:
        found = json.loads(line)
    except ValueError:
        return Outcome(None, Failure("its answer cannot be read"), seconds)
    seconds = found["ended"] - asked  # it may have waited to be read; the clock is the system's
    if "error" in found:
        return Outcome(None, Failure(found["error"], found["refused"]), seconds)
    return Outcome(found["result"], None, seconds)


def _exit_code(process: subprocess.Popen[bytes]) -> int:
    """Return how a process ended that answers no more."""
    try:
        return process.wait(_DYING)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _death(code: int, errors: Path) -> str:
    how = f"exit code {code}"
    if code < 0:
        how = f"signal {signal.Signals(-code).name}"
    last = errors.read_bytes().decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"its process ended by {how}" + (f": {last}" if last else "")
