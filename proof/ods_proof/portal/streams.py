"""Live pages: one poller for each proof that is watched, however many watch it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from .backend import Down
from .sheet import Sheet

PERIOD = 0.4
ALIVE = 15.0
MOST = 1_000
_RETRY = b"retry: 1000\n\n"

Parts = Mapping[str, str]


@dataclass(slots=True)
class Watch:
    """What the watchers of one proof are shown: the whole, and what changed last."""

    version: int = 0
    parts: dict[str, str] = field(default_factory=dict)
    whole: bytes = b""
    change: bytes = b""
    ended: bool = False
    over: bool = False
    watchers: int = 0
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    poller: asyncio.Task[None] | None = None

    def show(self, parts: Parts, ended: bool) -> None:
        """Take over what the page shows now, and wake the watchers if it is new."""
        changed = {name: html for name, html in parts.items() if self.parts.get(name) != html}
        if not changed and ended == self.ended:
            return
        self.parts = {**self.parts, **parts}
        self.ended = ended
        self.version += 1
        self.whole, self.change = _message(self.parts, ended), _message(changed, ended)
        self.moved.set()
        self.moved = asyncio.Event()


class Streams:
    """The watched proofs, and the end of all streams when the portal stops."""

    def __init__(
        self,
        look: Callable[[str], Sheet],
        render: Callable[[Sheet], Parts],
        down: Callable[[], Parts],
    ) -> None:
        self._look = look
        self._render = render
        self._down = down
        self._watched: dict[str, Watch] = {}
        self.closing = asyncio.Event()
        self.count = 0

    def watched(self, proof: str) -> bool:
        """Return whether someone watches a proof."""
        return proof in self._watched

    @property
    def pollers(self) -> int:
        """Return how many proofs are polled."""
        return len(self._watched)

    def close(self) -> None:
        """End every stream: its page asks again, of the next portal."""
        self.closing.set()
        for watch in self._watched.values():
            watch.moved.set()

    async def follow(self, proof: str) -> AsyncIterator[bytes]:
        """Yield the messages of a stream, from how it is now to its end."""
        watch = self._join(proof)
        seen = 0
        try:
            yield _RETRY
            while not self.closing.is_set():
                moved = watch.moved
                if watch.version > seen:
                    message = watch.change if watch.version == seen + 1 and seen else watch.whole
                    seen = watch.version
                    yield message
                if watch.over and seen == watch.version:
                    return
                if not moved.is_set() and not await _within(moved, ALIVE):
                    yield b": still here\n\n"
        finally:
            self._leave(proof, watch)

    def _join(self, proof: str) -> Watch:
        watch = self._watched.get(proof)
        if watch is None or watch.over:
            watch = self._watched[proof] = Watch()
            watch.poller = asyncio.create_task(self._poll(proof, watch))
        watch.watchers += 1
        self.count += 1
        return watch

    def _leave(self, proof: str, watch: Watch) -> None:
        watch.watchers -= 1
        self.count -= 1
        if not watch.watchers:
            if watch.poller:
                watch.poller.cancel()
            if self._watched.get(proof) is watch:
                del self._watched[proof]

    async def _poll(self, proof: str, watch: Watch) -> None:
        try:
            await self._shown(proof, watch)
        finally:  # also where it broke: its pages then ask again, and are told by an error page
            watch.over = True
            watch.moved.set()

    async def _shown(self, proof: str, watch: Watch) -> None:
        while not watch.ended:
            try:
                sheet = await asyncio.to_thread(self._look, proof)
            except Down:
                watch.show(self._down(), False)
            else:
                watch.show(await asyncio.to_thread(self._render, sheet), sheet.ended)
            if not watch.ended:
                await asyncio.sleep(PERIOD)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return False
    return True


def _message(parts: Parts, ended: bool) -> bytes:
    """Return a server-sent event: one line of JSON."""
    text = json.dumps({"parts": dict(parts), "ended": ended})
    return f"data: {text}\n\n".encode()
