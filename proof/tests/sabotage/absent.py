"""An engine whose package is not installed."""

from __future__ import annotations

from ods_proof.engines import lacks
from ods_proof.engines.pyarrow import *


def missing() -> str | None:
    return lacks("absent", "absent")
