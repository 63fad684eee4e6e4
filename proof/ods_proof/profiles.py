"""The profile of a table as a data platform shows it: counts, and values where they may be seen.

What may be seen is told by the tags that the table's own log carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from .contract import CLASSIFICATION, LEVELS, QUASI, TAGS
from .delta_table import log
from .engines import pyarrow

if TYPE_CHECKING:
    import duckdb

Json: TypeAlias = "dict[str, Any]"
COUNTS = ("column", "rows", "nulls", "distinct")
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")
_HIDDEN_FROM = LEVELS.index("confidential")


def of_table(table: Path) -> list[Json]:
    """Return the profile of every column, in order."""
    import duckdb

    found = log(table)
    fields = {field["name"]: field for field in found.fields()}
    version = found.versions[-1].number
    with duckdb.connect() as connection:
        connection.execute("SET memory_limit = '300MB'")
        connection.execute("SET timezone = 'UTC'")
        connection.execute("SET enable_progress_bar = false")
        return [
            _profile(connection, column, fields[column.schema.names[0]])
            for column in pyarrow.columns(table, version)
        ]


def _profile(
    connection: duckdb.DuckDBPyConnection, values: pa.RecordBatchReader, field: Json
) -> Json:
    connection.register("stream", values)
    connection.execute("CREATE OR REPLACE TABLE profiled AS SELECT * FROM stream")
    connection.unregister("stream")
    name, kind = connection.execute("DESCRIBE profiled").fetchall()[0][:2]
    column = '"' + name.replace('"', '""') + '"'
    rows, nulls, distinct = connection.execute(
        f"SELECT count(*), count(*) - count({column}), count(DISTINCT {column}) FROM profiled"
    ).fetchall()[0]
    found: Json = {"column": name, "rows": rows, "nulls": nulls, "distinct": distinct}
    if shows_values(field) and "[" not in kind and "(" not in kind.replace("DECIMAL(", ""):
        found |= _values(connection, column, kind)
    return found


def shows_values(field: Json) -> bool:
    """Return whether a profile may hold values of a field: not if anything in it is sensitive."""
    for metadata in _metadata(field):
        level = metadata.get(CLASSIFICATION, LEVELS[-1])
        if level not in LEVELS or LEVELS.index(level) >= _HIDDEN_FROM:
            return False
        if QUASI in str(metadata.get(TAGS, "")):  # the tags may be of any form
            return False
    return True


def _metadata(field: Json) -> Iterator[Mapping[str, str]]:
    yield field["metadata"]
    for child in children(field["type"]):
        yield from _metadata(child)


def children(kind: object) -> list[Json]:
    """Return the fields inside a type of a Delta schema, however deep its lists."""
    if not isinstance(kind, dict):
        return []
    if kind["type"] == "struct":
        return list(kind["fields"])
    inner = [kind[key] for key in ("elementType", "keyType", "valueType") if key in kind]
    return [child for part in inner for child in children(part)]


def _values(connection: duckdb.DuckDBPyConnection, column: str, kind: str) -> Json:
    """Return ends and most frequent value as text; of numbers the mean and quartiles too."""
    finite = f"isfinite({column})" if kind in ("FLOAT", "DOUBLE") else "true"
    low, high = connection.execute(
        f"SELECT CAST(min({column}) AS VARCHAR), CAST(max({column}) AS VARCHAR)"
        f" FROM profiled WHERE {finite}"
    ).fetchall()[0]
    top = connection.execute(
        f"SELECT CAST({column} AS VARCHAR), count(*) FROM profiled WHERE {column} IS NOT NULL"
        f" GROUP BY {column} ORDER BY count(*) DESC, {column} LIMIT 1"
    ).fetchall()
    found: Json = {"min": low, "max": high, "top": list(top[0]) if top else None}
    if kind.partition("(")[0] in _NUMBERS:
        mean, *quartiles = connection.execute(
            f"SELECT CAST(favg({column}) AS VARCHAR), "
            + ", ".join(
                f"CAST(quantile_disc({column}, {part}) AS VARCHAR)" for part in (0.25, 0.5, 0.75)
            )
            + f" FROM profiled WHERE {finite}"
        ).fetchall()[0]
        found |= {"mean": mean, "quartiles": quartiles}
    return found
