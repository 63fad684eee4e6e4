"""The record on a real install: code server, daemon and webserver, as deploy/ sets them up."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import dagster as dg
import pytest
import yaml
from dagster._core.workspace.load import location_origins_from_yaml_paths
from ods_proof import checks, record
from ods_proof.table import marker

DEPLOY = Path(__file__).resolve().parents[1] / "deploy"
README = DEPLOY.with_name("README.md")
BIN = Path(sys.executable).parent
LONGEST = 240.0
Found = TypeVar("Found")
_LAUNCH = """
mutation ($given: ExecutionParams!) { launchRun(executionParams: $given) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message }
  ... on RunConfigValidationInvalid { errors { message } } } }
"""
_RUN = """
query ($id: ID!) { runOrError(runId: $id) { ... on Run {
  status startTime endTime tags { key value } eventConnection { events { __typename
    ... on MessageEvent { message }
    ... on ObservationEvent { metadataEntries { label ... on JsonMetadataEntry { jsonString } } }
    ... on AssetCheckEvaluationEvent { evaluation { checkName success severity
      metadataEntries { label ... on JsonMetadataEntry { jsonString } } } }
} } } } }
"""
_STATUS = """
query ($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }
"""
_END = """
mutation ($id: String!) { terminateRun(runId: $id) { __typename } }
"""
_CHECKS = """
query { assetNodeOrError(assetKey: {path: ["_system", "roundtrip_proof"]}) { ... on AssetNode {
  assetChecksOrError { ... on AssetChecks { checks { name blocking
    executionForLatestMaterialization { status } } } } } } }
"""


@dataclass
class Install:
    """A DAGSTER_HOME with the processes that serve it."""

    home: Path
    root: Path
    port: int
    environment: dict[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        code = ["-m", "ods_proof.record", "-h", "127.0.0.1", "-p", str(self.port + 1)]
        self._spawn("dagster", "api", "grpc", "--location-name", "ods_proof", *code)
        workspace = ["-w", str(self.home / "workspace.yaml")]
        self._spawn("dagster-webserver", "-h", "127.0.0.1", "-p", str(self.port), *workspace)
        self._spawn("dagster-daemon", "run", *workspace)
        until(self._loaded, "the code location is loaded")

    def _spawn(self, program: str, *arguments: str) -> None:
        with (self.home / f"{program}.log").open("ab") as log:
            process = subprocess.Popen(
                [str(BIN / program), *arguments],
                env=self.environment,
                cwd=self.home,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes.append(process)

    def _loaded(self) -> bool:
        assert all(process.poll() is None for process in self.processes), self.logs()
        try:
            found = self.ask("query { repositoriesOrError { ... on RepositoryConnection "
                             "{ nodes { name location { name } } } } }")  # fmt: skip
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return bool(found["repositoriesOrError"].get("nodes"))

    def logs(self) -> str:
        return "\n".join(path.read_text()[-3_000:] for path in self.home.glob("*.log"))

    def of_ours(self) -> list[int]:
        """Return every process that bears this DAGSTER_HOME: what was started here, and its own."""
        mark = f"DAGSTER_HOME={self.home}\0".encode()
        found = []
        for place in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in place.read_bytes() + b"\0":
                    found.append(int(place.parent.name))
            except OSError:
                continue
        return found

    def kill(self) -> None:
        """Kill all of it at once, as the end of a container does."""
        while found := self.of_ours():
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            for process in self.processes:
                process.wait()
            time.sleep(0.05)
        self.processes.clear()

    def ask(self, query: str, **variables: object) -> dict[str, Any]:
        """Ask GraphQL; what it answers is JSON of the strict kind."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql",
            json.dumps({"query": query, "variables": variables}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
        assert marker(7) not in text
        found = json.loads(text, parse_constant=refuse)
        assert "errors" not in found, found
        data: dict[str, Any] = found["data"]
        return data

    def launch(self, job: str = "roundtrip_proof", **tags: str) -> str:
        """Launch a proof of two quick engines, from the job or as the asset's page does."""
        selector: dict[str, object] = {
            "repositoryLocationName": "ods_proof",
            "repositoryName": "__repository__",
            "pipelineName": job,
        }
        if job == "__ASSET_JOB":
            key = ["_system", "roundtrip_proof"]
            selector["assetSelection"] = [{"path": key}]
            selector["assetCheckSelection"] = [
                {"assetKey": {"path": key}, "name": name} for name in checks.NAMES
            ]
        config = {"first": "pyarrow", "second": "pyarrow", "rows": 50}
        given = {
            "selector": selector,
            "runConfigData": {"ops": {"_system__roundtrip_proof": {"config": config}}},
            "executionMetadata": {"tags": [{"key": k, "value": v} for k, v in tags.items()]},
        }
        found = self.ask(_LAUNCH, given=given)["launchRun"]
        assert found["__typename"] == "LaunchRunSuccess", found
        return str(found["run"]["runId"])

    def run(self, run: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ask(_RUN, id=run)["runOrError"]
        return found

    def status(self, run: str) -> str:
        return str(self.ask(_STATUS, id=run)["runOrError"]["status"])

    def steps(self, run: str) -> list[dict[str, Any]]:
        return stored(self.run(run), "ods/step")

    def until_step(self, run: str) -> None:
        until(lambda: self.steps(run), f"a step of {run} is stored")

    def until_status(self, run: str, status: str) -> None:
        ended = {"SUCCESS", "FAILURE", "CANCELED"}
        found = until(lambda: self.status(run) in ended and self.status(run), f"{run} ends")
        assert found == status, self.run(run)

    def left(self) -> list[str]:
        return [path.name for path in self.root.iterdir() if path.name != "turn.lock"]


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def until(look: Callable[[], Found], what: str) -> Found:
    """Wait until something is so, and return it."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.4)
    raise AssertionError(f"it never came that {what}")


def stored(run: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the JSON values that a run's observations and evaluations hold under a key."""
    found = []
    for event in run["eventConnection"]["events"]:
        entries = (event.get("evaluation") or event).get("metadataEntries") or []
        found += [json.loads(e["jsonString"]) for e in entries if e["label"] == key]
    return found


def _free_pair() -> int:
    """Return a port that is free as the next one is, of those that no one is given by chance."""
    for port in random.sample(range(20_000, 32_000, 2), 100):
        try:
            for number in (port, port + 1):
                socket.create_server(("127.0.0.1", number)).close()
        except OSError:
            continue
        return port
    raise AssertionError("no two ports are free")


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Install]:
    home, root = tmp_path / "home", tmp_path / "root"
    home.mkdir()
    settings = yaml.safe_load((DEPLOY / "dagster.yaml").read_text())
    settings["run_monitoring"]["poll_interval_seconds"] = 1
    (home / "dagster.yaml").write_text(yaml.safe_dump(settings))
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ODS_PROOF")}
    paths = os.pathsep.join(str(Path(path).absolute()) for path in sys.path)
    environment = {**kept, "DAGSTER_HOME": str(home), "PYTHONPATH": paths}
    environment["ODS_PROOF_SANDBOX"] = str(root)
    environment["PYTHONUNBUFFERED"] = "1"
    (limit,) = re.findall(r"&& dagster (instance .*)$", README.read_text(), re.MULTILINE)
    command = [str(BIN / "dagster"), *limit.split()]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    port = _free_pair()
    server = {"host": "127.0.0.1", "port": port + 1, "location_name": "ods_proof"}
    (home / "workspace.yaml").write_text(yaml.safe_dump({"load_from": [{"grpc_server": server}]}))
    found = Install(home, root, port, environment)
    try:
        yield found
    finally:
        found.kill()


def test_the_workspace_loads_the_record() -> None:
    (origin,) = location_origins_from_yaml_paths([str(DEPLOY / "workspace.yaml")])
    assert origin.location_name == "ods_proof"
    assert origin.loadable_target_origin.module_name == record.__name__


@pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="needs /proc")
def test_proofs_on_a_real_install(install: Install) -> None:
    """One at a time however they are started; cancelled, killed, and after everything was killed."""
    install.start()
    cancelled = install.launch(**{"ods/proof": "00000000000a"})
    killed = install.launch("__ASSET_JOB")
    _cancelled(install, cancelled)
    _its_process_killed(install, killed)
    stuck = install.launch(**{"ods/proof": "00000000000b"})
    waiting = install.launch("__ASSET_JOB")
    install.until_step(stuck)
    install.kill()
    assert "proof-00000000000b" in install.left()
    _its_time_is_over(install, stuck)
    install.start()
    install.until_status(stuck, "FAILURE")
    install.until_status(waiting, "SUCCESS")
    _one_at_a_time(install, [cancelled, killed, stuck, waiting])
    _whole(install, waiting)
    assert list(install.root.iterdir()) == []
    for path in install.home.rglob("*"):
        assert not path.is_file() or marker(7).encode() not in path.read_bytes()


def _cancelled(install: Install, run: str) -> None:
    install.until_step(run)
    assert install.ask(_END, id=run)["terminateRun"]["__typename"] == "TerminateRunSuccess"
    install.until_status(run, "CANCELED")
    until(lambda: "proof-00000000000a" not in install.left(), "its sandbox is gone")
    assert stored(install.run(run), "ods/record") == []


def _its_process_killed(install: Install, run: str) -> None:
    install.until_step(run)
    found = install.run(run)
    proof = {tag["key"]: tag["value"] for tag in found["tags"]}["ods/proof"]
    assert f"proof-{proof}" in install.left()
    messages = "\n".join(str(e.get("message")) for e in found["eventConnection"]["events"])
    process = re.search(r"Executing steps in process \(pid: (\d+)\)", messages)
    assert process is not None, messages
    os.kill(int(process[1]), signal.SIGKILL)
    install.until_status(run, "FAILURE")
    until(lambda: f"proof-{proof}" not in str(install.left()), "its sandbox is gone")


def _its_time_is_over(install: Install, run: str) -> None:
    """Shorten what a run may take: nobody waits fifteen minutes here."""
    with dg.DagsterInstance.from_config(str(install.home)) as instance:
        found = instance.get_run_by_id(run)
        assert found is not None
        assert found.status == dg.DagsterRunStatus.STARTED
        assert found.tags["dagster/max_runtime"] == "900"
        instance.add_run_tags(run, {"dagster/max_runtime": "1"})


def _one_at_a_time(install: Install, runs: list[str]) -> None:
    found = [install.run(run) for run in runs]
    times = sorted((run["startTime"], run["endTime"]) for run in found)
    assert all(end <= start for (_, end), (start, _) in pairwise(times))
    waited = [stored for run in found for stored in run["eventConnection"]["events"]]
    assert not any("waits: another proof" in str(event.get("message")) for event in waited)


def _whole(install: Install, run: str) -> None:
    """Assert that GraphQL shows all of a proof that passed, from the asset's page."""
    found = install.run(run)
    (record,) = stored(found, "ods/record")
    assert record["verdict"] == "passed"
    assert stored(found, "ods/step") == record["steps"]
    assert stored(found, "ods/check") == record["checks"]
    tags = {tag["key"]: tag["value"] for tag in found["tags"]}
    assert (tags["ods/proof"], tags["ods/pair"]) == (record["proof"], "pyarrow__pyarrow")
    assert tags["dagster/max_runtime"] == "900"
    node = install.ask(_CHECKS)["assetNodeOrError"]["assetChecksOrError"]["checks"]
    shown = {c["name"]: c["executionForLatestMaterialization"]["status"] for c in node}
    assert sorted(shown) == sorted(checks.NAMES)
    assert [name for name, status in shown.items() if status != "SUCCEEDED"] == ["access_d11"]
