"""Frames that change between read and write, as a function of the whole table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from ods_proof.engines import Place, pyarrow

Change = Callable[[pa.Table], pa.Table]


def reader(change: Change) -> Callable[[Path, int, Place], pa.RecordBatchReader]:
    """Return a `read` that hands on a changed table."""

    def read(table: Path, version: int, place: Place) -> pa.RecordBatchReader:
        return change(pyarrow.read(table, version, place).read_all()).to_reader()

    return read


def replaced(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    """Return the table with another column of that name."""
    at = table.schema.get_field_index(name)
    return table.set_column(at, table.schema.field(at), column)


def ordered(table: pa.Table, name: str, order: Callable[[list[int]], list[int]]) -> pa.Table:
    """Return the table with one column's values in another order."""
    positions = order(list(range(table.num_rows)))
    column = table.column(name).combine_chunks().take(pa.array(positions))
    return replaced(table, name, column)
