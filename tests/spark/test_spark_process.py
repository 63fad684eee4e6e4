"""The command line as a process of its own: a local session, spark-submit, Ctrl-C, no Java."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from command import orders
from shared import COVID, needs_shared

import ods_fingerprint as ods

pytestmark = pytest.mark.slow
README = Path(__file__).resolve().parents[2] / "README.md"
_SUBMITTED = "from ods_fingerprint.cli import main\nmain()\n"
_SLOW = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sql("SELECT a.id * b.id AS x FROM RANGE(100000000) a, RANGE(100000000) b").createOrReplaceTempView("slow")
from ods_fingerprint.cli import main
print("ready", file=sys.stderr, flush=True)
main(["compute", "spark:slow"])
"""


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment without a trace of the session of these tests."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK", "PYSPARK"))
    }
    return {**kept, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}


@pytest.fixture
def place(tmp_path: Path) -> str:
    pq.write_table(orders(), tmp_path / "o.parquet")
    return f"spark:parquet.`{tmp_path / 'o.parquet'}`"


def _right(out: str) -> bool:
    found = ods.Fingerprint.from_json(out)
    return ods.compare(found, ods.compute(orders())).verdict == "equal, partial"


def test_a_local_session_is_started(place: str, tmp_path: Path) -> None:
    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ods_fingerprint", *arguments],
            capture_output=True, text=True, timeout=200, env=_environment(tmp_path), cwd=tmp_path,
        )  # fmt: skip

    done = command("compute", place, "--json")
    assert done.returncode == 0, done.stderr[-2000:]
    assert _right(done.stdout)
    done = command("compute", "spark:nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("error: Spark: [TABLE_OR_VIEW_NOT_FOUND]")
    assert "Traceback" not in done.stderr
    assert '"level": "ERROR"' not in done.stderr


def test_spark_submit_brings_the_session(place: str, tmp_path: Path) -> None:
    import pyspark

    script = tmp_path / "fingerprint.py"
    script.write_text(_SUBMITTED, encoding="utf-8")
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    done = subprocess.run(
        [submit, "--master", "local[2]", "--conf", "spark.ui.enabled=false", script, "compute", place, "-o", tmp_path / "f.json"],
        capture_output=True, text=True, timeout=200, env=_environment(tmp_path), cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert _right((tmp_path / "f.json").read_text(encoding="utf-8"))


@needs_shared
@pytest.mark.one_version
def test_the_example_of_the_readme_has_the_row_of_the_local_one(tmp_path: Path) -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    (example,) = (line.removeprefix("$ ") for line in lines if line.startswith("$ python -c"))
    program, *arguments = shlex.split(example)
    assert program == "python"
    (tmp_path / COVID.name).symlink_to(COVID)
    printed = [
        subprocess.run(
            [sys.executable, *command],
            capture_output=True, text=True, timeout=300, env=_environment(tmp_path), cwd=tmp_path, check=True,
        ).stdout.strip()
        for command in (arguments, ["-m", "ods_fingerprint", "compute", COVID.name])
    ]  # fmt: skip
    assert printed[0] == printed[1]
    assert printed[0].startswith("rows: 1111930\n")


@pytest.mark.one_version
def test_ctrl_c_cancels(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", _SLOW],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=_environment(tmp_path),
    )  # fmt: skip
    assert running.stderr is not None
    while "ready" not in (line := running.stderr.readline()):
        assert line, "it ended before its session was there"
    time.sleep(5)  # until the query runs: a signal before it tests nothing
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=100)
    assert (running.returncode, out) == (2, "")
    assert "error: interrupted: nothing was written" in err
    assert "a fault of this tool" not in err
