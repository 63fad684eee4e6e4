"""The local calculator: fingerprints of Arrow data in batches, in bounded memory.

DuckDB hashes the prepared columns piece by piece, in the SQL of its own dialect. Nulls, and the
figures of floats, are counted here: sums exactly, so that batches, threads and order never matter.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import duckdb
import pyarrow as pa

from ..compiler import statements
from ..errors import SourceError, first_line
from ..figures import Figure, names, plan
from ..fingerprint import Fingerprint, Value, from_values, joined
from ..schema import Column, Schema
from ..sources.encodings import rows_at_once
from ..types import Float
from . import interruptible
from .arrow_cells import local, prepared
from .float_figures import FloatFigures

# a query takes a piece of the stream, a larger one of a wide table, whose planning is dear; DuckDB
# 1.5.5, given the stream itself, keeps much of it until its query ends, and crashes on Ctrl-C
_PIECE_BYTES = 16 << 20
_PIECE_BYTES_A_COLUMN = 128 << 10

Progress: TypeAlias = Callable[[int], None]


def compute(
    schema: Schema,
    batches: Iterable[pa.RecordBatch],
    *,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    infinities: bool = False,
    progress: Progress | None = None,
) -> Fingerprint:
    """Return the fingerprint of a stream of batches whose columns are those of `schema`, in order.

    `infinities`: the exporter writes infinite timestamps as extreme ones, as DuckDB does; they are
    refused (R7). Raise SourceError also for text that is not UTF-8 (R12), and for a timestamp that
    its microseconds cannot hold.
    """
    chosen = schema.chosen(columns, skip)
    plan(chosen)
    work = _Pass.over(schema, chosen, infinities, progress)
    hashes = _hashes(work, batches)
    values = [_value(figure, work, hashes) for figure in plan(chosen)]
    made_by = {"engine": "local calculator"}
    return joined([from_values(plan(chosen), values)], schema, chosen, made_by)


@dataclass(slots=True)
class _Pass:
    """One pass over the batches: what is counted here, and what DuckDB must hash."""

    columns: list[tuple[int, Column]]
    infinities: bool
    progress: Progress | None
    rows: int = 0
    nulls: dict[str, int] = field(default_factory=dict[str, int])
    floats: dict[str, FloatFigures] = field(default_factory=dict[str, FloatFigures])

    @classmethod
    def over(
        cls, schema: Schema, chosen: Schema, infinities: bool, progress: Progress | None
    ) -> _Pass:
        kept = {column.name for column in chosen.columns}
        columns = [(at, column) for at, column in enumerate(schema.columns) if column.name in kept]
        return cls(columns, infinities, progress, nulls={column.name: 0 for _, column in columns})

    def hashed(self) -> list[Column]:
        """Return the columns that DuckDB hashes."""
        return [column for _, column in self.columns if "hash" in names(column.type)]

    def take(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Count each batch, and yield its prepared columns that DuckDB must hash."""
        labels = [f"c{at}" for at in range(len(self.hashed()))]
        for batch in batches:
            for part in self._parts(batch):
                yield pa.RecordBatch.from_arrays(self._count(part), names=labels)

    def _parts(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield the rows in batches that stay small though each row has a long text of its own."""
        arrays = (_array(batch, at, column) for at, column in self.columns)
        rows = rows_at_once(arrays, _PIECE_BYTES)
        if rows is None or rows >= batch.num_rows:
            yield batch
        else:
            yield from (batch.slice(at, rows) for at in range(0, batch.num_rows, rows))

    def _count(self, batch: pa.RecordBatch) -> list[pa.Array]:
        hashed: list[pa.Array] = []
        for at, column in self.columns:
            cells = prepared(_array(batch, at, column), column, infinities=self.infinities)
            self.nulls[column.name] += cells.null_count
            if isinstance(column.type, Float):
                self.floats.setdefault(column.name, FloatFigures()).add(cells)
            if "hash" in names(column.type):
                hashed.append(cells)
        self.rows += batch.num_rows
        if self.progress:
            self.progress(self.rows)
        return hashed


def _array(batch: pa.RecordBatch, at: int, column: Column) -> pa.Array:
    try:
        return batch.column(at)
    except KeyError as error:
        reason = f"its Arrow type ({error}) is not known to PyArrow: leave it out (skip)"
        raise SourceError(f"column {column.name}: {reason}") from None


def _hashes(work: _Pass, batches: Iterable[pa.RecordBatch]) -> dict[str, int]:
    """Consume every batch; return the hash of each column that has one."""
    taken = work.take(batches)
    hashed = work.hashed()
    totals = dict.fromkeys((column.name for column in hashed), 0)
    local_schema = Schema(tuple(Column(f"c{at}", local(c.type)) for at, c in enumerate(hashed)))
    most = max(_PIECE_BYTES, _PIECE_BYTES_A_COLUMN * len(hashed))
    with _calculator() as connection:
        while piece := interruptible.run(lambda: _piece(taken, most), connection.interrupt):
            if hashed:
                found = _in_duckdb(connection, local_schema, pa.Table.from_batches(piece))
                for column, given in zip(hashed, found.columns):
                    totals[column.name] += int(given.figures["hash"] or 0)
    return totals


def _piece(batches: Iterator[pa.RecordBatch], most: int) -> list[pa.RecordBatch]:
    """Return the next batches, until they have `most` bytes."""
    piece: list[pa.RecordBatch] = []
    size = 0
    while size < most and (batch := next(batches, None)) is not None:
        piece.append(batch)
        size += batch.nbytes or 1
    return piece


@contextmanager
def _calculator() -> Generator[duckdb.DuckDBPyConnection, None, None]:
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET enable_progress_bar = false")  # it would go to standard output
        yield connection


def _in_duckdb(
    connection: duckdb.DuckDBPyConnection, schema: Schema, piece: pa.Table
) -> Fingerprint:
    (statement,) = statements(("piece",), schema, "duckdb")
    connection.register("piece", piece)
    try:
        rows = interruptible.run(
            lambda: connection.execute(statement.text).fetchall(), connection.interrupt
        )
        connection.unregister("piece")
    except duckdb.Error as error:
        raise SourceError(f"a value cannot be hashed: {first_line(error)}") from None
    if len(rows) != 1:
        raise SourceError("the calculator did not return one row")
    return from_values(statement.figures, rows[0])


def _value(figure: Figure, work: _Pass, hashes: dict[str, int]) -> Value:
    if figure.column is None:
        return work.rows
    name = figure.column.name
    if figure.name == "nulls":
        return work.nulls[name]
    if figure.name == "hash":
        return hashes[name]
    return work.floats.get(name, FloatFigures()).values()[figure.name]
