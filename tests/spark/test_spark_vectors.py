"""Every value and column vector, the spec's and the outside set's, on Spark by three ways in."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
import tables
from gaps import Gap, gap_of
from outside_vectors import outside_columns, outside_values
from shared import needs_shared, spec_vectors

import ods_fingerprint as ods
from ods_fingerprint.runners import spark as runner

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Vector = dict[str, object]
Router = Callable[[str, Sequence[Vector]], ods.Fingerprint]
NO_DELTA = pytest.mark.skipif(
    importlib.util.find_spec("delta") is None, reason="needs delta-spark of this Spark"
)
ROUTES = ["literals", "parquet", pytest.param("delta", marks=NO_DELTA)]
VALUES = [*spec_vectors("value"), *outside_values()]
COLUMNS = [*spec_vectors("column"), *outside_columns()]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    return tables.reference()


@pytest.fixture
def through(spark: SparkSession, tmp_path: Path) -> Router:
    return lambda route, vectors: _through(route, vectors, spark, tmp_path)
