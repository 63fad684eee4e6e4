"""A dialect file as it is written, checked key by key: every fault names file, key and reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from .errors import DialectError
from .figures import FigureName
from .typetext import known_word

TEXT_KEYS = (
    "integer", "decimal", "decimal_fine", "decimal_fraction", "string", "enum", "boolean", "date",
    "timestamp", "timestamp_zoned", "timestamp_coarse", "timestamp_ns", "timestamp_ns_zoned",
)  # fmt: skip
FIGURES: tuple[FigureName, ...] = get_args(FigureName)

_KEYS: Mapping[str, frozenset[str]] = {
    "names": frozenset({"quote", "fold", "longest"}),
    "text": frozenset(TEXT_KEYS),
    "row": frozenset({"h"}),
    "figure": frozenset(FIGURES),
    "table": frozenset({"plain", "version", "timestamp"}),
    "limits": frozenset({"bytes", "columns"}),
    "evidence": frozenset({"engine", "versions"}),
}
_OPTIONAL = frozenset(
    {"longest", "version", "timestamp", "h", "bytes", "columns"}
    | {"enum", "timestamp_coarse", "timestamp_ns", "timestamp_ns_zoned"}
)
_REQUIRED: Mapping[str, frozenset[str]] = {
    part: keys - (_OPTIONAL - {"timestamp"} if part == "text" else _OPTIONAL)
    for part, keys in _KEYS.items()
}
_PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "text": frozenset({"x", "precision", "scale", "zeros"}),
    "row": frozenset({"text"}),
    "figure": frozenset({"x", "text", "h"}),
    "table": frozenset({"table", "version", "timestamp"}),
}
_NEEDED: Mapping[str, frozenset[str]] = {
    "row": frozenset({"text"}),
    "text": frozenset({"x"}),
    "table": frozenset({"table"}),
}
_PLACEHOLDER = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True, slots=True)
class DialectFile:
    """The parsed TOML of one dialect, read by part and key."""

    name: str
    root: Mapping[str, object]

    def part(self, part: str) -> Mapping[str, object]:
        """Return one table of the file; an absent one is empty."""
        found = self.root.get(part, {})
        if not isinstance(found, dict):
            raise self.fault(part, f"is a table, not {found!r}")
        return found

    def text(self, part: str, key: str) -> str:
        """Return a text that must be there."""
        return self._text(f"{part}.{key}", self.part(part).get(key))

    def title(self, key: str) -> str:
        """Return a text of the file's head."""
        return self._text(key, self.root.get(key))

    def number(self, part: str, key: str) -> int | None:
        """Return a whole number above zero, or None where the file has none."""
        found = self.part(part).get(key)
        if found is not None and (type(found) is not int or found < 1):
            raise self.fault(f"{part}.{key}", f"is a whole number above 0, not {found!r}")
        return found

    def texts(self, part: str, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self.part(part).get(key)
        if not isinstance(found, list):
            raise self.fault(f"{part}.{key}", f"is a list of texts, not {found!r}")
        return tuple(self._text(f"{part}.{key}", item) for item in found)

    def templates(self, part: str) -> dict[str, str]:
        """Return the SQL templates of a part, each on one line, with only the placeholders it may have."""
        return {key: self._template(part, key) for key in self.part(part)}

    def fault(self, key: str, reason: str) -> DialectError:
        """Return the error for one key."""
        return DialectError(f"dialect file {self.name}: {key} {reason}")

    def _template(self, part: str, key: str) -> str:
        template = " ".join(self.text(part, key).split())
        found = set(_PLACEHOLDER.findall(template))
        allowed, needed = _PLACEHOLDERS[part], _NEEDED.get(part, frozenset())
        if part == "figure":
            needed = {"rows": frozenset[str](), "hash": frozenset[str]()}.get(key, frozenset({"x"}))
        if not found <= allowed:
            raise self.fault(
                f"{part}.{key}", f"may hold {_braced(allowed)}, not {_braced(found - allowed)}"
            )
        if not needed <= found:
            raise self.fault(f"{part}.{key}", f"must hold {_braced(needed)}")
        return template

    def _text(self, key: str, found: object) -> str:
        if not isinstance(found, str) or not found:
            raise self.fault(key, f"is a text, not {found!r}")
        return found


def check(file: DialectFile) -> None:
    """Refuse a file with an unknown, a missing or a wrong key."""
    for key in file.root:
        if key not in {"title", "sqlglot", "types", *_KEYS}:
            raise file.fault(
                key, f"is not known; known: {', '.join(('title', 'sqlglot', 'types', *_KEYS))}"
            )
    for part, keys in _KEYS.items():
        found = file.part(part)
        for key in found:
            if key not in keys:
                raise file.fault(f"{part}.{key}", f"is not known; known: {', '.join(sorted(keys))}")
        for key in sorted(_REQUIRED[part]):
            if key not in found:
                raise file.fault(f"{part}.{key}", "is missing")
    _check_hash(file)
    _check_types(file)


def _check_hash(file: DialectFile) -> None:
    template = file.text("figure", "hash")
    if "{h}" in template and "h" not in file.part("row"):
        raise file.fault("row.h", "is missing, and figure.hash uses it")
    if "{h}" not in template and "{text}" not in template:
        raise file.fault("figure.hash", "must hold {text} or {h}")


def _check_types(file: DialectFile) -> None:
    types = file.part("types")
    if not types:
        raise file.fault("types", "is missing: the engine's type words")
    for word, meaning in types.items():
        pairs = meaning.items() if isinstance(meaning, dict) else [(word, [meaning, "-"])]
        for noted, pair in pairs:
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or not all(isinstance(p, str) for p in pair)
            ):
                raise file.fault(f"types.{noted}", f"is a type or [type, note], not {pair!r}")
            if not known_word(pair[0]):
                raise file.fault(f"types.{noted}", f"is no type of the spec: {pair[0]!r}")
            if noted != noted.upper():
                raise file.fault(f"types.{noted}", "is written in capitals")


def _braced(words: frozenset[str] | set[str]) -> str:
    return ", ".join(f"{{{word}}}" for word in sorted(words))
