"""Every ordered pair of engines, as a user runs it: `pairs.py [--write]`, into the README if asked.

Needs all five engines here; the seconds are of this machine, so let it do nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from ods_proof import engines

README = Path(__file__).resolve().parents[1] / "README.md"
# the table follows this heading; it is made anew, up to the next one
_TABLE = re.compile(r"## The pairs\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
_NEXT = "## How to read a failure\n"


def main() -> None:
    """Run the pairs and write the table; a pair that does not pass ends it."""
    seconds = {}
    for first in engines.NAMES:
        for second in engines.NAMES:
            seconds[first, second] = _seconds(first, second)
            print(f"{first} {second}: {seconds[first, second]:.1f} s", flush=True)
    made = f"## The pairs\n{table(seconds)}\n"
    print(made)
    if "--write" in sys.argv[1:]:
        without = _TABLE.sub("", README.read_text(encoding="utf-8"))
        README.write_text(without.replace(_NEXT, made + _NEXT), encoding="utf-8")


def _seconds(first: str, second: str) -> float:
    with tempfile.TemporaryDirectory() as root:
        started = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "ods_proof", "run", first, second],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "ODS_PROOF_SANDBOX": root},
        )
        return time.monotonic() - started


def table(seconds: Mapping[tuple[str, str], float]) -> str:
    """Return the seconds of each pair, FIRST a row, SECOND a column."""
    names = engines.NAMES
    versions = {p: n for name in names for p, n in engines.find(name).about().versions.items()}
    said = ", ".join(f"{package} {number}" for package, number in sorted(versions.items()))
    lines = [
        f"All {len(seconds)} pass. Seconds on {os.cpu_count()} cores, 1000 rows; {said}.",
        "",
        "| FIRST \\ SECOND | " + " | ".join(names) + " |",
        "|---|" + "---|" * len(names),
    ]
    for first in names:
        cells = (f"{seconds[first, second]:.0f}" for second in names)
        lines.append(f"| {first} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
