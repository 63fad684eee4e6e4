"""Who comes in: the prefix off the path, the visitor's name, and the headers of every answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .settings import PortalSettings

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # not no-referrer, with which a browser sends `Origin: null` from our own form
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
OPEN = ("/healthz", "/static/")
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_LONGEST_NAME = 128


@dataclass(frozen=True, slots=True)
class Prefix:
    """Takes the prefix off a path; a proxy may have done so already."""

    app: ASGIApp
    prefix: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the path that follows the prefix."""
        if scope["type"] == "http" and self.prefix:
            path = scope["path"]
            if path == self.prefix or path.startswith(self.prefix + "/"):
                scope = {**scope, "path": path[len(self.prefix) :] or "/", "root_path": ""}
        await self.app(scope, receive, send)


@dataclass(frozen=True, slots=True)
class SafeHeaders:
    """Adds the headers that tell a browser what it may do with an answer."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back with the headers."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, sent if scope["type"] == "http" else send)


@dataclass(frozen=True, slots=True)
class Login:
    """Finds out who asks, and lets nobody in whom no proxy vouches for."""

    app: ASGIApp
    settings: PortalSettings
    refused: Callable[[HTTPException], Response]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with `user` in its state: a name, or None on a machine of one's own."""
        if scope["type"] == "http":
            path = scope["path"]
            try:
                user = None if path.startswith(OPEN) else visitor(scope, self.settings)
            except HTTPException as error:
                await self.refused(error)(scope, receive, send)
                return
            scope = {**scope, "state": {**scope.get("state", {}), "user": user}}
        await self.app(scope, receive, send)


def visitor(scope: Scope, settings: PortalSettings) -> str | None:
    """Return the user's name; raise for a request that comes by another way than the login."""
    peer = scope["client"][0] if scope.get("client") else None
    headers = Headers(scope=scope)
    if settings.user_header is None:
        _refuse_rebound(headers.get("host", ""))
        return None
    if not settings.trusts(peer):
        raise HTTPException(403, "This portal is reached through its login only.")
    names = headers.getlist(settings.user_header)
    if not names or names == [""]:
        raise HTTPException(401, "The login in front of this portal did not say who you are.")
    if len(names) > 1:
        raise HTTPException(400, "The login in front of this portal named more than one user.")
    return _name(names[0])


def _refuse_rebound(host: str) -> None:
    """Refuse a foreign name of this machine: by it another site's scripts would be of this one."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if name.lower() not in _LOCAL:
        raise HTTPException(403, "Without a login this portal answers to localhost only.")


def _name(text: str) -> str:
    try:
        name = text.encode("latin-1").decode("utf-8").strip()
    except UnicodeDecodeError:
        raise HTTPException(400, "The user's name is not UTF-8.") from None
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise HTTPException(400, "The user's name is empty, too long or not printable.")
    return name
