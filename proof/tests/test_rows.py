"""Rows held against rows: every kind of value that differs is seen, in any order of rows."""

from __future__ import annotations

import random
import struct
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from ods_proof import contract, rows
from ods_proof.table import BATCH_ROWS, Generated

COUNT = BATCH_ROWS + 500
TABLE = pa.Table.from_batches(Generated(contract.load(), COUNT, 7).batches())
VARIED = [name for name in TABLE.schema.names if name not in ("id", "nothing", "origin")]


def _written(table: pa.Table, path: Path) -> Path:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1_000)
    return path


def _compared(read: pa.Table, folder: Path, generated: pa.Table = TABLE) -> rows.RowsReport:
    hidden = contract.load().confidential()
    paths = (_written(generated, folder / "generated"), _written(read, folder / "read"))
    return rows.compare(*paths, hidden, "no mark")


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    order = list(range(COUNT))
    random.Random(1).shuffle(order)
    found = _compared(TABLE.take(pa.array(order)), tmp_path)
    assert (found.identical, found.found, found.cells) == (True, COUNT, [])


def test_what_is_shown_does_not_hang_on_the_order_of_reading(tmp_path: Path) -> None:
    """Engines read many files in any order: the first cells are those of the lowest keys."""
    changed = TABLE
    for name, ids in (("i32", {9_000, *range(3, COUNT, 400)}), ("i8", {2, 16_800}), ("word", {9})):
        column = changed.column(name).to_pylist()
        for at in ids:
            column[at] = "another" if name == "word" else 1 - (column[at] or 0)
        kept = changed.schema.field(name)
        place = changed.schema.get_field_index(name)
        changed = changed.set_column(place, kept, pa.array(column, kept.type))
    order = list(range(COUNT))
    random.Random(2).shuffle(order)
    straight, shuffled = (
        _compared(table, tmp_path) for table in (changed, changed.take(pa.array(order)))
    )
    assert straight == shuffled
    assert list(straight.columns) == list(shuffled.columns) == ["i8", "i32", "word"]
    assert [c["id"] for c in straight.cells[:4]] == [2, 3, 9, 403]
    assert len(straight.cells) == rows.SHOWN


def test_lost_doubled_and_foreign_rows_are_counted(tmp_path: Path) -> None:
    foreign = TABLE.slice(0, 1).set_column(0, TABLE.schema.field(0), pa.array([COUNT], pa.int64()))
    read = pa.concat_tables([TABLE.slice(2), TABLE.slice(5, 3), foreign])
    found = _compared(read, tmp_path)
    assert (found.missing, found.duplicate, found.extra, found.differing) == (2, 3, 1, 0)
    assert not found.identical


@pytest.mark.parametrize("name", VARIED)
def test_two_values_that_changed_places_are_seen(name: str, tmp_path: Path) -> None:
    column = TABLE.column(name).combine_chunks()
    at = next(n for n in range(COUNT) if repr(column[n]) != repr(column[n + 1]))
    order = [*range(at), at + 1, at, *range(at + 2, COUNT)]
    place = TABLE.schema.get_field_index(name)
    read = TABLE.set_column(place, TABLE.schema.field(name), column.take(pa.array(order)))
    found = _compared(read, tmp_path)
    assert (found.differing, found.columns) == (2, {name: 2})
    assert [cell["id"] for cell in found.cells] == [at, at + 1]
    shown = name not in contract.load().confidential()
    assert all(("read" in cell) == shown for cell in found.cells)


def _one(value: object, kind: pa.DataType) -> pa.Table:
    return pa.table({"id": pa.array([0], pa.int64()), "x": pa.array([value], kind)})


LISTS = pa.list_(pa.struct([("v", pa.float64())]))
NANS = [
    struct.unpack("<d", bits)[0]
    for bits in (b"\0" * 6 + b"\xf8\x7f", b"\1" + b"\0" * 5 + b"\xf8\xff")
]


@pytest.mark.parametrize(
    ("a", "b", "kind", "other", "same"),
    [
        (0.0, -0.0, pa.float64(), None, False),
        (NANS[0], NANS[1], pa.float64(), None, True),
        (NANS[0], None, pa.float64(), None, False),
        ([{"v": 0.0}], [{"v": -0.0}], LISTS, None, False),
        ([{"v": None}], [None], LISTS, None, False),
        ([], None, LISTS, None, False),
        ([], [None], LISTS, None, False),
        (Decimal("1.5"), Decimal("1.50"), pa.decimal128(9, 1), pa.decimal128(9, 2), False),
        (1, 1, pa.int8(), pa.int16(), False),
        ("a", "a", pa.string(), pa.large_string(), True),
        ("a", "a", pa.string(), pa.string_view(), True),
        (b"a", b"a", pa.binary(), pa.large_binary(), True),
        ([1], [1], pa.list_(pa.int32()), pa.large_list(pa.int32()), True),
        ([("k", 1)], [("k", 2)], pa.map_(pa.string(), pa.int64()), None, False),
        (None, [], pa.map_(pa.string(), pa.int64()), None, False),
        ({"a": None}, None, pa.struct([("a", pa.int8())]), None, False),
        (0, 0, pa.timestamp("us"), pa.timestamp("us", "UTC"), False),
    ],
)
def test_bits_are_compared(
    a: object, b: object, kind: pa.DataType, other: pa.DataType | None, same: bool, tmp_path: Path
) -> None:
    found = _compared(_one(b, other or kind), tmp_path, _one(a, kind))
    assert found.identical == same


def test_a_column_that_is_gone_differs_everywhere(tmp_path: Path) -> None:
    found = _compared(TABLE.drop_columns(["nothing"]), tmp_path)
    assert found.columns == {"nothing": COUNT}
