"""One number of one row becomes another."""

from __future__ import annotations

import pyarrow as pa
from ods_proof.engines.pyarrow import *

from .changes import reader, replaced


def _change(table: pa.Table) -> pa.Table:
    values = table.column("i32").to_pylist()
    values[20] = values[20] ^ 1
    return replaced(table, "i32", pa.array(values, pa.int32()))


read = reader(_change)
