"""What a fingerprint costs on Spark, as a multiple of one bare md5 over the same columns.

    python bench/spark_ratio.py [--columns 6 50 200] [--values 12000000] [--repeats 3] [--wide 500 2000]

`bare` is sum(length(md5(cast(c as string)))) of every column, `together` our statement with all
aggregates in one, `ours` the one that is printed. They run in turn on one Parquet file; a ratio is
the median over the turns, with the lowest and the highest. --wide: how long ours takes, once.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow.parquet as pq

import ods_fingerprint as ods

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

DIALECT = Path(__file__).resolve().parents[1] / "dialects" / "spark.toml"
# a mixed table: what h, a random number of 64 bits, becomes in each kind of column
KINDS = (
    "CAST({h} % 1000000000 AS BIGINT)",
    "CAST(CAST({h} % 100000000 AS BIGINT) / 100 AS DECIMAL(18, 2))",
    "'customer ' || ({h} % 100000)",
    "DATE '1990-01-01' + CAST({h} % 12000 AS INTEGER)",
    "TIMESTAMPTZ '2020-01-01 00:00:00+00' + TO_MICROSECONDS(CAST({h} % 100000000000000 AS BIGINT))",
    "CAST({h} % 1000000 AS DOUBLE) / 7",
)
WARM = 2
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "3g",
}


def write(columns: int, rows: int, path: Path) -> None:
    """Write a Parquet file whose columns go through the kinds; one value of fifty is NULL."""
    made = [_column(KINDS[at % len(KINDS)], at) for at in range(columns)]
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        rows_of = f"SELECT {', '.join(made)} FROM RANGE({rows}) AS t(i)"
        connection.execute(f"COPY ({rows_of}) TO '{path}' (FORMAT parquet)")


def _column(kind: str, at: int) -> str:
    h = f"HASH(i, {at})"
    return f"CASE WHEN {h} % 50 > 0 THEN {kind.format(h=h)} END AS c{at}"


def bare(columns: Sequence[str]) -> str:
    """Return the statement that everything is measured against."""
    sums = (f"SUM(LENGTH(MD5(CAST(`{name}` AS STRING))))" for name in columns)
    return f"SELECT {', '.join(sums)} FROM bench"


def undivided(folder: Path) -> Path:
    """Return the dialect with all aggregates in one."""
    lines = DIALECT.read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / "together.toml"
    given = [f"past = {1 << 30}\n" if line.startswith("past = ") else line for line in lines]
    assert given != lines
    path.write_text("".join(given), encoding="utf-8")
    return path


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of one run: by the clock, and of all threads of the JVM, which no neighbour slows."""

    clock: float
    cpu: float


def run(spark: SparkSession, texts: Sequence[str]) -> Took:
    clock, cpu = time.perf_counter(), _cpu(spark)
    for text in texts:
        spark.sql(text).collect()
    return Took(time.perf_counter() - clock, _cpu(spark) - cpu)


def _cpu(spark: SparkSession) -> float:
    """Return the seconds that the JVM has used, as Linux counts them."""
    pid = spark.sparkContext._gateway.proc.pid
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(
    spark: SparkSession, ways: Mapping[str, Sequence[str]], repeats: int
) -> dict[str, list[Took]]:
    """Return what each way took, in turn; the first turns, which compile, are not counted."""
    found: dict[str, list[Took]] = {way: [] for way in ways}
    for turn in range(WARM + repeats):
        for way, texts in ways.items():
            took = run(spark, texts)
            if turn >= WARM:
                found[way].append(took)
    return found


def ratios(took: Sequence[Took], base: Sequence[Took]) -> str:
    """Return the ratios by the clock and of the CPU: median, lowest, highest."""
    clock = [one.clock / other.clock for one, other in zip(took, base)]
    cpu = [one.cpu / other.cpu for one, other in zip(took, base)]
    return " | ".join(
        f"{statistics.median(turns):.2f} ({min(turns):.2f} to {max(turns):.2f})"
        for turns in (clock, cpu)
    )


def session() -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("ods-fingerprint bench")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def view(spark: SparkSession, columns: int, rows: int, folder: Path) -> pa.Schema:
    """Make the table `bench` and return its schema."""
    path = folder / f"{columns}.parquet"
    write(columns, rows, path)
    spark.read.parquet(str(path)).createOrReplaceTempView("bench")
    return pq.read_schema(path)


def line(spark: SparkSession, columns: int, rows: int, repeats: int, folder: Path) -> str:
    """Return the line of the table for so many columns."""
    schema = view(spark, columns, rows, folder)
    ways = {
        "bare": [bare(schema.names)],
        "together": ods.statements("bench", schema, str(undivided(folder))),
        "ours": ods.statements("bench", schema, "spark"),
    }
    took = measured(spark, ways, repeats)
    base = took["bare"]
    seconds = statistics.median(one.clock for one in base)
    told = " | ".join(ratios(took[way], base) for way in ("together", "ours"))
    return f"| {columns} | {rows} | {seconds:.2f} | {told} |"


def wide(spark: SparkSession, columns: int, folder: Path) -> str:
    """Return how long the first run of a very wide table takes."""
    schema = view(spark, columns, 1000, folder)
    took = run(spark, ods.statements("bench", schema, "spark"))
    return f"{columns} columns of 1000 rows, first run: {took.clock:.0f} s, {took.cpu:.0f} of CPU"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--columns", type=int, nargs="*", default=[6, 50, 200])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--values", type=int, default=12_000_000, help="rows times columns")
    parser.add_argument("--wide", type=int, nargs="*", default=[500, 2000])
    asked = parser.parse_args(arguments)
    spark = session()
    print(f"Spark {spark.version}, two cores")
    print("| columns | rows | bare, s | together | its CPU | ours | its CPU |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for columns in asked.columns:
            rows = asked.values // columns
            print(line(spark, columns, rows, asked.repeats, Path(temporary)), flush=True)
        for columns in asked.wide:
            print(wide(spark, columns, Path(temporary)), flush=True)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
