"""JSON texts read strictly: no key twice, no NaN, no nesting without end (spec clause 7.3)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NoReturn


def parse(source: str) -> object:
    """Return the value of a JSON text; raise ValueError with the reason."""
    try:
        found: object = json.loads(source, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return found


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key is there twice among {', '.join(key for key, _ in pairs)}")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number; an overflowed sum is a text in quotes")
