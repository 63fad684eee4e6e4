"""Type text, in the words of an engine or of the spec, read into a type (spec clause 2).

The words of an engine are the table `[types]` of its dialect file: a closed set. Nothing of the
text itself ever reaches a statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TypeAlias

from .errors import SchemaError
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
    Unit,
    text,
)

Words: TypeAlias = Mapping[str, str]

_TOKEN = re.compile(
    r"""\s*("(?:[^"]|"")*"|`(?:[^`]|``)*`|'(?:[^']|'')*'|[^\W\d][\w$]*|-?\d+|[()<>\[\],:.])"""
)
_CLAUSES = ("COLLATE", "NOT", "COMMENT")
_CLOSERS = {"(": ")", "<": ">", "[": "]"}
_PLAIN: Mapping[str, Type] = {
    **{f"int{bits}": Integer(bits) for bits in (8, 16, 32, 64, 128)},
    **{f"uint{bits}": Integer(bits, signed=False) for bits in (8, 16, 32, 64, 128)},
    "boolean": Boolean(),
    "date": Date(),
    "half": Float(16),
    "float": Float(32),
    "double": Float(64),
    "enum": String(label=True),
}
_DECIMAL = re.compile(r"decimal\((-?\d+), (-?\d+)\)")
_TIMESTAMP = re.compile(r"timestamp(_ntz)?(?:\[(s|ms|us|ns)\])?")
_UNITS: Mapping[str, Unit] = {"s": "s", "ms": "ms", "us": "us", "ns": "ns"}
_NESTED = ("list", "struct", "map")

SPEC_WORDS: Words = {
    **{word.upper(): word for word in _PLAIN if word != "enum"},
    "DECIMAL": "decimal(38, 0)",
    "STRING": "string",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP_NTZ": "timestamp_ntz",
    **{word.upper(): word for word in _NESTED},
}


def parse(words_of_type: str, words: Words) -> Type:
    """Return the type that `words_of_type` means; raise SchemaError with the reason alone."""
    return _type(_tokens(words_of_type), words)


def known_word(value: str) -> bool:
    """Return whether `value` may stand on the right side of a dialect's `[types]` table."""
    return (
        value in _PLAIN
        or value in _NESTED
        or value in ("string", "char")
        or bool(_DECIMAL.fullmatch(value) or _TIMESTAMP.fullmatch(value))
        or (value.startswith("other ") and value[6:].isidentifier())
    )


def _tokens(words_of_type: str) -> list[str]:
    tokens, at = [], 0
    stripped = words_of_type.rstrip()
    while at < len(stripped):
        found = _TOKEN.match(stripped, at)
        if not found:
            raise SchemaError(f"{stripped[at : at + 20].strip()!r} is not part of a type")
        tokens.append(found.group(1))
        at = found.end()
    return tokens


def _type(tokens: Sequence[str], words: Words) -> Type:
    tokens, collation = _without_clauses(tokens)
    if tokens and tokens[-1] == "]":
        return Nested(f"list<{_display(tokens[: _opening(tokens)], words)}>")
    head, arguments, tail = _split_head(tokens)
    phrase = " ".join(_unquoted(token) for token in (*head, *tail)).upper()
    meaning = words.get(phrase)
    if meaning is None:
        raise SchemaError(f"no type {phrase.lower() or ' '.join(tokens)!r} there")
    kind = _meaning(meaning, arguments, words)
    if collation is not None and isinstance(kind, String):
        return String(kind.length, collation, kind.label)
    return kind


def _without_clauses(tokens: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """Cut off COLLATE, NOT NULL and COMMENT; return the collation."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token in _CLOSERS) - (token in _CLOSERS.values())
        if depth == 0 and at > 0 and token.upper() in _CLAUSES:
            return tokens[:at], _collation(tokens[at:])
    return tokens, None


def _collation(clauses: Sequence[str]) -> str | None:
    if clauses[0].upper() != "COLLATE":
        return None
    name = takewhile(lambda token: token.upper() not in _CLAUSES, clauses[1:])
    return "".join(_unquoted(token) for token in name)


def _opening(tokens: Sequence[str]) -> int:
    """Return where the bracket that the last token closes was opened."""
    depth = 0
    for at in range(len(tokens) - 1, -1, -1):
        depth += (tokens[at] == "]") - (tokens[at] == "[")
        if depth == 0:
            return at
    raise SchemaError("a bracket is closed that was not opened")


def _split_head(tokens: Sequence[str]) -> tuple[Sequence[str], Sequence[str] | None, Sequence[str]]:
    """Split `head ( arguments ) tail`; arguments are None where there are no brackets."""
    opened = next((at for at, token in enumerate(tokens) if token in "(<"), None)
    if opened is None:
        return tokens, None, ()
    closed = _closing(tokens, opened)
    return tokens[:opened], tokens[opened + 1 : closed], tokens[closed + 1 :]


def _closing(tokens: Sequence[str], opened: int) -> int:
    expected: list[str] = []
    for at in range(opened, len(tokens)):
        token = tokens[at]
        if token in _CLOSERS:
            expected.append(_CLOSERS[token])
        elif token in _CLOSERS.values():
            if expected.pop() != token:
                break
            if not expected:
                return at
    raise SchemaError("its brackets do not match")


def _meaning(meaning: str, arguments: Sequence[str] | None, words: Words) -> Type:
    if meaning in _NESTED:
        return Nested(_nested_text(meaning, arguments, words))
    if meaning.startswith("other "):
        return Other(meaning[6:])
    if meaning == "enum":
        return _PLAIN[meaning]
    numbers = _numbers(arguments)
    if meaning == "string":
        return _no_more_than(1, numbers, String())
    if meaning == "char":
        return _no_more_than(1, numbers, String(length=numbers[0] if numbers else 1))
    decimal = _DECIMAL.fullmatch(meaning)
    if decimal:
        return _decimal(int(decimal[1]), int(decimal[2]), numbers)
    timestamp = _TIMESTAMP.fullmatch(meaning)
    if timestamp:
        unit = _UNITS[timestamp[2] or "us"]
        return _no_more_than(1, numbers, Timestamp(timestamp[1] is None, _unit(unit, numbers)))
    return _no_more_than(1 if meaning in ("float", "double") else 0, numbers, _PLAIN[meaning])


def _decimal(precision: int, scale: int, numbers: Sequence[int]) -> Type:
    if numbers:
        precision, scale = numbers[0], numbers[1] if len(numbers) > 1 else 0
    return _no_more_than(2, numbers, Decimal(precision, scale))


def _unit(unit: Unit, numbers: Sequence[int]) -> Unit:
    """Return the unit that a stated number of fraction digits asks for; at most 6 is microseconds."""
    if not numbers:
        return unit
    if not 0 <= numbers[0] <= 9:
        raise SchemaError(f"a timestamp has 0 to 9 fraction digits, not {numbers[0]}")
    return "ns" if numbers[0] > 6 else "us"


def _numbers(arguments: Sequence[str] | None) -> list[int]:
    if arguments is None:
        return []
    parts = _split_commas(arguments)
    try:
        return [int("".join(part)) for part in parts]
    except ValueError:
        raise SchemaError(f"({''.join(arguments)}) is not a list of numbers") from None


def _no_more_than(most: int, numbers: Sequence[int], kind: Type) -> Type:
    if len(numbers) > most:
        raise SchemaError(f"it takes at most {most} numbers, not {len(numbers)}")
    return kind


def _split_commas(tokens: Sequence[str]) -> list[Sequence[str]]:
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in _CLOSERS) - (token in _CLOSERS.values())
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return list(parts)


def _nested_text(meaning: str, arguments: Sequence[str] | None, words: Words) -> str:
    if arguments is None:
        return f"{meaning}<>"
    parts = _split_commas(arguments)
    shown = [
        _field(part, words) if meaning == "struct" else _display(part, words) for part in parts
    ]
    return f"{meaning}<{', '.join(shown)}>"


def _field(tokens: Sequence[str], words: Words) -> str:
    if not tokens:
        return ""
    rest = tokens[2:] if tokens[1:2] == [":"] else tokens[1:]
    return f"{_unquoted(tokens[0])}: {_display(rest, words)}"


def _display(tokens: Sequence[str], words: Words) -> str:
    """Return an inner type in the words of the spec, or as it was written: it decides nothing."""
    try:
        return text(_type(tokens, words))
    except SchemaError:
        return " ".join(tokens)


def _unquoted(token: str) -> str:
    quote = token[:1]
    if quote in "\"'`" and len(token) > 1:
        return token[1:-1].replace(quote * 2, quote)
    return token
