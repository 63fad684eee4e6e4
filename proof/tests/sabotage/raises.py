"""Reading raises, and the message quotes a confidential value."""

from __future__ import annotations

from pathlib import Path

from ods_proof.engines import Place, pyarrow
from ods_proof.engines.pyarrow import *


def read(table: Path, version: int, place: Place) -> None:
    emails = pyarrow.read(table, version, place).read_all().column("email")
    raise ValueError(f"bad address {emails[0]}")
