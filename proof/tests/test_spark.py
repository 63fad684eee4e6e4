"""Spark as a user has it: a JVM for each of its steps, which goes with its step."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Proved
from ods_proof.table import marker
from ods_proof.worker import _answer
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


def test_a_jvm_that_does_not_start_says_why(prove: Callable[..., Proved]) -> None:
    found = prove("pyarrow", "sabotage.unresolved_spark")
    assert found.step("second_read")["error"] == (
        "its JVM did not start: java.lang.RuntimeException: "
        "[unresolved dependency: io.delta#nowhere;0: not found]; "
        "ODS_PROOF_SPARK_JARS may name a folder with the jars instead"
    )


def test_an_old_java_is_named_and_is_no_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a feature that an engine does not support, though Java calls its class unsupported."""
    why = "java.lang.UnsupportedClassVersionError: org/apache/spark/launcher/Main has been compiled"
    said = f"Error: LinkageError occurred while loading main class x\n\t{why}\n\tat y\n"
    monkeypatch.chdir(tmp_path)
    no_gateway = "[JAVA_GATEWAY_EXITED] Java gateway process exited"
    assert _raised(no_gateway) == {"error": f"RuntimeError: {no_gateway}", "refused": False}
    Path("stderr.txt").write_text(said)
    found = _raised(no_gateway)
    assert str(found["error"]).endswith(why)
    assert found["refused"] is False
    assert _raised("unsupported feature")["refused"] is True


def _raised(text: str) -> dict[str, object]:
    def job() -> dict[str, object]:
        raise RuntimeError(text)

    return _answer(job, {})
