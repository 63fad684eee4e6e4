"""A file that is there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .errors import ProofError


def write_whole(path: Path, text: str) -> None:
    """Write a text to a file beside it, and rename; raise ProofError."""
    try:
        _write(path, text)
    except OSError as error:
        raise ProofError(f"cannot write {path}: {error.strerror}; nothing was written") from error


def _write(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink()
        raise
