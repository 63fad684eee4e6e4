"""The last row is left out."""

from __future__ import annotations

from ods_proof.engines.pyarrow import *

from .changes import reader

read = reader(lambda table: table.slice(0, table.num_rows - 1))
