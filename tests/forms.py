"""Fingerprints in the JSON form, made by hand or drawn by hypothesis: inputs of several tests."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

import ods_fingerprint as ods

SPEC = "ods-fingerprint/1"
LARGEST = 2**60 - 1  # the hash of one value, at most
Form = dict[str, Any]


def form(rows: int, *columns: Form, **more: object) -> Form:
    return {"spec": SPEC, "rows": rows, "columns": list(columns), **more}


def hashed(
    name: str, total: int = 5, kind: str = "int64", family: str = "integer", nulls: int = 0
) -> Form:
    return column(name, kind, family, {"nulls": nulls, "hash": str(total)})


def floats(
    name: str,
    low: float | None,
    high: float | None,
    total: object,
    kind: str = "double",
    **counts: int,
) -> Form:
    figures: Form = {"nulls": 0, "nan": 0, "posinf": 0, "neginf": 0, **counts}
    return column(name, kind, "float", figures | {"min": low, "max": high, "sum": total})


def bare(name: str, kind: str = "list<string>", family: str = "nested", nulls: int = 0) -> Form:
    return column(name, kind, family, {"nulls": nulls})


def column(name: str, kind: str, family: str, figures: Form) -> Form:
    return {"name": name, "type": kind, "family": family, "figures": figures}


def read(found: Form) -> ods.Fingerprint:
    return ods.Fingerprint.from_json(json.dumps(found))


# The example of the front doors: id 1, 2, 3, 4; price 12.30, 0.50, NULL, -0.01; and so on.
EXAMPLE = form(
    4,
    hashed("id", 3612809648614498766),
    hashed("price", 1769094790098313096, "decimal(18, 2)", "decimal", nulls=1),
    floats("score", -2.5, 1.0, -1.5, nan=1),
    bare("tags"),
)

_HASHED_TYPES = (
    ("int64", "integer"),
    ("uint64", "integer"),
    ("decimal(20, 0)", "integer"),
    ("decimal(18, 2)", "decimal"),
    ("decimal(38, 2)", "decimal"),
    ("decimal(18, 4)", "decimal"),
    ("string", "string"),
    ("boolean", "boolean"),
    ("date", "date"),
    ("timestamp", "timestamp"),
    ("timestamp_ntz", "timestamp"),
)
_BARE_TYPES = (("list<string>", "nested"), ("struct<a: int64>", "nested"), ("binary", "other"))
_EXTRAS: dict[str, dict[str, st.SearchStrategy[object]]] = {
    "string": {
        "length": st.integers(1, 9),
        "collation": st.sampled_from(["UTF8_LCASE", "de"]),
        "label": st.just(True),
    },
    "timestamp": {"unit": st.sampled_from(["s", "ms", "ns"])},
}
_NAMES = st.sampled_from(["a", "B", "c", "Größe", "ΟΔΟΣ", "x y", '"', "\n", ""]) | st.text(
    max_size=6
)


@st.composite
def forms(draw: st.DrawFn) -> Form:
    """Draw a valid fingerprint."""
    rows = draw(st.integers(0, 9) | st.integers(0, 10**12))
    names = draw(st.lists(_NAMES, max_size=6, unique_by=str.lower))
    cut = draw(st.integers(0, len(names)))
    columns = [draw(columns_of(name, rows)) for name in names[:cut]]
    return form(rows, *columns, **({"skipped": names[cut:]} if names[cut:] else {}))


@st.composite
def columns_of(draw: st.DrawFn, name: str, rows: int) -> Form:
    """Draw a column that a table of `rows` rows can have."""
    nulls = draw(st.integers(0, rows))
    shape = draw(st.sampled_from(["hashed", "hashed", "float", "bare"]))
    note = draw(st.sampled_from([{}, {}, {"note": "read as it stands"}]))
    if shape == "float":
        return draw(_floats_of(name, rows - nulls, nulls)) | note
    if shape == "bare":
        return bare(name, *draw(st.sampled_from(_BARE_TYPES)), nulls) | note
    kind, family = draw(st.sampled_from(_HASHED_TYPES))
    total = draw(st.sampled_from([0, 5, 6]) | st.integers(0, (rows - nulls) * LARGEST))
    found = hashed(name, min(total, (rows - nulls) * LARGEST), kind, family, nulls)
    more = _EXTRAS.get(family, {})
    extra = {key: draw(values) for key, values in more.items() if draw(st.integers(0, 3)) == 0}
    if kind == "timestamp" and draw(st.booleans()):
        extra["zone"] = draw(st.sampled_from(["UTC", "Europe/Rome"]))
    return found | extra | note


@st.composite
def _floats_of(draw: st.DrawFn, name: str, values: int, nulls: int) -> Form:
    counts = {}
    for count in ("nan", "posinf", "neginf"):
        counts[count] = draw(st.integers(0, values))
        values -= counts[count]
    kind = draw(st.sampled_from(["half", "float", "double"]))
    if not values:
        return floats(name, None, None, None, kind, nulls=nulls, **counts)
    finite = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0, 1e16])
    low, high = sorted((draw(finite), draw(finite)))
    total = draw(finite | st.sampled_from(["inf", "-inf", "nan"]) | nudged(high, low, values))
    return floats(name, low, high, total, kind, nulls=nulls, **counts)


def nudged(high: float, low: float, finite: int) -> st.SearchStrategy[float]:
    """Draw sums near 0 at about the distance that the order rule of R17 forgives."""
    bound = Fraction(finite) ** 2 * Fraction(max(abs(high), abs(low))) / 2**53
    step = float(min(bound, Fraction(10) ** 300))
    return st.sampled_from([0.0, step / 4, step, -step])
