"""The portal as a server: its socket, its start, and a stop that waits for no open stream."""

from __future__ import annotations

import socket
from types import FrameType

import uvicorn

from .. import settings as proof_settings
from ..errors import ProofError
from . import settings
from .app import make
from .backend import Backend
from .dagster import Dagster
from .standalone import Standalone
from .streams import Streams

_GRACE = 3


class _Server(uvicorn.Server):
    """A server that ends the streams of its portal as soon as it is told to stop."""

    streams: Streams

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal to stop."""
        self.streams.close()
        super().handle_exit(sig, frame)


def serve(port: int | None) -> None:
    """Run the portal until it is stopped; raise ProofError for what cannot be served."""
    given, place = proof_settings.read(), settings.read()
    if given.data == "all":
        given.refuse()
    given.asks()
    listening = _listen(place.host, place.port if port is None else port)
    backend = _backend(place, given.sandbox)
    app, streams = make(given, place, backend)
    host, number = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        app,
        http="h11",
        log_level="warning",
        proxy_headers=False,  # who the other end is must not be what it says
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=16_384,
    )
    server = _Server(config)
    server.streams = streams
    backend.open()
    print(f"the portal is at http://{shown}:{number}{place.prefix}/", flush=True)
    try:
        server.run([listening])
    except KeyboardInterrupt:  # the server passes on the signal that stopped it
        pass
    finally:
        backend.close()


def _backend(place: settings.PortalSettings, sandbox: str | None) -> Backend:
    return Dagster(place.dagster) if place.dagster else Standalone(place.records, sandbox)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(2_048)
    except OSError as error:
        why = error.strerror or str(error)
        raise ProofError(
            f"cannot listen on {host} port {port}: {why}; try another --port"
        ) from error
    return made
