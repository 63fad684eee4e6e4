"""Settings of a Spark session that make it read otherwise than the files say: each gives a note."""

from __future__ import annotations

from dataclasses import dataclass

from ..schema import Schema
from ..types import Date, Timestamp
from .spark_session import Settings


@dataclass(frozen=True, slots=True)
class _Setting:
    """A setting that changes what is read where it has `value`; `dated`: only dates and times."""

    name: str
    value: str
    note: str
    dated: bool = False


_REBASED = "dates before 1582-10-15 and timestamps before 1900 are moved to another calendar"
_SKIPS = "what cannot be read is left out without a word"
_SETTINGS = (
    *(
        _Setting(f"spark.sql.{name}RebaseModeInRead", "LEGACY", _REBASED, dated=True)
        for name in ("parquet.datetime", "parquet.int96", "avro.datetime")
    ),
    _Setting("spark.sql.files.ignoreCorruptFiles", "true", _SKIPS),
    _Setting("spark.sql.files.ignoreMissingFiles", "true", _SKIPS),
)


def notes(session: Settings, schema: Schema) -> tuple[str, ...]:
    """Return what a reader must know of the settings of a session."""
    dated = any(isinstance(column.type, Date | Timestamp) for column in schema.columns)
    return tuple(
        f"{one.name} is {one.value}: {one.note}"
        for one in _SETTINGS
        if (dated or not one.dated)
        and str(session.get(one.name, None)).lower() == one.value.lower()
    )
