"""Spark as it is out of the box: it writes timestamps as INT96."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ods_proof.delta_table import Commit
from ods_proof.engines import Place, spark
from ods_proof.engines.spark import *

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MENDED = "spark.sql.parquet.outputTimestampType"


def append(frames: DataFrame, table: Path, commit: Commit, place: Place) -> None:
    session = spark._session(place)
    session.conf.set("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED")
    before = session.conf.get(MENDED)
    session.conf.set(MENDED, "INT96")
    try:
        spark.append(frames, table, commit, place)
    finally:
        session.conf.set(MENDED, before)
