"""What the library costs on its own: import, compile, each type, wide tables, memory.

Every figure is a ratio to something measured in the same run: a bare interpreter, or DuckDB's md5.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import duckdb
import measured
import pyarrow as pa
import pyarrow.parquet as pq

import ods_fingerprint as ods

ROUNDS = 5
VALUES = 1_000_000
TYPES = {
    "BIGINT": "range * 7919",
    "DECIMAL(18,2)": "CAST(range AS DECIMAL(18,2)) / 7",
    "VARCHAR": "'value ' || range",
    "BOOLEAN": "range % 2 = 0",
    "DATE": "DATE '1970-01-01' + CAST(range % 20000 AS INTEGER)",
    "TIMESTAMP": "TIMESTAMP '1970-01-01' + INTERVAL (range) SECOND",
    "TIMESTAMPTZ": "CAST(TIMESTAMP '1970-01-01' + INTERVAL (range) SECOND AS TIMESTAMPTZ)",
    "DOUBLE": "range / 7.0",
}
FED = """
import pyarrow as pa, ods_fingerprint as ods
schema = pa.schema([(f"c{at}", pa.string() if at % 2 else pa.int64()) for at in range(8)])
def batches():
    for start in range(0, ROWS, 65536):
        numbers = pa.array(range(start, min(ROWS, start + 65536)), pa.int64())
        texts = numbers.cast(pa.string())
        yield pa.RecordBatch.from_arrays([texts if at % 2 else numbers for at in range(8)], schema=schema)
ods.compute(pa.RecordBatchReader.from_batches(schema, batches()))
"""


def main() -> None:
    """Print every table."""
    print(
        f"python {sys.version.split()[0]}, duckdb {duckdb.__version__}, pyarrow {pa.__version__}\n"
    )
    imports()
    compiling()
    by_type()
    wide()
    memory()


def imports() -> None:
    """Compare the import with a bare interpreter."""
    print(measured.head("import", "seconds", "× bare python"))
    bare = _median(lambda: measured.run([sys.executable, "-c", "pass"]).seconds)
    for name in ("ods_fingerprint", "sqlglot", "pyarrow", "duckdb"):
        found = _median(lambda: measured.run([sys.executable, "-c", f"import {name}"]).seconds)
        print(measured.row(name, f"{found:.3f}", f"{found / bare:.1f}"))
    code = "import ods_fingerprint as ods; ods.sql('t', {'x': 'BIGINT'}, 'duckdb')"
    first = _median(lambda: measured.run([sys.executable, "-c", code]).seconds)
    print(measured.row("and a first statement", f"{first:.3f}", f"{first / bare:.1f}"))
    print()


def compiling() -> None:
    """Compile wide tables; the first statement of a process reads the dialect file too."""
    print(measured.head("compile", "500 columns", "1,000", "2,000", "seconds per 1,000"))
    for dialect in ("duckdb", "spark", "snowflake"):
        times = []
        for columns in (500, 1_000, 2_000):
            schema = {f"c{at}": ("bigint", "varchar", "date")[at % 3] for at in range(columns)}
            typed = ods.Schema.from_sql(schema, dialect)
            ods.statements("t", typed, dialect)
            times.append(_median(lambda: _seconds(lambda: ods.statements("t", typed, dialect))))
        print(measured.row(dialect, *(f"{t:.3f}" for t in times), f"{times[2] / 2:.3f}"))
    print()


def by_type() -> None:
    """Compare the figures of a column with DuckDB's bare md5 over the same values as text."""
    print(
        measured.head(
            "type", "DuckDB, ns a value", "× bare md5", "calculator, ns a value", "× bare md5"
        )
    )
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        for kind, value in TYPES.items():
            connection.execute(
                f"CREATE OR REPLACE TABLE t AS SELECT CAST({value} AS {kind}) AS x FROM range({VALUES})"
            )
            table = connection.sql("SELECT x FROM t").to_arrow_table()
            bare, ours, local = _interleaved(
                lambda: connection.execute(
                    "SELECT sum(length(md5(CAST(x AS VARCHAR)))) FROM t"
                ).fetchall(),
                lambda: ods.compute(connection, "t"),
                lambda: ods.compute(table),
            )
            print(
                measured.row(
                    kind,
                    f"{ours / VALUES * 1e9:.0f}",
                    f"{ours / bare:.2f}",
                    f"{local / VALUES * 1e9:.0f}",
                    f"{local / bare:.2f}",
                )
            )
    print()


def wide() -> None:
    """Compare a wide table's fingerprint with the bare md5 sum of the same columns."""
    print(measured.head("DuckDB, 1,000 rows", "seconds", "× bare md5 sum"))
    with duckdb.connect() as connection:
        for columns in (6, 50, 200, 500, 2_000):
            names = ", ".join(f"range + {at} AS c{at}" for at in range(columns))
            connection.execute(f"CREATE OR REPLACE TABLE t AS SELECT {names} FROM range(1000)")
            sums = ", ".join(f"sum(length(md5(CAST(c{at} AS VARCHAR))))" for at in range(columns))
            bare, ours = _interleaved(
                lambda: connection.execute(f"SELECT {sums} FROM t").fetchall(),
                lambda: ods.compute(connection, "t"),
            )
            print(measured.row(f"{columns} columns", f"{ours:.2f}", f"{ours / bare:.2f}"))
    print()


def memory() -> None:
    """Measure the peak of 20 million rows by 8 columns, streamed and from Parquet."""
    print(measured.head("20M rows × 8 columns", "seconds", "peak MiB"))
    rows = 20_000_000
    found = measured.run([sys.executable, "-c", FED.replace("ROWS", str(rows))])
    assert found.code == 0, found.output
    print(measured.row("an Arrow stream", f"{found.seconds:.0f}", f"{found.peak:.0f}"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.parquet"
        _parquet(path, rows)
        found = measured.run([sys.executable, "-m", "ods_fingerprint", "compute", str(path)])
        assert found.code == 0, found.output
        print(measured.row("a Parquet file", f"{found.seconds:.0f}", f"{found.peak:.0f}"))


def _parquet(path: Path, rows: int) -> None:
    schema = pa.schema([(f"c{at}", pa.string() if at % 2 else pa.int64()) for at in range(8)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 1_000_000):
            numbers = pa.array(range(start, start + 1_000_000), pa.int64())
            texts = numbers.cast(pa.string())
            columns = [texts if at % 2 else numbers for at in range(8)]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))


def _interleaved(*calls: Callable[[], object]) -> list[float]:
    """Return the median seconds of each call, in turns so that a busy moment hits all."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for at, call in enumerate(calls):
            times[at].append(_seconds(call))
    return [median(found) for found in times]


def _seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _median(call: Callable[[], float]) -> float:
    return median(call() for _ in range(ROUNDS))


if __name__ == "__main__":
    main()
