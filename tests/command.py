"""The command line, run in this process or as one of its own, and tables to run it on."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ods_fingerprint.cli import main

# the example of the front doors: its hashes were computed with hashlib
ID_HASH, PRICE_HASH = "3612809648614498766", "1769094790098313096"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def run(*arguments: object, stdin: bytes = b"") -> Ran:
    """Run the command line in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2)]
    given, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with (
            redirect_stdout(streams[0]),
            redirect_stderr(streams[1]),
            pytest.raises(SystemExit) as left,
        ):
            main([str(argument) for argument in arguments])
    finally:
        sys.stdin = given
    out, err = (_text(stream) for stream in streams)
    assert isinstance(left.value.code, int)
    return Ran(left.value.code, out, err)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    content = stream.buffer
    assert isinstance(content, io.BytesIO)
    return content.getvalue().decode("utf-8")


def shell(
    *arguments: object,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Ran:
    """Run the command line as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "ods_fingerprint", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def refused(ran: Ran, *words: str) -> str:
    """Assert that a run was an error: exit code 2, stdout empty, one block, no traceback."""
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    assert "a fault of this tool" not in ran.err
    assert not [word for word in words if word not in ran.err], ran.err
    return ran.err


def orders() -> pa.Table:
    price = [Decimal("12.30"), Decimal("0.50"), None, Decimal("-0.01")]
    return pa.table(
        {
            "id": pa.array([1, 2, 3, 4], pa.int64()),
            "price": pa.array(price, pa.decimal128(18, 2)),
            "score": pa.array([1.0, float("nan"), -2.5, 0.0]),
            "tags": pa.array([["a"], [], ["b", "c"], ["d"]]),
        }
    )


def parquet(folder: Path, table: pa.Table | None = None, name: str = "orders.parquet") -> Path:
    path = folder / name
    pq.write_table(orders() if table is None else table, path)
    return path


def database(folder: Path, *statements: str, name: str = "w.duckdb") -> Path:
    """Return a DuckDB file with the table `orders`, after these statements."""
    path, held = folder / name, orders()
    with duckdb.connect(str(path)) as connection:
        connection.register("held", held)
        connection.execute("CREATE TABLE orders AS SELECT * FROM held")
        for statement in statements:
            connection.execute(statement)
    return path


_BLOCK = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyarrow", "duckdb", "_duckdb"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from ods_fingerprint.cli import main
main(sys.argv[1:])
"""


def blocked(*arguments: object) -> Ran:
    """Run the command line where pyarrow and DuckDB are not installed."""
    done = subprocess.run(
        [sys.executable, "-c", _BLOCK, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
