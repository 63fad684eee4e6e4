"""The table `[types]` of a dialect file: what an engine's type words mean (spec clause 2)."""

from __future__ import annotations

from collections.abc import Iterator

from ._data import Toml
from .errors import DialectError
from .typetext import known_word


def read(name: str, types: Toml | None) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Return the words, and those of them that carry a note; refuse a table with a fault.

    `name` is of the dialect file. Words are in capitals, since type text is compared in capitals.
    """
    if not isinstance(types, dict) or not types.keys() - {"noted"}:
        raise _fault(name, "types", "is missing: the engine's type words, each with its meaning")
    found = {word: meaning for word, meaning in types.items() if word != "noted"}
    words = dict(_word(name, f"types.{word}", word, meaning) for word, meaning in found.items())
    return words, dict(_noted(name, types.get("noted", {})))


def _noted(name: str, table: Toml) -> Iterator[tuple[str, tuple[str, str]]]:
    if not isinstance(table, dict):
        raise _fault(name, "types.noted", f"is a table, not {table!r}")
    for word, pair in table.items():
        key = f"types.noted.{word}"
        match pair:
            case [meaning, str(note)] if note:
                yield word, (_word(name, key, word, meaning)[1], note)
            case _:
                raise _fault(name, key, f"is a list of a type and a note, not {pair!r}")


def _word(name: str, key: str, word: str, meaning: Toml) -> tuple[str, str]:
    if not isinstance(meaning, str) or not known_word(meaning):
        raise _fault(name, key, f"is no type of the spec: {meaning!r}")
    if word != word.upper():
        raise _fault(name, key, "is written in capitals")
    return word, meaning


def _fault(name: str, key: str, reason: str) -> DialectError:
    return DialectError(f"dialect file {name}: {key} {reason}")
