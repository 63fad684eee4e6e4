"""Long calls into an engine that Ctrl-C cancels: Python alone waits until they have returned."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
_AGAIN_SECONDS = 0.1


def run(work: Callable[[], T], stop: Callable[[], object]) -> T:
    """Return what `work` returns on a thread of its own; Ctrl-C calls `stop` until it ends."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            return future.result()
        finally:
            # an engine forgets a request to stop that comes before its query has begun
            while not future.done():
                stop()
                wait([future], timeout=_AGAIN_SECONDS)
