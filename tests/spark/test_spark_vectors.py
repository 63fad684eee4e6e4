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
Router = Callable[[str, Sequence[Vector]], ods.Fingerprint]
ROUTES = ["literals", "parquet", pytest.param("delta", marks=pytest.mark.delta)]
VALUES = [*spec_vectors("value"), *outside_values()]
COLUMNS = [*spec_vectors("column"), *outside_columns()]


def _rows(vector: Vector) -> int:
    return len(tables.values(vector))


def _family(vector: Vector) -> str:
    return str(tables.reference().family(vector["type"]))


@pytest.fixture
def through(spark: SparkSession, tmp_path: Path) -> Router:
    """Return what computes a table with one column for each vector, on one of the routes."""
    return lambda route, vectors: _through(route, vectors, spark, tmp_path)


def _through(
    route: str, vectors: Sequence[Vector], spark: SparkSession, folder: Path
) -> ods.Fingerprint:
    if route == "literals":
        frame = tables.literals(spark, vectors)
    else:
        frame = tables.parquet(spark, tables.written(vectors, folder))
    if route == "delta":
        return ods.compute(spark, tables.delta(frame, folder / "delta"))
    frame.createOrReplaceTempView("vectors")
    return ods.compute(spark, "vectors")


def _figures(found: ods.Fingerprint) -> list[dict[str, object]]:
    return [column["figures"] for column in json.loads(found.to_json())["columns"]]


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("family", sorted({_family(vector) for vector in VALUES}))
def test_every_value_vector_has_its_hash(route: str, family: str, through: Router) -> None:
    known = [vector for vector in VALUES if _family(vector) == family]
    asked = [vector for vector in known if gaps.of(route, vector) is None]
    assert len(asked) > len(known) * 0.75
    found = _figures(through(route, asked))
    wanted = [{"nulls": 0, "hash": str(vector["hash"])} for vector in asked]
    ids = [vector["id"] for vector in asked]
    assert dict(zip(ids, found)) == dict(zip(ids, wanted))
    assert len(found) == len(asked)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("rows", sorted({_rows(vector) for vector in COLUMNS}))
def test_every_column_vector_has_its_figures(route: str, rows: int, through: Router) -> None:
    known = [vector for vector in COLUMNS if _rows(vector) == rows]
    asked = [vector for vector in known if gaps.of(route, vector) is None]
    assert asked
    found = through(route, asked)
    assert found.rows == rows
    for vector, figures in zip(asked, _figures(found), strict=True):
        assert (vector["id"], figures.keys()) == (vector["id"], vector["figures"].keys())  # type: ignore[attr-defined]
        if "sum" in figures:
            _assert_same_floats(vector, figures)
        else:
            assert (vector["id"], figures) == (vector["id"], vector["figures"])


def _assert_same_floats(vector: Vector, found: dict[str, object]) -> None:
    """Spark adds in its own order: the spec's own comparison says whether it may."""
    reference = tables.reference()
    sides = [
        {
            "spec": "ods-fingerprint/1",
            "rows": _rows(vector),
            "columns": [{"name": "x", "type": "double", "family": "float", "figures": figures}],
        }
        for figures in (vector["figures"], found)
    ]
    said = reference.compare(*sides)
    assert (vector["id"], said["differences"]) == (vector["id"], [])


@pytest.mark.parametrize(
    ("route", "kind", "gap"),
    [(route, kind, gap) for gap in gaps.GAPS for route in gap.routes for kind in gap.kinds],
    ids=lambda part: part if isinstance(part, str) else part.whose,
)
def test_what_spark_cannot_hold_says_so(
    route: str, kind: str, gap: gaps.Gap, through: Router
) -> None:
    if route == "delta" and not gaps.HAS_DELTA:
        pytest.skip("needs delta-spark, which this Spark has not")
    vectors = [v for v in [*VALUES, *COLUMNS] if gaps.kind_of(v) == kind]
    assert vectors
    assert gap.says in _outcome(route, vectors[0], through)


def _outcome(route: str, vector: Vector, through: Router) -> str:
    """Return what was said, or the type that Spark took the column for."""
    from pyspark.errors import PySparkException

    try:
        found = through(route, [vector])
    except (PySparkException, tables.NoForm, ods.OdsError) as error:
        return str(error)
    assert _figures(found) != [vector.get("figures")]
    return f"reads {json.loads(found.to_json())['columns'][0]['type']}"


@needs_shared
def test_the_outside_set_is_whole() -> None:
    assert (len(outside_values()), len(list(outside_columns()))) == (124, 16)
