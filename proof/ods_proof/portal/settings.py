"""The settings of the portal, as the environment gives them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from ..errors import SettingError

Network: TypeAlias = "IPv4Network | IPv6Network"
PORT = 8765
_PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_HEADER = re.compile(r"[A-Za-z0-9-]+")
_BIND = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(:(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class PortalSettings:
    """Where the portal listens, whom it believes, and where its proofs are."""

    prefix: str = "/proof"
    host: str = "127.0.0.1"
    port: int = PORT
    user_header: str | None = None
    proxies: tuple[Network, ...] = ()
    dagster: str | None = None
    records: Path = Path()

    def trusts(self, peer: str | None) -> bool:
        """Return whether the other end of a connection is a proxy that tells who is there."""
        if peer is None:
            return False
        address = ip_address(peer.partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self.proxies)


def read(environment: Mapping[str, str] = os.environ) -> PortalSettings:
    """Return the settings of an environment; raise SettingError for what would be unsafe."""
    host, port = _bind(environment.get("ODS_PROOF_BIND") or "127.0.0.1")
    header = environment.get("ODS_PROOF_USER_HEADER") or None
    proxies = _proxies(environment.get("ODS_PROOF_TRUSTED_PROXIES") or "")
    _refuse_unsafe(host, header, proxies)
    return PortalSettings(
        _prefix(environment.get("ODS_PROOF_PREFIX", "/proof")),
        host,
        port,
        header and header.lower(),
        proxies,
        _dagster(environment.get("ODS_PROOF_DAGSTER_URL") or None),
        _records(environment),
    )


def _prefix(text: str) -> str:
    found = text.rstrip("/")
    if not _PREFIX.fullmatch(found) or "/.." in found or "/./" in f"{found}/":
        raise SettingError(f"ODS_PROOF_PREFIX is {text!r}; it is a path such as /proof")
    return found


def _bind(text: str) -> tuple[str, int]:
    found = _BIND.fullmatch(text)
    if not found or int(found["port"] or 0) > 65535:
        raise SettingError(
            f"ODS_PROOF_BIND is {text!r}; it is an address with or without a port: 127.0.0.1:{PORT}"
        )
    return found["host"].strip("[]"), int(found["port"] or PORT)


def _proxies(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise SettingError(
            f"ODS_PROOF_TRUSTED_PROXIES is {text!r}: {error}; it is a list of addresses or "
            "networks: 127.0.0.1, 10.0.0.0/8"
        ) from error


def _refuse_unsafe(host: str, header: str | None, proxies: tuple[Network, ...]) -> None:
    if header and not _HEADER.fullmatch(header):
        raise SettingError(f"ODS_PROOF_USER_HEADER is {header!r}, which is no name of a header")
    if header and not proxies:
        raise SettingError(
            "ODS_PROOF_USER_HEADER is set, but anyone can send a header: "
            "ODS_PROOF_TRUSTED_PROXIES says from which addresses it is believed"
        )
    if not header and not _is_loopback(host):
        raise SettingError(
            f"the portal would listen on {host} without a login: behind a proxy that knows its "
            "users set ODS_PROOF_USER_HEADER and ODS_PROOF_TRUSTED_PROXIES, else bind 127.0.0.1"
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _dagster(text: str | None) -> str | None:
    if text is None:
        return None
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise SettingError(f"ODS_PROOF_DAGSTER_URL is {text!r}; it is like http://127.0.0.1:3000")
    return text.rstrip("/")


def _records(environment: Mapping[str, str]) -> Path:
    """Return the folder of records: by default where programs of a user keep their state."""
    given = environment.get("ODS_PROOF_RECORDS")
    if given:
        return Path(given)
    state = environment.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "ods-proof" / "records"
