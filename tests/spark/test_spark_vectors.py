"""Every value and column vector, the spec's and the outside set's, on Spark by three ways in."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import gaps
import pytest
import tables
from outside_vectors import outside_columns, outside_values
from shared import needs_shared, spec_vectors

import ods_fingerprint as ods

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Vector = dict[str, object]
# the fingerprint of one column for each vector, by a way in
Router = Callable[[str, Sequence[Vector]], ods.Fingerprint]
REFERENCE = tables.reference()
VALUES = [*spec_vectors("value"), *outside_values()]
COLUMNS = [*spec_vectors("column"), *outside_columns()]
ROUTES = ["literals", "parquet", pytest.param("delta", marks=pytest.mark.delta)]


def _family(vector: Vector) -> str:
    return str(REFERENCE.family(vector["type"]))


def _rows(vectors: Sequence[Vector]) -> int:
    return max(len(tables.values(vector)) for vector in vectors)


# what one table takes together: values by family, columns by their number of rows
GROUPS: dict[str, list[Vector]] = {
    "no_rows": [v for v in COLUMNS if _rows([v]) == 0],
    "floats": [v for v in COLUMNS if 0 < _rows([v]) <= 10 and _family(v) == "float"],
    "others": [v for v in COLUMNS if 0 < _rows([v]) <= 10 and _family(v) != "float"],
    "long": [v for v in COLUMNS if _rows([v]) > 10],
    **{f: [v for v in VALUES if _family(v) == f] for f in sorted(map(_family, VALUES))},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture(scope="module")
def stored(spark: SparkSession, place: Path) -> Router:
    """Return what stores vectors once, and computes them as often as asked."""
    names: dict[tuple[str, str], str] = {}

    def through(route: str, vectors: Sequence[Vector]) -> ods.Fingerprint:
        key = (route, " ".join(str(vector["id"]) for vector in vectors))
        if key not in names:
            names[key] = _table(route, _padded(vectors), spark, place, len(names))
        return ods.compute(spark, names[key])

    return through


def _padded(vectors: Sequence[Vector]) -> list[Vector]:
    """Return vectors with as many values each: NULLs are added to the shorter ones."""
    rows = _rows(vectors)
    found = [[*tables.values(vector)] for vector in vectors]
    return [
        {**vector, "values": values + [None] * (rows - len(values))}
        for vector, values in zip(vectors, found)
    ]


def _table(
    route: str, vectors: Sequence[Vector], spark: SparkSession, place: Path, number: int
) -> str:
    if route == "literals":
        frame = tables.literals(spark, vectors)
    else:
        frame = tables.parquet(spark, tables.written(vectors, place))
    if route == "delta":
        return tables.delta(frame, place / f"delta{number}")
    frame.createOrReplaceTempView(f"vectors{number}")
    return f"vectors{number}"


def _figures(found: ods.Fingerprint) -> list[dict[str, object]]:
    return [column["figures"] for column in json.loads(found.to_json())["columns"]]


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("group", GROUPS)
def test_every_vector_has_its_figures(route: str, group: str, stored: Router) -> None:
    asked = [vector for vector in GROUPS[group] if gaps.of(route, vector) is None]
    assert len(asked) > len(GROUPS[group]) * 0.6
    found = stored(route, asked)
    assert found.rows == _rows(asked)
    for vector, figures in zip(asked, _figures(found), strict=True):
        wanted = _wanted(vector, found.rows)
        if "sum" in wanted:
            _assert_same_floats(vector, wanted, figures, found.rows)
        else:
            assert (vector["id"], figures) == (vector["id"], wanted)


def _wanted(vector: Vector, rows: int) -> dict[str, object]:
    """Return the figures of a vector in a table of `rows` rows: what was added is NULL."""
    if "hash" in vector and "figures" not in vector:
        return {"nulls": 0, "hash": str(vector["hash"])}
    figures = vector["figures"]
    assert isinstance(figures, dict)
    return {**figures, "nulls": int(str(figures["nulls"])) + rows - _rows([vector])}


def _assert_same_floats(
    vector: Vector, wanted: dict[str, object], found: dict[str, object], rows: int
) -> None:
    """Spark adds in its own order: the spec's own comparison says whether it may."""
    assert (vector["id"], [*found]) == (vector["id"], [*wanted])
    sides = [
        {
            "spec": "ods-fingerprint/1",
            "rows": rows,
            "columns": [{"name": "x", "type": "double", "family": "float", "figures": figures}],
        }
        for figures in (wanted, found)
    ]
    said = REFERENCE.compare(*sides)
    assert (vector["id"], said["differences"]) == (vector["id"], [])


@pytest.mark.parametrize(
    ("route", "kind", "gap"),
    [(route, kind, gap) for gap in gaps.GAPS for route in gap.routes for kind in gap.kinds],
    ids=lambda part: part if isinstance(part, str) else part.whose,
)
def test_what_spark_cannot_hold_says_so(
    route: str, kind: str, gap: gaps.Gap, stored: Router
) -> None:
    if route == "delta" and not gaps.HAS_DELTA:
        pytest.skip("needs delta-spark, which this Spark has not")
    vectors = [v for v in [*VALUES, *COLUMNS] if gaps.kind_of(v) == kind]
    assert vectors
    assert gap.says in _outcome(route, vectors[0], stored)


def _outcome(route: str, vector: Vector, stored: Router) -> str:
    """Return what was said, or the type that Spark took the column for."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        found = stored(route, [vector])
    except (PySparkException, Py4JJavaError, tables.NoForm, ods.OdsError) as error:
        return str(error)
    assert _figures(found) != [vector.get("figures")]
    return f"reads {json.loads(found.to_json())['columns'][0]['type']}"


@needs_shared
def test_the_outside_set_is_whole() -> None:
    assert (len(outside_values()), len(list(outside_columns()))) == (124, 16)
