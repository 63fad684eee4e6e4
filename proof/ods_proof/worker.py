"""The other side of `process`: one job from standard input, one JSON result to a descriptor."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import traceback
from collections.abc import Callable

# what engines say where a table has a feature that they do not read
_REFUSALS = re.compile(
    r"DeltaProtocolError|nsupported|not (yet )?supported|DELTA_UNSUPPORTED|InvalidProtocolVersion"
)


def main() -> None:
    """Run the job that comes on standard input."""
    descriptor, parent = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(descriptor, False)
    if os.getppid() != parent:
        os._exit(1)  # it died before the kernel was asked to tell
    from . import jobs  # before there is a job: the last one still runs

    text = sys.stdin.buffer.read()
    if not text:
        return  # no job was left for it
    asked = json.loads(text)
    found = _answer(jobs.JOBS[asked["job"]], asked["arguments"])
    with os.fdopen(descriptor, "wb") as answer:
        answer.write(json.dumps(found).encode())
    # an engine that crashes as the interpreter ends has given its result already
    os._exit(0)


def _answer(
    job: Callable[..., dict[str, object]], arguments: dict[str, object]
) -> dict[str, object]:
    try:
        return {"result": job(**arguments)}
    except BaseException as error:  # a Rust panic is no Exception
        with contextlib.suppress(OSError):  # on a full disk the answer must still go out
            traceback.print_exc()
        text = f"{type(error).__name__}: {error}"
        return {"error": _one_line(text), "refused": bool(_REFUSALS.search(text))}


def _one_line(text: str) -> str:
    """Return an error without a JVM's stack; whole, as what is withheld must be seen whole."""
    return " ".join(text.split("\n\tat ")[0].split())
