"""Every vector of the spec, and of the outside set, on DuckDB's SQL and in the local calculator."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import vector_columns
from shared import SHARED, needs_shared, spec_vectors
from vector_columns import NoForm

import ods_fingerprint as ods

Vector = dict[str, object]
ZONES = ("America/New_York", "Asia/Kolkata")
IN_DUCKDB, LOCAL = ("literals", "parquet_in_duckdb"), ("arrow", "parquet")
# the local calculator knows no session
ROUTES = [(route, zone) for route in IN_DUCKDB for zone in ZONES] + [(r, ZONES[0]) for r in LOCAL]
each_route = pytest.mark.parametrize(("route", "zone"), ROUTES)
OLD_DUCKDB = duckdb.__version__.startswith("1.")

_INFINITE = "infinite"
_NO_128 = "Arrow has no 128-bit integers"
_TRUNCATED = "DuckDB 1.5 reads zoned nanoseconds of Parquet as microseconds, toward zero"
# id → what each route says instead of an answer; a route that is not named here must answer
REFUSED: dict[str, dict[str, str]] = {
    "date-021": {
        "literals": "Date out of range",
        "parquet_in_duckdb": _INFINITE,
        "arrow": _INFINITE,
        "parquet": _INFINITE,
    },
    "date-022": {"literals": "Date out of range"},
    "timestamp-027": {"literals": "overflows", "parquet_in_duckdb": _INFINITE},
    "timestamp-060": {"literals": "microseconds out of range", "parquet_in_duckdb": _INFINITE},
    "integer-021": dict.fromkeys(("parquet_in_duckdb", "arrow", "parquet"), _NO_128),
    "integer-022": dict.fromkeys(("parquet_in_duckdb", "arrow", "parquet"), _NO_128),
    "integer-023": dict.fromkeys(("parquet_in_duckdb", "arrow", "parquet"), _NO_128),
    "072": {"literals": "Date out of range", "parquet_in_duckdb": _INFINITE, "arrow": _INFINITE},
    "073": {"literals": "Date out of range"},
    "091": {"literals": "overflows", "parquet_in_duckdb": _INFINITE},
    "017": {"parquet_in_duckdb": _NO_128, "arrow": _NO_128},
    "018": {"parquet_in_duckdb": _NO_128, "arrow": _NO_128},
    "019": {"parquet_in_duckdb": _NO_128, "arrow": _NO_128},
    **{f"timestamp-{n:03}": {"literals": "no zoned nanoseconds"} for n in range(45, 54)},
}
if OLD_DUCKDB:
    del REFUSED["date-022"], REFUSED["073"]
    REFUSED |= {
        "timestamp-028": {"literals": "overflows"},
        "timestamp-044": {"literals": "out of range in timestamp_ns"},
        "timestamp-061": {"literals": "Date out of range"},
        "103": {"literals": "out of range in timestamp_ns"},
        "092": {"literals": "overflows"},
    }
# id → the answer that the engine gives in place of the right one (theirs)
WRONG_IN_DUCKDB = {f"timestamp-{n:03}": _TRUNCATED for n in (45, 46, 48)} if OLD_DUCKDB else {}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    path = Path(__file__).parents[1] / "spec" / "reference.py"
    spec = importlib.util.spec_from_file_location("spec_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _ours(vector: Vector) -> Vector:
    """Return a vector of the outside set in the words of the spec."""
    words = str(vector["type"])
    unit = re.fullmatch(r"timestamp_(s|ms|ns)", words)
    renamed = {"bool": "boolean", "timestamp": "timestamp_ntz", "timestamptz": "timestamp"}
    kind = "timestamp_ntz" if unit else renamed.get(words, words.replace(",", ", "))
    value = vector.get("value")
    found = {**vector, "type": kind, "value": value == "true" if kind == "boolean" else value}
    return {**found, "unit": unit[1]} if unit else found


def _outside(key: str) -> list[Vector]:
    if not SHARED.is_dir():
        return []
    found: list[Vector] = json.loads((SHARED / "vectors.json").read_text(encoding="utf-8"))[key]
    return [_ours(vector) for vector in found]


def _arrow(vector: Vector) -> pa.Array:
    values = vector["values"] if "values" in vector else [vector["value"]]
    assert isinstance(values, list)
    unit, zone = str(vector.get("unit", "us")), vector.get("zone")
    return vector_columns.arrow(str(vector["type"]), values, unit, str(zone) if zone else None)


def _create(vector: Vector) -> tuple[str, list[str]]:
    """Return DuckDB's type of a vector, and its values as literals."""
    kind, unit = str(vector["type"]), str(vector.get("unit", "us"))
    values = vector["values"] if "values" in vector else [vector["value"]]
    assert isinstance(values, list)
    literals = vector_columns.duckdb_literals(kind, values, unit)
    return vector_columns.duckdb_type(kind, unit), literals


def _through(
    route: str, vectors: list[Vector], connection: duckdb.DuckDBPyConnection, folder: Path
) -> ods.Fingerprint:
    """Return the fingerprint of a table with one column for each vector."""
    if route == "literals":
        made = [_create(vector) for vector in vectors]
        columns = ", ".join(f"c{at} {kind}" for at, (kind, _) in enumerate(made))
        connection.execute(f"CREATE OR REPLACE TEMP TABLE literals ({columns})")
        for row in zip(*(literals for _, literals in made)):
            connection.execute(f"INSERT INTO literals SELECT {', '.join(row)}")
        return ods.compute(connection, "literals")
    table = pa.table({f"c{at}": _arrow(vector) for at, vector in enumerate(vectors)})
    if route == "arrow":
        return ods.compute(table)
    # a new name each time: DuckDB 1.5.5 keeps the pages of a file that is written again
    path = folder / f"{len(list(folder.iterdir()))}.parquet"
    pq.write_table(table, path)
    if route == "parquet":
        return ods.compute(path)
    connection.execute(f"CREATE OR REPLACE TEMP VIEW file AS SELECT * FROM read_parquet('{path}')")
    return ods.compute(connection, "file")


def _figures(found: ods.Fingerprint) -> list[object]:
    return [column["figures"] for column in json.loads(found.to_json())["columns"]]


Router = Callable[[str, list[Vector]], ods.Fingerprint]


@pytest.fixture
def zone() -> str:
    return ZONES[0]


@pytest.fixture
def through(connection: duckdb.DuckDBPyConnection, tmp_path: Path, zone: str) -> Router:
    connection.execute(f"SET TimeZone = '{zone}'")
    return lambda route, vectors: _through(route, vectors, connection, tmp_path)


VALUES = spec_vectors("value") + _outside("vectors")


@each_route
def test_every_value_vector_has_its_hash(route: str, zone: str, through: Router) -> None:
    told = WRONG_IN_DUCKDB if route == "parquet_in_duckdb" else {}
    asked = [v for v in VALUES if route not in _refusals(v) and v["id"] not in told]
    assert len(asked) > len(VALUES) * 0.9
    found = _figures(through(route, asked))
    expected = [{"nulls": 0, "hash": str(vector["hash"])} for vector in asked]
    ids = [vector["id"] for vector in asked]
    assert dict(zip(ids, found)) == dict(zip(ids, expected))


def _refusals(vector: Vector) -> dict[str, str]:
    said = REFUSED.get(str(vector["id"]), {})
    return {**said, "parquet": said["arrow"]} if "arrow" in said else said


@pytest.mark.parametrize("vector", [v for v in VALUES if _refusals(v)], ids=lambda v: str(v["id"]))
def test_what_cannot_be_expressed_is_refused(vector: Vector, through: Router) -> None:
    for route, reason in _refusals(vector).items():
        with pytest.raises((ods.SourceError, NoForm, duckdb.Error), match=reason):
            through(route, [vector])


def test_what_duckdb_reads_wrong_is_still_wrong(through: Router) -> None:
    told = [vector for vector in VALUES if vector["id"] in WRONG_IN_DUCKDB]
    assert len(told) == (3 if OLD_DUCKDB else 0)
    for vector in told:
        found = _figures(through("parquet_in_duckdb", [vector]))
        assert found != [{"nulls": 0, "hash": str(vector["hash"])}], "mend the table above"


def _outside_columns() -> Iterator[Vector]:
    for vector in _outside("hash_columns") + _outside("float_columns"):
        names = {"nulls", "hash", "nan", "posinf", "neginf", "min", "max", "sum"}
        figures = {name: value for name, value in vector.items() if name in names}
        for name in ("min", "max", "sum"):
            if isinstance(figures.get(name), str) and figures[name] != "inf":
                figures[name] = float.fromhex(str(figures[name]))
        yield {**vector, "figures": figures}


COLUMNS = spec_vectors("column") + list(_outside_columns())
_NOT_WRITTEN = (NoForm, duckdb.ConversionException)
_COVERED = ("integer", "string", "boolean", "date", "timestamp", "decimal", "double", "float")


def _must_be_written(route: str, vector: Vector) -> bool:
    kind = str(vector["type"])
    if route == "literals":
        plain = vector["type"] != "timestamp" or vector.get("unit") != "ns"
        return plain and kind.startswith((*_COVERED, "int", "uint")) and kind != "interval"
    return (
        kind.startswith((*_COVERED, "int", "uint", "half", "list", "struct", "map", "binary"))
        and kind != "interval"
    )


@each_route
@pytest.mark.parametrize("vector", COLUMNS, ids=lambda v: str(v["id"]))
def test_every_column_vector_has_its_figures(
    vector: Vector, route: str, zone: str, through: Router, reference: ModuleType
) -> None:
    try:
        fingerprint = through(route, [vector])
    except _NOT_WRITTEN:
        assert not _must_be_written(route, vector)
        return
    (found,) = _figures(fingerprint)
    if OLD_DUCKDB and route == "parquet_in_duckdb" and vector["type"] == "void":
        assert found == {"nulls": vector["figures"]["nulls"], "hash": "0"}  # type: ignore[index]
    elif route in ("arrow", "parquet") or "sum" not in found:  # type: ignore[operator]
        assert found == vector["figures"]
    else:
        _assert_same_floats(vector, found, reference)


def _assert_same_floats(vector: Vector, found: object, reference: ModuleType) -> None:
    """The engine adds in its own order: the spec's own comparison says whether it may."""
    sides = [
        {
            "spec": "ods-fingerprint/1",
            "rows": len(vector["values"]),  # type: ignore[arg-type]
            "columns": [{"name": "x", "type": "double", "family": "float", "figures": figures}],
        }
        for figures in (vector["figures"], found)
    ]
    assert reference.compare(*sides)["differences"] == []


@needs_shared
def test_the_outside_set_is_whole() -> None:
    assert (len(_outside("vectors")), len(list(_outside_columns()))) == (124, 16)
