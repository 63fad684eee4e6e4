"""Polars on delta-rs: frames are lazy ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ..delta_table import Commit
from . import About, Place, lacks, versions_of

if TYPE_CHECKING:
    import polars as pl

BATCH_ROWS = 16_384


def about() -> About:
    return About(
        "polars",
        "delta-rs",
        versions_of("polars", "deltalake"),
        re.compile(r"delta-rs:"),
        re.compile(r"delta-rs |Polars"),
        reads=frozenset({"timestampNtz", "deletionVectors"}),
        int96=False,
    )


def missing() -> str | None:
    return lacks("polars", "polars")


def start(place: Place) -> None:
    import polars  # noqa: F401


def load(path: Path, place: Place) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_ipc(path)


def read(table: Path, version: int, place: Place) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_delta(str(table), version=version)


def append(frames: pl.LazyFrame, table: Path, commit: Commit, place: Place) -> None:
    frames.sink_delta(
        str(table),
        mode="append",
        delta_write_options={"commit_properties": commit.properties()},
    )


def arrow(frames: pl.LazyFrame) -> pa.RecordBatchReader:
    schema = pa.schema(frames.collect_schema().to_arrow())
    batches = (
        batch
        for frame in frames.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True)
        for batch in frame.to_arrow().cast(schema).to_batches(BATCH_ROWS)
    )
    return pa.RecordBatchReader.from_batches(schema, batches)


def own_fingerprint(table: Path, version: int, place: Place) -> None:
    return None


def count_equal(table: Path, version: int, column: str, value: pa.Scalar, place: Place) -> int:
    import polars as pl

    kind = pl.Series(pa.array([value], value.type)).dtype
    kept = read(table, version, place).filter(pl.col(column) == pl.lit(value.as_py(), dtype=kind))
    found: int = kept.select(pl.len()).collect().item()
    return found


def close() -> None:
    return None
