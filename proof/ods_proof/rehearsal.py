"""What an engine that gets faster as it runs does while its process waits for its turn."""

from __future__ import annotations

import shutil
from datetime import datetime, timezone
from decimal import Decimal

import pyarrow as pa
from deltalake import write_deltalake

import ods_fingerprint as ods

from .engines import Engine, Frames, Place

_MOMENT = datetime(2020, 1, 1)
# a row of every type: neither the names nor the values or tags of a proof's own table
_ROW: dict[str, pa.Array] = {
    "a": pa.array([1], pa.int8()),
    "b": pa.array([1], pa.int16()),
    "c": pa.array([1], pa.int32()),
    "d": pa.array([1], pa.int64()),
    "e": pa.array([1], pa.float32()),
    "f": pa.array([1], pa.float64()),
    "g": pa.array([True]),
    "h": pa.array([Decimal("1.00")], pa.decimal128(38, 2)),
    "i": pa.array(["1"]),
    "j": pa.array([b"1"]),
    "k": pa.array([_MOMENT.date()]),
    "l": pa.array([_MOMENT.replace(tzinfo=timezone.utc)], pa.timestamp("us", "UTC")),
    "m": pa.array([_MOMENT], pa.timestamp("us")),
    "n": pa.array([[1]]),
    "o": pa.array([{"a": 1}]),
}


def rehearse(engine: Engine[Frames], place: Place) -> None:
    """Have an engine read, fingerprint and filter a table of one row, which is then deleted."""
    table = place.scratch / "rehearsal"
    write_deltalake(table, pa.table(_ROW))
    ods.compute(engine.arrow(engine.read(table, 0, place)))
    engine.own_fingerprint(table, 0, place)
    engine.count_equal(table, 0, "d", _ROW["d"][0], place)
    shutil.rmtree(table)
