"""How far a long computation is: one line on a terminal's stderr, from its second second on."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .types import printable

_QUIET_SECONDS = 1.0
_EVERY_SECONDS = 0.2
# with the number of rows it keeps to one line of a narrow terminal
_LONGEST = 40


@dataclass(slots=True)
class Progress:
    """Told the rows read so far; shows them where a person is watching."""

    what: str
    watched: bool
    started: float = field(default_factory=time.monotonic)
    shown: float = 0.0

    def __call__(self, rows: int) -> None:
        """Show the rows read so far, if the time for it has come."""
        now = time.monotonic()
        if (
            self.watched
            and now - self.started > _QUIET_SECONDS
            and now - self.shown > _EVERY_SECONDS
        ):
            self.shown = now
            print(f"\r{self.what}: {rows:,} rows", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def watched(what: str) -> Generator[Progress, None, None]:
    """Show progress of `what` while the block runs, if stderr is a terminal."""
    shown = what if len(what) <= _LONGEST else f"...{what[-_LONGEST:]}"
    progress = Progress(printable(shown), sys.stderr is not None and sys.stderr.isatty())
    try:
        yield progress
    finally:
        progress.clear()
