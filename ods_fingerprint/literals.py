"""How an engine writes down a value of each type: `[literals]` of its dialect file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from .dialect_file import DialectFile
from .errors import CompileError
from .json_value import is_object
from .types import (
    Boolean,
    Date,
    Decimal,
    Float,
    Integer,
    Nested,
    Other,
    String,
    Timestamp,
    Type,
    from_text,
    text,
)
from .typetext import known_word

_GAPS = "gaps"
# nothing that could end a text literal, or that an engine may take for an escape
_PLAIN = re.compile(r"[ -&(-\[\]-~]*")
_NESTED = ("list<", "struct<", "map<", "union<")
_BARE = ("list", "struct", "map", "union")


@dataclass(frozen=True, slots=True)
class Literals:
    """SQL templates by type word, and the vectors that the engine cannot hold, with the reason."""

    templates: Mapping[str, str]
    gaps: Mapping[str, str]

    def why_not(self, kind: Type) -> str | None:
        """Return why no value of this type can be written, or None."""
        if self._template(kind) is not None:
            return None
        return f"the dialect file writes no literal of {_words(kind)}"

    def written(self, kind: Type, value: object) -> str:
        """Return a value of a vector as an expression of this type; None is a NULL of it."""
        template = self._template(kind)
        if template is None:
            raise CompileError(f"no literal of {_words(kind)}")
        quoted = "NULL" if value is None else f"'{_plain(kind, value)}'"
        numbers: dict[str, int | None] = {}
        match kind:
            case Decimal(precision, scale):
                numbers = {"precision": precision, "scale": scale}
            case String(length=length):
                numbers = {"length": length}
            case _:
                pass
        for name, number in numbers.items():
            template = template.replace("{" + name + "}", str(number))
        return template.replace("{value}", quoted)

    def _template(self, kind: Type) -> str | None:
        found = self.templates.get(_words(kind))
        # a CHAR(n) is a text where the engine has no type of its own for it
        if found is None and isinstance(kind, String) and not kind.label:
            return self.templates.get("string")
        return found


def read(file: DialectFile) -> Literals:
    """Return the literals of a dialect file; none where it has no such table."""
    part = file.part("literals")
    for key in part:
        if key != _GAPS and not _known(key):
            raise file.fault(f"literals.{key}", "is no type of the spec, as [types] writes it")
    templates = {
        key: file.template("literals", key, *_placeholders(key)) for key in part if key != _GAPS
    }
    return Literals(templates, _gaps(file, part.get(_GAPS, {})))


def _gaps(file: DialectFile, found: object) -> Mapping[str, str]:
    if not is_object(found):
        raise file.fault("literals.gaps", f"is a table, not {found!r}")
    return {key: file.line(f"literals.gaps.{key}", reason) for key, reason in found.items()}


def _known(key: str) -> bool:
    if key.startswith(_NESTED):
        return isinstance(from_text(key), Nested)
    return known_word(key) and key not in _BARE and not key.startswith("decimal(")


def _placeholders(key: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the placeholders that a literal of this type may hold, and those that it must."""
    if key == "other void":
        return frozenset(), frozenset()
    needed = frozenset({"value"})
    more = {"decimal": {"precision", "scale"}, "char": {"length"}}.get(key, set[str]())
    return needed | more, needed


def _words(kind: Type) -> str:
    """Return the type as `[literals]` names it: in the words of `[types]`."""
    match kind:
        case Decimal():
            return "decimal"
        case String(length, _, label):
            return "enum" if label else "string" if length is None else "char"
        case Timestamp(unit=unit):
            return text(kind) if unit == "us" else f"{text(kind)}[{unit}]"
        case Other():
            return f"other {text(kind)}"
        case Integer() | Boolean() | Date() | Float() | Nested():
            return text(kind)


def _plain(kind: Type, value: object) -> str:
    """Return what stands between the quotes: digits, words, or the hex digits of a text."""
    match kind:
        case String():
            return str(value).encode("utf-8").hex()
        case Boolean():
            return "true" if value else "false"
        case Float():
            return _float(float.fromhex(str(value)))
        case Integer() | Decimal() | Date() | Timestamp():
            return str(value)
        case Nested() | Other():
            found = value if isinstance(value, str) else json.dumps(value)
            if not _PLAIN.fullmatch(found):
                raise CompileError(f"{found!r} cannot stand in a text literal")
            return found


def _float(value: float) -> str:
    """Return the fewest digits that read back to the same double, or NaN, inf, -inf."""
    return "NaN" if value != value else repr(value)
