"""Fingerprints of what this process can read: Arrow data, Parquet and Arrow files, Delta tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import figures
from ..fingerprint import Fingerprint
from ..schema import Schema
from ..sources import arrow_cast, arrow_data
from ..sources.source import Hive
from . import arrow


def schema(source: object, *, version: int | None = None, hive: Hive = None) -> Schema:
    """Return the schema of a path, a pyarrow Dataset, or anything with `__arrow_c_stream__`."""
    data = arrow_data.opened(source, version, hive)
    data.close()
    return data.schema


def compute(
    source: object,
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    strict: bool = False,
    wanted: Schema | None = None,
    version: int | None = None,
    hive: Hive = None,
    progress: Callable[[int], None] | None = None,
) -> Fingerprint:
    """Return the fingerprint of `source`, its columns first cast to `wanted` where given."""
    data = arrow_data.opened(source, version, hive)
    try:
        if wanted is not None:
            data = arrow_cast.cast(data, wanted)
        if strict:
            figures.strictly(data.schema.chosen(columns, skip))
        return arrow.compute(
            data.schema,
            data.batches,
            columns=columns,
            skip=skip,
            infinities=data.infinities,
            progress=progress,
        )
    finally:
        data.close()
