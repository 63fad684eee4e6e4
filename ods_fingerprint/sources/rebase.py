"""Days and moments that a Parquet file holds in the calendar of Spark 2 and Hive.

Such a file was written by Spark 2, by a later Spark under a rebase mode LEGACY, or by Hive. Its old
values are other ones than its numbers say, and the moments hang on the writer's zone. The footer
says so, and PyArrow hands it on as a schema's metadata. From the bounds on, which are those of
Spark's own reader, both calendars give the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import SourceError

_GREGORIAN = -141_427  # days to 1582-10-15
_EVERYWHERE = -2_208_988_800  # seconds to 1900-01-01: no zone moves a moment from there on
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_VERSION = re.compile(rb"(\d+)\.(\d+)")
_NO_SPARK = (1_000, 0)
_Footer: TypeAlias = "Mapping[bytes, bytes] | None"


@dataclass(frozen=True, slots=True)
class OldCalendar:
    """The columns of `name` whose old values must not be taken as they stand."""

    name: str
    columns: frozenset[str]

    def checked(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches as they are, after `refuse`."""
        for batch in batches:
            self.refuse(batch)
            yield batch

    def refuse(self, batch: pa.RecordBatch) -> None:
        """Raise SourceError if a column holds a value from before the calendars agree."""
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if name in self.columns and _old(column):
                raise SourceError(
                    f"{self.name} holds {name!r} in the calendar of Spark 2 (rebase mode LEGACY) "
                    "or Hive, where days before 1582-10-15 and moments before 1900 are other ones "
                    "than the numbers say; read it in Spark, or let Spark write it again under the "
                    "rebase mode CORRECTED"
                )


def of_file(file: pq.ParquetFile, name: str) -> OldCalendar:
    """Return which days and moments of a file are in the old calendar, by its footer."""
    days, int96 = _moved(file.metadata.metadata)
    leaves = [file.schema.column(at) for at in range(len(file.schema))]
    as_int96 = {leaf.path for leaf in leaves if leaf.physical_type == "INT96"}
    columns = {
        field.name
        for field in file.schema_arrow
        if (int96 if field.name in as_int96 else days and _counted(field.type))
    }
    return OldCalendar(name, frozenset(columns))


def of_schema(schema: pa.Schema, footers: Iterable[_Footer], name: str) -> OldCalendar:
    """Return the same of data that came from files: a zone-less timestamp may have been INT96."""
    days, int96 = map(any, zip(*map(_moved, (None, *footers))))
    columns = {
        field.name
        for field in schema
        if (days and _counted(field.type)) or (int96 and _zoneless(field.type))
    }
    return OldCalendar(name, frozenset(columns))


def _moved(footer: _Footer) -> tuple[bool, bool]:
    """Return whether days and moments are moved, and whether those stored as INT96 are."""
    footer = footer or {}
    hive = footer.get(b"writer.date.proleptic") == b"false"
    version = _spark(footer)
    days = hive or version < (3, 0) or b"org.apache.spark.legacyDateTime" in footer
    # Spark 3.0 had no mode for INT96
    int96 = hive or version < (3, 1) or b"org.apache.spark.legacyINT96" in footer
    return days, int96


def _spark(footer: Mapping[bytes, bytes]) -> tuple[int, int]:
    """Return the version of the Spark that wrote a file: 2.4 and before did not say it."""
    found = _VERSION.match(footer.get(b"org.apache.spark.version", b""))
    if found:
        return int(found[1]), int(found[2])
    return (2, 0) if b"org.apache.spark.sql.parquet.row.metadata" in footer else _NO_SPARK


def _counted(kind: pa.DataType) -> bool:
    """Return whether a type is a day or an instant: a zone-less timestamp is never moved."""
    return pa.types.is_date(kind) or (pa.types.is_timestamp(kind) and kind.tz is not None)


def _zoneless(kind: pa.DataType) -> bool:
    return pa.types.is_timestamp(kind) and kind.tz is None


def _old(column: pa.Array) -> bool:
    if pa.types.is_date(column.type):
        numbers, first = column.cast(pa.date32()).view(pa.int32()), _GREGORIAN
    else:
        numbers, first = column.view(pa.int64()), _EVERYWHERE * _PER_SECOND[column.type.unit]
    return pc.any(pc.less(numbers, first)).as_py() or False
