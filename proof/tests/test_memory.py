"""Four times the rows take no more memory: a step holds a few batches, whatever the table's size."""

from __future__ import annotations

from pathlib import Path

import pytest
from ods_proof import Proof
from peaks import of_proof

ROWS = 30_000
# what grows: row groups that are written whole, and pages of mapped files
SLACK_MIB = 130


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
@pytest.mark.parametrize(("first", "second"), [("polars", "pandas"), ("pyarrow", "polars")])
def test_memory_does_not_grow_with_the_rows(first: str, second: str, tmp_path: Path) -> None:
    root = (tmp_path / "root").resolve()
    verdict, few = of_proof(Proof(first, second, ROWS), root)
    again, many = of_proof(Proof(first, second, 4 * ROWS), root)
    assert (verdict, again) == ("passed", "passed")
    grown = {step: peak - few[step] for step, peak in many.items()}
    assert all(mebibytes < SLACK_MIB for mebibytes in grown.values()), (few, many)
