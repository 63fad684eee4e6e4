"""Whether two streams hold the same rows, bit by bit: floats by their bits, nested values too.

`id` is unique and counts the rows of the generated table, so a row that was read is held against
the row of that number. Every row must be there once, and no other: the order does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from .verdict import withheld

KEY = "id"
SHOWN = 20


@dataclass(slots=True)
class RowsReport:
    """What differs: counts of keys, and the first cells by key and column."""

    expected: int
    found: int = 0
    missing: int = 0
    extra: int = 0
    duplicate: int = 0
    differing: int = 0
    columns: dict[str, int] = field(default_factory=dict)
    cells: list[dict[str, object]] = field(default_factory=list)

    @property
    def identical(self) -> bool:
        """Return whether every row was there once, and as it was generated."""
        return not (self.missing or self.extra or self.duplicate or self.differing)


def compare(generated: Path, read: Path, hidden: Sequence[str], mark: str) -> RowsReport:
    """Hold the rows of one Arrow IPC file against those of the generated one.

    No value of a `hidden` column is shown, nor one that holds `mark`, wherever it was read.
    """
    source = pa.ipc.open_file(pa.memory_map(str(generated))).read_all()
    report = RowsReport(source.num_rows)
    seen = bytearray(source.num_rows)
    with pa.OSFile(str(read)) as file:
        stream = pa.ipc.open_file(file)
        for at in range(stream.num_record_batches):
            _batch(source, stream.get_batch(at), seen, hidden, mark, report)
    report.missing = seen.count(0)
    counts = report.columns
    report.columns = {name: counts[name] for name in source.schema.names if name in counts}
    return report


def _batch(
    source: pa.Table,
    batch: pa.RecordBatch,
    seen: bytearray,
    hidden: Sequence[str],
    mark: str,
    report: RowsReport,
) -> None:
    batch = pa.RecordBatch.from_arrays([_plain(c) for c in batch.columns], batch.schema.names)
    report.found += batch.num_rows
    keys = batch.column(KEY).to_pylist()
    known = []
    for position, key in enumerate(keys):
        if key is None or not 0 <= key < len(seen):
            report.extra += 1
        elif seen[key]:
            report.duplicate += 1
        else:
            seen[key] = 1
            known.append(position)
    found = batch.take(pa.array(known, pa.int64()))
    wanted = _rows(source, found.column(KEY))
    differing: set[int] = set()
    for name in source.schema.names:
        expected = _one(wanted.column(name))
        given = found.column(name) if name in found.schema.names else pa.nulls(len(expected))
        positions = differences(expected, given)
        if positions:
            differing |= positions
            report.columns[name] = report.columns.get(name, 0) + len(positions)
            shown = None if name in hidden else mark
            _show(report, found, name, expected, given, positions, shown)
    report.differing += len(differing)


def _rows(source: pa.Table, keys: pa.Array) -> pa.Table:
    """Return the rows of these numbers: of what lies between them, as `take` copies its columns."""
    if not len(keys):
        return source.slice(0, 0)
    ends = pc.min_max(keys)
    low, high = ends["min"].as_py(), ends["max"].as_py()
    return source.slice(low, high - low + 1).take(pc.subtract(keys, low)).combine_chunks()


def _one(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _show(
    report: RowsReport,
    found: pa.RecordBatch,
    name: str,
    expected: pa.Array,
    given: pa.Array,
    positions: Collection[int],
    mark: str | None,
) -> None:
    places = pa.array(positions, pa.int64())
    first = pc.array_sort_indices(found.column(KEY).take(places))[:SHOWN]
    for position in places.take(first).to_pylist():
        cell: dict[str, object] = {"id": found.column(KEY)[position].as_py(), "column": name}
        if mark is not None:
            cell["generated"] = _text(expected[position], mark)
            cell["read"] = _text(given[position], mark)
        report.cells.append(cell)
    report.cells.sort(key=_key)
    del report.cells[SHOWN:]


def _key(cell: Mapping[str, object]) -> int:
    return int(str(cell["id"]))


def _text(value: pa.Scalar, mark: str) -> str:
    text: str = withheld(ascii(value.as_py()), mark)
    return text if len(text) <= 80 else f"{text[:80]}…"


def differences(expected: pa.Array, given: pa.Array) -> set[int]:
    """Return the positions where two arrays of one length differ in any bit but a NaN's payload."""
    if not _alike(expected.type, given.type):
        return set(range(len(expected)))
    found = set(_positions(pc.xor(expected.is_null(), given.is_null())))
    if pa.types.is_struct(expected.type):
        for at in range(expected.type.num_fields):
            found |= differences(_child(expected, at), _child(given, at))
        return found
    if pa.types.is_map(expected.type) or pa.types.is_list(expected.type):
        return found | _of_lists(_as_list(expected), _as_list(given))
    if pa.types.is_floating(expected.type):
        return found | _of_floats(expected, given)
    return found | set(_positions(pc.not_equal(expected, given)))


def _child(array: pa.Array, at: int) -> pa.Array:
    """Return a struct's field, NULL where the struct is."""
    return pc.struct_field(array, [at])


def _as_list(array: pa.Array) -> pa.Array:
    if not pa.types.is_map(array.type):
        return array
    entries = pa.StructArray.from_arrays([array.keys, array.items], names=["key", "value"])
    offsets = array.offsets
    made = pa.ListArray.from_arrays(offsets, entries)
    return pc.if_else(array.is_valid(), made, pa.scalar(None, made.type))


def _of_lists(expected: pa.Array, given: pa.Array) -> set[int]:
    """Return the positions of lists of other lengths, or with an element that differs."""
    lengths = pc.not_equal(pc.list_value_length(expected), pc.list_value_length(given))
    found = set(_positions(lengths))
    both = pc.and_(expected.is_valid(), given.is_valid())
    same = pc.fill_null(pc.and_(both, pc.invert(pc.fill_null(lengths, True))), False)
    kept = pa.array(_positions(same), pa.int64())
    ours, theirs = expected.take(kept), given.take(kept)
    parents = pc.list_parent_indices(ours)
    inside = differences(ours.flatten(), theirs.flatten())
    return found | {kept[parents[at].as_py()].as_py() for at in inside}


def _of_floats(expected: pa.Array, given: pa.Array) -> set[int]:
    bits = {16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[expected.type.bit_width]
    other = pc.not_equal(expected.view(bits), given.view(bits))
    both_nan = pc.and_(pc.is_nan(expected), pc.is_nan(given))
    return set(_positions(pc.and_(other, pc.invert(both_nan))))


def _positions(mask: pa.Array) -> list[int]:
    found: list[int] = pc.indices_nonzero(pc.fill_null(mask, False)).to_pylist()
    return found


def _plain(array: pa.Array) -> pa.Array:
    """Return an array with large and view types as the plain ones: they hold the same values."""
    kind = plain_type(array.type)
    return array if kind == array.type else array.cast(kind)


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return a type without the kinds of storage that engines choose for themselves."""
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_map(kind):
        return pa.map_(plain_type(kind.key_type), plain_type(kind.item_type))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list_view(kind):
        return pa.list_(plain_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(f.name, plain_type(f.type)) for f in _fields(kind)])
    return kind


def _fields(kind: pa.DataType) -> Iterator[pa.Field]:
    return (kind.field(at) for at in range(kind.num_fields))


def _alike(expected: pa.DataType, given: pa.DataType) -> bool:
    return bool(plain_type(expected) == plain_type(given))
