"""The record: of the form that its schema says, whatever happened, and read by `compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import ods_proof
import pytest
from conftest import Proved
from ods_proof import checks

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
@pytest.mark.usefixtures("here")
def test_another_form_is_none(change: dict[str, object], prove: Callable[..., Proved]) -> None:
    found = {**prove("pyarrow", "pyarrow").record, **change}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
