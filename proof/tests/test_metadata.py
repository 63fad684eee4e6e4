"""Events as metadata: what every reader of JSON takes, bounded, with differing figures marked."""

from __future__ import annotations

import json
import math
from datetime import datetime
from decimal import Decimal
from typing import Any

import dagster as dg
import pytest
from dagster._serdes import deserialize_value, serialize_value
from ods_proof import metadata
from ods_proof.events import CheckDone, Finished, StepDone

import ods_fingerprint as ods


def _one(kind: str, rows: int, **figures: object) -> ods.Fingerprint:
    families = {"double": "float", "int64": "integer"}
    column: dict[str, object] = {"name": "x", "type": kind, "family": families[kind]}
    column["figures"] = {"nulls": 0, **figures}
    return ods.Fingerprint.from_json(
        json.dumps({"spec": "ods-fingerprint/1", "rows": rows, "columns": [column]})
    )


def _float(**more: object) -> dict[str, object]:
    return {"nan": 1, "posinf": 0, "neginf": 0, "min": 1.0, "max": 2.0, "sum": 3.0, **more}


def test_dp_01_no_nan_and_no_infinity_leaves() -> None:
    fingerprint = {"rows": 1, "x": {"nulls": 0, "min": math.nan, "max": math.inf, "sum": -math.inf}}
    found = metadata.plain({"f": fingerprint, "sum": None})
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["f"]["x"] == {"nulls": 0, "min": "nan", "max": "inf", "sum": "-inf"}


def test_dp_03_a_check_with_large_integers_builds_and_loads_again() -> None:
    given = metadata.plain({"rows": 200, "s": {"nulls": 0, "hash": 10**30, "edge": 2**53}})
    result = dg.AssetCheckResult(passed=True, metadata={"ods/check": dg.MetadataValue.json(given)})
    for value in result.metadata.values():
        loaded = deserialize_value(serialize_value(value))
        assert loaded == value
        assert loaded.value == {"rows": 200, "s": {"nulls": 0, "hash": str(10**30), "edge": 2**53}}


def test_a_sum_that_overflowed_is_a_text_in_a_step() -> None:
    done = StepDone("generated", "platform", "done", 0.1, _one("double", 4, **_float(sum="inf")))
    found = json.loads(json.dumps(metadata.step(done), allow_nan=False))
    assert found["fingerprint"]["columns"][0]["figures"]["sum"] == "inf"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (2**53, 2**53),
        (2**53 + 1, "9007199254740993"),
        (-(2**70), "-1180591620717411303424"),
        (Decimal("12.30"), "12.30"),
        (datetime(2026, 1, 2, 3), "2026-01-02 03:00:00"),
        ((1, 2.5), [1, 2.5]),
        ({1: "a"}, {"1": "a"}),
        ("\ud800", "?"),
        ("é\0", "é\0"),
    ],
)
def test_values_are_json(value: object, expected: object) -> None:
    found = metadata.plain(value)
    assert found == expected
    assert type(found) is type(expected)
    json.dumps(found, allow_nan=False).encode()


@pytest.mark.parametrize("value", [b"x", {"a": {1}}, object()])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no metadata of a proof"):
        metadata.plain(value)


def test_metadata_is_bounded() -> None:
    found = metadata.plain({"text": "x" * 10_000, "list": list(range(5_000))})
    assert found["text"] == "x" * 2_000 + "…"
    assert found["list"][999:] == [999, "… 4000 more"]
    wide = metadata.plain({str(at): at for at in range(1_500)})
    assert (len(wide), wide["…"]) == (1_001, "… 500 more")


def test_long_evidence_is_left_out_and_said() -> None:
    evidence = {"wrong": ["x" * 100] * 900}
    done = CheckDone("rows_match", "data", "error", "failed", "3 rows", evidence)
    found = metadata.check(done)
    assert (found["name"], found["status"], found["summary"]) == ("rows_match", "failed", "3 rows")
    size = len(json.dumps(evidence))
    assert found["evidence"] == {"left out": f"{size} characters, which is too long here"}
    whole = Finished("failed", {"verdict": "failed", "checks": [vars_of(done)]})
    assert metadata.record(whole) == {"verdict": "failed", "checks": [found]}


def vars_of(done: CheckDone) -> dict[str, Any]:
    return {key: getattr(done, key) for key in done.__slots__}


def test_figures_that_differ_are_marked_and_others_are_not() -> None:
    lines = metadata.figures(
        {
            "generated": StepDone("generated", "p", "done", 0, _one("int64", 3, hash="12")),
            "first_wrote": StepDone("first_wrote", "a", "done", 0, _one("int64", 3, hash="12")),
            "second_read": StepDone(
                "second_read",
                "b",
                "done",
                0,
                _one("int64", 3, hash="13"),
                _one("int64", 2, hash="12"),
            ),
            "second_wrote": StepDone("second_wrote", "b", "failed", error="no"),
        }
    )
    own = "second_read (own SQL)"
    assert lines == [
        {"figure": "rows", "generated": "3", "first_wrote": "3", "second_read": "3", own: "≠ 2"},
        {"figure": "x nulls", "generated": "0", "first_wrote": "0", "second_read": "0", own: "0"},
        {"figure": "x hash", "generated": "12", "first_wrote": "12", "second_read": "≠ 13", own: "12"},
    ]  # fmt: skip


def test_sums_within_the_tolerance_are_not_marked_and_types_are() -> None:
    close, other = _one("double", 3, **_float(sum=3.0 + 1e-12)), _one("int64", 3, hash="5")
    lines = metadata.figures(
        {
            "generated": StepDone("generated", "p", "done", 0, _one("double", 3, **_float())),
            "first_wrote": StepDone("first_wrote", "a", "done", 0, close),
            "second_read": StepDone("second_read", "b", "done", 0, other),
        }
    )
    found = {line["figure"]: line for line in lines}
    assert found["x sum"]["first_wrote"] == "3.000000000001"
    assert found["x type"]["second_read"].startswith("≠ ")
    assert found["x sum"]["second_read"] == ""


def test_without_generated_data_there_are_no_figures() -> None:
    assert metadata.figures({}) == []
    assert metadata.figures({"generated": StepDone("generated", "p", "failed", error="no")}) == []
