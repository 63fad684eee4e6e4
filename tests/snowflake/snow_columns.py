"""Columns of values in the words of the spec, as tables of the local server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from vector_columns import NoForm, duckdb_literals

# VARIANT, ARRAY, OBJECT and MAP: fakesnow keeps them as JSON
_SEMI_STRUCTURED = ("list", "struct", "map", "json", "variant")
_INTEGERS = re.compile(r"u?int\d+")


def table(name: str, columns: Mapping[str, tuple[str, Sequence[object], str]]) -> str:
    """Return the DuckDB statement that makes a table; a column is type, values and unit."""
    rows = max(len(values) for _, values, _ in columns.values())
    quoted = ['"' + column.replace('"', '""') + '"' for column in columns]
    kinds = [_type(kind, unit) for kind, _, unit in columns.values()]
    made = ", ".join(f"{column} {kind}" for column, kind in zip(quoted, kinds))
    created = f'CREATE OR REPLACE TABLE "DB"."S"."{name}" ({made});'
    if not rows:
        return created
    literals = [
        _literals(kind, [*values, *[None] * (rows - len(values))], unit)
        for kind, values, unit in columns.values()
    ]
    lines = ",\n".join(f"({', '.join(row)})" for row in zip(*literals))
    return f'{created} INSERT INTO "DB"."S"."{name}" VALUES {lines}'


def _type(kind: str, unit: str) -> str:
    """Return the DuckDB type that fakesnow keeps such a column of Snowflake in."""
    if _INTEGERS.fullmatch(kind):
        return "DECIMAL(38, 0)"
    if kind == "timestamp_ntz":
        return {"ns": "TIMESTAMP_NS"}.get(unit, "TIMESTAMP")
    if kind == "timestamp" and unit == "ns":
        raise NoForm("DuckDB 1.5 has no zoned nanoseconds")
    words = {"timestamp": "TIMESTAMPTZ", "half": "DOUBLE", "float": "DOUBLE", "double": "DOUBLE"}
    if kind in words:
        return words[kind]
    if kind.startswith("decimal") or kind in ("string", "boolean", "date", "time"):
        return {"string": "VARCHAR"}.get(kind, kind.upper())
    if kind == "binary":
        return "BLOB"
    if kind.startswith(_SEMI_STRUCTURED):
        return "JSON"
    raise NoForm(f"Snowflake has no {kind}")


def _literals(kind: str, values: Sequence[object], unit: str) -> list[str]:
    if _INTEGERS.fullmatch(kind):
        return [
            "NULL" if value is None else f"CAST('{value}' AS DECIMAL(38, 0))" for value in values
        ]
    if kind == "binary":
        return ["NULL" if value is None else f"from_hex('{value}')" for value in values]
    if kind == "time":
        return ["NULL" if value is None else "TIME '00:00:00'" for value in values]
    if kind.startswith(_SEMI_STRUCTURED):
        texts = [value if kind in ("json", "variant") else json.dumps(value) for value in values]
        return [
            "NULL" if v is None else f"CAST('{text}' AS JSON)" for v, text in zip(values, texts)
        ]
    if kind in ("half", "float"):
        return duckdb_literals("double", values, unit)
    return [
        "NULL" if v is None else found
        for v, found in zip(values, duckdb_literals(kind, values, unit))
    ]
