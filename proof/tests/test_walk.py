"""What runs at the same time, and what a process does while it waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import Proved
from deltalake import write_deltalake
from ods_proof import engines, process, walk
from ods_proof.engines import Place
from ods_proof.events import STEPS
from ods_proof.process import Waiting, Worker
from ods_proof.rehearsal import rehearse
from ods_proof.walk import Walk

ENGINE = "sabotage.rehearses"


def test_b_copies_while_it_reads(prove: Callable[..., Proved]) -> None:
    found = prove("pyarrow", "sabotage.reads_late")
    assert found.step("second_read")["error"] is None
    assert (found.failed(), found.verdict) == (set(), "passed")


def test_a_copy_that_was_begun_counts_for_nothing_after_a_failed_read(
    prove: Callable[..., Proved],
) -> None:
    found = prove("pyarrow", "sabotage.raises")
    states = [step["status"] for step in found.record["steps"]]
    assert states == ["done", "done", "failed", "not reached", "not reached"]
    assert found.check("sandbox_discarded")["status"] == "passed"


@pytest.mark.parametrize(
    ("rows", "workers", "read"),
    [(50, {*STEPS, "examine"}, "failed"), (51, {"generated", "first_wrote"}, "done")],
)
def test_more_rows_are_in_one_step_at_a_time(
    rows: int,
    workers: set[str],
    read: str,
    prove: Callable[..., Proved],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A step that has not told its result yet counts as failed."""
    started: dict[str, set[str]] = {}
    done: dict[str, str] = {}
    ask = Walk._ask

    def noted(self: Walk, name: str, job: str, arguments: dict[str, Any]) -> Waiting:
        found = ask(self, name, job, arguments)
        started[name] = set(self.workers)
        if name == "second_wrote":
            done.setdefault(name, self.found["second_read"].status)
        return found

    monkeypatch.setattr(walk, "_AT_ONCE", 50)
    monkeypatch.setattr(Walk, "_ask", noted)
    assert prove("pyarrow", "pyarrow", rows=rows).verdict == "passed"
    assert (started["generated"], done) == (workers, {"second_wrote": read})
    assert ("second_wrote" in started["first_read_back"]) is (read == "failed")


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    place = tmp_path / "scratch"
    place.mkdir()
    return place


@pytest.fixture
def waiting(scratch: Path) -> Iterator[Callable[[], Worker]]:
    """Return a function that starts a process of an engine that rehearses."""
    started: list[Worker] = []

    def start() -> Worker:
        started.append(process.start(scratch, ENGINE))
        return started[-1]

    yield start
    for worker in started:
        worker.end()


def _read(worker: Worker, scratch: Path) -> process.Outcome:
    table = scratch.parent / "table"
    write_deltalake(table, pa.table({"v": [1, 2, 3]}))
    asked = {"engine": ENGINE, "table": str(table), "version": 0, "keep": None}
    return worker.ask("read", {**asked, "scratch": str(scratch)}, 60)()


def _rehearsed(scratch: Path) -> None:
    until = time.monotonic() + 60
    while not (scratch / "rehearsed").exists():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_process_that_waits_rehearses(waiting: Callable[[], Worker], scratch: Path) -> None:
    worker = waiting()
    _rehearsed(scratch)
    found = _read(worker, scratch)
    assert found.result is not None
    assert "3" in str(found.result["fingerprint"])
    assert not (scratch / "rehearsal").exists()


def test_a_process_with_a_job_does_not_rehearse(
    waiting: Callable[[], Worker], scratch: Path
) -> None:
    found = _read(waiting(), scratch)
    assert found.failure is None
    assert not (scratch / "rehearsed").exists()


def test_a_rehearsal_that_fails_fails_the_step(
    waiting: Callable[[], Worker], scratch: Path
) -> None:
    (scratch / "refuse").touch()
    worker = waiting()
    _rehearsed(scratch)
    found = _read(worker, scratch)
    assert found.failure is not None
    assert found.failure.text == "ValueError: it does not read"


@pytest.mark.usefixtures("spark_here")
def test_spark_can_rehearse(scratch: Path) -> None:
    spark = engines.find("spark")
    assert spark.about().rehearses
    rehearse(spark, Place(scratch))
    assert list(scratch.iterdir()) == []
