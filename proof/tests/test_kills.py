"""A proof that is killed, starved of disk or given no place leaves nothing behind."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ods_proof.table import marker
from test_cli import _environment, _left, _run, _workers

KILLS = 20
MOMENTS = random.Random(20).sample(range(200), KILLS)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def _start(root: Path, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ods_proof", "run", *arguments, "--rows", "50"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(root, **settings),
    )


def _seen(root: Path, process: subprocess.Popen[str]) -> None:
    """Wait until the proof has its sandbox."""
    until = time.monotonic() + 60
    while not _left(root) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


def _empty(root: Path, seconds: float) -> tuple[list[str], list[str]]:
    """Return what is left of proofs in a root, at the latest after so many seconds."""
    until = time.monotonic() + seconds
    while (_left(root) or _workers(root)) and time.monotonic() < until:
        time.sleep(0.02)
    return _left(root), _workers(root)


@pytest.fixture(scope="module")
def seconds(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Return how long a proof holds its sandbox here and now."""
    root = tmp_path_factory.mktemp("timed") / "root"
    process = _start(root, "pyarrow", "pyarrow")
    _seen(root, process)
    started = time.monotonic()
    process.communicate()
    assert process.returncode == 0
    return time.monotonic() - started


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_proof_is_killed_at_any_moment(moment: int, seconds: float, root: Path) -> None:
    process = _start(root, "pyarrow", "pyarrow")
    _seen(root, process)
    time.sleep(seconds * moment / 200)
    process.kill()
    stdout, stderr = process.communicate()
    assert _empty(root, max(10, seconds)) == ([], [])  # a busy machine takes its time
    assert marker(7) not in stdout + stderr


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
@pytest.mark.parametrize("step", ["first_wrote", "second_read", "second_wrote"])
def test_the_process_of_a_step_is_killed(step: str, root: Path, tmp_path: Path) -> None:
    target = tmp_path / "record.json"
    process = _start(root, "pyarrow", "sabotage.hangs_at_arrow", "--json", str(target))
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(f"… {step}"):
            break
    for place in _workers(root):
        os.kill(int(Path(place).parent.name), signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == 1
    record = json.loads(target.read_text())
    assert record["verdict"] == "broken"
    found = {entry["step"]: entry for entry in record["steps"]}[step]
    assert (found["status"], found["error"]) == ("failed", "its process ended by signal SIGKILL")
    assert _empty(root, 10) == ([], [])


def test_two_proofs_at_once_leave_each_other_alone(root: Path) -> None:
    both = [_start(root, "pyarrow", "pyarrow", "--seed", str(seed)) for seed in (1, 2)]
    for process in both:
        stdout, stderr = process.communicate(timeout=300)
        assert (process.returncode, stderr) == (0, "")
        assert stdout.splitlines()[-1] == "passed"
    assert _left(root) == []


def test_nothing_is_left_anywhere(root: Path, tmp_path: Path) -> None:
    """Neither a home nor a temporary folder holds anything after a proof, nor does a mail."""
    home, temporary, here = (tmp_path / name for name in ("home", "tmp", "here"))
    for folder in (home, temporary, here):
        folder.mkdir()
    places = {"HOME": str(home), "TMPDIR": str(temporary), "XDG_CACHE_HOME": str(home)}
    found = subprocess.run(
        [sys.executable, "-B", "-m", "ods_proof", "run", "polars", "duckdb", "--rows", "50"],
        capture_output=True,
        text=True,
        cwd=here,
        env={**_environment(root, **places), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert marker(7) not in found.stdout
    assert [path for folder in (home, temporary, here) for path in folder.rglob("*")] == []
    assert _left(root) == []


def test_a_reader_that_goes_away_ends_the_proof(root: Path) -> None:
    """As `ods-proof run … | head -1` does."""
    process = _start(root, "pyarrow", "pyarrow")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.wait(120)
    assert process.returncode != 0
    assert _empty(root, 10) == ([], [])


@pytest.fixture
def small(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return a file system of its own, mounted with these options."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"mode=0700,{request.param}", "tmpfs", str(place)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("needs the right to mount")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(
    "small", ["size=12k", "size=200k", "nr_inodes=9", "nr_inodes=20"], indirect=True
)
def test_a_full_disk_breaks_a_proof_and_is_told(small: Path, tmp_path: Path) -> None:
    target = tmp_path / "record.json"
    found = _run(small, "run", "pyarrow", "pyarrow", "--rows", "2000", "--json", str(target))
    assert (found.returncode, found.stderr) == (1, "")
    record = json.loads(target.read_text())
    assert record["verdict"] == "broken"
    assert any("No space left on device" in str(step["error"]) for step in record["steps"])
    assert record["checks"][-1]["status"] == "passed"
    assert _left(small) == []


@pytest.mark.parametrize("small", ["ro"], indirect=True)
def test_a_read_only_root_is_told(small: Path) -> None:
    found = _run(small, "run", "pyarrow", "pyarrow")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f"error: no sandbox can be made in {small}: Read-only file system\n"


def test_a_root_that_cannot_be_made_is_told(root: Path) -> None:
    root.parent.joinpath("file").touch()
    place = root.parent / "file" / "root"
    found = _run(place, "run", "pyarrow", "pyarrow")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f"error: no sandbox can be made in {place}: Not a directory\n"


def test_records_that_cannot_be_kept_are_told_first(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = _run(root, "run", "pyarrow", "pyarrow", ODS_PROOF_RECORDS=str(tmp_path / "file" / "r"))
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: ODS_PROOF_RECORDS: cannot make")


@pytest.mark.parametrize(
    ("engine", "hidden", "extra"),
    [
        ("polars", "polars", "polars"),
        ("pandas", "pandas", "pandas"),
        ("duckdb", "duckdb_extension_delta", "duckdb"),
        ("spark", "delta_spark", "spark"),
    ],
)
def test_an_engine_is_not_installed(
    engine: str, hidden: str, extra: str, root: Path, tmp_path: Path
) -> None:
    import pyarrow as pa

    site, real = tmp_path / "site", Path(pa.__file__).parents[1]
    site.mkdir()
    for entry in real.iterdir():
        if not entry.name.startswith((hidden, "__editable__")):
            (site / entry.name).symlink_to(entry)
    paths = [
        site,
        *(Path(path) for path in sys.path if Path(path).is_dir() and not Path(path).samefile(real)),
    ]
    environment = _environment(root) | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    found = subprocess.run(
        [sys.executable, "-S", "-m", "ods_proof", "run", "pyarrow", engine],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(
        f"error: {engine} is not here: {hidden.replace('_', '-')} is not"
    )
    assert f"pip install 'ods-proof[{extra}]'" in found.stderr
    assert _left(root) == []
