"""One row comes in place of another, so that their number is right."""

from __future__ import annotations

import pyarrow as pa
from ods_proof.engines.pyarrow import *

from .changes import reader

read = reader(lambda table: pa.concat_tables([table.slice(1), table.slice(1, 1)]))
