"""A dialect file as it is written, checked key by key: every fault names file, key and reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from . import type_words
from ._data import Toml
from .errors import DialectError
from .figures import FigureName

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
    "catalog": frozenset({"columns", "pinned"}),
    "limits": frozenset({"bytes", "columns", "figures"}),
    "unpivot": frozenset({"past", "columns", "cells", "text", "float", "there", "list", "item"}),
    "evidence": frozenset({"engine", "versions", "version_sql"}),
}
_ROOT = ("title", "sqlglot", "types", *_KEYS, "literals")
_OPTIONAL = frozenset(
    {"longest", "version", "timestamp", "h", "bytes", "columns", "figures", "pinned"}
    | {"version_sql", "enum", "timestamp_coarse", "timestamp_ns", "timestamp_ns_zoned"}
)
_REQUIRED: Mapping[str, frozenset[str]] = {
    part: keys - (_OPTIONAL - {"timestamp"} if part == "text" else _OPTIONAL)
    for part, keys in _KEYS.items()
} | {"unpivot": _KEYS["unpivot"]}
_NUMBERS = (("unpivot", "past"), ("unpivot", "columns"))
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
# any other place would need brackets around the text, and no file writes them
_ARGUMENT = re.compile(r"[(,] ?\{text\}(?= ?[,)]| AS )")


@dataclass(frozen=True, slots=True)
class DialectFile:
    """The parsed TOML of one dialect, read by part and key."""

    name: str
    root: Mapping[str, Toml]

    def part(self, part: str) -> Mapping[str, Toml]:
        """Return one table of the file; an absent one is empty."""
        found = self.root.get(part, {})
        if not isinstance(found, dict):
            raise self.fault(part, f"is a table, not {found!r}")
        return found

    def text(self, part: str, key: str) -> str:
        """Return a text that must be there."""
        return self._text(f"{part}.{key}", self.part(part).get(key))

    def title(self, key: str) -> str:
        """Return a text of the file's head: one line, since a comment of the SQL repeats it."""
        return self.line(key, self.root.get(key))

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
        """Return the SQL templates of a part as written, each with what it must hold."""
        return {
            key: self.template(part, key, *_placeholders(part, key))
            for key in self.part(part)
            if (part, key) not in _NUMBERS
        }

    def template(self, part: str, key: str, allowed: frozenset[str], needed: frozenset[str]) -> str:
        """Return one SQL template with the placeholders that it may hold, and those it must."""
        name = f"{part}.{key}"
        template = self.line(name, self.text(part, key).strip())
        if fault := _placeholder_fault(template, allowed, needed):
            raise self.fault(name, fault)
        if part == "table" and template.count("{") > len(needed):
            raise self.fault(name, "holds a placeholder twice")
        return template

    def optional(self, part: str, key: str, needed: frozenset[str]) -> str | None:
        """Return one SQL template with its placeholders, or None where the file has none."""
        return self.template(part, key, needed, needed) if key in self.part(part) else None

    def line(self, key: str, found: object) -> str:
        """Return a text of one line."""
        line = self._text(key, found)
        if not line.isprintable():
            raise self.fault(
                key, "is one line of text: where it is too long, end its lines with a backslash"
            )
        return line

    def fault(self, key: str, reason: str) -> DialectError:
        """Return the error for one key."""
        return DialectError(f"dialect file {self.name}: {key} {reason}")

    def _text(self, key: str, found: object) -> str:
        if not isinstance(found, str) or not found:
            raise self.fault(key, f"is a text, not {found!r}")
        return found


def check(file: DialectFile) -> None:
    """Refuse a file with an unknown, a missing or a wrong key."""
    for key in file.root:
        if key not in _ROOT:
            raise file.fault(key, f"is not known; known: {', '.join(_ROOT)}")
    for part, keys in _KEYS.items():
        found = file.part(part)
        for key in found:
            if key not in keys:
                raise file.fault(f"{part}.{key}", f"is not known; known: {', '.join(sorted(keys))}")
        for key in sorted(_REQUIRED[part]) if found or part != "unpivot" else ():
            if key not in found:
                raise file.fault(f"{part}.{key}", "is missing")
    file.text("evidence", "engine")
    _check_hash(file)
    type_words.read(file.name, file.root.get("types"))


def _check_hash(file: DialectFile) -> None:
    template = file.text("figure", "hash")
    if "{h}" in template and "h" not in file.part("row"):
        raise file.fault("row.h", "is missing, and figure.hash uses it")
    if "{h}" not in template and "{text}" not in template:
        raise file.fault("figure.hash", "must hold {text} or {h}")


def _placeholder_fault(
    template: str, allowed: frozenset[str], needed: frozenset[str]
) -> str | None:
    found = set(_PLACEHOLDER.findall(template))
    if unknown := found - allowed:
        may = f"may hold {_braced(allowed)}" if allowed else "holds no placeholder"
        return f"{may}, not {_braced(unknown)}"
    if missing := needed - found:
        return f"must hold {_braced(missing)}"
    if set("{}") & set(_PLACEHOLDER.sub("", template)):
        return "has a brace that belongs to no placeholder"
    if template.count("{text}") != len(_ARGUMENT.findall(template)):
        return "must hold {text} as an argument, between brackets or commas"
    return None


def _placeholders(part: str, key: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the placeholders that a template may hold, and those that it must."""
    match part, key:
        case "text", _:
            numbers = {"precision", "scale", "zeros"} if key.startswith("decimal") else set[str]()
            return frozenset({"x"} | numbers), frozenset({"x"})
        case "figure", "rows":
            return frozenset(), frozenset()
        case "figure", "hash":
            return frozenset({"text", "h"}), frozenset()
        case "row", _:
            return frozenset({"text"}), frozenset({"text"})
        case "table", _:
            needed = frozenset({"table"} if key == "plain" else {"table", key})
            return needed, needed
        case "catalog", "columns":
            return frozenset({"table", "name"}), frozenset()
        case "catalog", _:
            return frozenset({"source"}), frozenset({"source"})
        case "unpivot", "cells" | "text":
            return frozenset({key}), frozenset({key})
        case "unpivot", "list":
            return frozenset({"figures"}), frozenset({"figures"})
        case "unpivot", "item":
            return frozenset({"list", "at"}), frozenset({"list", "at"})
        case _:
            return frozenset({"x"}), frozenset({"x"})


def _braced(words: Iterable[str]) -> str:
    return ", ".join(f"{{{word}}}" for word in sorted(words))
