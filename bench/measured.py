"""A command, timed: seconds, processor seconds, peak memory of the process, exit code and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
        # from a small process: Linux counts what the one that forks holds as the peak of its child
        told = subprocess.run(
            [sys.executable, __file__, str(output.fileno()), *command],
            stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            pass_fds=[output.fileno()],
            check=True,
        ).stdout
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Measured(**json.loads(told), output=text)


def _alone(output: int, command: Sequence[str]) -> dict[str, float]:
    """Run a command that writes to a descriptor, and return what it took."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=output, stderr=output)
    _, status, usage = os.wait4(process.pid, 0)
    return {
        "seconds": time.perf_counter() - started,
        "processor": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss / 1024,
        "code": os.waitstatus_to_exitcode(status),
    }


def row(*cells: object) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def head(*cells: str) -> str:
    """Return the head of a Markdown table."""
    return row(*cells) + "\n" + row(*("---" for _ in cells))


if __name__ == "__main__":
    print(json.dumps(_alone(int(sys.argv[1]), sys.argv[2:])))
