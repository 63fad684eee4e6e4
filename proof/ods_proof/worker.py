"""The other side of `process`: jobs from standard input, JSON results to a descriptor."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

# what engines say where a table has a feature that they do not read
_REFUSALS = re.compile(
    r"DeltaProtocolError|nsupported|not (yet )?supported|DELTA_UNSUPPORTED|InvalidProtocolVersion"
)
# what a JVM says on standard error, where Python sees a closed connection only
_STARVED = re.compile(r"^Terminating due to (java\.lang\.OutOfMemoryError.*)$", re.MULTILINE)
_NOT_STARTED = re.compile(
    r"^(?:Exception in thread \"main\" |Error: )(.*(?:\n\s*java\.\S+: .*)?)", re.MULTILINE
)
_NO_GATEWAY = "JAVA_GATEWAY_EXITED"


def main() -> None:
    """Run the jobs that come on standard input."""
    descriptor, parent = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(descriptor, False)
    if os.getppid() != parent:
        os._exit(1)  # it died before the kernel was asked to tell
    from . import jobs

    place: dict[str, object] = {"engine": sys.argv[3], "scratch": str(Path.cwd())}
    started = _answer(jobs.start, place)
    if "error" not in started and not _asked():
        started = _answer(jobs.rehearse, place)
    with os.fdopen(descriptor, "wb") as answers:
        for line in sys.stdin.buffer:
            asked = json.loads(line)
            job = jobs.JOBS[asked["job"]]
            found = started if "error" in started else _answer(job, asked["arguments"])
            answers.write(json.dumps({**found, "ended": time.monotonic()}).encode() + b"\n")
            answers.flush()
    # an engine that crashes as the interpreter ends has given its results already
    os._exit(0)


def _asked() -> bool:
    """Return whether a job waits, or there will be none."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


def _answer(
    job: Callable[..., dict[str, object]], arguments: dict[str, object]
) -> dict[str, object]:
    try:
        return {"result": job(**arguments)}
    except BaseException as error:  # a Rust panic is no Exception
        with contextlib.suppress(OSError):  # on a full disk the answer must still go out
            traceback.print_exc()
        text = f"{type(error).__name__}: {error}"
        told = _of_java(Path("stderr.txt"), text) or text
        # by the engine's own words: a JVM that is gone refuses nothing
        return {"error": _one_line(told), "refused": bool(_REFUSALS.search(text))}


def _of_java(errors: Path, text: str) -> str | None:
    """Return what a JVM said as it ended, or why it did not start; None where it is not the JVM."""
    said = errors.read_text("utf-8", "replace") if errors.exists() else ""
    if starved := _STARVED.findall(said):
        return f"its JVM ended: {starved[-1]}"
    if _NO_GATEWAY in text and (why := _NOT_STARTED.search(said)):
        return f"its JVM did not start: {why[1]}{_instead(why[1])}"
    return None


def _instead(why: str) -> str:
    unresolved = "unresolved dependency" in why
    return "; ODS_PROOF_SPARK_JARS may name a folder with the jars instead" if unresolved else ""


def _one_line(text: str) -> str:
    """Return an error without a JVM's stack; whole, as what is withheld must be seen whole."""
    return " ".join(text.split("\n\tat ")[0].split())
