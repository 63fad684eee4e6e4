"""The table has column mapping, which PyArrow ignores: every value is NULL, and no error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
from deltalake import write_deltalake
from ods_proof.delta_table import Commit
from ods_proof.engines import Place
from ods_proof.engines.pyarrow import *


def append(frames: pa.RecordBatchReader, table: Path, commit: Commit, place: Place) -> None:
    shutil.rmtree(table)
    write_deltalake(
        table,
        frames.read_all(),
        configuration={"delta.columnMapping.mode": "name"},
        commit_properties=commit.properties(),
    )
