"""Every vector of the spec that Snowflake can hold, through its connector and the local server."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
import snow_columns
import snow_gaps
from local_server import Local
from shared import spec_vectors
from snow_gaps import Gap, Vector
from snowflake.connector import SnowflakeConnection
from snowflake.connector.errors import Error
from vector_columns import NoForm

import ods_fingerprint as ods

ALL = spec_vectors("value", "column")
HELD = [vector for vector in ALL if snow_gaps.of(vector) is None]


def _wanted(vector: Vector) -> dict[str, object]:
    if vector["kind"] == "value":
        return {"nulls": 0, "hash": str(vector["hash"])}
    figures = vector["figures"]
    assert isinstance(figures, dict)
    return figures


def _found(
    vectors: Sequence[Vector], connection: SnowflakeConnection, local: Local
) -> list[dict[str, object]]:
    """Return the figures of vectors of the same number of values, a column of one table each."""
    made = {
        f"c{at}": (str(vector["type"]), snow_gaps.values(vector), str(vector.get("unit") or "us"))
        for at, vector in enumerate(vectors)
    }
    name = "VECTORS"
    if any(unit == "ns" for _, _, unit in made.values()):
        # fakesnow describes them by DuckDB's word
        name = "ODD"
        local.describe(*((column, "TIMESTAMP_NTZ(9)", None) for column in made))
    local.duckdb(snow_columns.table(name, made))
    found = ods.compute(connection, f"db.s.{name}")
    return [column["figures"] for column in json.loads(found.to_json())["columns"]]


def _group(vector: Vector) -> str:
    rows, kind = len(snow_gaps.values(vector)), str(vector["type"]).partition("(")[0]
    return f"{vector['kind']}s of {rows} {kind} {vector.get('unit') or ''}".strip()


@pytest.mark.parametrize("group", sorted({_group(vector) for vector in HELD}))
def test_every_vector_has_its_figures(
    group: str, connection: SnowflakeConnection, local: Local
) -> None:
    asked = [vector for vector in HELD if _group(vector) == group]
    for vector, figures in zip(asked, _found(asked, connection, local), strict=True):
        wanted = _wanted(vector)
        if "sum" in wanted:
            assert (vector["id"], _said_of_floats(vector, wanted, figures)) == (vector["id"], [])
        else:
            assert (vector["id"], figures) == (vector["id"], wanted)


def _said_of_floats(vector: Vector, wanted: object, found: object) -> object:
    """Return the differences by the spec's own comparison: an engine adds in its own order."""
    sides = [
        {
            "spec": "ods-fingerprint/1",
            "rows": len(snow_gaps.values(vector)),
            "columns": [{"name": "x", "type": "double", "family": "float", "figures": figures}],
        }
        for figures in (wanted, found)
    ]
    return _reference().compare(*sides)["differences"]


def _reference() -> ModuleType:
    path = Path(__file__).parents[2] / "spec" / "reference.py"
    spec = importlib.util.spec_from_file_location("spec_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("gap", snow_gaps.GAPS, ids=lambda gap: f"{gap.whose}-{gap.what}")
def test_what_cannot_run_says_so(gap: Gap, connection: SnowflakeConnection, local: Local) -> None:
    vectors = [vector for vector in ALL if gap.holds(vector)]
    assert vectors, "a gap without a vector"
    for vector in vectors:
        assert gap.says in _outcome(vector, connection, local), vector["id"]


def _outcome(vector: Vector, connection: SnowflakeConnection, local: Local) -> str:
    """Return what was said against a vector, or the wrong figures that came."""
    try:
        found = _found([vector], connection, local)
    except (NoForm, ods.OdsError, Error) as error:
        return str(error)
    assert found != [_wanted(vector)], f"{vector['id']} is right now: take it out of the gaps"
    return f"wrong: {found[0]}"


def test_nine_of_ten_vectors_with_a_hash_are_held() -> None:
    hashed = [vector for vector in ALL if "hash" in str(_wanted(vector))]
    assert len([vector for vector in hashed if vector in HELD]) > 0.9 * len(hashed)
