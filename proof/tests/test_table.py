"""The generated table: the same for the same seed, and with every trap in it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date, datetime, timezone
from decimal import Decimal
from itertools import islice
from typing import Any

import pyarrow as pa
import pytest
from ods_proof import contract
from ods_proof.table import BATCH_ROWS, Generated, marker

import ods_fingerprint as ods

CONTRACT = contract.load()


def _table(rows: int, seed: int = 7) -> pa.Table:
    batches = list(Generated(CONTRACT, rows, seed).batches())
    found = pa.Table.from_batches(batches, CONTRACT.arrow())
    found.validate(full=True)
    return found


TABLE = _table(200)


def _values(name: str) -> list[Any]:
    found: list[Any] = TABLE.column(name).to_pylist()
    return found


def test_the_same_seed_gives_the_same_bytes() -> None:
    def ipc(table: pa.Table) -> bytes:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        return bytes(sink.getvalue())

    assert ipc(_table(500)) == ipc(_table(500))
    assert ipc(_table(500)) != ipc(_table(500, 8))


@pytest.mark.parametrize("rows", [1, 2, BATCH_ROWS, BATCH_ROWS + 1])
def test_any_number_of_rows_in_batches(rows: int) -> None:
    sizes = [batch.num_rows for batch in Generated(CONTRACT, rows, 7).batches()]
    assert (sum(sizes), max(sizes) <= BATCH_ROWS) == (rows, True)


def test_a_billion_rows_start_at_once() -> None:
    first = next(islice(Generated(CONTRACT, 10**9, 7).batches(), 1))
    assert first.num_rows == BATCH_ROWS


def test_ids_and_emails_are_unique() -> None:
    table = _table(2 * BATCH_ROWS)
    ids, emails = table.column("id").to_pylist(), table.column("email").drop_null().to_pylist()
    assert ids == list(range(len(ids)))
    assert len(set(emails)) == len(emails) > len(ids) // 2
    assert all(marker(7) in email for email in emails)
    assert table.column("email").null_count > 0


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integers_hold_both_ends(bits: int) -> None:
    assert {-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, 0, None} <= set(_values(f"i{bits}"))


@pytest.mark.parametrize(("name", "least"), [("f32", 1.401298464324817e-45), ("f64", 5e-324)])
def test_floats_hold_what_is_no_number(name: str, least: float) -> None:
    found = _values(name)
    assert {None, math.inf, -math.inf, least, -least} <= set(found)
    assert any(value is not None and math.isnan(value) for value in found)
    assert "-0.0" in map(str, found)
    at = next(n for n, value in enumerate(found) if value is not None and math.isnan(value))
    assert found[at - 1] is None or found[at + 1] is None


def test_decimals_hold_their_ends() -> None:
    assert {Decimal("9999999999999999.99"), Decimal("-9999999999999999.99")} <= set(
        _values("price")
    )
    assert Decimal("12.30") in _values("price")
    largest = Decimal("99999999999999999999.999999999999999999")
    assert {largest, largest.copy_negate()} <= set(_values("ratio"))


def test_texts_hold_what_is_easily_changed() -> None:
    wanted = {"", None, "caf\u00e9", "cafe\u0301", "a\0b", "\0", " padded ", "\U0010ffff", "NULL"}
    assert wanted <= set(_values("word"))
    assert any("\u05e9" in word for word in _values("word") if word)
    assert {b"", b"\0", b"\xff\xfe\x80", None} <= set(_values("blob"))


def test_days_and_moments_hold_their_ends() -> None:
    days = {date(1, 1, 1), date(9999, 12, 31), date(1582, 10, 10), date(1969, 12, 31), None}
    assert days - {date(1582, 10, 10)} <= set(_values("day"))
    assert any(d and date(1582, 10, 4) < d < date(1582, 10, 15) for d in _values("day"))
    ends = {datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)}
    ends |= {datetime(2021, 3, 14, 2, 30), datetime(1969, 12, 31, 23, 59, 59, 999999)}
    assert ends <= set(_values("clock"))
    assert {end.replace(tzinfo=timezone.utc) for end in ends} <= set(_values("moment"))


def test_nested_values_are_empty_and_null_too() -> None:
    def has(name: str, *wanted: object) -> bool:
        return all(value in _values(name) for value in wanted)

    assert has("numbers", None, [], [None])
    assert has("address", None, {"street": None, "zip": None})
    assert has("readings", None, [], [None])
    assert has("attributes", None, [], [("", None)])
    inner = [r["value"] for rs in _values("readings") for r in rs or () if r]
    assert any(value is not None and math.isnan(value) for value in inner)


def test_columns_of_one_value() -> None:
    assert set(_values("nothing")) == {None}
    assert set(_values("origin")) == {"ods"}


def test_only_confidential_columns_hold_the_marker() -> None:
    def texts(value: object) -> Iterable[str]:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            return [text for part in value for text in texts(part)]
        return [str(value)]

    marked = {
        name for name in TABLE.column_names if any(marker(7) in t for t in texts(_values(name)))
    }
    assert marked == set(CONTRACT.confidential())


def test_its_fingerprint_does_not_hang_on_the_batches() -> None:
    table = _table(3 * BATCH_ROWS)
    parts = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=999))
    assert ods.compute(table).to_json() == ods.compute(parts).to_json()
