"""Result rows as tools save or copy them: CSV, TSV, a JSON object, array or lines (R25)."""

from __future__ import annotations

import csv
import io
import json

from .errors import ResultError
from .json_value import is_list, is_object

Row = dict[str, "str | None"]

# a table of a result grid may hold a very long cell: a type text, a comment
_LONGEST_CELL = 1 << 30


def rows(text: str) -> list[Row]:
    """Return the rows that a text holds: column name → text, None for a JSON null."""
    body = text.removeprefix("\ufeff")
    if body.lstrip()[:1] in ("{", "["):
        return _json_rows(body)
    return _delimited_rows(body)


def _json_rows(body: str) -> list[Row]:
    try:
        found = [_decoded(body)]
    except ValueError:
        found = [_line(line, at) for at, line in enumerate(body.splitlines(), 1) if line.strip()]
    items = found[0] if len(found) == 1 and is_list(found[0]) else found
    return [_row(item) for item in items]


def _line(line: str, at: int) -> object:
    try:
        return _decoded(line)
    except ValueError as error:
        raise ResultError(f"neither JSON nor JSON lines: line {at}: {error}") from None


def _decoded(text: str) -> object:
    """Decode JSON with its numbers as they are written, so that no digit is lost."""
    return json.loads(
        text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_pairs
    )


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ResultError(f"the name {', '.join(twice)} stands twice in one JSON object")
    return dict(pairs)


def _row(item: object) -> Row:
    if not is_object(item):
        raise ResultError(f"a row as JSON is an object, not {str(item)[:40]}")
    return {name: None if value is None else _cell(name, value) for name, value in item.items()}


def _cell(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str):
        raise ResultError(f"{name} is {value!r}: a number or a text was expected")
    return value


def _delimited_rows(body: str) -> list[Row]:
    csv.field_size_limit(_LONGEST_CELL)
    head = body.lstrip("\r\n").partition("\n")[0]
    delimiter = max("\t;,", key=head.count)
    try:
        found = [
            line for line in csv.reader(io.StringIO(body), delimiter=delimiter, strict=True) if line
        ]
    except csv.Error as error:
        raise ResultError(f"not CSV or TSV: {error}") from None
    if not found:
        raise ResultError("empty: a header line and a row were expected")
    names = [name.strip() for name in found[0]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ResultError(f"the column {', '.join(twice)} stands twice in the header")
    for at, line in enumerate(found[1:], 2):
        if len(line) != len(names):
            raise ResultError(f"line {at} has {len(line)} cells, the header has {len(names)}")
    return [dict(zip(names, line)) for line in found[1:]]
