"""The process dies as it reads."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from ods_proof.engines import Place
from ods_proof.engines.pyarrow import *


def read(table: Path, version: int, place: Place) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)
