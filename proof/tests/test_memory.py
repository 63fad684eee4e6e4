"""Ten times the rows take little more memory: a job holds a few batches, or one column."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ods_proof import jobs, process
from ods_proof.contract import load
from ods_proof.delta_table import Commit, create
from ods_proof.engines import Place, pyarrow

ROWS = 20_000
# the mapped file of generated rows, of 240 bytes a row, and one column with its distinct values
SLACK_MIB = 100
_HIGH = re.compile(r"VmHWM:\s+(\d+) kB")


def _peak(rows: int, folder: Path) -> int:
    """Return the MiB that the platform's look at two tables of so many rows took at its height."""
    folder.mkdir()
    kept, table = folder / "generated.arrow", folder / "table"
    jobs.generate(rows, 7, False, str(kept), str(folder / "values.arrow"))
    schema = load().without_maps()
    create(table, schema.arrow(), schema.confidential(), Commit("platform", "0" * 12, "first"))
    place, commit = Place(folder), Commit("pyarrow", "0" * 12, "first")
    pyarrow.append(pyarrow.load(kept, place), table, commit, place)
    worker = process.start(folder / "scratch")
    asked = {
        "generated": str(kept),
        "read": str(kept),
        "tables": {"first": str(table), "second": str(table)},
        "hidden": [],
        "mark": "no mark",
    }
    try:
        found = worker.ask("examine", asked, 300)()
        assert found.result is not None
        assert found.result["rows"]["identical"]
        high = _HIGH.search(Path(f"/proc/{worker.process.pid}/status").read_text())
    finally:
        worker.end()
    assert high is not None
    return int(high[1]) // 1024


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    few, many = _peak(ROWS, tmp_path / "few"), _peak(10 * ROWS, tmp_path / "many")
    assert many - few < SLACK_MIB, (few, many)
