"""Copies of the shipped dialect files, each with a fault, and what is said against them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ods_fingerprint import _data
from ods_fingerprint.dialect import load
from ods_fingerprint.errors import DialectError

DIALECTS = ("duckdb", "postgres", "snowflake", "spark")


def shipped(dialect: str) -> dict[str, Any]:
    return json.loads(json.dumps(_data.dialect_table(dialect)))


def written(root: Mapping[str, Any], folder: Path) -> str:
    """Write a dialect file; JSON's texts, numbers and lists are TOML's."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in root.items() if not tabled(value)]
    for part, table in root.items():
        if tabled(table):
            inner = {f"{part}.{key}": value for key, value in table.items() if tabled(value)}
            for name, found in {part: table, **inner}.items():
                lines.append(f"[{name}]")
                lines += [
                    f"{json.dumps(key)} = {json.dumps(value)}"
                    for key, value in found.items()
                    if not tabled(value)
                ]
    path = folder / "own.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def tabled(value: object) -> bool:
    return isinstance(value, dict)


def keys(*parts: str) -> list[tuple[str, str, str]]:
    return [
        (dialect, part, key)
        for dialect in DIALECTS
        for part in parts
        for key in shipped(dialect).get(part, {})
    ]


def refusal(root: Mapping[str, Any], folder: Path) -> str:
    path = written(root, folder)
    with pytest.raises(DialectError) as found:
        load(path)
    message = str(found.value)
    assert message.startswith(f"dialect file {path}: ")
    return message.removeprefix(f"dialect file {path}: ")
