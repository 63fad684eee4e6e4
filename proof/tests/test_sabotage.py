"""Every check can fail: one thing is made wrong, and exactly the checks that should see it do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Proved
from ods_proof.table import marker

Prove = Callable[..., Proved]
OLD = ["moment", "readings.list.element.at"]
DATA = {"fingerprints_match", "rows_identical"}
SECOND = [
    ("changed_cell", DATA),
    ("dropped_row", {"rows_match", *DATA}),
    ("doubled_row", DATA | {"delta_protocol"}),
    ("milliseconds", DATA),
    ("swapped", {"rows_identical"}),
    ("negative_zero", {"rows_identical"}),
    ("nested_value", {"rows_identical"}),
    ("nan_to_null", DATA),
    ("default_pandas", DATA | {"schema_match"}),
    ("retyped", {"schema_match", "declared_schema", "rows_identical"}),
    ("weakened_for_a_while", {"sensitivity_floor"}),
    ("weakened", {"sensitivity_floor", "tags_carried", "profile_no_leak"}),
    ("unknown_level", {"sensitivity_floor", "tags_carried"}),
    ("stronger", {"tags_carried"}),
    ("described_otherwise", {"tags_carried", "declared_schema"}),
    ("nested_tag_dropped", {"sensitivity_floor", "tags_carried"}),
    ("statistics_quote", {"profile_no_leak"}),
    ("foreign_writer", {"one_writer"}),
    ("own_figures_lie", {"fingerprints_match"}),
    ("no_own_figures", {"fingerprints_match"}),
    ("deletes_a_version", {"sensitivity_floor", "one_writer"}),
]


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(("name", "failed"), SECOND, ids=[name for name, _ in SECOND])
def test_a_sabotage_fails_exactly_its_checks(name: str, failed: set[str], prove: Prove) -> None:
    found = prove("pyarrow", f"sabotage.{name}")
    assert found.failed() == failed
    assert found.verdict == "failed"
    assert found.unreached() == set()
    assert marker(7) not in json.dumps(found.record)


@pytest.mark.usefixtures("in_process")
def test_nothing_fails_without_sabotage(prove: Prove) -> None:
    found = prove("pyarrow", "pyarrow")
    assert (found.failed(), found.unreached(), found.verdict) == (set(), set(), "passed")
    assert found.check("access_d11")["status"] == "failed"


@pytest.mark.usefixtures("in_process")
def test_a_reader_that_misreads_a_feature_is_told(prove: Prove) -> None:
    """ER-01: column mapping is ignored, so all values are NULL."""
    found = prove("sabotage.maps_columns", "pyarrow")
    assert "delta_protocol" in found.failed()
    assert "never seen to read columnMapping rightly" in found.check("delta_protocol")["summary"]


@pytest.mark.usefixtures("in_process")
def test_a_column_that_nobody_generated_is_seen(prove: Prove) -> None:
    found = prove("sabotage.extra_column", "pyarrow")
    assert found.failed() == {"schema_match", "fingerprints_match"}
    assert "more was not generated" in found.check("schema_match")["summary"]


def test_a_sandbox_goes_though_its_marker_is_gone(prove: Prove, tmp_path: Path) -> None:
    assert prove("pyarrow", "sabotage.deletes_the_marker").verdict == "passed"
    assert list((tmp_path / "root").iterdir()) == []


@pytest.mark.usefixtures("in_process")
def test_no_part_of_a_mail_is_shown(prove: Prove) -> None:
    """Not where a text is cut either, and the log's statistics of another column quote it."""
    proved = prove("pyarrow", "sabotage.mails_in_words")
    assert proved.failed() == DATA | {"delta_protocol", "profile_no_leak"}
    found = json.dumps(proved.record)
    mail = f"c1.{marker(7)}"
    assert not any(("x" * 60) + mail[:size] in found for size in (2, 3, 6))


def test_a_file_left_in_the_sandbox_is_seen(prove: Prove, tmp_path: Path) -> None:
    found = prove("sabotage.leaves_a_file", "pyarrow")
    assert found.failed() == {"sandbox_discarded"}
    assert found.verdict == "failed"
    name = f"proof-{found.record['proof']}.spill"
    assert found.check("sandbox_discarded")["evidence"] == {"left": [name]}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("crashes", "its process ended by signal SIGSEGV"),
        ("raises", "(withheld: it quotes a confidential value)"),
        ("quotes_at_the_end", "(withheld: it quotes a confidential value)"),
        ("cut_short", "its answer was cut short: its process ended by signal SIGKILL"),
    ],
)
def test_a_step_that_fails_ends_the_proof(name: str, reason: str, prove: Prove) -> None:
    found = prove("pyarrow", f"sabotage.{name}")
    assert found.verdict == "broken"
    assert found.step("second_read")["status"] == "failed"
    assert found.step("second_read")["error"].startswith(reason)
    assert found.step("second_wrote")["status"] == "not reached"
    assert {"rows_match", "rows_identical", "fingerprints_match"} <= found.unreached()
    assert found.check("sandbox_discarded")["status"] == "passed"
    assert marker(7) not in json.dumps(found.record)


@pytest.mark.usefixtures("spark_here")
@pytest.mark.parametrize(
    ("second", "failed"),
    [("polars", DATA | {"delta_protocol"}), ("pyarrow", set()), ("pandas", set())],
)
def test_int96_is_told_where_it_is_misread(second: str, failed: set[str], prove: Prove) -> None:
    """Polars reads it as nanoseconds, which end in 2262; PyArrow can be told microseconds."""
    found = prove("sabotage.int96_spark", second)
    assert found.failed() == failed
    said = (
        f"{', '.join(OLD)} stored as INT96" if failed else "each engine read the other's protocol"
    )
    assert said in found.check("delta_protocol")["summary"]
    assert found.check("delta_protocol")["evidence"]["int96"]["first"] == OLD


def test_a_step_that_hangs_is_stopped(prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    from ods_proof import Proof

    monkeypatch.setattr(Proof, "limit", 20.0)
    found = prove("pyarrow", "sabotage.hangs")
    assert found.step("second_read")["error"] == "it took more than 20 s and was stopped"
    assert found.verdict == "broken"
