"""A value inside a list changes, which no fingerprint sees."""

from __future__ import annotations

import pyarrow as pa
from ods_proof.engines.pyarrow import *

from .changes import reader, replaced


def _change(table: pa.Table) -> pa.Table:
    lists = table.column("numbers").to_pylist()
    full = next(at for at, numbers in enumerate(lists) if numbers and numbers[-1] is not None)
    lists[full][-1] ^= 1
    return replaced(table, "numbers", pa.array(lists, table.schema.field("numbers").type))


read = reader(_change)
