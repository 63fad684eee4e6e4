"""Days and moments that a Parquet file holds in the calendar of Spark 2 and Hive.

Such a file was written by Spark 2, by Spark 3 or later under a rebase mode LEGACY, or by Hive. Its
old values are other ones than its numbers say, and the moments hang on the writer's zone. The footer
says so; from the bounds on (those of Spark's own readers) both calendars give the same numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import SourceError

_GREGORIAN = -141_427  # days to 1582-10-15
_EVERYWHERE = -2_208_988_800  # seconds to 1900-01-01: no zone moves a moment from there on
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_SPARK = "org.apache.spark."
_VERSION = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class OldCalendar:
    """The columns of one file whose old values must not be read as they stand."""

    file: str
    columns: frozenset[str]

    def refuse(self, batch: pa.RecordBatch) -> None:
        """Raise SourceError if a column holds a value from before the calendars agree."""
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if name in self.columns and _old(column):
                raise SourceError(
                    f"{self.file} holds {name!r} in the calendar of Spark 2 (rebase mode LEGACY) or "
                    "Hive, where days before 1582-10-15 and moments before 1900 are other ones than "
                    "the file's numbers say; read it in Spark, or let Spark write it again under "
                    "rebase mode CORRECTED"
                )


def old_calendar(file: pq.ParquetFile, name: str) -> OldCalendar:
    """Return which days and moments of a file are in the old calendar, by its footer."""
    footer = {key.decode(): text for key, text in (file.metadata.metadata or {}).items()}
    days, int96 = _moved(footer)
    leaves = [file.schema.column(at) for at in range(len(file.schema))]
    as_int96 = {leaf.path for leaf in leaves if leaf.physical_type == "INT96"}
    columns = {
        field.name
        for field in file.schema_arrow
        if (int96 if field.name in as_int96 else days and _counted(field.type))
    }
    return OldCalendar(name, frozenset(columns))


def _moved(footer: dict[str, bytes]) -> tuple[bool, bool]:
    """Return whether days and moments are moved, and whether those stored as INT96 are."""
    hive = footer.get("writer.date.proleptic") == b"false"
    version = _spark(footer)
    days = hive or version < (3, 0) or f"{_SPARK}legacyDateTime" in footer
    # Spark 3.0 had no mode for INT96
    int96 = hive or version < (3, 1) or f"{_SPARK}legacyINT96" in footer
    return days, int96


def _spark(footer: dict[str, bytes]) -> tuple[int, int]:
    """Return the version of the Spark that wrote a file: 2.4 and before did not say it."""
    found = _VERSION.match(footer.get(f"{_SPARK}version", b"").decode())
    if found:
        return int(found[1]), int(found[2])
    return (2, 0) if f"{_SPARK}sql.parquet.row.metadata" in footer else (1_000, 0)


def _counted(kind: pa.DataType) -> bool:
    """Return whether a type is a day or an instant: a zone-less timestamp is never moved."""
    return pa.types.is_date(kind) or (pa.types.is_timestamp(kind) and kind.tz is not None)


def _old(column: pa.Array) -> bool:
    if pa.types.is_date(column.type):
        numbers, first = column.cast(pa.date32()).view(pa.int32()), _GREGORIAN
    else:
        numbers, first = column.view(pa.int64()), _EVERYWHERE * _PER_SECOND[column.type.unit]
    return pc.any(pc.less(numbers, first)).as_py() or False
