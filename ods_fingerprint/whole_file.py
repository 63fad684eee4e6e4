"""A file that is written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from .errors import OdsError


def write(path: str, text: str) -> None:
    """Write `text` to `path`; a file that is there keeps its mode, and a link its place.

    A device or a pipe is written to, not replaced.
    """
    given = Path(path)
    try:
        # /dev/stdout on a pipe is a link to a name that is no path: asked before it is resolved
        if given.exists() and not given.is_file() and not given.is_dir():
            given.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(Path(os.path.realpath(path)), text)
    except OSError as error:
        raise OdsError(f"cannot write {path}: {error.strerror}; nothing was written") from error


def _replace(target: Path, text: str) -> None:
    mode = _mode(target)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".ods-")
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        part.chmod(mode)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    if not target.exists():
        return 0o666 & ~_umask()
    if not os.access(target, os.W_OK):
        raise PermissionError(None, "it may not be written to")
    return stat.S_IMODE(target.stat().st_mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
