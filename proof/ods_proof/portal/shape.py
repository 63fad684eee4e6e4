"""What a page needs of a record: whoever wrote the file, it is shown or refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_WORDS: Mapping[str, tuple[str, ...]] = {
    "verdict": ("passed", "failed", "broken"),
    "step": ("done", "failed", "refused", "not reached"),
    "check": ("passed", "failed", "not reached"),
    "severity": ("error", "warning"),
}


class Unreadable(ValueError):
    """A record of another form."""


def refuse(record: Any) -> None:
    """Raise Unreadable for what is no record."""
    _texts(record, "first", "second")
    _numbers(record, "rows", "seed")
    _word(record, "verdict", "verdict")
    _objects(record, "versions")
    for name in ("steps", "checks", "info"):
        if not isinstance(record.get(name), list):
            raise Unreadable(f"{name} is no list")
    for found in record["steps"]:
        step(found)
    for found in record["checks"]:
        check(found)
    for found in record["info"]:
        _texts(found, "name", "summary")


def step(found: Any) -> None:
    """Raise Unreadable for what is no step of a record."""
    _texts(found, "step", "engine")
    _word(found, "status", "step")
    _numbers(found, "seconds")
    if not isinstance(found.get("error"), (str, type(None))):
        raise Unreadable("error is no text")
    for name in ("fingerprint", "own_fingerprint"):
        if found.get(name, 0) is not None:
            _objects(found, name)
            _numbers(found[name], "rows")


def check(found: Any) -> None:
    """Raise Unreadable for what is no check of a record."""
    _texts(found, "name", "kind", "summary")
    _word(found, "status", "check")
    _word(found, "severity", "severity")
    _objects(found, "evidence")


def _texts(found: Any, *names: str) -> None:
    _each(found, names, str, "text")


def _objects(found: Any, *names: str) -> None:
    _each(found, names, Mapping, "object")


def _numbers(found: Any, *names: str) -> None:
    _each(found, names, (int, float), "number")


def _each(found: Any, names: Iterable[str], kind: Any, word: str) -> None:
    if not isinstance(found, Mapping):
        raise Unreadable(f"a part of it is no object: {str(found)[:40]!r}")
    for name in names:
        if not isinstance(found.get(name), kind):
            raise Unreadable(f"{name} is no {word}: {str(found.get(name))[:40]!r}")


def _word(found: Any, name: str, words: str) -> None:
    if found.get(name) not in _WORDS[words]:
        raise Unreadable(f"{name} is {str(found.get(name))[:40]!r}")
