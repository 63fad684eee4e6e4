"""Columns of values in the words of the spec as tables of Spark: literals, Parquet files, Delta."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import vector_columns
from modes import set_to
from vector_columns import NoForm

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["NoForm"]
Vector = Mapping[str, object]
CORRECTED = {
    f"spark.sql.parquet.{kind}RebaseModeIn{way}": "CORRECTED"
    for kind in ("datetime", "int96")
    for way in ("Read", "Write")
}
_MICROS = {"s": 1_000_000, "ms": 1_000, "us": 1}
_TYPES = {
    **{"int8": "TINYINT", "int16": "SMALLINT", "int32": "INT", "int64": "BIGINT"},
    **{"uint8": "SMALLINT", "uint16": "INT", "uint32": "BIGINT", "uint64": "DECIMAL(20, 0)"},
    # the largest of 128 bits has 39 digits
    **{"int128": "DECIMAL(39, 0)", "uint128": "DECIMAL(39, 0)"},
}


def reference() -> ModuleType:
    """Return the spec in plain Python, which imports nothing of ours."""
    path = Path(__file__).parents[2] / "spec" / "reference.py"
    spec = importlib.util.spec_from_file_location("spec_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values(vector: Vector) -> Sequence[object]:
    """Return the values of a column, or the one value of a vector of one value."""
    found = vector["values"] if "values" in vector else [vector["value"]]
    assert isinstance(found, list)
    return found


def literals(spark: SparkSession, vectors: Sequence[Vector]) -> DataFrame:
    """Return a column of literals, c0, c1 …, for each vector; all have as many values."""
    columns = [
        [literal(str(v["type"]), value, str(v.get("unit", "us"))) for value in values(v)]
        for v in vectors
    ]
    names = [f"`c{at}`" for at in range(len(vectors))]
    rows = [f"({', '.join(row)})" for row in zip(*columns)]
    if not rows:
        typed = [sql_type(str(v["type"]), str(v.get("unit", "us"))) for v in vectors]
        nulls = ", ".join(f"CAST(NULL AS {kind})" for kind in typed)
        return spark.sql(f"SELECT * FROM VALUES ({nulls}) AS t({', '.join(names)}) WHERE false")
    return spark.sql(f"SELECT * FROM VALUES {', '.join(rows)} AS t({', '.join(names)})")


def literal(kind: str, value: object, unit: str = "us") -> str:
    """Return a value as an expression of Spark that no session setting changes."""
    typed = sql_type(kind, unit)
    if value is None:
        return f"CAST(NULL AS {typed})"
    if kind == "string":
        return f"CAST(X'{str(value).encode().hex()}' AS STRING)"
    if kind in ("half", "float", "double"):
        return f"CAST(CAST('{float.fromhex(str(value))!r}' AS DOUBLE) AS {typed})"
    if kind == "date":
        return f"DATE_FROM_UNIX_DATE({value})"
    if kind in ("timestamp", "timestamp_ntz") and unit in _MICROS:
        return _moment(int(str(value)) * _MICROS[unit], kind == "timestamp")
    if kind in ("boolean", "variant", "time", "binary", "interval"):
        return _other(kind, value)
    if kind.startswith(("list", "struct", "map")):
        return f"CAST({_nested(kind, value)} AS {typed})"
    return f"CAST('{value}' AS {typed})"


def _moment(micros: int, zoned: bool) -> str:
    if zoned:
        return f"TIMESTAMP_MICROS(CAST('{micros}' AS BIGINT))"
    # toward zero: one more day, less some hours, does not fit 64 bits at the smallest
    days, rest = divmod(abs(micros), 86_400_000_000)
    sign = "-" if micros < 0 else ""
    seconds = f"CAST('{sign}{rest // 1_000_000}.{rest % 1_000_000:06}' AS DECIMAL(18, 6))"
    return f"TIMESTAMP_NTZ '1970-01-01 00:00:00' + MAKE_DT_INTERVAL({sign}{days}, 0, 0, {seconds})"


def _other(kind: str, value: object) -> str:
    forms = {
        "boolean": str(bool(value)).lower(),
        "variant": f"PARSE_JSON('{value}')",
        "time": f"CAST('00:00:0{value}' AS TIME)",
        "binary": f"X'{value}'",
        "interval": f"INTERVAL '{value}'",
    }
    return forms[kind]


def _nested(kind: str, value: object) -> str:
    inner = _inner(kind)
    if value is None:
        return f"CAST(NULL AS {sql_type(kind)})"
    if isinstance(value, list):
        return f"ARRAY({', '.join(_cell(inner, cell) for cell in value)})"
    if isinstance(value, dict):
        function = "MAP" if kind.startswith("map") else "NAMED_STRUCT"
        cells = ", ".join(f"'{key}', {_cell(inner, cell)}" for key, cell in value.items())
        return f"{function}({cells})"
    return literal(kind, value)


def _cell(kind: str, value: object) -> str:
    return _nested(kind, value) if "<" in kind else literal(kind, value)


def _inner(kind: str) -> str:
    found = re.fullmatch(r"list<(.*)>|struct<\w+: (.*)>|map<string, (.*)>", kind)
    return next(filter(None, found.groups())) if found else kind


def sql_type(kind: str, unit: str = "us") -> str:
    """Return Spark's word for a type of the spec, or what Spark says it does not know."""
    if unit == "ns":
        return f"{kind.upper()}(9)"
    if not kind.startswith(("list", "struct", "map")):
        return _TYPES.get(kind, "INTERVAL DAY" if kind == "interval" else kind.upper())
    inner = sql_type(_inner(kind))
    field = re.match(r"struct<(\w+):", kind)
    if field:
        return f"STRUCT<{field[1]}: {inner}>"
    return f"ARRAY<{inner}>" if kind.startswith("list") else f"MAP<STRING, {inner}>"


def arrow(vectors: Sequence[Vector], names: Sequence[str] | None = None) -> pa.Table:
    """Return a column, c0, c1 …, for each vector; all have as many values."""
    columns = [
        vector_columns.arrow(str(v["type"]), values(v), str(v.get("unit", "us"))) for v in vectors
    ]
    return pa.table(columns, names=names or [f"c{at}" for at in range(len(vectors))])


def parquet(spark: SparkSession, path: Path) -> DataFrame:
    """Return a Parquet file or folder; Spark 3.5 must be told that no ancient date is rebased."""
    return spark.read.option("datetimeRebaseMode", "CORRECTED").parquet(str(path))


def written(vectors: Sequence[Vector], folder: Path) -> Path:
    """Return the path of a new Parquet file by PyArrow."""
    path = folder / f"{len(list(folder.iterdir()))}.parquet"
    pq.write_table(arrow(vectors), path)
    return path


def delta(frame: DataFrame, path: Path) -> str:
    """Write a new Delta table by Spark itself and return its name in SQL."""
    with set_to(frame.sparkSession, CORRECTED):
        frame.write.format("delta").save(str(path))
    return f'delta."{path}"'
