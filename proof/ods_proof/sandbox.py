"""The sandbox: a folder for the copies of one proof, gone when the proof is, however it ends.

`<root>/proof-<id>.lock` is locked by its owner for life; `<root>/proof-<id>/` holds the copies and
a marker file. Whoever gets the lock knows that the owner is dead, and may delete. A reaper process
waits for the end of the owner and does so at once; `sweep` does it for owner and reaper both dead.
Who runs one proof at a time holds `<root>/turn.lock`, which the kernel lets go of with its owner.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from .errors import SandboxError

MARKER = ".ods-sandbox"
_NAME = re.compile(r"proof-[0-9a-f]{12}")
_DEAD = re.compile(r"\.dead-proof-[0-9a-f]{12}-[0-9a-f]{8}")
# what a writer that is not dead yet does to who deletes: it adds a file, or takes one away itself
_OF_A_WRITER = (errno.ENOTEMPTY, errno.EBUSY, errno.ENOENT)
_PATIENCE = 10.0  # seconds for a dying engine to stop writing
_BETWEEN = 0.2


@dataclass(frozen=True, slots=True)
class Discarded:
    """What was left after the deletion: nothing, if all is well."""

    bytes_freed: int
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A folder that its owner holds by a lock."""

    folder: Path
    lock: int
    reaper: subprocess.Popen[bytes]

    def discard(self) -> Discarded:
        """Delete the folder and let go of the lock; return what could not be deleted."""
        freed = _size(self.folder)
        try:
            if not self.folder.is_symlink():  # one is left alone, and named as left
                _discard(self.folder, owned=True)
        finally:
            os.close(self.lock)
            if self.reaper.stdin:
                self.reaper.stdin.close()
            self.reaper.wait()
        return Discarded(freed, _left(self.folder))


def root(given: str | None = None) -> Path:
    """Return the folder of all sandboxes of this user, made and checked."""
    found = Path(given) if given else Path(tempfile.gettempdir()) / f"ods-proof-{os.getuid()}"
    try:
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = found.lstat()
    except OSError as error:
        raise SandboxError(f"no sandbox can be made in {found}: {error.strerror}") from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise SandboxError(f"{found} is not a folder of this user: give another one")
    if stat.S_IMODE(status.st_mode) & 0o022:
        raise SandboxError(f"{found} can be written by others: give a folder of mode 0700")
    return found.resolve()


def open_sandbox(where: Path, proof: str) -> Sandbox:
    """Make the sandbox of a proof, 0700, locked and watched by a reaper."""
    sweep(where)
    folder = where / f"proof-{proof}"
    if not _NAME.fullmatch(folder.name):
        raise SandboxError(f"{proof!r} is no id of a proof: twelve hexadecimal digits")
    try:
        lock = _locked(_lock_of(folder))
    except OSError as error:
        raise SandboxError(f"no sandbox can be made in {where}: {error.strerror}") from error
    if lock is None:
        raise SandboxError(f"the proof {proof} is running: its sandbox is locked")
    try:
        reaper = _reaper(folder)  # first, so that no moment is without one
        folder.mkdir(mode=0o700)
        (folder / MARKER).touch(mode=0o600)
        return Sandbox(folder, lock, reaper)
    except OSError as error:
        os.close(lock)
        raise SandboxError(f"no sandbox can be made in {where}: {error.strerror}") from error


@contextmanager
def turn(where: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the one turn there is in a folder of sandboxes; call `waiting` where it is taken yet."""
    path = where / "turn.lock"
    lock = _locked(path)
    if lock is None:
        waiting()
    while lock is None:
        time.sleep(_BETWEEN)
        lock = _locked(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def sweep(where: Path) -> tuple[str, ...]:
    """Delete every sandbox whose owner is dead, and return their names."""
    swept = []
    for path in sorted(where.iterdir()):
        if path.name.endswith(".lock") and _NAME.fullmatch(path.stem):
            if _sweep_one(where / path.stem):
                swept.append(path.stem)
        elif _DEAD.fullmatch(path.name) and not path.is_symlink():
            _remove(path)
            swept.append(path.name)
    return tuple(swept)


def _sweep_one(folder: Path) -> bool:
    lock = _locked(_lock_of(folder))
    if lock is None:
        return False
    try:
        _discard(folder)
    finally:
        os.close(lock)
    return True


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _locked(path: Path) -> int | None:
    """Return a descriptor that holds the lock, or None if someone else does."""
    flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        lock = os.open(path, flags, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return None
        if _is_there(lock, path):
            return lock
        os.close(lock)


def _is_there(lock: int, path: Path) -> bool:
    """Return whether a file that was locked was not deleted, or made again, meanwhile."""
    try:
        return os.fstat(lock).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False


def _discard(folder: Path, owned: bool = False) -> None:
    """Delete a locked sandbox: out of sight first, the lock file last.

    Who did not make it (not `owned`) deletes it by its marker only.
    """
    if folder.is_symlink():
        raise SandboxError(f"{folder} is a link, which no proof made: it is left alone")
    if folder.exists():
        if not owned and any(folder.iterdir()) and not (folder / MARKER).is_file():
            raise SandboxError(f"{folder} holds files but no {MARKER}: it is left alone")
        folder.rename(folder.with_name(f".dead-{folder.name}-{uuid4().hex[:8]}"))
    for dead in folder.parent.glob(f".dead-{folder.name}-*"):  # of an earlier try, too
        if not dead.is_symlink():
            _remove(dead)
    if not _left(folder):
        _lock_of(folder).unlink(missing_ok=True)


def _remove(folder: Path) -> None:
    """Delete a tree without following links; a dying writer is given time to stop."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            _removed(folder)
            return
        except OSError as error:
            if error.errno not in _OF_A_WRITER or time.monotonic() > until:
                return
            time.sleep(0.05)


def _removed(folder: Path) -> None:
    if not folder.exists():
        return
    for place, _, _ in os.walk(folder):  # which does not follow links
        Path(place).chmod(0o700)
    shutil.rmtree(folder)


def _left(folder: Path) -> tuple[str, ...]:
    """Return what is still there of a sandbox: whatever bears its name, but its lock."""
    lock = _lock_of(folder).name
    names = (path.name for path in folder.parent.iterdir() if folder.name in path.name)
    return tuple(sorted(name for name in names if name != lock))


def _size(folder: Path) -> int:
    found = 0
    for place, _, names in os.walk(folder):
        found += sum((Path(place) / name).lstat().st_size for name in names)
    return found


def _reaper(folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that outlives the owner and deletes the sandbox at its end."""
    return subprocess.Popen(
        [sys.executable, "-m", "ods_proof.sandbox", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )


def _reap(folder: Path) -> None:
    """Wait until the owner closes its end of the pipe, by will or by death."""
    sys.stdin.buffer.read()
    until = time.monotonic() + _PATIENCE
    while _lock_of(folder).exists() and time.monotonic() < until:
        if _sweep_one(folder) and not _left(folder):
            return
        time.sleep(0.02)


if __name__ == "__main__":
    _reap(Path(sys.argv[1]))
