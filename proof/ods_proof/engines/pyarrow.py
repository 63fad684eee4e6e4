"""PyArrow on delta-rs: frames are record batches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from ..delta_table import Commit, arrow_schema
from . import About, Place, versions_of

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset

BATCH_ROWS = 16_384
_READ_AHEAD = {"batch_size": BATCH_ROWS, "batch_readahead": 1, "fragment_readahead": 1}


def about() -> About:
    return About(
        "pyarrow",
        "delta-rs",
        versions_of("pyarrow", "deltalake"),
        re.compile(r"delta-rs:"),
        re.compile(r"delta-rs "),
    )


def missing() -> str | None:
    return None


def start(place: Place) -> None:
    import pyarrow.dataset  # noqa: F401  (slow: it imports pandas)


def load(path: Path, place: Place) -> pa.RecordBatchReader:
    found = pa.ipc.open_file(pa.memory_map(str(path)))
    batches = (found.get_batch(at) for at in range(found.num_record_batches))
    return pa.RecordBatchReader.from_batches(found.schema, batches)


def read(table: Path, version: int, place: Place) -> pa.RecordBatchReader:
    dataset = _dataset(table, version)
    batches: Iterator[pa.RecordBatch] = dataset.to_batches(**_READ_AHEAD)
    return pa.RecordBatchReader.from_batches(dataset.schema, batches)


def columns(table: Path, version: int) -> Iterator[pa.RecordBatchReader]:
    """Yield every column of a table as a stream of its own."""
    dataset = _dataset(table, version)
    for kept in dataset.schema:
        batches = dataset.to_batches(columns=[kept.name], **_READ_AHEAD)
        yield pa.RecordBatchReader.from_batches(pa.schema([kept]), batches)


def _dataset(table: Path, version: int) -> Dataset:
    from pyarrow.dataset import ParquetReadOptions

    # by default INT96 is read as nanoseconds, which end in 2262
    options = ParquetReadOptions(coerce_int96_timestamp_unit="us")
    return DeltaTable(table, version=version).to_pyarrow_dataset(parquet_read_options=options)


def append(frames: pa.RecordBatchReader, table: Path, commit: Commit, place: Place) -> None:
    write_deltalake(
        table,
        _fitted(frames, table),
        mode="append",
        target_file_size=64 << 20,
        commit_properties=commit.properties(),
    )


def _fitted(frames: pa.RecordBatchReader, table: Path) -> pa.RecordBatchReader:
    """Return the batches under the schema of the table: its NOT NULL and tags, no other types."""
    schema = arrow_schema(table, DeltaTable(table).version())
    return pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in frames))


def arrow(frames: pa.RecordBatchReader) -> pa.RecordBatchReader:
    return frames


def own_fingerprint(table: Path, version: int, place: Place) -> None:
    return None


def count_equal(table: Path, version: int, column: str, value: pa.Scalar, place: Place) -> int:
    from pyarrow.dataset import field

    found: int = _dataset(table, version).count_rows(filter=field(column) == value)
    return found


def close() -> None:
    return None
