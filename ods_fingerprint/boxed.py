"""Results as terminals draw them: DuckDB's box, Spark's show, psql's tables, a record a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .errors import ResultError

_BORDER = re.compile(
    r"[\s─━═┌┐└┘├┤┬┴┼╭╮╰╯╞╡╪┏┓┗┛┡┩╇┠┨│┃|+:=-]*[─━═=-]{3}[\s─━═┌┐└┘├┤┬┴┼╭╮╰╯╞╡╪┏┓┗┛┡┩╇┠┨│┃|+:=-]*"
)
_RECORD = re.compile(r"-\[? ?RECORD \d+ ?\]?-*[-+]*")
# what DuckDB writes below a long number, for people
_AID = re.compile(r"\(-?[0-9.]+ [a-z]+\)")
_FOOTER = re.compile(r"\(\d+ rows?\)")
_CUT = ("…", "...")


def table(body: str) -> list[tuple[list[str], list[str]]] | None:
    """Return header and cells of each row of a drawn table, or None where `body` is none."""
    lines = [line for line in body.splitlines() if line.strip()]
    if lines and _RECORD.fullmatch(lines[0].strip()):
        return list(_records(lines))
    borders = [at for at, line in enumerate(lines[:2]) if _BORDER.fullmatch(line)]
    if not borders or len(lines) < 2:
        return None
    start = 1 if borders[0] == 0 else 0
    return list(_rows(lines[start:]))


def _records(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the rows of a result that has a line for each column: `name | value`."""
    names: list[str] = []
    cells: list[str] = []
    for line in [*lines[1:], lines[0]]:
        if _RECORD.fullmatch(line.strip()):
            yield names, cells
            names, cells = [], []
        elif not _FOOTER.fullmatch(line.strip()):
            name, bar, cell = line.rpartition("|")
            if not bar:
                raise ResultError(f"a line of a record is `name | value`, not {line[:40]!r}")
            names.append(_whole(name.strip()))
            cells.append(_whole(cell.strip()))


def _rows(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    end = next((at for at, line in enumerate(lines) if _BORDER.fullmatch(line)), len(lines))
    bar = "│" if "│" in lines[0] else "┃" if "┃" in lines[0] else "|"
    head = lines[0].strip()
    edged = len(head) > 1 and head[0] == bar == head[-1]
    # DuckDB writes the types below the names
    if end > 2 or not end:
        raise ResultError("the header of the drawn table has more than one line: save it as CSV")
    names = _cells(lines[0], bar, edged)
    for line in lines[end + 1 :]:
        if _BORDER.fullmatch(line):
            break
        cells = _cells(line, bar, edged)
        if _FOOTER.fullmatch(line.strip()) or _is_aid(cells):
            continue
        if len(cells) != len(names):
            raise ResultError(f"a row has {len(cells)} cells, the header has {len(names)}")
        yield [_whole(name) for name in names], [_whole(cell) for cell in cells]


def _cells(line: str, bar: str, edged: bool) -> list[str]:
    inner = line.strip()[1:-1] if edged else line
    return [cell.strip() for cell in inner.split(bar)]


def _is_aid(cells: Sequence[str]) -> bool:
    return any(cells) and all(not cell or _AID.fullmatch(cell) for cell in cells)


def _whole(cell: str) -> str:
    """Return a cell; refuse one that was cut to fit a screen."""
    if cell.endswith(_CUT):
        raise ResultError(
            f"{cell!r} was cut to fit the screen: show it in full (Spark: vertical=True, "
            "truncate=False), or save the row as CSV or JSON"
        )
    return cell
