"""Peak memory of the steps where an engine is paired with itself: `memory.py [ROWS] [ENGINE…]`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from ods_proof import Proof, engines
from ods_proof.events import STEPS
from peaks import of_proof

ROWS = 1_000_000
PLACES = (*STEPS, "examine")


def main() -> None:
    """Print a table of MiB, an engine a row."""
    given = sys.argv[1:]
    rows = int(given[0]) if given else ROWS
    print(f"| {rows} rows | verdict | " + " | ".join(PLACES) + " |")
    print("|---" * 8 + "|")
    for name in given[1:] or engines.NAMES:
        with tempfile.TemporaryDirectory() as folder:
            verdict, peaks = of_proof(Proof(name, name, rows), Path(folder).resolve() / "root")
        cells = [str(peaks.get(step, "")) for step in PLACES]
        print(f"| {name} | {verdict} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
