"""Many at once: watchers of one proof, starts, and clients that are slow on purpose."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from portal_here import LOGIN, Here, form, portal, served, start

STREAMS = 200


async def _ask(port: int, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


async def _message(reader: asyncio.StreamReader) -> dict[str, object]:
    """Return the next message of a stream."""
    while True:
        line = await asyncio.wait_for(reader.readline(), 30)
        assert line, "the stream ended"
        if line.startswith(b"data: "):
            found: dict[str, object] = json.loads(line[6:])
            return found


def _resident() -> float:
    """Return the memory of this process in MB."""
    text = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1024


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


@needs_proc
def test_two_hundred_watchers_cost_one_poller(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also: memory stays flat from the second crowd on, and all are told the end."""
    looks: Counter[str] = Counter()
    look = here.streams._look

    def counted(proof: str) -> object:
        looks[proof] += 1
        return look(proof)

    monkeypatch.setattr(here.streams, "_look", counted)
    proof = start(here.client(), second="sabotage.hangs")
    here.until(proof, "running")

    async def crowd(port: int, at_the_end: bool) -> None:
        opened = await asyncio.gather(
            *(_ask(port, f"/proof/p/{proof}/events") for _ in range(STREAMS))
        )
        firsts = await asyncio.gather(*(_message(reader) for reader, _ in opened))
        assert all("Running" in str(found["parts"]) for found in firsts)
        assert here.streams.count == STREAMS
        before, began = looks[proof], time.monotonic()
        await asyncio.sleep(2)
        assert 1 <= looks[proof] - before <= (time.monotonic() - began) / 0.4 + 2
        if at_the_end:
            await asyncio.to_thread(here.backend.cancel, proof, None)
            for reader, _ in opened:
                while not (await _message(reader))["ended"]:
                    pass
                assert (await asyncio.wait_for(reader.read(), 30)).endswith(b"0\r\n\r\n")
        for _, writer in opened:
            writer.close()
        while here.streams.count:
            await asyncio.sleep(0.02)
        assert here.streams.pollers == 0

    with served(here) as port:
        asyncio.run(crowd(port, False))
        before = _resident()
        for _ in range(3):
            asyncio.run(crowd(port, False))
        # had each stream left what it takes behind, that would be over 30 MB by now
        assert _resident() - before < 15
        asyncio.run(crowd(port, True))


def test_clients_that_are_slow_hold_nobody_up(here: Here) -> None:
    proof = start(here.client(), second="sabotage.hangs")
    here.until(proof, "running")

    async def slow(port: int) -> None:
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(100)]
        for number, (_, writer) in enumerate(halves):
            head = b"GET /proof/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
            if number % 2:
                head = (
                    b"POST /proof/start HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n"
                    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nfirst="
                )
            writer.write(head)
            await writer.drain()
        for _ in range(50):  # watchers that never read
            halves.append(await _ask(port, f"/proof/p/{proof}/events"))
        began = time.monotonic()
        reader, writer = await _ask(port, "/proof/healthz")
        assert b"200 OK" in await asyncio.wait_for(reader.readline(), 5)
        assert time.monotonic() - began < 5
        # a form that does not come is given up
        answer = await asyncio.wait_for(halves[1][0].readline(), 20)
        assert b"408" in answer
        for _, opened in [*halves, (reader, writer)]:
            opened.close()

    with served(here) as port:
        asyncio.run(slow(port))


def test_heads_that_do_not_end_are_refused(here: Here) -> None:
    async def long(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"GET /proof/ HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n"
        )
        found = await asyncio.wait_for(reader.readline(), 10)
        writer.close()
        return found

    with served(here) as port:
        assert b"400" in asyncio.run(long(port))


def _live(here: Here) -> int:
    """Return how many workers hold their lock."""
    proofs = [path.stem for path in here.backend.records.folder.glob("*.journal")]
    return sum(here.backend.records.journal(proof).is_held() for proof in proofs)


def _post_all(port: int, forms: list[dict[str, str]], users: list[str]) -> Counter[int]:
    import httpx2

    async def all_() -> Counter[int]:
        limits = httpx2.Limits(max_connections=len(forms))
        async with httpx2.AsyncClient(limits=limits, timeout=60) as client:
            url = f"http://localhost:{port}/proof/start"
            posts = (
                client.post(url, data=fields, headers={"X-Forwarded-User": user})
                for fields, user in zip(forms, users)
            )
            return Counter([answer.status_code for answer in await asyncio.gather(*posts)])

    return asyncio.run(all_())


def test_fifty_starts_of_one_user(here: Here) -> None:
    """One runs, one waits, the others are refused."""
    page = here.client().get("/").text
    forms = [form(page, key=f"{n:032x}", second="sabotage.hangs") for n in range(50)]
    with served(here) as port:
        found = _post_all(port, forms, [""] * 50)
    assert found.keys() <= {303, 409}
    assert 1 <= found[303] <= 2
    assert _live(here) <= 1


def test_fifty_starts_of_fifty_users(tmp_path: Path) -> None:
    """One runs, twenty wait, the others are refused; no two ever run together."""
    with portal(tmp_path, **LOGIN) as here:
        users = [f"user{n}" for n in range(50)]
        forms = [form(here.client(u).get("/").text, second="sabotage.hangs") for u in users]
        with served(here) as port:
            found = _post_all(port, forms, users)
            assert found.keys() == {303, 429}
            assert 20 <= found[303] <= 21
            page = here.client("ada").post("/start", data=form(here.client("ada").get("/").text))
            states = Counter(sheet.state for sheet in here.backend.latest())
            assert states["running"] + states["starting"] <= 1
            assert page.status_code in (303, 429)
            assert _live(here) <= 1
