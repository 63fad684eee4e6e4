"""The command line: exit codes, errors of one block, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ods_proof.table import marker


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def _environment(root: Path, **settings: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ODS_PROOF")}
    path = os.pathsep.join(str(Path(part).absolute()) for part in sys.path)
    return {**kept, "PYTHONPATH": path, "ODS_PROOF_SANDBOX": str(root), **settings}


def _run(root: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ods_proof", *arguments],
        capture_output=True,
        text=True,
        env=_environment(root, **settings),
        check=False,
    )


def _left(root: Path) -> list[str]:
    return [path.name for path in root.iterdir()] if root.exists() else []


def test_a_proof_that_passes(root: Path, tmp_path: Path) -> None:
    target, records = tmp_path / "record.json", tmp_path / "records"
    found = _run(
        root, "run", "pyarrow", "duckdb", "--rows", "50", "--json", str(target),
        ODS_PROOF_RECORDS=str(records),
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (0, "")
    lines = found.stdout.splitlines()
    assert lines[-1] == "passed"
    assert sum(line.startswith("✓") for line in lines) == 5 + 11
    assert "! access_d11" in found.stdout
    record = json.loads(target.read_text())
    assert (record["rows"], record["verdict"]) == (50, "passed")
    assert json.loads((records / f"{record['proof']}.json").read_text()) == record
    assert marker(7) not in found.stdout + target.read_text()
    assert _left(root) == []


def test_a_check_that_fails_is_named(root: Path) -> None:
    found = _run(root, "run", "pyarrow", "sabotage.swapped", "--rows", "50")
    assert found.returncode == 1
    assert "✗ rows_identical      A's read of B's table: 2 rows differ, in word" in found.stdout
    assert found.stdout.splitlines()[-1] == "failed"
    assert _left(root) == []


def test_a_proof_that_breaks(root: Path) -> None:
    found = _run(root, "run", "sabotage.raises", "pyarrow", "--rows", "50")
    assert (found.returncode, found.stdout.splitlines()[-1]) == (1, "broken")
    assert marker(7) not in found.stdout + found.stderr


@pytest.mark.parametrize(
    ("arguments", "settings", "reason"),
    [
        (("mysql", "polars"), {}, "no engine 'mysql'; there are: polars"),
        (("duckdb", "polars", "--maps"), {}, "duckdb cannot write attributes, a map"),
        (("polars", "duckdb"), {"ODS_PROOF": "off"}, "proofs are switched off here"),
        (("polars", "duckdb"), {"ODS_PROOF": "all"}, "needs roles, which do not exist yet"),
        (("polars", "duckdb"), {"ODS_PROOF": "some"}, "it can be: generic, off, all"),
        (("polars", "duckdb"), {"ODS_PROOF_ROWS": "many"}, "ODS_PROOF_ROWS is 'many'"),
        (("polars", "duckdb"), {"ODS_PROOF_AUTHORIZE": "os:nothing"}, "not module:function"),
        (("polars", "duckdb"), {"ODS_PROOF_AUTHORIZE": "refusing:nobody"}, "you may not start"),
        (("polars", "duckdb", "--json", "/nowhere/record.json"), {}, "cannot write /nowhere"),
    ],
)
def test_bad_use_is_told_before_anything_runs(
    arguments: tuple[str, ...], settings: dict[str, str], reason: str, root: Path
) -> None:
    found = _run(root, "run", *arguments, **settings)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: ")
    assert reason in found.stderr
    assert "Traceback" not in found.stderr
    assert _left(root) == []


def test_an_engine_that_is_not_here_says_how_to_get_it(root: Path) -> None:
    found = _run(root, "run", "sabotage.absent", "polars")
    assert found.returncode == 2
    assert found.stderr == (
        "error: sabotage.absent is not here: absent is not installed: pip install 'ods-proof[absent]'\n"
    )


def test_engines_are_listed(root: Path) -> None:
    found = _run(root, "engines")
    assert found.returncode == 0
    for name, implementation in (("polars", "delta-rs"), ("spark", "Delta Lake (JVM)")):
        assert any(
            line.startswith(name) and implementation in line for line in found.stdout.splitlines()
        )
    assert "cannot write map" in found.stdout


def test_sweep_says_what_it_swept(root: Path) -> None:
    found = _run(root, "sweep")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "0 swept\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_proof_that_is_stopped_leaves_nothing(number: int, root: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ods_proof", "run", "pyarrow", "sabotage.hangs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(root),
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("… second_read"):
            break
    process.send_signal(number)
    process.wait(60)  # the step itself may take 600
    until = time.monotonic() + 10
    while (_left(root) or _workers(root)) and time.monotonic() < until:
        time.sleep(0.02)
    assert (_left(root), _workers(root)) == ([], [])
    assert process.returncode != 0


def _workers(root: Path) -> list[str]:
    """Return the processes that still work in a sandbox."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if str(root) in str(place.readlink()):
                found.append(str(place))
        except OSError:
            continue
    return found


def test_a_record_may_go_to_a_device(root: Path) -> None:
    """A device is written to, never replaced by a file."""
    found = _run(root, "run", "pyarrow", "pyarrow", "--rows", "50", "--json", "/dev/stderr")
    assert found.returncode == 0
    assert json.loads(found.stderr)["verdict"] == "passed"
    assert Path("/dev/stderr").is_symlink()


def test_a_record_has_the_mode_of_any_new_file(root: Path, tmp_path: Path) -> None:
    target, other = tmp_path / "record.json", tmp_path / "other"
    other.touch()
    assert (
        _run(root, "run", "pyarrow", "pyarrow", "--rows", "50", "--json", str(target)).returncode
        == 0
    )
    assert target.stat().st_mode == other.stat().st_mode
