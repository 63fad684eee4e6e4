"""Proofs that tests run: real engines, real processes, a sandbox of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ods_proof import Finished, Proof, engines, jobs, run
from ods_proof.process import Failure, Outcome, Waiting
from ods_proof.walk import Walk
from ods_proof.worker import _answer
from portal_here import LOGIN, Here, portal

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

import signals
import skips

pytest_runtest_logreport = skips.pytest_runtest_logreport
pytest_sessionfinish = skips.pytest_sessionfinish
pytest_terminal_summary = skips.pytest_terminal_summary
signals.restore()
ROWS = 60


@dataclass(frozen=True)
class Proved:
    """The events of a proof and its record."""

    events: tuple[object, ...]
    record: dict[str, Any]

    @property
    def verdict(self) -> str:
        return str(self.record["verdict"])

    def failed(self) -> set[str]:
        """Return the error checks that failed."""
        return {c["name"] for c in self._errors() if c["status"] == "failed"}

    def unreached(self) -> set[str]:
        return {c["name"] for c in self._errors() if c["status"] == "not reached"}

    def _errors(self) -> list[dict[str, Any]]:
        return [c for c in self.record["checks"] if c["severity"] == "error"]

    def check(self, name: str) -> dict[str, Any]:
        return next(c for c in self.record["checks"] if c["name"] == name)

    def step(self, name: str) -> dict[str, Any]:
        return next(s for s in self.record["steps"] if s["step"] == name)

    def info(self, name: str) -> list[dict[str, Any]]:
        return [i for i in self.record["info"] if i["name"] == name]


@pytest.fixture
def prove(tmp_path: Path) -> Callable[..., Proved]:
    """Return a function that runs a proof and checks that its sandbox is gone."""
    root = tmp_path / "root"

    def proved(first: str, second: str, **more: Any) -> Proved:
        events = tuple(run(Proof(first, second, **{"rows": ROWS, **more}), str(root)))
        last = events[-1]
        assert isinstance(last, Finished)
        return Proved(events, dict(last.record))

    return proved


def ask_here(walk: Walk, name: str, job: str, arguments: dict[str, Any]) -> Waiting:
    """Have a job run in this process once its result is waited for, as a `Walk._ask`."""
    return partial(_run_here, walk, name, job, arguments)


def _run_here(walk: Walk, name: str, job: str, arguments: dict[str, Any]) -> Outcome:
    walk._scratch(name).mkdir(exist_ok=True)
    errors = walk._scratch(name) / "stderr.txt"  # where a worker has its standard error
    with errors.open("a", encoding="utf-8") as file, redirect_stderr(file):
        found = json.loads(json.dumps(_answer(jobs.JOBS[job], arguments)))
    if "error" in found:
        return Outcome(None, Failure(found["error"], found["refused"]), 0.0)
    return Outcome(found["result"], None, 0.0)


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Send the tests of the warm Spark to one process: a second session would be a second JVM."""
    for item in items:
        if "spark_here" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def warm_spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep one Spark session for all tests that take `spark_here`."""
    from ods_proof.engines import Place, spark

    spark._session(Place(tmp_path_factory.mktemp("spark")))
    yield
    spark.close()


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run the steps in this process: what a table holds does not hang on who looks at it.

    test_pairs and test_spark have every engine in processes of their own, as a user has.
    """
    monkeypatch.setattr(Walk, "_ask", ask_here)
    yield
    for name in engines.NAMES[:-1]:
        engines.find(name).close()


@pytest.fixture
def spark_here(warm_spark: None, in_process: None) -> Iterator[None]:
    """Run them on the one warm Spark, too: a JVM for each step would take minutes."""
    from ods_proof.engines import spark

    yield
    spark._pinned.cache_clear()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """Open a portal of its own for a test, as its only user has it."""
    with portal(tmp_path) as found:
        yield found


@pytest.fixture
def behind_login(tmp_path: Path) -> Iterator[Here]:
    """Open a portal behind a proxy that knows its users."""
    with portal(tmp_path, **LOGIN) as found:
        yield found


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the record of a proof that passed: of two engines that are always here."""
    *_, last = run(Proof("pyarrow", "duckdb", ROWS), str(tmp_path_factory.mktemp("box")))
    assert isinstance(last, Finished)
    return json.loads(json.dumps(last.record))
