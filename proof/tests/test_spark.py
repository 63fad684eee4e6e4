"""Spark as a user has it: a JVM for each of its steps, which goes with its step."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Proved
from ods_proof.table import marker
from test_cli import _left, _run, _workers

pytestmark = pytest.mark.xdist_group("spark")


@pytest.mark.parametrize(("first", "second"), [("polars", "spark"), ("spark", "pandas")])
def test_each_step_in_a_jvm_of_its_own(first: str, second: str, tmp_path: Path) -> None:
    root, target = tmp_path / "root", tmp_path / "record.json"
    found = _run(root, "run", first, second, "--json", str(target))
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines()[-1] == "passed"
    record = json.loads(target.read_text())
    own = [step["own_fingerprint"] for step in record["steps"] if step["engine"] == "spark"]
    assert [fingerprint["rows"] for fingerprint in own] == [1_000, 1_000]
    assert marker(7) not in found.stdout + target.read_text()
    assert (_left(root), _workers(root)) == ([], [])


def test_a_jvm_without_memory_ends_its_step(prove: Callable[..., Proved], tmp_path: Path) -> None:
    found = prove("pyarrow", "sabotage.starved_spark")
    step = found.step("second_read")
    assert (step["status"], found.verdict) == ("failed", "broken")
    assert step["error"] == "its JVM ended: java.lang.OutOfMemoryError: Java heap space"
    assert found.check("sandbox_discarded")["status"] == "passed"
    assert (_left(tmp_path / "root"), _workers(tmp_path / "root")) == ([], [])
