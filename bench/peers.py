"""The main job against other tools: a million rows with one change, and small tables that mislead.

Both sides lie on this machine, which is where the others can work at all. `right` is a verdict that a
script can trust: by the exit code where the tool has one, else by what it prints.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import measured
import pyarrow as pa
import pyarrow.parquet as pq

BIN = Path(sys.executable).parent
ROWS = 1_000_000
NAN = float("nan")
EQUAL, DIFFERENT, NOTHING = "equal", "different", "no answer"
PARTIAL = "not seen, said"  # equal, but for columns that it names


@dataclass(frozen=True)
class Tool:
    """A tool: its command for two sides, and how its answer is read."""

    name: str
    command: Callable[[Path, Path], list[str]]
    says: Callable[[measured.Measured], str]


def _ours(found: measured.Measured) -> str:
    return {0: EQUAL, 1: DIFFERENT, 3: PARTIAL}.get(found.code, NOTHING)


def _by_code(found: measured.Measured) -> str:
    return {0: EQUAL, 1: DIFFERENT}.get(found.code, NOTHING)


def _reladiff(found: measured.Measured) -> str:
    # it ends with 0 on differences and on errors
    if "ERROR" in found.output or "Traceback" in found.output:
        return NOTHING
    changed = any(line.startswith(("+", "-")) for line in found.output.splitlines())
    return DIFFERENT if changed else EQUAL


def _datacompy(found: measured.Measured) -> str:
    return {"True": EQUAL, "False": DIFFERENT}.get(found.output.strip().splitlines()[-1], NOTHING)


_DATACOMPY = """
import sys, polars as pl
from datacompy import PolarsCompare
a, b = (pl.read_parquet(path) for path in sys.argv[1:])
print(PolarsCompare(a, b, join_columns="id").matches())
"""
TOOLS = [
    Tool(
        "ods-fingerprint, Parquet",
        lambda a, b: [str(BIN / "ods-fingerprint"), "compare", f"{a}.parquet", f"{b}.parquet"],
        _ours,
    ),
    Tool(
        "ods-fingerprint, DuckDB",
        lambda a, b: [
            str(BIN / "ods-fingerprint"),
            "compare",
            f"duckdb:{a}.duckdb/t",
            f"duckdb:{b}.duckdb/t",
        ],
        _ours,
    ),
    Tool(
        "reladiff",
        lambda a, b: [
            *(str(BIN / "reladiff"), f"duckdb:///{a}.duckdb", "t", f"duckdb:///{b}.duckdb", "t"),
            *("-k", "id", "-c", "%", "-a", "hashdiff"),
        ],
        _reladiff,
    ),
    Tool(
        "lake-sift",
        lambda a, b: [str(BIN / "lake-sift"), f"{a}.parquet", f"{b}.parquet", "--key", "id"],
        _by_code,
    ),
    Tool(
        "datacompy (Polars)",
        lambda a, b: [sys.executable, "-c", _DATACOMPY, f"{a}.parquet", f"{b}.parquet"],
        _datacompy,
    ),
]


def _column(values: list[object], kind: pa.DataType | None = None) -> pa.Table:
    return pa.table({"id": range(1, len(values) + 1), "x": pa.array(values, kind)})


def _keyed(keys: list[int | None], texts: str) -> pa.Table:
    return pa.table({"id": pa.array(keys, pa.int64()), "x": list(texts)})


def _two(a: str, b: str) -> pa.Table:
    return pa.table({"id": [1], "a": [a], "b": [b]})


MATRIX: dict[str, tuple[pa.Table, pa.Table, bool]] = {
    "one value changed": (_column([1, 2, 3]), _column([1, 2, 4]), False),
    "separator in the text": (_two("a|b", "c"), _two("a", "b|c"), False),
    "NULL and marker text": (_column([None, "a"], pa.string()), _column(["<null>", "a"]), False),
    "trailing space": (_column(["a"]), _column(["a "]), False),
    "NaN and NULL": (_column([NAN, 1.0]), _column([None, 1.0], pa.float64()), False),
    "NaN and NaN": (_column([NAN, 1.0]), _column([NAN, 1.0]), True),
    "1e-10 and 2e-10": (_column([1e-10, 1.0]), _column([2e-10, 1.0]), False),
    "2.0 and 2.01 of other scales": (
        _column([Decimal("2.0")], pa.decimal128(10, 1)),
        _column([Decimal("2.01")], pa.decimal128(10, 2)),
        False,
    ),
    "800 ms apart": (
        _column([datetime(2024, 1, 1, 0, 0, 0, 100_000)]),
        _column([datetime(2024, 1, 1, 0, 0, 0, 900_000)]),
        False,
    ),
    "1 and '1'": (_column([1]), _column(["1"]), False),
    "the same lists": (_column([[1, 2], [3]]), _column([[1, 2], [3]]), True),
    "other lists": (_column([[1, 2], [3]]), _column([[1, 2], [4]]), False),
    "30 digits, the last changed": (
        _column([Decimal(10**29 + 1)], pa.decimal128(38, 0)),
        _column([Decimal(10**29 + 2)], pa.decimal128(38, 0)),
        False,
    ),
    "one nanosecond apart": (
        _column([1], pa.timestamp("ns")),
        _column([2], pa.timestamp("ns")),
        False,
    ),
    "a column shuffled": (_column(["a", "b"]), _column(["b", "a"]), False),
    "floats of the same ends and sum": (
        _column([0.0, 1.0, 3.0, 4.0]),
        _column([0.0, 2.0, 2.0, 4.0]),
        False,
    ),
    "another row twice": (_keyed([1, 1, 2], "aab"), _keyed([1, 2, 2], "abb"), False),
    "rows without a key": (_keyed([None, 1], "ab"), _keyed([None, 1], "cb"), False),
    "no rows": (_column([], pa.int64()), _column([], pa.int64()), True),
    "other order of rows": (
        pa.table({"id": [1, 2], "x": ["a", "b"]}),
        pa.table({"id": [2, 1], "x": ["b", "a"]}),
        True,
    ),
}


def main() -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as folder:
        _large(Path(folder))
        _matrix(Path(folder))


def _large(folder: Path) -> None:
    a, b = folder / "a", folder / "b"
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT range AS id, 'name ' || range AS name, range % 1000 AS city,"
            " CAST(range % 9999 / 100 AS DECIMAL(18,2)) AS price, range / 7.0 AS score,"
            f" TIMESTAMP '2020-01-01' + INTERVAL (range) SECOND AS at FROM range({ROWS})"
        )
        _written(connection.sql("SELECT * FROM t").to_arrow_table(), a)
        connection.execute("UPDATE t SET price = price + 0.01 WHERE id = 123456")
        _written(connection.sql("SELECT * FROM t").to_arrow_table(), b)
    print(measured.head("1M × 6, one value changed", "seconds", "× ours", "peak MiB", "verdict"))
    base = 0.0
    for tool in TOOLS:
        found = measured.run(tool.command(a, b))
        base = base or found.seconds
        print(
            measured.row(
                tool.name,
                f"{found.seconds:.1f}",
                f"{found.seconds / base:.1f}",
                f"{found.peak:.0f}",
                _word(tool, found, DIFFERENT),
            )
        )
    print()


def _matrix(folder: Path) -> None:
    """Print what each tool says of small tables, and what all of them took."""
    print(measured.head("verdict on", *(tool.name for tool in TOOLS)))
    took: dict[str, list[measured.Measured]] = {tool.name: [] for tool in TOOLS}
    for at, (case, (one, other, equal)) in enumerate(MATRIX.items()):
        a, b = folder / f"a{at}", folder / f"b{at}"
        _written(one, a)
        _written(other, b)
        words = []
        for tool in TOOLS:
            found = measured.run(tool.command(a, b))
            took[tool.name].append(found)
            words.append(_word(tool, found, EQUAL if equal else DIFFERENT))
        print(measured.row(case, *words))
    seconds = (f"{sum(one.seconds for one in found):.0f}" for found in took.values())
    print(measured.row("seconds, all cases", *seconds))
    peaks = (f"{max(one.peak for one in found):.0f}" for found in took.values())
    print(measured.row("highest peak, MiB", *peaks))


def _word(tool: Tool, found: measured.Measured, truth: str) -> str:
    said = tool.says(found)
    return {truth: "right", PARTIAL: PARTIAL, NOTHING: NOTHING}.get(said, "WRONG")


def _written(table: pa.Table, path: Path) -> None:
    pq.write_table(table, f"{path}.parquet")
    with duckdb.connect(f"{path}.duckdb") as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM given")


if __name__ == "__main__":
    main()
