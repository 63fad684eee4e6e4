"""The local calculator holds batches, never a table: its peak memory, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

_ROWS = 3_000_000
_TABLE = """
COPY (
  SELECT i AS id, md5(i::TEXT) AS name, (i * 7919 % 1000003)::DECIMAL(18, 2) AS price,
         DATE '2000-01-01' + (i % 9000)::INT AS day, make_timestamp(i * 1000003) AS at,
         i % 3 = 0 AS flag, i / 7.0 AS score, (i % 100)::INT AS small
  FROM range({rows}) t(i)
) TO '{path}' (ROW_GROUP_SIZE 122880)
"""
# VmHWM, since a child's ru_maxrss begins at that of the process which started it
_PROBE = """
import re, sys
from pathlib import Path
import pyarrow.parquet as pq
import ods_fingerprint as ods
def peak(): return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024
{warm}
before = peak()
{work}
print(peak() - before)
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("streaming") / "t.parquet"
    duckdb.execute(_TABLE.format(rows=_ROWS, path=path))
    return path


def _grown(table: Path, work: str) -> int:
    """Return by how many megabytes the peak of a process grows through the work."""
    code = _PROBE.format(warm="import duckdb, sqlglot, pyarrow.dataset", work=work)
    run = subprocess.run(
        [sys.executable, "-c", code, str(table)], capture_output=True, text=True, check=True
    )
    return int(run.stdout)


def test_the_peak_is_a_fraction_of_the_table(table: Path) -> None:
    whole = _grown(table, "table = pq.read_table(sys.argv[1])")
    assert whole > 200
    streamed = _grown(table, f"assert ods.compute(sys.argv[1]).rows == {_ROWS}")
    # measured: 110 to 170, for 3 and for 9 million rows alike
    assert streamed < min(200, whole // 2)
