"""Its filter finds no row with a price, and none of the cities can be asked for."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from ods_proof.engines import Place, pyarrow
from ods_proof.engines.pyarrow import *


def count_equal(table: Path, version: int, column: str, value: pa.Scalar, place: Place) -> int:
    if column == "city":
        raise ValueError(f"cannot compare {value}")
    return 0 if column == "price" else pyarrow.count_equal(table, version, column, value, place)
