"""The outside set of vectors in the words of the spec; empty where the folder `shared` is absent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from shared import SHARED

Vector = dict[str, object]
_FIGURES = {"nulls", "hash", "nan", "posinf", "neginf", "min", "max", "sum"}


def outside_values() -> list[Vector]:
    """Return the vectors of one value."""
    return _read("vectors")


def outside_columns() -> Iterator[Vector]:
    """Yield the vectors of a column, their figures in the JSON form."""
    for vector in _read("hash_columns") + _read("float_columns"):
        figures = {name: value for name, value in vector.items() if name in _FIGURES}
        for name in ("min", "max", "sum"):
            if isinstance(figures.get(name), str) and figures[name] != "inf":
                figures[name] = float.fromhex(str(figures[name]))
        yield {**vector, "figures": figures}


def _read(key: str) -> list[Vector]:
    if not SHARED.is_dir():
        return []
    found: list[Vector] = json.loads((SHARED / "vectors.json").read_text(encoding="utf-8"))[key]
    return [_ours(vector) for vector in found]


def _ours(vector: Vector) -> Vector:
    words = str(vector["type"])
    unit = re.fullmatch(r"timestamp_(s|ms|ns)", words)
    renamed = {"bool": "boolean", "timestamp": "timestamp_ntz", "timestamptz": "timestamp"}
    kind = "timestamp_ntz" if unit else renamed.get(words, words.replace(",", ", "))
    value = vector.get("value")
    found = {**vector, "type": kind, "value": value == "true" if kind == "boolean" else value}
    return {**found, "unit": unit[1]} if unit else found
