"""Tags that change on the way: what `TAGS` says of `COLUMN` is written before the data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable
from ods_proof.delta_table import Commit
from ods_proof.engines import Place, pyarrow


def appender(column: str, *tags: dict[str, str]) -> Callable[..., None]:
    """Return an `append` that commits the data, and then each change of a column's tags."""

    def append(frames: pa.RecordBatchReader, table: Path, commit: Commit, place: Place) -> None:
        pyarrow.append(frames, table, commit, place)
        for changed in tags:
            DeltaTable(table).alter.set_column_metadata(
                column, changed, commit_properties=commit.properties()
            )

    return append
