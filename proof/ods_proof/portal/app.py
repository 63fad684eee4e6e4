"""The portal as an ASGI application."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ..settings import Settings
from . import forms, orders
from .backend import Backend, Down, Full, Queued, Unknown
from .door import Login, Prefix, SafeHeaders
from .pages import DOWN, Choice, Pages, Ticket
from .settings import PortalSettings
from .streams import MOST, Streams

_STATIC = Path(__file__).with_name("static")
_AGAIN = {"Retry-After": "5"}
_DEFAULT = ("polars", "duckdb")


@dataclass(frozen=True, slots=True)
class Portal:
    """What the handlers share."""

    given: Settings
    settings: PortalSettings
    backend: Backend
    pages: Pages
    streams: Streams
    tokens: forms.Tokens = field(default_factory=forms.Tokens)

    async def home(self, request: Request) -> Response:
        """Show the start page."""
        return await self._home(request, 200)

    async def _home(
        self,
        request: Request,
        status: int,
        told: str | None = None,
        form: dict[str, str] | None = None,
        waits: str | None = None,
    ) -> Response:
        user = request.state.user
        engines = await asyncio.to_thread(self.backend.engines)
        proofs = await asyncio.to_thread(self.backend.latest)
        here = [engine.name for engine in engines if not engine.missing]
        first, second = (n if n in here else (here or [""])[0] for n in _DEFAULT)
        choice = Choice(first, second, str(self.given.rows))
        if form:
            choice = Choice(
                form.get("first", first), form.get("second", second), form.get("rows", "")
            )
        ticket = Ticket(self.tokens.of(user), secrets.token_hex(16))
        off = self.given.data == "off"
        text = await asyncio.to_thread(
            self.pages.home, user, ticket, engines, choice, proofs, off=off, told=told, waits=waits
        )
        return HTMLResponse(text, status)

    async def start(self, request: Request) -> Response:
        """Start a proof from the form, or show the form again with what is wrong."""
        user = request.state.user
        form = await forms.read(request, self.settings)
        try:
            self.tokens.refuse_other(user, form.get("token", ""))
        except forms.Stale as error:
            told = f"{error.detail} Nothing was started. Press the button again to start it."
            return await self._home(request, 403, told, form)
        await self._refuse(user)
        try:
            engines = await asyncio.to_thread(self.backend.engines)
            order = orders.read(form, user, engines, self.pages.most_rows)
            await asyncio.to_thread(self.backend.start, order)
        except orders.Wrong as error:
            return await self._home(request, 400, str(error), form)
        except Queued as error:
            told = "Nothing was started: a proof of yours waits in the queue already."
            return await self._home(request, 409, told, form, error.proof)
        except Full as error:
            return await self._home(request, 429, f"Nothing was started: {error}.", form)
        return RedirectResponse(f"{self.settings.prefix}/p/{order.id}", 303)

    async def _refuse(self, user: str | None) -> None:
        """Raise where proofs are off, or the user may not run them."""
        if self.given.data == "off":
            raise HTTPException(403, "Proofs are switched off here (ODS_PROOF is off).")
        if not await asyncio.to_thread(self.given.may_run, user):
            raise HTTPException(403, "You may not run proofs here: the permission is proof:run.")

    async def proof(self, request: Request) -> Response:
        """Show one proof."""
        user = request.state.user
        sheet = await asyncio.to_thread(self.backend.look, request.path_params["proof"])
        token = self.tokens.of(user)
        return HTMLResponse(await asyncio.to_thread(self.pages.proof, user, token, sheet))

    async def record(self, request: Request) -> Response:
        """Give out the record as JSON."""
        sheet = await asyncio.to_thread(self.backend.look, request.path_params["proof"])
        if sheet.record is None:
            raise HTTPException(404, "This proof has no record: it came to no verdict yet.")
        text = json.dumps(sheet.record, indent=1, ensure_ascii=False) + "\n"
        return Response(text, media_type="application/json")

    async def events(self, request: Request) -> Response:
        """Stream what changes on the page of a proof."""
        proof = request.path_params["proof"]
        if not self.streams.watched(proof):
            await asyncio.to_thread(self.backend.look, proof)
        if self.streams.count >= MOST:
            raise HTTPException(503, "Too many watch already.", _AGAIN)
        headers = {"X-Accel-Buffering": "no"}
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=headers)
        return StreamingResponse(
            self.streams.follow(proof), media_type="text/event-stream", headers=headers
        )

    async def cancel(self, request: Request) -> Response:
        """Stop a proof."""
        user = request.state.user
        form = await forms.read(request, self.settings)
        self.tokens.refuse_other(user, form.get("token", ""))
        if not await asyncio.to_thread(self.given.may_run, user):
            raise HTTPException(403, "You may not stop proofs here: the permission is proof:run.")
        proof = request.path_params["proof"]
        await asyncio.to_thread(self.backend.cancel, proof, user)
        return RedirectResponse(f"{self.settings.prefix}/p/{proof}", 303)

    async def health(self, request: Request) -> Response:
        """Say that the portal itself answers."""
        return PlainTextResponse("ok\n")

    def refused(self, error: HTTPException) -> Response:
        """Return the page that says why not."""
        text = self.pages.error(error.status_code, error.detail)
        return HTMLResponse(text, error.status_code, error.headers)

    async def on_http(self, request: Request, error: Exception) -> Response:
        """Show an error of HTTP."""
        if not isinstance(error, HTTPException):
            raise error
        return self.refused(error)

    async def on_unknown(self, request: Request, error: Exception) -> Response:
        """Show that a proof is not there."""
        return HTMLResponse(self.pages.error(404, f"There is no such page: {error}."), 404)

    async def on_down(self, request: Request, error: Exception) -> Response:
        """Show that Dagster does not answer; the page asks again."""
        again = {**_AGAIN, "Refresh": "5"} if request.method == "GET" else _AGAIN
        return HTMLResponse(self.pages.error(503, str(error)), 503, again)

    async def on_crash(self, request: Request, error: Exception) -> Response:
        """Show that the portal has a fault; the server logs it."""
        return HTMLResponse(
            self.pages.error(500, "The portal has a fault; its log says which."), 500
        )


def make(given: Settings, settings: PortalSettings, backend: Backend) -> tuple[ASGIApp, Streams]:
    """Return the application, and its streams for who stops it."""
    pages = Pages(settings.prefix, max(orders.MOST_ROWS, given.rows))
    streams = Streams(backend.look, pages.parts, lambda: DOWN)
    portal = Portal(given, settings, backend, pages, streams)

    inner = Starlette(
        routes=[
            Route("/", portal.home),
            Route("/start", portal.start, methods=["POST"]),
            Route("/p/{proof}", portal.proof),
            Route("/p/{proof}/record.json", portal.record),
            Route("/p/{proof}/events", portal.events),
            Route("/p/{proof}/cancel", portal.cancel, methods=["POST"]),
            Route("/healthz", portal.health),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ],
        exception_handlers={
            HTTPException: portal.on_http,
            Unknown: portal.on_unknown,
            Down: portal.on_down,
            Exception: portal.on_crash,
        },
    )
    login = Login(inner, settings, portal.refused)
    return SafeHeaders(Prefix(login, settings.prefix)), streams
