"""A fixed corpus of a million values of every type: Spark, DuckDB, the local calculator, hashlib.

    python tests/soak.py [--rows 1000000] [--seed 1]      `make soak`; minutes, so by hand or nightly

Prints how many values of each type agreed; exits 1 if any figure differs. The corpus is drawn and
written block by block; hashlib (spec/reference.py) checks the first block.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "spark")]

import duckdb  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import random_values  # noqa: E402
import tables  # noqa: E402

import ods_fingerprint as ods  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BLOCK = 50_000


def blocks(rows: int, seed: int) -> Iterator[list[dict[str, object]]]:
    """Yield the corpus, a block of columns at a time; the same for the same seed."""
    random = Random(seed)
    for start in range(0, rows, BLOCK):
        count = min(BLOCK, rows - start)
        yield [
            {"name": kind, "type": kind, "values": _drawn(kind, count, random)}
            for kind in random_values.KINDS
        ]


def _drawn(kind: str, count: int, random: Random) -> list[object]:
    draw = random_values.drawer(kind)
    return [draw(random) for _ in range(count)]


def write(rows: int, seed: int, folder: Path, reference: ModuleType) -> dict[str, object]:
    """Write the corpus, a file a block, and return what hashlib says of the first."""
    first: dict[str, object] = {}
    for at, columns in enumerate(blocks(rows, seed)):
        names = [str(column["name"]) for column in columns]
        pq.write_table(tables.arrow(columns, names), folder / f"{at:05}.parquet")
        if at == 0:
            first = reference.fingerprint(columns, len(tables.values(columns[0])))
    return first


def session() -> SparkSession:
    """Return a local Spark session that is small and quiet."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "2g",
        "spark.sql.session.timeZone": "America/New_York",
    }
    builder = SparkSession.builder.master("local[2]").appName("ods-fingerprint soak")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def on_spark(spark: SparkSession, path: Path) -> ods.Fingerprint:
    tables.parquet(spark, path).createOrReplaceTempView("soak")
    return ods.compute(spark, "soak")


def on_duckdb(path: Path) -> ods.Fingerprint:
    files = str(path / "*.parquet") if path.is_dir() else str(path)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TEMP VIEW soak AS SELECT * FROM read_parquet('{files}')")
        return ods.compute(connection, "soak")


def timed(label: str, compute: Callable[[Path], ods.Fingerprint], path: Path) -> ods.Fingerprint:
    """Return what `compute` does, and print how long it took."""
    start = time.perf_counter()
    made = compute(path)
    print(f"{label:24} {time.perf_counter() - start:7.1f} s", flush=True)
    return made


def differences(found: dict[str, ods.Fingerprint]) -> Iterator[str]:
    """Yield what differs between the first fingerprint and each other."""
    (first, one), *others = found.items()
    for second, other in others:
        result = json.loads(ods.compare(one, other).to_json())
        for told in result["differences"]:
            yield f"{first} and {second} differ: {told}"
        if not result["differences"] and result["verdict"] != "equal":
            yield f"{first} and {second}: {result['verdict']}"


def report(found: ods.Fingerprint, wrong: Iterable[str]) -> int:
    """Print the counts and every difference; return the exit code."""
    made = json.loads(found.to_json())
    for column in made["columns"]:
        values = made["rows"] - column["figures"]["nulls"]
        print(f"{column['name']:24} {values:10} values")
    told = list(wrong)
    print(*told, sep="\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(made['columns'])} types, {made['rows']} rows, peak {peak} MB of Python")
    print(f"{len(made['columns']) - len(told)} passed, {len(told)} failed")
    return 1 if told else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder, reference = Path(temporary), tables.reference()
        start = time.perf_counter()
        first = write(asked.rows, asked.seed, folder, reference)
        print(f"{'drawn and written':24} {time.perf_counter() - start:7.1f} s", flush=True)
        spark = session()
        print(f"Spark {spark.version}, DuckDB {duckdb.__version__}")
        ways = {"spark": lambda p: on_spark(spark, p), "duckdb": on_duckdb, "local": ods.compute}
        block = folder / "00000.parquet"
        small = {"hashlib": _read(first)} | {name: way(block) for name, way in ways.items()}
        whole = {name: timed(name, way, folder) for name, way in ways.items()}
        spark.stop()
    return report(whole["spark"], [*differences(small), *differences(whole)])


def _read(form: object) -> ods.Fingerprint:
    return ods.Fingerprint.from_json(json.dumps(form))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
