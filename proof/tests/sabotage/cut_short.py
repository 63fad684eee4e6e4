"""The process is killed as it gives its answer, half of which is out."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from ods_proof.engines import Place
from ods_proof.engines.pyarrow import *


def read(table: Path, version: int, place: Place) -> None:
    os.write(int(sys.argv[1]), b'{"result": {"fingerpr')
    os.kill(os.getpid(), signal.SIGKILL)
