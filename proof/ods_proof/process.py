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
_STDERR_BYTES = 4_000


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


def run(job: str, arguments: Mapping[str, object], scratch: Path, limit: float) -> Outcome:
    """Run a job of `jobs` in a new process group; kill whatever is left of it."""
    scratch.mkdir(mode=0o700, exist_ok=True)
    started = time.monotonic()
    reading, writing = os.pipe()
    errors = scratch / "stderr.txt"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "ods_proof.worker", str(writing), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=stderr,
            stderr=stderr,
            cwd=scratch,
            env=_environment(scratch),
            pass_fds=[writing],
            start_new_session=True,
        )
    os.close(writing)
    try:
        text = _talk(process, {"job": job, "arguments": dict(arguments)}, reading, started + limit)
    finally:
        os.close(reading)
        _end(process)
    seconds = time.monotonic() - started
    if text is None:
        return Outcome(None, Failure(f"it took more than {limit:.0f} s and was stopped"), seconds)
    return _outcome(text, process.returncode, errors, seconds)


def _environment(scratch: Path) -> dict[str, str]:
    """Return the environment with every place to spill inside the sandbox."""
    spills = {"TMPDIR": str(scratch), "POLARS_TEMP_DIR": str(scratch)}
    paths = [path for path in sys.path if path]
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


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group: a JVM outlives its Python."""
    with contextlib.suppress(ProcessLookupError):  # the group is gone already
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _outcome(text: bytes, code: int, errors: Path, seconds: float) -> Outcome:
    if not text:
        return Outcome(None, Failure(_death(code, errors)), seconds)
    found = json.loads(text)
    if "error" in found:
        return Outcome(None, Failure(found["error"], found["refused"]), seconds)
    return Outcome(found["result"], None, seconds)


def _death(code: int, errors: Path) -> str:
    how = f"exit code {code}"
    if code < 0:
        how = f"signal {signal.Signals(-code).name}"
    last = errors.read_bytes()[-_STDERR_BYTES:].decode("utf-8", "replace").strip().splitlines()
    return f"its process ended by {how}" + (f": {last[-1]}" if last else "")
