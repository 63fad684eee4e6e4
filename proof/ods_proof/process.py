"""A job in a process of its own: spawned, timed, one JSON result, and nothing left of it after."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = "dict[str, Any]"
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


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that waits for its job, in a process group of its own."""

    process: subprocess.Popen[bytes]
    reading: int
    errors: Path

    def run(self, job: str, arguments: Mapping[str, object], limit: float) -> Outcome:
        """Hand it a job of `jobs`, wait for the result, and kill whatever is left of it."""
        started = time.monotonic()
        asked = {"job": job, "arguments": dict(arguments)}
        try:
            text = _talk(self.process, asked, self.reading, started + limit)
        finally:
            self.end()
        seconds = time.monotonic() - started
        if text is None:
            why = f"it took more than {limit:.0f} s and was stopped"
            return Outcome(None, Failure(why), seconds)
        return _outcome(text, self.process.returncode, self.errors, seconds)

    def end(self) -> None:
        """Kill the whole group: a JVM outlives its Python."""
        with contextlib.suppress(ProcessLookupError):  # the group is gone already
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.reading)


def start(scratch: Path) -> Worker:
    """Start a process that imports what jobs need, and waits; it spills into `scratch`."""
    scratch.mkdir(mode=0o700, exist_ok=True)
    reading, writing = os.pipe()
    errors = scratch / "stderr.txt"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, str(writing), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=stderr,
            stderr=stderr,
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


def _talk(
    process: subprocess.Popen[bytes], job: Mapping[str, object], reading: int, until: float
) -> bytes | None:
    """Hand over the job and return all that comes back, or None after the time limit."""
    if process.stdin is None:
        raise AssertionError("a worker has standard input")
    try:
        with process.stdin as stdin:
            stdin.write(json.dumps(job).encode())
    except BrokenPipeError:
        return b""  # it died before it listened: its exit code says how
    found = b""
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return None
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        found += piece
    try:
        process.wait(max(0.1, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        return found if found else None
    return found


def _outcome(text: bytes, code: int, errors: Path, seconds: float) -> Outcome:
    if not text:
        return Outcome(None, Failure(_death(code, errors)), seconds)
    try:
        found = json.loads(text)
    except ValueError:
        why = f"its answer was cut short: {_death(code, errors)}"
        return Outcome(None, Failure(why), seconds)
    if "error" in found:
        return Outcome(None, Failure(found["error"], found["refused"]), seconds)
    return Outcome(found["result"], None, seconds)


def _death(code: int, errors: Path) -> str:
    how = f"exit code {code}"
    if code < 0:
        how = f"signal {signal.Signals(-code).name}"
    last = errors.read_bytes().decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"its process ended by {how}" + (f": {last}" if last else "")
