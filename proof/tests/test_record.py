"""The record: of the form that its schema says, whatever happened, and read by `compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import ods_proof
import pytest
from conftest import Proved, ask_here
from ods_proof import checks, live
from ods_proof.walk import Walk

import ods_fingerprint as ods

SCHEMA = json.loads(Path(ods_proof.__file__).with_name("record.schema.json").read_text())
CASES = [
    ("pyarrow", "duckdb", "passed"),
    ("pyarrow", "sabotage.dropped_row", "failed"),
    ("pyarrow", "sabotage.crashes", "broken"),
]


@pytest.mark.parametrize(("first", "second", "verdict"), CASES)
def test_a_record_is_of_its_schema(
    first: str, second: str, verdict: str, prove: Callable[..., Proved]
) -> None:
    found = json.loads(json.dumps(prove(first, second).record))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["verdict"] == verdict
    assert [check["name"] for check in found["checks"]] == list(checks.NAMES)
    for step in found["steps"]:
        if step["status"] == "done":
            ods.Fingerprint.from_json(json.dumps(step["fingerprint"]))


def _until_it_breaks(root: Path) -> tuple[list[object], str]:
    """Return the events of a proof that raises, and what it raises."""
    found: list[object] = []
    with pytest.raises(KeyError) as caught:
        found.extend(ods_proof.run(ods_proof.Proof("pyarrow", "pyarrow", 20), str(root)))
    assert list(root.iterdir()) == []
    return found, str(caught.value)


def _breaks(walk: object, *given: object) -> None:
    raise KeyError("a mistake of ours")


def test_a_step_that_breaks_in_our_own_code_is_told_and_then_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Walk, "_step", _breaks)
    events, error = _until_it_breaks(tmp_path / "root")
    assert error == "'a mistake of ours'"
    last = events[-1]
    assert isinstance(last, ods_proof.Finished)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(last.record)))
    statuses = {entry["step"]: entry["status"] for entry in last.record["steps"]}
    assert set(statuses.values()) == {"failed", "not reached"}
    assert statuses["generated"] == "failed"
    assert last.record["steps"][0]["error"] == "the proof's own code broke"
    found = {c.name: c.status for c in events if isinstance(c, ods_proof.CheckDone)}
    assert tuple(found) == checks.NAMES
    assert {name for name, status in found.items() if status == "passed"} == {"sandbox_discarded"}
    assert last.verdict == "broken"


def test_a_proof_whose_code_breaks_after_the_checks_has_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Walk, "_ask", ask_here)
    monkeypatch.setattr(Walk, "info", _breaks)
    events, _ = _until_it_breaks(tmp_path / "root")
    last = events[-1]
    assert isinstance(last, ods_proof.Finished)
    assert [c["status"] for c in last.record["checks"]].count("passed") == 11
    assert last.verdict == last.record["verdict"] == "broken"


def test_the_command_line_says_broken_and_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Walk, "_step", _breaks)
    events = ods_proof.run(ods_proof.Proof("pyarrow", "pyarrow", 20), str(tmp_path / "root"))
    with pytest.raises(KeyError):
        live.follow(events)
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "✓ sandbox_discarded   the sandbox is deleted",
        "broken",
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "good"},
        {"rows": 0},
        {"steps": []},
        {"checks": []},
        {"more": 1},
    ],
    ids=str,
)
@pytest.mark.usefixtures("in_process")
def test_another_form_is_none(change: dict[str, object], prove: Callable[..., Proved]) -> None:
    found = {**prove("pyarrow", "pyarrow").record, **change}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
