"""NaN becomes NULL, as by pandas' default dtypes."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from ods_proof.engines.pyarrow import *

from .changes import reader, replaced


def _change(table: pa.Table) -> pa.Table:
    column = table.column("f64")
    nan = pc.fill_null(pc.is_nan(column), False)
    return replaced(table, "f64", pc.if_else(nan, pa.scalar(None, pa.float64()), column))


read = reader(_change)
