"""The most memory that each step of a proof held: its process, and a JVM that it started."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from pathlib import Path

from ods_proof import Finished, Proof, run

_HIGH = re.compile(r"VmHWM:\s+(\d+) kB")
_EVERY = 0.1


def of_proof(proof: Proof, root: Path) -> tuple[str, Mapping[str, int]]:
    """Run a proof and return its verdict, and the peak of each step in MiB."""
    ended, highest = threading.Event(), dict[tuple[str, str], int]()
    watching = threading.Thread(target=_watch, args=(root, highest, ended))
    watching.start()
    try:
        last = list(run(proof, str(root)))[-1]
    finally:
        ended.set()
        watching.join()
    assert isinstance(last, Finished)
    peaks: dict[str, int] = {}
    for (step, _), kilobytes in highest.items():
        peaks[step] = peaks.get(step, 0) + kilobytes // 1024
    return last.verdict, peaks


def _watch(root: Path, highest: dict[tuple[str, str], int], ended: threading.Event) -> None:
    """Keep the high-water mark of every process that works in a step's folder of a sandbox."""
    while not ended.wait(_EVERY):
        for place in Path("/proc").glob("[0-9]*/cwd"):
            try:
                folder = place.readlink()
                if folder.suffix == ".scratch" and folder.is_relative_to(root):
                    found = _HIGH.search(place.with_name("status").read_text())
                    if found:
                        key = (folder.stem, place.parent.name)
                        highest[key] = max(highest.get(key, 0), int(found[1]))
            except OSError:  # it has ended meanwhile
                continue
