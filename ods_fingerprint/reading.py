"""A result row that someone else's engine returned, read as a fingerprint (R25)."""

from __future__ import annotations

from collections.abc import Container, Sequence

from . import pasted
from .compiler import statements
from .errors import ResultError
from .fingerprint import Fingerprint, from_values, joined
from .schema import Schema


def read(
    texts: Sequence[str],
    schema: Schema,
    dialect: str,
    *,
    exact: bool = False,
    columns: Sequence[str] | None = None,
    skip: Sequence[str] = (),
) -> Fingerprint:
    """Return the fingerprint in one or more result rows, the parts of one table in any order.

    Names are matched whatever their case; each must be there exactly once, `rows` in every part.
    `exact`, `columns` and `skip` are those that the statement was made with.
    """
    chosen = schema.chosen(columns, skip)
    rows = [row for text in texts for row in pasted.figures(text)]
    if not rows:
        raise ResultError("there is no row: a header alone is not a fingerprint")
    parts = statements(("t",), chosen, dialect, exact=exact)
    figures = [pair for part in parts for pair in zip(part.figures, part.row_names)]
    wanted = dict.fromkeys(name.lower() for _, name in figures)
    given = _merged(rows, wanted)
    missing = [name for _, name in figures if name.lower() not in given]
    if missing:
        raise ResultError(
            f"the row lacks {_listed(missing)}: was it made by the statement of this schema?"
        )
    unique = {name.lower(): figure for figure, name in figures}
    found = from_values(list(unique.values()), [given[name] for name in unique])
    return joined([found], schema, chosen, {"dialect": dialect})


def _merged(rows: Sequence[pasted.Row], wanted: Container[str]) -> dict[str, str | None]:
    """Return all cells of all parts by lower-case name; refuse what is not planned, or twice."""
    given: dict[str, str | None] = {}
    for row in rows:
        keys = {name: _key(name, wanted) for name in row}
        if "rows" not in keys.values():
            raise ResultError(
                "a result row of a fingerprint has a figure `rows`; "
                f"this one has {_listed(list(row))}: is the header there?"
            )
        for name, value in row.items():
            key = keys[name]
            if key not in wanted:
                raise ResultError(
                    f"the row holds {name}, which the statement of this schema has not"
                )
            if key in given and not (key == "rows" and given[key] == value):
                raise ResultError(_twice(name, given[key], value))
            given[key] = value
    return given


def _key(name: str, wanted: Container[str]) -> str:
    """Return the planned name that this is, whatever its case and the blanks around it."""
    return name.lower() if name.lower() in wanted else name.strip().lower()


def _twice(name: str, one: str | None, other: str | None) -> str:
    if name.lower() == "rows":
        return f"the parts saw different tables: {one} rows and {other} rows"
    return f"{name} is there twice: one row was expected, or the parts of one table"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
