"""Fingerprints and comparisons as a person reads them: plain tables, and HTML for a notebook."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from .figures import names
from .types import printable, text

if TYPE_CHECKING:
    from .compare import Comparison
    from .fingerprint import ColumnFigures, Fingerprint

NOT_SEEN = """\
equal means: as many rows, and in each column the same values, equally often. It does not mean the
same rows. Version 1 does not see values moved between the rows of a column, nested content, float
changes below the tolerance that leave min and max alone, digits below a microsecond, the kind of
zone, the sign of zero, CHAR padding."""
_PARTIAL = "equal as far as compared: the columns named below were not compared in full"
_ROWS = "the row counts differ: look there first, the other figures follow"
_TYPE = "where types differ, values are not compared: cast one side, and compare again"
_MISSING = "each side has a column of its own: if only a name changed, say so (rename old=new)"
_CHANGED = "the same counts everywhere: at least one value changed"
_HEAD = ("column", "type", "nulls", "hash, or the figures of floats")
_DIFFERENCES = ("column", "figure", "A", "B")
_LONGEST = 60


def fingerprint_text(found: Fingerprint) -> str:
    """Return a fingerprint as a table, a column a line."""
    body = [f"rows: {found.rows}", table([_HEAD, *_cells(found)])]
    return "\n".join([*body, *_fingerprint_remarks(found)]) + "\n"


def comparison_text(found: Comparison) -> str:
    """Return a comparison as lines: the verdict first, then each reason by column."""
    lines = [*_verdict(found)]
    if found.differences:
        lines.append(table([_DIFFERENCES, *_difference_cells(found)]))
    return "\n".join([*lines, *_comparison_remarks(found)])


def comparison_html(found: Comparison) -> str:
    """Return a comparison as one HTML block."""
    verdict, *meaning = _verdict(found)
    shown = f"<p><strong>{escape(verdict)}</strong></p>{_html_lines(meaning)}"
    if found.differences:
        shown += _html_table([_DIFFERENCES, *_difference_cells(found)])
    return shown + _html_lines(_comparison_remarks(found))


def fingerprint_html(found: Fingerprint) -> str:
    """Return a fingerprint as one HTML block."""
    shown = f"<p>rows: {found.rows}</p>" + _html_table([_HEAD, *_cells(found)])
    return shown + _html_lines(_fingerprint_remarks(found))


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as aligned text, the first row as its head."""
    widths = [max(_width(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [_line(row, widths) for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def name_of(column: str) -> str:
    """Return a column's name as it is, or as a JSON text where a reader could mistake it."""
    plain = column.isprintable() and column == column.strip() and column[:1] not in ("", '"')
    return column if plain else json.dumps(column)


def _verdict(found: Comparison) -> Iterator[str]:
    yield found.verdict
    if found.verdict != "different":
        yield NOT_SEEN
    if found.verdict == "equal, partial":
        yield _PARTIAL


def _difference_cells(found: Comparison) -> Iterator[Sequence[str]]:
    for one in found.differences:
        column = "(table)" if one.column is None else _cell(name_of(one.column))
        yield column, one.figure, _shown(one.a), _shown(one.b)


def _comparison_remarks(found: Comparison) -> Iterator[str]:
    yield from (f"hint: {hint}" for hint in _hints(found))
    for remark in found.uncovered:
        yield f"not covered: {name_of(remark.column)}: {printable(remark.text)}"
    yield from _skipped(found.skipped)
    for remark in found.notes:
        yield f"note: {name_of(remark.column)}: {printable(remark.text)}"


def _fingerprint_remarks(found: Fingerprint) -> Iterator[str]:
    yield from _skipped(found.skipped)
    yield from (f"note: {printable(note)}" for note in found.notes)


def _skipped(columns: Sequence[str]) -> Iterator[str]:
    if columns:
        yield f"skipped: {', '.join(map(name_of, columns))}"


def _cells(found: Fingerprint) -> Iterator[Sequence[str]]:
    for item in found.columns:
        name, kind = _cell(name_of(item.column.name)), _cell(printable(text(item.column.type)))
        yield name, kind, _shown(item.figures["nulls"]), _rest(item)


def _rest(item: ColumnFigures) -> str:
    if "hash" in item.figures:
        return _shown(item.figures["hash"])
    shown = [f"{name} {_shown(item.figures[name])}" for name in names(item.column.type)]
    return ", ".join(shown[1:]) or "(not covered: only nulls are counted)"


def _hints(found: Comparison) -> Iterator[str]:
    """Yield what the differences add up to, where one sentence says it."""
    figures = {difference.figure for difference in found.differences}
    missing = [difference for difference in found.differences if difference.figure == "missing"]
    if "rows" in figures:
        yield _ROWS
    if "type" in figures:
        yield _TYPE
    if {one.a is None for one in missing} == {True, False}:
        yield _MISSING
    if figures and figures <= {"hash", "min", "max", "sum"}:
        yield _CHANGED


def _shown(value: object) -> str:
    return "-" if value is None else _cell(printable(str(value)))


def _cell(words: str) -> str:
    """Return a text short enough for a table; letters that run right to left stay in their cell."""
    short = words if len(words) <= _LONGEST else f"{words[:40]}...{words[-17:]}"
    leftward = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in short)
    return f"\N{FIRST STRONG ISOLATE}{short}\N{POP DIRECTIONAL ISOLATE}" if leftward else short


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths))
    return "  ".join(padded).rstrip()


def _width(words: str) -> int:
    """Return how many columns of a terminal a text takes."""
    seen = [letter for letter in words if unicodedata.category(letter) not in ("Mn", "Me", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(letter) in ("W", "F") for letter in seen)


def _html_table(rows: Sequence[Sequence[str]]) -> str:
    head, body = _html_row(rows[0], "th"), "".join(_html_row(row, "td") for row in rows[1:])
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _html_row(row: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"


def _html_lines(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)
