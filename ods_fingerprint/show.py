"""Fingerprints and comparisons as a person reads them: plain tables, and HTML for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from .figures import names
from .types import text

if TYPE_CHECKING:
    from .compare import Comparison
    from .fingerprint import Fingerprint

NOT_SEEN = (
    "equal means: the same values in each column. Version 1 does not see values moved between "
    "the rows of a column, nested content, float changes below the tolerance that leave min and "
    "max alone, digits below a microsecond, the kind of zone, the sign of zero, CHAR padding."
)
_HEAD = ("column", "type", "nulls", "hash, or nan / +inf / -inf, min, max, sum")


def fingerprint_text(found: Fingerprint) -> str:
    """Return a fingerprint as a table, a column a line."""
    body = [f"rows: {found.rows}", table([_HEAD, *_cells(found)])]
    body += [f"skipped: {', '.join(found.skipped)}"] if found.skipped else []
    body += [f"note: {note}" for note in found.notes]
    return "\n".join(line.rstrip() for line in "\n".join(body).splitlines()) + "\n"


def comparison_text(found: Comparison) -> str:
    """Return a comparison as lines: the verdict first, then each reason by column."""
    lines = [found.verdict]
    if found.differences:
        head = ("column", "figure", "A", "B")
        cells = [
            (d.column or "(table)", d.figure, _shown(d.a), _shown(d.b)) for d in found.differences
        ]
        lines.append(table([head, *cells]))
        lines += [f"hint: {_hint(found)}"] if _hint(found) else []
    lines += [f"not covered: {remark.column}: {remark.text}" for remark in found.uncovered]
    lines += [f"skipped: {', '.join(found.skipped)}"] if found.skipped else []
    lines += [f"note: {remark.column}: {remark.text}" for remark in found.notes]
    lines += [NOT_SEEN] if found.verdict != "different" else []
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines())


def comparison_html(found: Comparison) -> str:
    """Return a comparison as one HTML block."""
    head = f"<p><strong>{escape(found.verdict)}</strong></p>"
    if not found.differences:
        rest = comparison_text(found).splitlines()[1:]
        return head + "".join(f"<p>{escape(line)}</p>" for line in rest)
    cells = [(d.column or "(table)", d.figure, _shown(d.a), _shown(d.b)) for d in found.differences]
    remarks = [f"not covered: {r.column}: {r.text}" for r in found.uncovered]
    remarks += [f"note: {r.column}: {r.text}" for r in found.notes]
    return head + _html_table([("column", "figure", "A", "B"), *cells]) + _html_lines(remarks)


def fingerprint_html(found: Fingerprint) -> str:
    """Return a fingerprint as one HTML block."""
    remarks = [f"skipped: {name}" for name in found.skipped] + list(found.notes)
    head = f"<p>rows: {found.rows}</p>"
    return head + _html_table([_HEAD, *_cells(found)]) + _html_lines(remarks)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as aligned text, the first row as its head."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _cells(found: Fingerprint) -> Iterable[Sequence[str]]:
    for item in found.columns:
        shown = {name: _shown(item.figures[name]) for name in names(item.column.type)}
        nulls = shown.pop("nulls")
        if "hash" in shown or not shown:
            rest = shown.get("hash", "(not covered)")
        else:
            counts = " / ".join(shown[name] for name in ("nan", "posinf", "neginf"))
            rest = f"{counts}, {shown['min']}, {shown['max']}, {shown['sum']}"
        yield printable(item.column.name), printable(text(item.column.type)), nulls, rest


def _hint(found: Comparison) -> str:
    """Return what the differences add up to, where one sentence says it."""
    figures = {difference.figure for difference in found.differences}
    if figures == {"hash"}:
        return "the same counts everywhere: values changed, no row was added or lost"
    if "rows" in figures:
        return "the row counts differ: look there first, the other figures follow"
    return ""


def _shown(value: object) -> str:
    return "-" if value is None else str(value)


def printable(name: str) -> str:
    """Return a name in which control characters are escaped, so that it keeps to its line."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)


def _html_table(rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_lines(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)
