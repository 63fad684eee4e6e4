"""Negative zeros lose their sign, which no fingerprint sees."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from ods_proof.engines.pyarrow import *

from .changes import reader, replaced


def _change(table: pa.Table) -> pa.Table:
    column = table.column("f64")
    zeros = pc.fill_null(pc.equal(column, 0.0), False)
    return replaced(table, "f64", pc.if_else(zeros, pa.scalar(0.0), column))


read = reader(_change)
