"""Result rows as tools save or copy them: CSV, TSV, JSON, tables drawn in a terminal (R25)."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from . import boxed
from .errors import ResultError, brief
from .json_value import is_list, is_object

Row = dict[str, "str | None"]

# a cell of a result grid may be very long: a type text, a comment
_LONGEST_CELL = 1 << 30
_DELIMITERS = ("\t", ",", ";")
# one of these stands in every header that is read here: of a result row, or of a description
_MARKS = {"rows", "col_name", "column_name", "name"}
_WHOLE = re.compile(r"(rows|.*__(nulls|hash|nan|posinf|neginf))\s*", re.IGNORECASE | re.DOTALL)
# a thin and a hard space part thousands too
_GROUPED = re.compile(
    r"[0-9]{1,3}(?:([,'’ \u00a0\u202f])[0-9]{3}(?:\1[0-9]{3})*|(?:\.[0-9]{3}){2,})"
)
_TWO_READINGS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_SPREADSHEET = re.compile(r"[1-9][0-9]{14}0{3,}")


def rows(text: str) -> list[Row]:
    """Return the rows that a text holds: column name → text, None for a JSON null."""
    body = text.removeprefix("\ufeff")
    if _is_json(body):
        return _json_rows(body)
    drawn = boxed.table(body)
    if drawn is not None:
        return [_drawn_row(names, cells) for names, cells in drawn]
    return _delimited_rows(body)


def figures(text: str) -> list[Row]:
    """Return the result rows that a text holds, with whole numbers as plain digits.

    Separators of thousands are taken out; what a spreadsheet rounded is refused.
    """
    typed = _is_json(text.removeprefix("\ufeff"))
    return [{name: _digits(name, cell, typed) for name, cell in row.items()} for row in rows(text)]


def _is_json(body: str) -> bool:
    return body.lstrip()[:1] in ("{", "[")


def _digits(name: str, cell: str | None, typed: bool) -> str | None:
    if cell is None or not _WHOLE.fullmatch(name):
        return cell
    found = cell.strip()
    if _TWO_READINGS.fullmatch(found):
        raise ResultError(
            f"{name} is {brief(cell)}: does the point part thousands, or decimals? Copy it as text"
        )
    if _GROUPED.fullmatch(found):
        found = re.sub("[^0-9]", "", found)
    if not typed and name.strip().lower().endswith("hash") and _SPREADSHEET.fullmatch(found):
        raise ResultError(
            f"{name} is {brief(cell)}: nothing but zeros after 15 digits, as a spreadsheet leaves "
            "them; copy it as text (if these are its digits, give the row as JSON)"
        )
    return found


def _drawn_row(names: Sequence[str], cells: Sequence[str]) -> Row:
    _refuse_doubles(names, "the header")
    return dict(zip(names, cells))


def _json_rows(body: str) -> list[Row]:
    try:
        found = [_decoded(body)]
    except ValueError:
        found = [_line(line, at) for at, line in enumerate(body.split("\n"), 1) if line.strip()]
    items = found[0] if len(found) == 1 and is_list(found[0]) else found
    return [_row(item) for item in items]


def _line(line: str, at: int) -> object:
    try:
        return _decoded(line)
    except ValueError as error:
        raise ResultError(f"neither JSON nor JSON lines: line {at}: {error}") from None


def _decoded(text: str) -> object:
    """Decode JSON with its numbers as they are written, so that no digit is lost."""
    try:
        found: object = json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_pairs
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return found


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    _refuse_doubles([name for name, _ in pairs], "one JSON object")
    return dict(pairs)


def _refuse_doubles(names: Sequence[str], where: str) -> None:
    counts = Counter(names)
    twice = sorted(name for name in counts if counts[name] > 1)
    if twice:
        raise ResultError(f"the name {', '.join(twice)} stands twice in {where}")


def _row(item: object) -> Row:
    if not is_object(item):
        raise ResultError(f"a row as JSON is an object, not {str(item)[:40]}")
    return {name: None if value is None else _cell(name, value) for name, value in item.items()}


def _cell(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str):
        raise ResultError(f"{name} is {str(value)[:40]}: a number or a text was expected")
    return value


def _delimited_rows(body: str) -> list[Row]:
    csv.field_size_limit(_LONGEST_CELL)
    try:
        found = list(_lines(body, _delimiter(body)))
    except csv.Error as error:
        raise ResultError(f"not CSV or TSV: {error}") from None
    if not found:
        raise ResultError("empty: a header line and a row were expected")
    names = found[0]
    _refuse_doubles(names, "the header")
    # a spreadsheet saves the empty lines below a row with their commas
    while len(found) > 2 and not any(found[-1]):
        found.pop()
    for at, line in enumerate(found[1:], 1):
        if len(line) != len(names):
            raise ResultError(f"row {at} has {len(line)} cells, the header has {len(names)}")
    return [dict(zip(names, line)) for line in found[1:]]


def _lines(body: str, delimiter: str) -> Iterator[list[str]]:
    lines = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    return (line for line in lines if line)


def _delimiter(body: str) -> str:
    """Return what parts a header that holds a name which must be there, else the most names."""
    headers = {delimiter: _header(body, delimiter) for delimiter in _DELIMITERS}
    for delimiter, names in headers.items():
        if _MARKS & {name.strip().lower() for name in names}:
            return delimiter
    return max(_DELIMITERS, key=lambda delimiter: len(headers[delimiter]))


def _header(body: str, delimiter: str) -> list[str]:
    try:
        return next(_lines(body, delimiter))
    except (csv.Error, StopIteration):
        return []
