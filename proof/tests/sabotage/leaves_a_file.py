"""It spills beside its sandbox, where nothing is deleted."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from ods_proof.delta_table import Commit
from ods_proof.engines import Place, pyarrow
from ods_proof.engines.pyarrow import *


def append(frames: pa.RecordBatchReader, table: Path, commit: Commit, place: Place) -> None:
    pyarrow.append(frames, table, commit, place)
    table.parent.with_name(f"{table.parent.name}.spill").touch()
