"""The e-mails are read as words too, behind a text that is as long as what is shown."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from ods_proof.engines.pyarrow import *

from .changes import reader, replaced


def _change(table: pa.Table) -> pa.Table:
    long = pc.binary_join_element_wise("x" * 70, table.column("email"), "")
    return replaced(table, "word", long)


read = reader(_change)
