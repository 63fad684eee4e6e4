"""Templates as people write them wrong: for each template of each dialect, what conform must catch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from dialect_files import DIALECTS, shipped

import ods_fingerprint as ods
from ods_fingerprint.dialect import text_key
from ods_fingerprint.vectors import engine_vectors

Broken: TypeAlias = Mapping[tuple[str, str], tuple[str, ...]]

# what engines or people really did; each is right for most values
_KNOWN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "duckdb": {
        "text.integer": ("CAST(CAST({x} AS DOUBLE) AS TEXT)",),
        "text.decimal": ("CAST(CAST({x} AS DOUBLE) AS TEXT)", "RTRIM(CAST({x} AS TEXT), '0')"),
        "text.decimal_fine": ("CAST(CAST({x} AS DOUBLE) AS TEXT)",),
        "text.decimal_fraction": ("CAST({x} AS TEXT)", "'0' || CAST({x} AS TEXT)"),
        "text.string": ("TRIM({x})", "LOWER({x})", "NFC_NORMALIZE({x})", "NULLIF({x}, '')"),
        "text.enum": ("CAST(ENUM_CODE({x}) AS TEXT)",),
        "text.boolean": ("CAST(CAST({x} AS INT) AS TEXT)", "UPPER(CAST({x} AS TEXT))"),
        "text.date": ("CAST({x} AS TEXT)", "STRFTIME({x}, '%Y-%m-%d')"),
        "text.timestamp": ("CAST(EPOCH_MS({x}) * 1000 AS TEXT)", "CAST(EPOCH({x}) * 1000000 AS TEXT)"),
        "text.timestamp_zoned": ("CAST(EPOCH_US(CAST({x} AS TIMESTAMP)) AS TEXT)",),
        "text.timestamp_coarse": ("CAST(EPOCH_MS(CAST({x} AS TIMESTAMP)) AS TEXT)",),
        "text.timestamp_ns": ("CAST(EPOCH_NS({x}) // 1000 AS TEXT)", "CAST(EPOCH_NS({x}) AS TEXT)"),
        "text.timestamp_ns_zoned": ("CAST(EPOCH_NS({x}) // 1000 AS TEXT)",),
        "figure.hash": (
            "CAST(SUM(CAST('0x' || SUBSTRING(MD5({text}), 1, 15) AS BIGINT)) AS TEXT)",
            "CAST(COALESCE(SUM(MD5_NUMBER_UPPER({text}) >> 4), 0) AS TEXT)",
            "CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5({text}), 1, 14) AS BIGINT)), 0) AS TEXT)",
            "CAST(COALESCE(BIT_XOR(CAST('0x' || SUBSTRING(MD5({text}), 1, 15) AS BIGINT)), 0) AS TEXT)",
            "CAST(COALESCE(SUM(DISTINCT CAST('0x' || SUBSTRING(MD5({text}), 1, 15) AS BIGINT)), 0) AS TEXT)",
            "CAST(COALESCE(SUM(CAST(CAST('0x' || SUBSTRING(MD5({text}), 1, 15) AS BIGINT) AS DOUBLE)), 0) AS TEXT)",
            "CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5({text}), 1, 15) AS BIGINT)), 0) % 9223372036854775807 AS TEXT)",
            "CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(SHA1({text}), 1, 15) AS BIGINT)), 0) AS TEXT)",
            "CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5(COALESCE({text}, '')), 1, 15) AS BIGINT)), 0) AS TEXT)",
        ),
        "figure.nulls": ("COUNT({x})", "COUNT(*) - COUNT(DISTINCT {x})", "0 * COUNT({x})"),
        "figure.nan": ("COUNT(CASE WHEN {x} <> {x} THEN 1 END)", "COUNT(CASE WHEN NOT ISFINITE({x}) THEN 1 END)"),
        "figure.min": ("CAST(MIN(CAST({x} AS DOUBLE)) AS TEXT)", "CAST(MIN(CASE WHEN ISFINITE({x}) THEN {x} END) AS TEXT)"),
        "figure.max": ("CAST(MAX(CAST({x} AS DOUBLE)) AS TEXT)",),
        "figure.sum": (
            "CAST(SUM(CAST({x} AS DOUBLE)) AS TEXT)",
            "CAST(COALESCE(SUM(CASE WHEN ISFINITE({x}) THEN CAST({x} AS DOUBLE) END), 0) AS TEXT)",
        ),
    },
    "postgres": {
        "text.string": ("{x}", "TRIM({x})"),
        "text.date": ("TO_CHAR({x}, 'YYYY-MM-DD')", "CAST({x} AS TEXT)"),
        "text.timestamp_zoned": ("CAST(TRUNC(EXTRACT(EPOCH FROM CAST({x} AS TIMESTAMP)) * 1000000) AS TEXT)",),
        "figure.hash": (
            "CAST(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO({text}, 'UTF8')), 15) AS BIT(60)) AS BIGINT)) AS TEXT)",
            "CAST(COALESCE(SUM(CAST(CAST('x' || RIGHT(MD5(CONVERT_TO({text}, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT)",
        ),
    },
    "spark": {
        "text.decimal_fine": ("FORMAT_NUMBER({x}, 2)",),
        "text.timestamp": ("CAST(UNIX_MICROS(CAST({x} AS TIMESTAMP)) AS STRING)",),
        "text.date": ("CAST({x} AS STRING)",),
        "row.h": ("CAST(CONV(SUBSTRING(MD5({text}), 2, 15), 16, 10) AS BIGINT)",),
        "figure.hash": ("CAST(COALESCE(SUM({h}), 0) AS STRING)",),
        "unpivot.cells": ("POSEXPLODE(REVERSE(ARRAY({cells}))) AS (`p`, `v`)",),
        "unpivot.text": ("TRIM(CAST({text} AS STRING))",),
        "unpivot.float": ("CAST(CAST({x} AS FLOAT) AS DOUBLE)",),
        "unpivot.there": ("CASE WHEN {x} IS NULL THEN '' END",),
        "unpivot.list": ("SORT_ARRAY(COLLECT_LIST(STRUCT({figures})), FALSE)",),
        "unpivot.item": ("GET({list}, 0 * {at})",),
    },
    "snowflake": {},
}  # fmt: skip
_OTHER = {
    "nan": "posinf",
    "posinf": "neginf",
    "neginf": "nan",
    "min": "max",
    "max": "min",
    "sum": "min",
}


def _broken(dialect: str) -> Broken:
    root = shipped(dialect)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for part in ("text", "row", "figure"):
        for key, template in root.get(part, {}).items():
            known = _KNOWN[dialect].get(f"{part}.{key}", ())
            found[part, key] = (*known, _made(part, key, template, root))
    wide = {key: value for key, value in root.get("unpivot", {}).items() if isinstance(value, str)}
    return found | {("unpivot", key): _KNOWN[dialect][f"unpivot.{key}"] for key in wide}


def _made(part: str, key: str, template: str, root: Mapping[str, Mapping[str, str]]) -> str:
    """Return a wrong template that every dialect has: an empty text, the figure of another name."""
    if part == "text":
        return f"CASE WHEN 1 = 0 THEN {template} END"
    if key == "rows":
        return "COUNT(*) + 1"
    if key == "nulls":
        return "COUNT({x})"
    if key == "h":
        return f"CASE WHEN 1 = 0 THEN {template} END"
    return template.replace("SUM(", "MAX(") if key == "hash" else root["figure"][_OTHER[key]]


def with_broken(dialect: str, part: str, key: str, template: str) -> dict[str, Any]:
    """Return the file of a dialect with one template broken; it unpivots where it could."""
    root = shipped(dialect)
    if root[part][key] == template:
        raise AssertionError(f"{part}.{key} is not broken by {template}")
    root[part][key] = template
    if part == "unpivot":
        root[part]["past"] = 1
    return root


BROKEN: Mapping[str, Broken] = {dialect: _broken(dialect) for dialect in DIALECTS}


def broken(dialect: str) -> list[tuple[str, str]]:
    """Return the templates of a dialect, by part and key."""
    return list(BROKEN[dialect])


def named_wrong(part: str, key: str, found: ods.Judgement) -> bool:
    """Return whether what failed is of this template: its figure, or columns of its text."""
    if part == "unpivot":
        return bool(found.failures)
    wanted = key if part == "figure" else "hash"
    if not found.failures or {failure.figure for failure in found.failures} != {wanted}:
        return False
    if part != "text":
        return True
    kinds = {text_key(told.column.type) for v in found.failed for told in v.columns}
    return key in kinds and all(
        key in {text_key(told.column.type) for told in vector.columns} for vector in found.failed
    )


def related(part: str, key: str) -> frozenset[str]:
    """Return the vectors that ask this template; what fails among them fails among all."""
    if part != "text":
        return frozenset(
            vector.id
            for vector in engine_vectors()
            if vector.id.startswith(("columns", "float", "names", "nested", "string"))
        )
    return frozenset(
        vector.id
        for vector in engine_vectors()
        if key in {text_key(told.column.type) for told in vector.columns}
    )
