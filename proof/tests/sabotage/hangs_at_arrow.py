"""Every step of it takes long enough to be killed; its copy, which begins as it reads, longest."""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow as pa
from ods_proof.engines.pyarrow import *


def arrow(frames: pa.RecordBatchReader) -> pa.RecordBatchReader:
    time.sleep(60 if Path.cwd().name == "second_wrote.scratch" else 5)
    return frames
