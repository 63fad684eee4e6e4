"""The columns in the downloaded result of DESCRIBE TABLE or of information_schema.columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import pasted
from .errors import SchemaError

_NAMES = ("col_name", "column_name", "name")
_TYPES = ("full_data_type", "data_type", "type", "column_type")
_SIZED = ("NUMBER", "DECIMAL", "NUMERIC", "DEC")
_ABSENT = ("NULL", "null")
_TABLE = ("table_catalog", "table_schema", "table_name")


def types(text: str) -> dict[str, str]:
    """Return column → type text, in the table's order; the names are the catalogue's own, exact."""
    return types_of(pasted.rows(text))


def types_of(found: Iterable[pasted.Row]) -> dict[str, str]:
    """Return the same of rows that are read already: column → text, None for NULL."""
    rows = [_lowered(row) for row in found]
    if not rows:
        raise SchemaError("the description of the table has no rows")
    name, kind = _key(rows[0], _NAMES), _key(rows[0], _TYPES)
    rows = _columns(rows, name, kind)
    _refuse_two_tables(rows)
    if all(row.get("ordinal_position", "").isdigit() for row in rows):
        rows.sort(key=lambda row: int(row["ordinal_position"]))
    kinds = {row[name]: _type_text(row, name, kind) for row in rows}
    if len(kinds) < len(rows):
        raise SchemaError("the description of the table names a column twice: is it of two tables?")
    return kinds


def _lowered(row: pasted.Row) -> dict[str, str]:
    return {key.strip().lower(): value or "" for key, value in row.items()}


def _key(row: dict[str, str], known: Sequence[str]) -> str:
    found = next((key for key in known if key in row), None)
    if found is None:
        raise SchemaError(
            f"a description of a table has a column {' or '.join(known)}; this has {', '.join(row)}"
        )
    return found


def _columns(rows: list[dict[str, str]], name: str, kind: str) -> list[dict[str, str]]:
    """Return the rows above Databricks' sections; a section begins with a row `# Its Title`."""
    end = next((at for at, row in enumerate(rows) if not row[kind]), len(rows))
    below = next((row[name] for row in rows[end:] if row[name]), "#")
    if not below.startswith("#"):
        raise SchemaError(f"the description of the table gives {below!r} no type")
    if not end:
        raise SchemaError("the description of the table names no column")
    return rows[:end]


def _refuse_two_tables(rows: Sequence[dict[str, str]]) -> None:
    tables = {".".join(row.get(key, "") for key in _TABLE) for row in rows}
    if len(tables) > 1:
        raise SchemaError(f"these are columns of {len(tables)} tables: {', '.join(sorted(tables))}")


def _type_text(row: dict[str, str], name: str, kind: str) -> str:
    """Return the type, with the sizes that information_schema keeps in columns of their own."""
    words = row[kind].strip()
    if "(" not in words:
        words += _sizes(row, name, words.upper())
    collation = _size(row, "collation_name") or _size(row, "collation")
    if not collation or "COLLATE" in words.upper():
        return words
    quoted = collation.replace("'", "''")
    return f"{words} COLLATE '{quoted}'"


def _sizes(row: dict[str, str], name: str, word: str) -> str:
    if word in _SIZED:
        precision, scale = _size(row, "numeric_precision"), _size(row, "numeric_scale")
        if not (precision and scale):
            raise SchemaError(
                f"column {row[name]}: {word} without its numeric_precision and numeric_scale; "
                "download these columns too"
            )
        return f"({precision}, {scale})"
    if word.startswith("TIMESTAMP") and (digits := _size(row, "datetime_precision")):
        return f"({digits})"
    if word in ("CHAR", "CHARACTER") and (length := _size(row, "character_maximum_length")):
        return f"({length})"
    return ""


def _size(row: dict[str, str], key: str) -> str:
    value = row.get(key, "").strip()
    return "" if value in _ABSENT else value
