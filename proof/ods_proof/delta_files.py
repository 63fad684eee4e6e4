"""The data files of a Delta table: who wrote them, and whether the log's statistics are true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .delta_table import log
from .rows import plain_type

Json: TypeAlias = "dict[str, Any]"
_MILLISECOND = timedelta(milliseconds=1)


def look(table: Path) -> list[Json]:
    """Return of each file in force its writer, its INT96 columns, and where the log is untrue."""
    found = []
    for path, action in sorted(log(table).files().items()):
        with pq.ParquetFile(table / unquote(path), coerce_int96_timestamp_unit="us") as file:
            leaves = [file.schema.column(at) for at in range(len(file.schema))]
            found.append(
                {
                    "path": path,
                    "created_by": file.metadata.created_by,
                    "rows": file.metadata.num_rows,
                    "int96": [leaf.path for leaf in leaves if leaf.physical_type == "INT96"],
                    "untrue": list(_untrue(file, json.loads(action.get("stats") or "{}"))),
                }
            )
    return found


def _untrue(file: pq.ParquetFile, stats: Json) -> Iterator[str]:
    """Yield what the statistics of a file say wrongly: of columns, never of values."""
    if stats.get("numRecords", file.metadata.num_rows) != file.metadata.num_rows:
        yield "numRecords"
    for name, nulls in stats.get("nullCount", {}).items():
        if isinstance(nulls, int) and name in file.schema_arrow.names:
            column = _plain(file.read([name]).column(0))
            if column.null_count != nulls:
                yield f"nullCount of {name}"
            yield from _bounds(name, column, stats)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = plain_type(column.type)
    return column if kind == column.type else column.cast(kind)


def _bounds(name: str, column: pa.ChunkedArray, stats: Json) -> Iterator[str]:
    kept = column.drop_null()
    if pa.types.is_floating(column.type):
        kept = kept.filter(pc.invert(pc.is_nan(kept)))
    if not len(kept) or pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        return
    ends = pc.min_max(kept)
    low = _value(stats.get("minValues", {}).get(name), column.type)
    high = _value(stats.get("maxValues", {}).get(name), column.type)
    slack = _MILLISECOND if pa.types.is_timestamp(column.type) else None
    if low is not None and low > ends["min"].as_py():
        yield f"minValues of {name}"
    if high is not None and ends["max"].as_py() > (high + slack if slack else high):
        yield f"maxValues of {name}"


def _value(given: object, kind: pa.DataType) -> Any:
    """Return a bound of the log as the value that it stands for."""
    if given is None:
        return None
    if pa.types.is_date(kind):
        return date.fromisoformat(str(given))
    if pa.types.is_timestamp(kind):
        found = datetime.fromisoformat(str(given).replace("Z", "+00:00"))
        zone = timezone.utc if kind.tz else None
        found = found.replace(tzinfo=zone)
        # the slack must not pass the end of time
        return min(found, datetime.max.replace(tzinfo=zone) - _MILLISECOND)
    if pa.types.is_decimal(kind):
        return Decimal(str(given))
    return given
