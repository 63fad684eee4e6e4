"""It is worth a rehearsal, which it notes; one is refused where a file asks for that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from ods_proof.engines import About, Place, pyarrow
from ods_proof.engines.pyarrow import *


def about() -> About:
    return replace(pyarrow.about(), rehearses=True)


def read(table: Path, version: int, place: Place) -> pa.RecordBatchReader:
    if table.name == "rehearsal":
        (place.scratch / "rehearsed").touch()
        if (place.scratch / "refuse").exists():
            raise ValueError("it does not read")
    return pyarrow.read(table, version, place)
