"""The writer puts an e-mail into the statistics of the log, though it was told not to."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
from ods_proof.delta_table import Commit
from ods_proof.engines import Place, pyarrow
from ods_proof.engines.pyarrow import *
from ods_proof.table import marker


def append(frames: pa.RecordBatchReader, table: Path, commit: Commit, place: Place) -> None:
    pyarrow.append(frames, table, commit, place)
    last = max((table / "_delta_log").glob("*.json"))
    actions = [json.loads(line) for line in last.read_text().splitlines()]
    for action in actions:
        if "add" in action:
            stats = json.loads(action["add"]["stats"])
            stats["minValues"]["email"] = f"c1.{marker(7)}@mail.example"
            action["add"]["stats"] = json.dumps(stats)
    last.write_text("".join(json.dumps(action) + "\n" for action in actions))
