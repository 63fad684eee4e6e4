"""pandas on delta-rs: frames are DataFrames of Arrow dtypes, one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ..delta_table import Commit, arrow_schema, version_of
from . import About, Place, lacks, pyarrow, versions_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Frames:
    """DataFrames in turn; `schema` is what they were read from."""

    schema: pa.Schema
    frames: Iterator[pd.DataFrame]


def about() -> About:
    return About(
        "pandas",
        "delta-rs",
        versions_of("pandas", "pyarrow", "deltalake"),
        re.compile(r"delta-rs:"),
        re.compile(r"delta-rs "),
    )


def missing() -> str | None:
    return lacks("pandas", "pandas")


def start(place: Place) -> None:
    import pandas  # noqa: F401

    pyarrow.start(place)


def load(path: Path, place: Place) -> Frames:
    return _frames(pyarrow.load(path, place))


def read(table: Path, version: int, place: Place) -> Frames:
    return _frames(pyarrow.read(table, version, place))


def _frames(batches: pa.RecordBatchReader) -> Frames:
    import pandas as pd

    # the default dtypes turn NaN into NULL, and integers with NULL into floats
    return Frames(batches.schema, (b.to_pandas(types_mapper=pd.ArrowDtype) for b in batches))


def append(frames: Frames, table: Path, commit: Commit, place: Place) -> None:
    schema = arrow_schema(table, version_of(table))
    pyarrow.append(_batches(schema, frames.frames), table, commit, place)


def arrow(frames: Frames) -> pa.RecordBatchReader:
    return _batches(frames.schema, frames.frames)


def _batches(schema: pa.Schema, frames: Iterable[pd.DataFrame]) -> pa.RecordBatchReader:
    batches = (
        pa.RecordBatch.from_pandas(frame, schema=schema, preserve_index=False) for frame in frames
    )
    return pa.RecordBatchReader.from_batches(schema, batches)


def own_fingerprint(table: Path, version: int, place: Place) -> None:
    return None


def count_equal(table: Path, version: int, column: str, value: pa.Scalar, place: Place) -> int:
    # its filters are those of the dataset that it is read from
    return pyarrow.count_equal(table, version, column, value, place)


def close() -> None:
    return None
