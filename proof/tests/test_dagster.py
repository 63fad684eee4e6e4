"""The record in Dagster, on an instance in memory: what it holds on every path of a proof."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import jsonschema
import ods_proof
import pytest
from conftest import ask_here
from dagster._serdes import serialize_value
from ods_proof import checks, engines, record, sandbox
from ods_proof.process import Waiting
from ods_proof.table import marker
from ods_proof.walk import Walk

SCHEMA = json.loads(Path(ods_proof.__file__).with_name("record.schema.json").read_text())
SABOTAGE = ("raises", "nan_to_null", "absent", "crashes")
KNOWN = (*engines.NAMES, *(f"sabotage.{name}" for name in SABOTAGE))
OP = "_system__roundtrip_proof"
pytestmark = pytest.mark.xdist_group("dagster")  # its proofs are made once
ID = "0123456789ab"


@dataclass(frozen=True)
class Recorded:
    """A run and all that Dagster stored of it."""

    run: dg.DagsterRun
    events: tuple[dg.EventLogEntry, ...]
    root: Path
    printed: str

    @property
    def stored(self) -> str:
        return "\n".join(serialize_value(event) for event in self.events)

    def _of(self, kind: str) -> list[Any]:
        return [
            event.dagster_event.event_specific_data
            for event in self.events
            if event.dagster_event and event.dagster_event.event_type_value == kind
        ]

    @property
    def evaluations(self) -> dict[str, Any]:
        """Return the evaluated checks by name; a name that comes twice fails."""
        found = self._of("ASSET_CHECK_EVALUATION")
        names = [entry.check_name for entry in found]
        assert len(names) == len(set(names))
        return dict(zip(names, found))

    def json_of(self, key: str) -> list[Any]:
        """Return what the observations hold under a key."""
        found = [entry.asset_observation.metadata for entry in self._of("ASSET_OBSERVATION")]
        return [metadata[key].value for metadata in found if key in metadata]

    @property
    def record(self) -> dict[str, Any]:
        (found,) = self.json_of("ods/record")
        return found

    @property
    def materialized(self) -> list[dg.AssetMaterialization]:
        return [entry.materialization for entry in self._of("ASSET_MATERIALIZATION")]

    @property
    def error(self) -> tuple[str, str]:
        """Return the class and the text of the error that failed the run."""
        (failure,) = self._of("STEP_FAILURE")
        told = failure.user_failure_data
        assert failure.error.cause is None
        assert failure.error.context is None
        return failure.error.cls_name, told.description if told else failure.error.message

    @property
    def log(self) -> list[str]:
        return [event.user_message for event in self.events if not event.dagster_event]


def _recorded(
    root: Path,
    tags: dict[str, str] | None = None,
    instance: dg.DagsterInstance | None = None,
    **config: object,
) -> Recorded:
    if instance is None:
        with dg.DagsterInstance.ephemeral() as made:
            return _recorded(root, tags, made, **config)
    result = dg.materialize(
        [record.build_asset(known=KNOWN)],
        instance=instance,
        tags=tags,
        run_config={"ops": {OP: {"config": {"rows": 60, **config}}}},
        raise_on_error=False,
    )
    run = instance.get_run_by_id(result.run_id)
    assert run is not None
    return Recorded(run, tuple(instance.all_logs(result.run_id)), root, "")


@pytest.fixture(scope="module")
def module_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("dagster") / "root"
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ODS_PROOF", "ODS_PROOF_ROWS", "ODS_PROOF_AUTHORIZE"):
            patch.delenv(name, raising=False)
        patch.setenv("ODS_PROOF_SANDBOX", str(root))
        yield root


def _captured(root: Path, capfd: Any, **config: object) -> Recorded:
    found = _recorded(root, **config)
    return dataclasses.replace(found, printed="".join(capfd.readouterr()))


@pytest.fixture(scope="module")
def passed(module_root: Path) -> Recorded:
    tags = {"ods/proof": ID, "ods/pair": "x__y", "dagster/max_runtime": "77"}
    return _recorded(module_root, tags, first="pyarrow", second="duckdb", started_by="ada <x>")


@pytest.fixture(scope="module")
def failed(module_root: Path) -> Recorded:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Walk, "_ask", ask_here)
        return _recorded(module_root, first="pyarrow", second="sabotage.nan_to_null")


@pytest.fixture
def broken(
    module_root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Recorded:
    monkeypatch.setattr(Walk, "_ask", ask_here)
    return _captured(module_root, capfd, first="pyarrow", second="sabotage.raises")


def _every_check_once(found: Recorded) -> None:
    """Evaluated or not reached: each of the twelve is one of them."""
    reached = {c["name"]: c for c in found.record["checks"] if c["status"] != "not reached"}
    assert [c["name"] for c in found.record["checks"]] == list(checks.NAMES)
    assert list(found.evaluations) == list(reached)
    for name, entry in found.evaluations.items():
        assert entry.passed is (reached[name]["status"] == "passed")
        assert entry.metadata["ods/check"].value == reached[name]
        assert entry.severity.value == ("WARN" if name == "access_d11" else "ERROR")
        assert entry.description == reached[name]["summary"]


def _nothing_that_must_not_be_stored(found: Recorded) -> None:
    assert marker(7) not in found.stored + found.printed
    assert "@" not in json.dumps(found.record).replace("ods-proof", "")
    for value in _values(
        json.loads(found.stored.replace("\n", ",").join("[]"), parse_constant=_refuse)
    ):
        assert not isinstance(value, int) or abs(value) <= 2**53


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def _values(value: Any) -> Iterator[Any]:
    """Yield every value of JSON, that inside texts of JSON too."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _values(part)
    else:
        yield value


def test_a_proof_that_passes(passed: Recorded) -> None:
    assert passed.run.status == dg.DagsterRunStatus.SUCCESS
    assert list(passed.evaluations) == list(checks.NAMES)
    assert [name for name, entry in passed.evaluations.items() if not entry.passed] == [
        "access_d11"
    ]
    _every_check_once(passed)
    assert len(passed.materialized) == 1
    assert passed.materialized[0].metadata["dagster/row_count"].value == 60
    assert list(sandbox.root(str(passed.root)).iterdir()) == []
    _nothing_that_must_not_be_stored(passed)


def test_the_record_is_stored_whole_and_its_steps_one_by_one(passed: Recorded) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(passed.record)
    assert passed.record["verdict"] == "passed"
    assert (passed.record["proof"], passed.record["rows"]) == (ID, 60)
    assert passed.json_of("ods/step") == passed.record["steps"]
    assert all(
        isinstance(column["figures"].get("hash", ""), str)
        for step in passed.record["steps"]
        for column in step["fingerprint"]["columns"]
    )


def test_events_are_stored_as_they_happen(passed: Recorded) -> None:
    """A step is there before the next begins, a check before the sandbox goes."""
    order = [
        event.user_message.partition(" begins")[0]
        if not event.dagster_event
        else event.dagster_event.event_type_value
        for event in passed.events
    ]
    kept = [word for word in order if word in (*ods_proof.events.STEPS, "ASSET_OBSERVATION")]
    assert kept[:4] == ["generated", "ASSET_OBSERVATION", "first_wrote", "ASSET_OBSERVATION"]
    times = {entry.check_name: at for at, entry in _times(passed)}
    assert times["sandbox_discarded"] - times["rows_match"] > 0


def _times(found: Recorded) -> Iterator[tuple[float, Any]]:
    for event in found.events:
        if event.dagster_event and event.dagster_event.event_type_value == "ASSET_CHECK_EVALUATION":
            yield event.timestamp, event.dagster_event.event_specific_data


def test_a_run_bears_the_tags_of_its_proof(passed: Recorded) -> None:
    assert passed.run.tags["ods/proof"] == ID
    assert passed.run.tags["ods/pair"] == "pyarrow__duckdb"
    assert passed.run.tags["ods/started_by"] == "ada <x>"
    assert passed.run.tags["dagster/max_runtime"] == "77"


def test_the_fingerprints_are_a_table(passed: Recorded, failed: Recorded) -> None:
    table = passed.materialized[0].metadata["fingerprints"]
    names = [column.name for column in table.schema.columns]
    assert names[:3] == ["figure", "generated", "first_wrote"]
    assert "second_read (own SQL)" in names
    cells = [cell for line in table.records for cell in line.data.values()]
    assert not any(cell.startswith("≠") for cell in cells)
    marked = failed.evaluations["fingerprints_match"].metadata["fingerprints"].records
    wrong = {line.data["figure"]: line.data for line in marked if "≠" in str(line.data)}
    assert set(wrong) == {"f64 nan", "f64 nulls"}
    assert not wrong["f64 nan"]["first_wrote"].startswith("≠")
    assert wrong["f64 nan"]["second_read"] == "≠ 0"


def test_checks_that_fail_fail_the_run(failed: Recorded) -> None:
    assert failed.run.status == dg.DagsterRunStatus.FAILURE
    kind, text = failed.error
    assert kind == "DagsterAssetCheckFailedError"
    assert "fingerprints_match,rows_identical" in text
    wrong = {name for name, entry in failed.evaluations.items() if not entry.passed}
    assert wrong == {"fingerprints_match", "rows_identical", "access_d11"}
    assert list(failed.evaluations) == list(checks.NAMES)
    _every_check_once(failed)
    assert failed.record["verdict"] == "failed"
    assert len(failed.materialized) == 1
    _nothing_that_must_not_be_stored(failed)


def test_an_engine_that_raises_leaves_checks_unevaluated_and_says_which(broken: Recorded) -> None:
    assert broken.run.status == dg.DagsterRunStatus.FAILURE
    kind, text = broken.error
    assert kind == "Failure"
    assert text.startswith("second_read on pyarrow failed: (withheld")
    unreached = [c["name"] for c in broken.record["checks"] if c["status"] == "not reached"]
    assert {"rows_match", "fingerprints_match", "rows_identical"} <= set(unreached)
    assert text.endswith(f"; not reached: {', '.join(unreached)}")
    _every_check_once(broken)
    assert broken.evaluations["sandbox_discarded"].passed
    assert broken.record["verdict"] == "broken"
    assert [step["step"] for step in broken.json_of("ods/step")] == [
        "generated", "first_wrote", "second_read",
    ]  # fmt: skip
    assert broken.materialized == []
    _nothing_that_must_not_be_stored(broken)
    assert list(broken.root.iterdir()) == []


def test_a_check_that_raises_breaks_the_proof(
    module_root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def find(_: object) -> None:
        raise KeyError(f"c1.{marker(7)}")

    every = [
        dataclasses.replace(check, find=find) if check.name == "one_writer" else check
        for check in checks.EVERY
    ]
    monkeypatch.setattr(checks, "EVERY", tuple(every))
    monkeypatch.setattr(Walk, "_ask", ask_here)
    found = _captured(module_root, capfd, first="pyarrow", second="pyarrow")
    assert found.run.status == dg.DagsterRunStatus.FAILURE
    kind, text = found.error
    assert kind == "Failure"
    assert re.fullmatch(
        r"the proof's own code broke: \(withheld: it quotes a confidential value\), "
        r"at test_dagster\.py:\d+; not reached: one_writer, access_d11",
        text,
    )
    reached = [name for name in checks.NAMES if name not in ("one_writer", "access_d11")]
    assert list(found.evaluations) == reached
    _every_check_once(found)
    assert found.record["verdict"] == "broken"
    assert len(found.materialized) == 1
    _nothing_that_must_not_be_stored(found)
    assert list(found.root.iterdir()) == []


def test_a_step_that_breaks_in_our_own_code_is_told_with_its_place(
    module_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(*given: object) -> None:
        raise KeyError("a mistake of ours")

    monkeypatch.setattr(Walk, "_step", step)
    found = _recorded(module_root, first="pyarrow", second="pyarrow")
    assert re.fullmatch(
        r"the proof's own code broke: KeyError: 'a mistake of ours', at test_dagster\.py:\d+; "
        f"not reached: {', '.join(checks.NAMES[:-1])}",
        found.error[1],
    )
    assert list(found.evaluations) == ["sandbox_discarded"]
    _every_check_once(found)
    assert (found.record["verdict"], found.materialized) == ("broken", [])


def test_a_cancelled_run_ends_where_its_interrupt_is_lost(
    module_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python drops what is raised in a callback of the garbage collector, as SQLAlchemy has them."""
    seen: list[str] = []

    def cancelled(walk: Walk, name: str, job: str, arguments: dict[str, Any]) -> Waiting:
        seen.append(name)
        if name == "first_wrote":
            (run,) = instance.get_runs()
            instance.report_run_canceling(run)
        return ask_here(walk, name, job, arguments)

    monkeypatch.setattr(Walk, "_ask", cancelled)
    with dg.DagsterInstance.ephemeral() as instance:
        found = _recorded(module_root, instance=instance, first="pyarrow", second="pyarrow")
    assert found.run.status == dg.DagsterRunStatus.CANCELED
    assert seen == ["generated", "first_wrote"]
    assert (found.evaluations, found.materialized) == ({}, [])
    assert list(found.root.iterdir()) == []


REFUSED = [
    ({"second": "mysql"}, {}, "no engine 'mysql'; there are: polars, pandas, pyarrow"),
    ({"second": "os.path"}, {}, "no engine 'os.path'; there are: polars, pandas, pyarrow"),
    ({"second": "sabotage.absent"}, {}, "sabotage.absent is not here: absent is not installed"),
    ({"rows": 0}, {}, "rows is 0; it is a whole number, 1 to 1000000000"),
    ({"seed": 2**60}, {}, f"seed is {2**60}; it is a whole number, 0 to {2**53 - 1}"),
    ({"seed": -1}, {}, "seed is -1; it is"),
    ({}, {"ODS_PROOF": "off"}, "proofs are switched off here: ODS_PROOF is off"),
    ({}, {"ODS_PROOF": "all"}, "needs roles, which do not exist yet"),
    ({}, {"ODS_PROOF_AUTHORIZE": "refusing:nobody"}, "you may not start a proof here"),
    ({}, {"ODS_PROOF_SANDBOX": "/dev/null/x"}, "no sandbox can be made in /dev/null/x"),
]


@pytest.mark.parametrize(("config", "setting", "reason"), REFUSED)
def test_a_proof_that_may_not_be_made_is_told(
    config: dict[str, object],
    setting: dict[str, str],
    reason: str,
    module_root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    found = _recorded(module_root, first="pyarrow", **config)
    assert found.run.status == dg.DagsterRunStatus.FAILURE
    kind, text = found.error
    assert (kind, text.partition(": ")[0]) == ("Failure", "no proof was made")
    assert reason in text
    assert (found.evaluations, found.materialized, found.json_of("ods/step")) == ({}, [], [])
    assert not module_root.exists() or list(module_root.iterdir()) == []


@pytest.mark.parametrize(
    "tag", ["", "x", "../0123456789ab", "0123456789AB", f"{ID}\n", "x" * 5_000]
)
def test_an_id_that_is_none_is_refused(tag: str, module_root: Path) -> None:
    kind, text = _recorded(module_root, {"ods/proof": tag}, second="sabotage.absent").error
    assert kind == "Failure"
    assert text.startswith("no proof was made: the tag ods/proof is ")
    assert len(text) < 2_100


def test_a_run_that_repeats_another_has_an_id_of_its_own(module_root: Path) -> None:
    tags = {"ods/proof": ID, "dagster/parent_run_id": "x", "ods/started_by": "ada"}
    found = _recorded(module_root, tags, second="sabotage.absent", rows=10_000)
    assert found.run.tags["ods/proof"] == found.run.run_id.replace("-", "")[:12]
    assert found.run.tags["dagster/max_runtime"] == "1000"
    assert found.run.tags["ods/started_by"] == "ada"


HOLDER = """
import sys
from pathlib import Path
from ods_proof import sandbox
with sandbox.turn(sandbox.root(sys.argv[1]), lambda: print("waits", flush=True)):
    print("has it", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(module_root: Path) -> Iterator[subprocess.Popen[str]]:
    """Return another process that has the turn until its standard input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(module_root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(str(Path(path).absolute()) for path in sys.path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "has it\n"
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("end", ["closes", "is killed"])
def test_a_proof_waits_for_its_turn(
    end: str, holder: subprocess.Popen[str], module_root: Path
) -> None:
    assert holder.stdin is not None
    release: Callable[[], None] = holder.stdin.close if end == "closes" else holder.kill
    released: list[float] = []

    def later() -> None:
        released.append(time.time())
        release()

    threading.Timer(1.5, later).start()
    found = _recorded(module_root, second="sabotage.absent")
    assert found.log[0] == "waits: another proof has its turn in the sandbox"
    (failure,) = [e for e in found.events if e.dagster_event and e.dagster_event.is_step_failure]
    assert failure.timestamp > released[0]
    assert list(module_root.iterdir()) == []


def test_eleven_checks_fail_a_run_and_one_warns() -> None:
    specs = {spec.name: spec for spec in record.build_asset().check_specs}
    assert list(specs) == list(checks.NAMES)
    assert [name for name, spec in specs.items() if not spec.blocking] == ["access_d11"]
    assert specs["rows_match"].description == (
        "data: passes when every step has the generated row count"
    )
    assert specs["access_d11"].description.startswith("governance: passes never yet: ")


def test_an_install_places_it_in_a_code_location_of_its_own() -> None:
    asset = record.build_asset(key=["governance", "proof"], group="quality", pool="mine")
    job = record.build_job(asset, name="prove", max_runtime=60)
    ours = dg.Definitions(assets=[asset], jobs=[job])
    dg.Definitions.validate_loadable(dg.Definitions.merge(ours, record.defs))
    assert ours.resolve_job_def("prove").tags["dagster/max_runtime"] == "60"
    found = record.defs.resolve_job_def("roundtrip_proof")
    assert found.tags["dagster/max_runtime"] == "900"
    assert [node.name for node in found.nodes] == [OP]
    assert found.executor_def is dg.in_process_executor


def test_the_readme_places_it() -> None:
    text = Path(__file__).resolve().parents[1].joinpath("README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    assert names["proof"].key == dg.AssetKey(["governance", "roundtrip_proof"])
    dg.Definitions.validate_loadable(dg.Definitions(assets=[names["proof"]], jobs=[names["job"]]))


def test_only_the_record_needs_dagster() -> None:
    probe = (
        "import sys, pkgutil, importlib, ods_proof\n"
        "names = {m.name for m in pkgutil.iter_modules(ods_proof.__path__)} - {'record', '__main__'}\n"
        "for name in sorted(names): importlib.import_module(f'ods_proof.{name}')\n"
        "print('metadata' in names, 'dagster' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout == "True False\n"
