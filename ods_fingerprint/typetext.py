"""Type text, in the words of an engine, read into a type (spec clause 2).

The words of an engine are the table `[types]` of its dialect file: a closed set. Nothing of the
text itself ever reaches a statement. What stands inside a nested type is shown and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from .errors import SchemaError, brief
from .types import (
    DEEPEST,
    Decimal,
    Float,
    Nested,
    Other,
    String,
    Timestamp,
    Type,
    Unit,
    from_text,
    printable,
    text,
)

Words: TypeAlias = Mapping[str, str]

_TOKEN = re.compile(
    r"""\s*("(?:[^"]|"")*"|`(?:[^`]|``)*`|'(?:[^']|'')*'|[^\W\d][\w$]*|-?[0-9]+|\.{3}|\S)"""
)
_ARGUMENT = re.compile(r"""["`'].+|[\w$]+|-[0-9]+|[,:.]""", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_CLOSERS = {"(": ")", "<": ">", "[": "]"}
_DECIMAL = re.compile(r"decimal\((-?[0-9]+), (-?[0-9]+)\)")
_TIMESTAMP = re.compile(r"timestamp(_ntz)?(?:\[(s|ms|us|ns)\])?")
_UNITS: Mapping[str, Unit] = {"s": "s", "ms": "ms", "us": "us", "ns": "ns"}
_NESTED = ("list", "struct", "map", "union")
# the most bits of a FLOAT(n) that are a single precision float, as the SQL standard has it
_SINGLE = 24


def parse(words_of_type: str, words: Words) -> Type:
    """Return the type that `words_of_type` means; raise SchemaError with the reason alone."""
    return _type(_tokens(words_of_type), words)


def phrase(words_of_type: str) -> str:
    """Return the word, or words, that name the outermost type, in capitals: `DOUBLE PRECISION`."""
    return _split(_without_clauses(_tokens(words_of_type))[0])[0]


def known_word(value: str) -> bool:
    """Return whether `value` may stand on the right side of a dialect's `[types]` table."""
    if value in _NESTED or value in ("decimal", "char", "enum") or _TIMESTAMP.fullmatch(value):
        return True
    other = value.startswith("other ") and value[6:].isidentifier()
    try:
        return isinstance(from_text(value.removeprefix("other ")), Other | Nested) == other
    except SchemaError:
        return False


def _tokens(words_of_type: str) -> list[str]:
    tokens = [str(found) for found in _TOKEN.findall(words_of_type)]
    if not tokens:
        raise SchemaError("it is empty")
    if max(depth for depth, _ in _depths(tokens)) > DEEPEST:
        raise SchemaError(f"it is nested more than {DEEPEST} deep")
    return tokens


def _depths(tokens: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each token with the number of brackets that are open after it."""
    depth = 0
    for token in tokens:
        depth += (token in _CLOSERS) - (token in _CLOSERS.values())
        yield depth, token


def _type(tokens: Sequence[str], words: Words) -> Type:
    tokens, collation = _without_clauses(tokens)
    tokens, lists = _without_lists(tokens)
    named, groups = _split(tokens)
    meaning = words.get(named)
    if meaning is None:
        raise SchemaError(f"no type {brief(named.lower())} there")
    kind = _meaning(meaning, groups, words)
    if lists:
        return Nested("list<" * lists + text(kind) + ">" * lists)
    if collation is None:
        return kind
    if not isinstance(kind, String):
        raise SchemaError("a collation is of text only")
    return String(kind.length, collation, kind.label)


def _without_clauses(tokens: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """Cut off COLLATE, NOT NULL and COMMENT; return the collation."""
    for at, (depth, token) in enumerate(_depths(tokens)):
        if depth == 0 and at > 0 and token.upper() in ("COLLATE", "NOT", "COMMENT"):
            return tokens[:at], _collation(tokens[at:])
    return tokens, None


def _collation(clauses: Sequence[str]) -> str | None:
    found: str | None = None
    left = list(clauses)
    while left:
        match [left[0].upper(), *left[1:]]:
            case ["NOT", null, *rest] if null.upper() == "NULL":
                left = rest
            case ["COMMENT", comment, *rest] if comment[0] in "'\"" and len(comment) > 1:
                left = rest
            case ["COLLATE", name, *rest] if found is None and _ARGUMENT.fullmatch(name):
                found, left = _dotted(name, rest)
            case _:
                raise SchemaError(f"{brief(' '.join(left))} does not belong to a type")
    return found


def _dotted(name: str, rest: list[str]) -> tuple[str, list[str]]:
    """Join the parts of a name such as NOCASE.NOACCENT; return what stands behind it, too."""
    found = _unquoted(name)
    while len(rest) > 1 and rest[0] == "." and _ARGUMENT.fullmatch(rest[1]):
        found, rest = f"{found}.{_unquoted(rest[1])}", rest[2:]
    return printable(found), rest


def _without_lists(tokens: Sequence[str]) -> tuple[Sequence[str], int]:
    """Cut off `[]` and `[3]` at the end; return how many they were."""
    lists = 0
    while tokens and tokens[-1] == "]":
        sized = len(tokens) > 2 and re.fullmatch(r"[0-9]+", tokens[-2]) is not None
        opening = -3 if sized else -2
        if len(tokens) < -opening or tokens[opening] != "[":
            raise SchemaError("the brackets of a list hold nothing but its size")
        tokens, lists = tokens[:opening], lists + 1
        if lists > DEEPEST:
            raise SchemaError(f"it is nested more than {DEEPEST} deep")
    return tokens, lists


def _split(tokens: Sequence[str]) -> tuple[str, list[Sequence[str]]]:
    """Return the words outside brackets, in capitals, and each bracket with all that it holds."""
    named: list[str] = []
    groups: list[Sequence[str]] = []
    at = 0
    while at < len(tokens):
        if tokens[at] in ("(", "<"):
            closed = _closing(tokens, at)
            groups.append(tokens[at : closed + 1])
            at = closed
        else:
            named.append(tokens[at].upper() if tokens[at].isascii() else tokens[at])
        at += 1
    return " ".join(named), groups


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


def _meaning(meaning: str, groups: Sequence[Sequence[str]], words: Words) -> Type:
    if meaning.startswith("other "):
        for arguments in groups:
            _arguments(arguments)
        return Other(meaning[6:])
    if len(groups) > 1:
        raise SchemaError("it has more than one pair of brackets")
    group = groups[0] if groups else None
    if meaning in _NESTED:
        return Nested(_nested_text(meaning, group, words))
    if meaning == "enum":
        return _enum(group)
    return _sized(meaning, _numbers(group))


def _sized(meaning: str, numbers: Sequence[int]) -> Type:
    """Return a type that at most has numbers in its brackets."""
    if meaning in ("string", "char"):
        length = _at_most_one(numbers, 1, None)
        return String(length=length or 1) if meaning == "char" else String()
    if meaning.startswith("decimal"):
        return _decimal(meaning, numbers)
    timestamp = _TIMESTAMP.fullmatch(meaning)
    if timestamp:
        digits = _at_most_one(numbers, 0, 9)
        unit = _UNITS[timestamp[2] or "us"] if digits is None else ("ns" if digits > 6 else "us")
        return Timestamp(timestamp[1] is None, unit)
    if meaning in ("float", "double"):
        bits = _at_most_one(numbers, 1, 53)
        return Float(64) if meaning == "float" and (bits or 0) > _SINGLE else from_text(meaning)
    if numbers:
        raise SchemaError("it takes no numbers")
    return from_text(meaning)


def _decimal(meaning: str, numbers: Sequence[int]) -> Type:
    usual = _DECIMAL.fullmatch(meaning)
    match list(numbers):
        case [] if usual:
            return Decimal(int(usual[1]), int(usual[2]))
        case []:
            raise SchemaError("its precision and scale are not stated")
        case [precision]:
            return Decimal(precision, 0)
        case [precision, scale]:
            return Decimal(precision, scale)
        case _:
            raise SchemaError(f"a decimal takes at most 2 numbers, not {len(numbers)}")


def _at_most_one(numbers: Sequence[int], least: int, most: int | None) -> int | None:
    if len(numbers) > 1:
        raise SchemaError(f"it takes at most one number, not {len(numbers)}")
    for number in numbers:
        if number < least or (most is not None and number > most):
            limit = f"{least} to {most}" if most is not None else f"at least {least}"
            raise SchemaError(f"its number is {limit}, not {number}")
        return number
    return None


def _numbers(group: Sequence[str] | None) -> list[int]:
    parts = [] if group is None else _split_commas(_arguments(group))
    if not all(len(part) == 1 and _NUMBER.fullmatch(part[0]) for part in parts):
        raise SchemaError(f"{brief(' '.join(group or ()))} is not a list of numbers")
    return [int(part[0]) for part in parts]


def _enum(group: Sequence[str] | None) -> Type:
    parts = [] if group is None else _split_commas(_arguments(group))
    if not all(len(part) == 1 and part[0][0] == "'" for part in parts):
        raise SchemaError("the labels of an enum are texts in single quotes")
    return String(label=True)


def _arguments(group: Sequence[str]) -> Sequence[str]:
    """Return what stands in plain round brackets; refuse anything but words, numbers and texts."""
    if group[0] != "(" or not all(_ARGUMENT.fullmatch(token) for token in group[1:-1]):
        raise SchemaError(f"{brief(' '.join(group))} does not belong to a type")
    return group[1:-1]


def _split_commas(tokens: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for depth, token in _depths(tokens):
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _nested_text(meaning: str, group: Sequence[str] | None, words: Words) -> str:
    show = _field if meaning in ("struct", "union") else _display
    parts = [] if group is None or len(group) == 2 else _split_commas(group[1:-1])
    return f"{meaning}<{', '.join(show(part, words) for part in parts)}>"


def _field(tokens: Sequence[str], words: Words) -> str:
    """Return `name: type`; Spark writes `name:type` and quotes no name, however odd."""
    colon = next((at for at, (depth, t) in enumerate(_depths(tokens)) if t == ":" and not depth), 0)
    name, rest = tokens[: colon or 1], tokens[colon + 1 :]
    shown = printable(" ".join(_unquoted(token) for token in name))
    named = rest and name != ["..."]
    return f"{shown}: {_display(rest, words)}" if named else _display(tokens, words)


def _display(tokens: Sequence[str], words: Words) -> str:
    """Return an inner type in the words of the spec, or as it was written: it decides nothing."""
    try:
        return text(_type(tokens, words))
    except SchemaError:
        return printable(" ".join(tokens))


def _unquoted(token: str) -> str:
    quote = token[:1]
    if quote in ("'", '"', "`") and len(token) > 1:
        return token[1:-1].replace(quote * 2, quote)
    return token
