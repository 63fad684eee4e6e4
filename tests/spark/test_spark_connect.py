"""The same through Spark Connect: a client that shares nothing but a wire with Spark."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from command import orders
from modes import MODES, set_to

import ods_fingerprint as ods

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark4


@pytest.fixture
def place(tmp_path: Path) -> str:
    pq.write_table(orders(), tmp_path / "o.parquet")
    return f"parquet.`{tmp_path / 'o.parquet'}`"


def test_connect_and_classic_say_the_same(
    spark: SparkSession, connect: SparkSession, place: str
) -> None:
    for mode in MODES.values():
        with set_to(connect, mode):
            found = ods.compute(connect, place)
            assert found == ods.compute(spark, place)
            assert ods.compare(found, ods.compute(orders())).differences == ()


def test_the_session_is_as_it_was(connect: SparkSession, place: str) -> None:
    connect.addTag("theirs")
    before = (connect.getTags(), dict(connect.conf.getAll), connect.catalog.currentDatabase())
    ods.compute(connect, place)
    with pytest.raises(ods.SourceError):
        ods.compute(connect, "nowhere")
    after = (connect.getTags(), dict(connect.conf.getAll), connect.catalog.currentDatabase())
    assert after == before
    connect.removeTag("theirs")


def test_types_come_over_the_wire(connect: SparkSession) -> None:
    connect.sql(
        "CREATE TABLE wire (c CHAR(5), v VARCHAR(5), s STRING COLLATE UNICODE_CI, j VARIANT) USING parquet"
    )
    connect.sql("INSERT INTO wire VALUES ('ab', 'cd', 'A', PARSE_JSON('null'))")
    found = ods.compute(connect, "wire")
    assert [c.column.type for c in found.columns] == [
        ods.Schema.from_sql({"x": words}, "spark").columns[0].type
        for words in ("CHAR(5)", "STRING", "STRING COLLATE 'icu.UNICODE_CI'", "VARIANT")
    ]
    assert [note.partition(":")[0] for note in found.notes] == ["c", "s"]
    assert found.columns[3].figures == {"nulls": 0}
    connect.sql("DROP TABLE wire")


def test_errors_are_one_line(connect: SparkSession) -> None:
    connect.sql("SELECT RAISE_ERROR('no such day') AS x FROM RANGE(3)").createOrReplaceTempView(
        "bad"
    )
    for name, words in (("nowhere", "TABLE_OR_VIEW_NOT_FOUND"), ("bad", "no such day$")):
        with pytest.raises(ods.SourceError, match=words) as said:
            ods.compute(connect, name)
        assert "\n" not in str(said.value)


LOCAL = """
import json, os, signal, sys, threading, time
from pyspark.sql import SparkSession
import ods_fingerprint as ods
spark = (SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
         .config("spark.sql.warehouse.dir", sys.argv[2]).getOrCreate())
found = ods.compute(spark, sys.argv[1])
spark.sql("SELECT SUM(a.id * b.id) OVER () AS x FROM RANGE(100000000) a, RANGE(100000000) b").createOrReplaceTempView("slow")
threading.Timer(5, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    ods.compute(spark, "slow")
    ended = "done"
except KeyboardInterrupt:
    ended = "interrupted"
print(json.dumps({"class": type(spark).__module__, "fingerprint": found.to_json(), "ended": ended,
                  "tags": sorted(spark.getTags()), "free": ods.compute(spark, sys.argv[1]) == found}))
spark.stop()
"""


@pytest.mark.slow
def test_a_local_connect_session_computes_and_is_cancelled(place: str, tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK", "PYSPARK"))
    }
    done = subprocess.run(
        [sys.executable, "-c", LOCAL, place, str(tmp_path / "warehouse")],
        capture_output=True, text=True, timeout=300, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["class"].startswith("pyspark.sql.connect")
    assert (told["ended"], told["tags"], told["free"]) == ("interrupted", [], True)
    here = ods.compute(orders())
    assert ods.compare(ods.Fingerprint.from_json(told["fingerprint"]), here).differences == ()
