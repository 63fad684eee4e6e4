"""A schema from the downloaded result of DESCRIBE TABLE or of information_schema.columns."""

from __future__ import annotations

from collections.abc import Sequence

from . import pasted
from .errors import SchemaError
from .schema import Schema

_NAMES = ("col_name", "column_name", "name", "field")
_TYPES = ("full_data_type", "data_type", "type", "column_type")


def schema(text: str, dialect: str) -> Schema:
    """Return the schema that a download describes; its names are the catalogue's own, exact."""
    rows = [{key.lower(): value or "" for key, value in row.items()} for row in pasted.rows(text)]
    if not rows:
        raise SchemaError("the description of the table has no rows")
    name, kind = _key(rows[0], _NAMES), _key(rows[0], _TYPES)
    rows = _columns(rows, name)
    _refuse_two_tables(rows)
    if all(row.get("ordinal_position", "").isdigit() for row in rows):
        rows.sort(key=lambda row: int(row["ordinal_position"]))
    types = {row[name]: _type_text(row, kind) for row in rows}
    if len(types) < len(rows):
        raise SchemaError("the description of the table names a column twice")
    return Schema.from_sql(types, dialect, origin=dialect)


def _key(row: dict[str, str], known: Sequence[str]) -> str:
    found = next((key for key in known if key in row), None)
    if found is None:
        raise SchemaError(
            f"a description of a table has a column {' or '.join(known)}; this has {', '.join(row)}"
        )
    return found


def _columns(rows: list[dict[str, str]], name: str) -> list[dict[str, str]]:
    """Return the rows of columns: not Databricks' sections below them, nor other kinds of rows."""
    end = next((at for at, row in enumerate(rows) if not row[name] or row[name][:1] == "#"), None)
    return [row for row in rows[:end] if row.get("kind", "COLUMN").upper() == "COLUMN"]


def _refuse_two_tables(rows: Sequence[dict[str, str]]) -> None:
    keys = ("table_catalog", "table_schema", "table_name")
    tables = {".".join(row.get(key, "") for key in keys) for row in rows}
    if len(tables) > 1:
        raise SchemaError(f"these are columns of {len(tables)} tables: {', '.join(sorted(tables))}")


def _type_text(row: dict[str, str], kind: str) -> str:
    """Return the type, with the sizes that information_schema keeps in columns of their own."""
    words = row[kind]
    precision, scale = row.get("numeric_precision", ""), row.get("numeric_scale", "")
    if (
        "(" not in words
        and precision
        and scale
        and words.upper() in ("NUMBER", "DECIMAL", "NUMERIC")
    ):
        words = f"{words}({precision}, {scale})"
    digits = row.get("datetime_precision", "")
    if "(" not in words and digits and words.upper().startswith("TIMESTAMP"):
        words = f"{words}({digits})"
    collation = row.get("collation_name", "") or row.get("collation", "")
    return (
        f"{words} COLLATE '{collation}'" if collation and "COLLATE" not in words.upper() else words
    )
