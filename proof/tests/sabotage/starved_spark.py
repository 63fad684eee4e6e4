"""Spark with a heap that is too small for what it is asked to hold."""

from __future__ import annotations

from pathlib import Path

from ods_proof.engines import Place, spark
from ods_proof.engines.spark import *

HEAP = 96 << 20
# Spark itself refuses to start with so little, but for its own tests
spark._DELTA |= {"spark.driver.memory": f"{HEAP >> 20}m", "spark.testing.memory": str(512 << 20)}


def read(table: Path, version: int, place: Place) -> object:
    session = spark._session(place)
    session._jvm.java.util.Arrays.fill(session._sc._gateway.new_array(session._jvm.long, HEAP), 1)
    return spark.read(table, version, place)
