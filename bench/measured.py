"""A command, timed: seconds, processor seconds, peak memory of the process, exit code and output."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """What a command took; `peak` is in MiB."""

    seconds: float
    processor: float
    peak: float
    code: int
    output: str


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Measured:
    """Run a command to its end."""
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Measured(
        seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        process.returncode,
        text,
    )


def row(*cells: object) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def head(*cells: str) -> str:
    """Return the head of a Markdown table."""
    return row(*cells) + "\n" + row(*("---" for _ in cells))
