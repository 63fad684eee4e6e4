"""Spark with Delta Lake for the JVM: frames are DataFrames."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

import ods_fingerprint as ods

from .. import probes
from ..delta_table import Commit
from . import About, Place, lacks, pyarrow, versions_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

JARS = "ODS_PROOF_SPARK_JARS"
_open: list[SparkSession] = []
# a step is over before the second compiler of the JVM has paid for itself: half the processor time;
# without it the JVM has too little room for code, and compiles again what it threw away
_QUICK = (
    "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=128m -XX:+UseSerialGC "
    # room for Spark's classes from the start, no look for faults in what javac has made of them
    "-XX:MetaspaceSize=256m -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote "
    # a file outside the sandbox, which a killed JVM leaves
    "-XX:-UsePerfData"
)
# else it lives on, and Python is told no more than that a call failed
_STARVED = "-XX:+ExitOnOutOfMemoryError"
_DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    # INT96 is the default, and ends in 2262 for most readers
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    # one partition leaves nothing to adapt, and planning again costs a third of each query
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
    "spark.driver.maxResultSize": "0",
    "spark.log.level": "ERROR",
}


def about() -> About:
    return About(
        "spark",
        "Delta Lake (JVM)",
        versions_of("pyspark", "delta-spark", "pyarrow"),
        re.compile(r"Apache-Spark/\S+ Delta-Lake/"),
        re.compile(r"parquet-mr "),
        dialect="spark",
        reads=frozenset({"timestampNtz", "deletionVectors", "columnMapping", "v2Checkpoint"})
        | {"columnMapping of partitions"},
        rehearses=True,
    )


def missing() -> str | None:
    absent = lacks("spark", "pyspark", "delta-spark")
    if absent:
        return absent
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return None
    return "no Java is found: install Java 17, or set JAVA_HOME"


def _session(place: Place) -> SparkSession:
    if not _open:
        _open.append(_started(place))
    return _open[0]


def _started(place: Place) -> SparkSession:
    from delta import configure_spark_with_delta_pip
    from pyspark.sql import SparkSession

    java = (
        f"-Djava.io.tmpdir={place.scratch} -Dderby.system.home={place.scratch} {_QUICK} {_STARVED}"
    )
    places = {
        "spark.local.dir": str(place.scratch),
        "spark.sql.warehouse.dir": str(place.scratch / "warehouse"),
        "spark.driver.extraJavaOptions": java,
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    builder = SparkSession.builder.master("local[2]").appName("ods-proof")
    for key, value in {**_DELTA, **places}.items():
        builder = builder.config(key, value)
    folder = os.environ.get(JARS)
    if folder:
        jars = sorted(str(jar) for jar in Path(folder).glob("*.jar"))
        return builder.config("spark.jars", ",".join(jars)).getOrCreate()
    return configure_spark_with_delta_pip(builder).getOrCreate()


def start(place: Place) -> None:
    _session(place)


def load(path: Path, place: Place) -> DataFrame:
    import pyarrow.parquet as pq

    staged = place.scratch / "staged.parquet"
    batches = pyarrow.load(path, place)
    with pq.ParquetWriter(staged, batches.schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return _session(place).read.parquet(str(staged))


def read(table: Path, version: int, place: Place) -> DataFrame:
    session = _session(place)
    return session.read.format("delta").option("versionAsOf", version).load(str(table))


def append(frames: DataFrame, table: Path, commit: Commit, place: Place) -> None:
    writer = frames.write.format("delta").mode("append")
    writer.option("userMetadata", json.dumps(commit.tags())).save(str(table))


def arrow(frames: DataFrame) -> pa.RecordBatchReader:
    return frames.toArrow().to_reader()


def own_fingerprint(table: Path, version: int, place: Place) -> ods.Fingerprint:
    quoted = str(table).replace("`", "``")
    return ods.compute(_session(place), f"delta.`{quoted}`", version=version)


def count_equal(table: Path, version: int, column: str, value: pa.Scalar, place: Place) -> int:
    from pyspark.sql import functions

    frames = _pinned(table, version, place)
    given = functions.lit(value.as_py() if pa.types.is_binary(value.type) else probes.text(value))
    kept = frames.where(frames[column] == given.cast(frames.schema[column].dataType))
    found: int = kept.count()
    return found


@functools.cache
def _pinned(table: Path, version: int, place: Place) -> DataFrame:
    """Return what `read` does, once for all columns: it takes the JVM longer than a count."""
    return read(table, version, place)


def close() -> None:
    _pinned.cache_clear()
    while _open:
        _open.pop().stop()
