"""A portal of its own for a test: its folder, its application, and forms as a browser fills them."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import uvicorn
from ods_proof import settings as proof_settings
from ods_proof.portal import settings
from ods_proof.portal.app import make
from ods_proof.portal.standalone import Standalone
from ods_proof.portal.streams import Streams
from starlette.testclient import TestClient
from starlette.types import ASGIApp

ENGINES = ("pyarrow", "polars", "duckdb", "sabotage.swapped", "sabotage.hangs", "sabotage.absent")
PEER = ("127.0.0.1", 50_000)


@dataclass
class Here:
    """A portal that is open: proofs run in it."""

    app: ASGIApp
    backend: Any
    streams: Streams
    prefix: str = "/proof"

    def client(
        self, user: str | None = None, peer: tuple[str, int] = PEER, **headers: str
    ) -> TestClient:
        if user is not None:
            headers["X-Forwarded-User"] = user
        return TestClient(
            self.app, f"http://localhost{self.prefix}", client=peer, headers=headers,
            follow_redirects=False,
        )  # fmt: skip

    def state(self, proof: str) -> str:
        return self.backend.look(proof).state

    def until(self, proof: str, *states: str, seconds: float = 180.0) -> str:
        end = time.monotonic() + seconds
        while (found := self.state(proof)) not in states:
            assert time.monotonic() < end, f"{proof} is {found}, not {states}"
            time.sleep(0.05)
        return found


@contextmanager
def portal(folder: Path, names: tuple[str, ...] = ENGINES, **environment: str) -> Iterator[Here]:
    """Open a portal over a folder, and close it: no process of it is left."""
    given = {
        "ODS_PROOF_SANDBOX": str(folder / "sandbox"),
        "ODS_PROOF_RECORDS": str(folder / "records"),
        "ODS_PROOF_ROWS": "40",
        **environment,
    }
    place = settings.read(given)
    backend = Standalone(place.records, given["ODS_PROOF_SANDBOX"], names)
    app, streams = make(proof_settings.read(given), place, backend)
    backend.open()
    try:
        yield Here(app, backend, streams, place.prefix)
    finally:
        backend.close()


LOGIN = {
    "ODS_PROOF_USER_HEADER": "X-Forwarded-User",
    "ODS_PROOF_TRUSTED_PROXIES": "127.0.0.1, 10.1.0.0/16",
}


def form(page: str, **fields: str) -> dict[str, str]:
    """Return the fields of the start form on a page, filled in."""
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page))
    return {**hidden, "first": "pyarrow", "second": "pyarrow", "rows": "40", **fields}


def start(client: TestClient, **fields: str) -> str:
    """Start a proof as a browser does and return its id."""
    answer = client.post("/start", data=form(client.get("/").text, **fields))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rpartition("/")[2]


WORDS = {
    "passed",
    "failed",
    "broken",
    "done",
    "refused",
    "not reached",
    "error",
    "warning",
    "generated",
}
FORMS = {"type", "family", "hash", "spec", "min", "max", "sum", "zone"}


def hostile(value: Any, text: str, count: Iterator[int]) -> Any:
    """Return JSON values with every text replaced that is not of a closed set: each by another."""
    if isinstance(value, str):
        return value if value in WORDS else f"{text}{next(count)}"
    if isinstance(value, list):
        return [hostile(part, text, count) for part in value]
    if isinstance(value, dict):
        return {k: v if k in FORMS else hostile(v, text, count) for k, v in value.items()}
    return value


@contextmanager
def served(here: Here) -> Iterator[int]:
    """Serve a portal on a port of this machine, in a thread of this process."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        here.app, http="h11", loop="asyncio", log_level="warning", proxy_headers=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        here.streams.close()
        server.should_exit = True
        thread.join()


XSS = """"><script>alert(1)</script><img src=x onerror=alert(1)>'{{7*7}}&lt;"""


class Tags(HTMLParser):
    """The tags of a page and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def refuse_injected(page: str) -> None:
    for tag, attributes in Tags(page).found:
        assert tag != "img"
        assert tag != "style"
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        if tag == "script":
            assert str(attributes["src"]).startswith("/proof/static/")
    assert "49" not in re.findall(r"\{\{.*?\}\}|'(\d+)&", page)
