"""The journal of one proof: a file of JSON lines that its worker writes, and locks for its life.

`<id>.journal` lies beside the record `<id>.json`. Each line has one word beside its time: order,
launched, began, step, check, cancel (asked for), and one that ends it: ended, broke, stopped, lost.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from .sheet import Order

Json: TypeAlias = "dict[str, Any]"
ID = re.compile(r"[0-9a-f]{12}")
LAST = ("ended", "broke", "stopped", "lost")


@dataclass(frozen=True, slots=True)
class Line:
    """What happened, when, and with which values."""

    at: float
    word: str
    values: Json


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal of a proof in a folder of records."""

    path: Path

    def begin(self, order: Order) -> None:
        """Write the first line; raises FileExistsError for a proof that is there."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        descriptor = os.open(self.path, flags, 0o600)
        try:
            os.write(descriptor, _line("order", asdict(order)))
        except OSError:  # of a full disk: nothing was queued
            self.path.unlink()
            raise
        finally:
            os.close(descriptor)

    def append(self, word: str, values: Mapping[str, Any]) -> None:
        """Add a line, by one write, so that two writers do not mix."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND)
        try:
            end = os.lseek(descriptor, 0, os.SEEK_END)
            torn = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
            os.write(descriptor, (b"\n" if torn else b"") + _line(word, values))
        finally:
            os.close(descriptor)

    def lines(self) -> list[Line]:
        """Return the lines; one that a crash cut short is none."""
        return [found for text in self.path.read_bytes().splitlines() if (found := _read(text))]

    def order(self) -> Order:
        """Return what was asked for."""
        first = self.lines()[0]
        return Order(**first.values)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock that says: its worker lives."""
        with self.path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def is_held(self) -> bool:
        """Return whether a worker holds the lock."""
        with self.path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False


def _line(word: str, values: Mapping[str, Any]) -> bytes:
    text = json.dumps({"at": round(time.time(), 3), word: values}, allow_nan=False)
    return text.encode() + b"\n"


def _read(text: bytes) -> Line | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    at = found.pop("at")
    ((word, values),) = found.items()
    return Line(at, word, values)
