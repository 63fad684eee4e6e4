"""Forms: small, from this site only, with the token that this site gave out."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from .settings import PortalSettings

LARGEST = 4_096
_FIELDS = 16
_PATIENCE = 10.0  # seconds for a form to arrive
_TYPE = "application/x-www-form-urlencoded"


class Stale(HTTPException):
    """A form with a token that is not of this run of the portal."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens against forms of other sites: one for each user, good until the portal ends."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def of(self, user: str | None) -> str:
        """Return the token of a user."""
        text = "nobody" if user is None else f"user {user}"
        return hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()

    def refuse_other(self, user: str | None, given: str) -> None:
        """Raise Stale for a token that is not the user's."""
        if not hmac.compare_digest(self.of(user).encode(), given.encode()):
            raise Stale(403, "This form is of an earlier run of the portal, or not of it at all.")


async def read(request: Request, settings: PortalSettings) -> dict[str, str]:
    """Return the fields of a form; raise for one that is large, slow, or another site's."""
    _refuse_foreign(request, settings)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _TYPE:
        raise HTTPException(415, f"A form is sent as {_TYPE}.")
    try:
        body = await asyncio.wait_for(_body(request), _PATIENCE)
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=_FIELDS,
        )
    except (asyncio.TimeoutError, TimeoutError):
        raise HTTPException(408, "The form took too long to arrive.") from None
    except ValueError:
        raise HTTPException(400, "This is no form that the portal gave out.") from None
    found = dict(pairs)
    if len(found) < len(pairs):
        raise HTTPException(400, "This form has a field twice.")
    return found


async def _body(request: Request) -> bytes:
    found = b""
    async for piece in request.stream():
        found += piece
        if len(found) > LARGEST:
            raise HTTPException(413, f"A form here has {LARGEST} bytes at most.")
    return found


def _refuse_foreign(request: Request, settings: PortalSettings) -> None:
    """Raise unless the browser says that the form is of this site, where it says anything."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        ours = site == "same-origin"
    else:
        ours = origin is None or urlsplit(origin).netloc.lower() == _host(request, settings)
    if not ours:
        raise HTTPException(403, "This form was sent by another site.")


def _host(request: Request, settings: PortalSettings) -> str:
    """Return the name by which the browser knows this site."""
    headers: Mapping[str, str] = request.headers
    peer = request.client.host if request.client else None
    if settings.user_header and settings.trusts(peer) and "x-forwarded-host" in headers:
        return headers["x-forwarded-host"].rpartition(",")[2].strip().lower()
    return headers.get("host", "").lower()
