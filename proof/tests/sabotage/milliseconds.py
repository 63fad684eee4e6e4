"""Timestamps lose what is below a millisecond."""

from __future__ import annotations

import pyarrow as pa
from ods_proof.engines.pyarrow import *

from .changes import reader, replaced


def _change(table: pa.Table) -> pa.Table:
    cut = table.column("clock").cast(pa.timestamp("ms"), safe=False)
    return replaced(table, "clock", cut.cast(pa.timestamp("us")))


read = reader(_change)
