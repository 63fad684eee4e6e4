"""A sandbox goes with its owner, however the owner ends, and nothing else goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ods_proof import sandbox
from ods_proof.errors import SandboxError

ID = "0123456789ab"
OWNER = f"""
import sys, time
from pathlib import Path
from ods_proof import sandbox
box = sandbox.open_sandbox(Path(sys.argv[1]), {ID!r})
(box.folder / "copy").mkdir()
(box.folder / "copy" / "rows").write_text("x")
print(box.reaper.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return sandbox.root(str(tmp_path / "root"))


def _owner(root: Path) -> tuple[subprocess.Popen[str], int]:
    """Start a process that owns a sandbox; return it and its reaper's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(root)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def _gone(root: Path, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not list(root.iterdir()):
            return True
        time.sleep(0.01)
    return False


TURN = """
import sys, time
from pathlib import Path
from ods_proof import sandbox
for _ in range(10):
    with sandbox.turn(Path(sys.argv[1]), lambda: None):
        with open(sys.argv[2], "a") as log:
            log.write("in\\n")
            log.flush()
            time.sleep(0.001)
            log.write("out\\n")
"""


def test_one_has_the_turn_at_a_time(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", TURN, str(root), str(log)]
    for process in [subprocess.Popen(command, env=environment) for _ in range(3)]:
        assert process.wait(60) == 0
    assert log.read_text().split() == ["in", "out"] * 30
    assert list(root.iterdir()) == []


def test_a_sweep_leaves_a_turn_alone(root: Path) -> None:
    with sandbox.turn(root, lambda: None):
        assert sandbox.sweep(root) == ()
        assert [path.name for path in root.iterdir()] == ["turn.lock"]


def test_a_sandbox_is_private_and_goes(root: Path) -> None:
    box = sandbox.open_sandbox(root, ID)
    assert (box.folder.stat().st_mode & 0o777, root.stat().st_mode & 0o777) == (0o700, 0o700)
    closed = box.folder / "closed"
    closed.mkdir()
    (closed / "file").write_text("abc")
    closed.chmod(0o500)
    assert box.discard() == sandbox.Discarded(3, ())
    assert list(root.iterdir()) == []


WRITER = """
import os, sys, time
place, until = os.open(sys.argv[1], os.O_RDONLY), time.monotonic() + 2
for at in range(200):
    os.mkdir(f"d{at}", dir_fd=place)
print("ready", flush=True)
while time.monotonic() < until:
    for at in range(200):
        try:
            os.rmdir(f"d{at}", dir_fd=place)
            os.mkdir(f"d{at}", dir_fd=place)
        except OSError:
            pass
"""


def test_a_writer_that_takes_away_what_is_deleted_only_delays(root: Path) -> None:
    box = sandbox.open_sandbox(root, ID)
    busy = box.folder / "busy"
    busy.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(busy)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        assert box.discard().left == ()
    assert list(root.iterdir()) == []


def test_what_an_earlier_try_left_goes_too(root: Path) -> None:
    box = sandbox.open_sandbox(root, ID)
    dead = root / f".dead-{box.folder.name}-01234567"
    (dead / "copy").mkdir(parents=True)
    assert box.discard().left == ()
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_goes_when_its_owner_is_killed(root: Path, number: int) -> None:
    owner, _ = _owner(root)
    assert (root / f"proof-{ID}" / "copy" / "rows").is_file()
    owner.send_signal(number)
    owner.wait()
    assert _gone(root, 10)


def test_it_is_swept_when_owner_and_reaper_are_killed(root: Path) -> None:
    owner, reaper = _owner(root)
    os.kill(reaper, signal.SIGKILL)
    owner.kill()
    owner.wait()
    assert len(list(root.iterdir())) == 2
    assert sandbox.sweep(root) == (f"proof-{ID}",)
    assert list(root.iterdir()) == []


def test_the_next_proof_sweeps(root: Path) -> None:
    owner, reaper = _owner(root)
    os.kill(reaper, signal.SIGKILL)
    owner.kill()
    owner.wait()
    box = sandbox.open_sandbox(root, "ba9876543210")
    assert not (root / f"proof-{ID}").exists()
    box.discard()


def test_a_live_one_is_left_alone(root: Path) -> None:
    owner, _ = _owner(root)
    try:
        assert sandbox.sweep(root) == ()
        assert (root / f"proof-{ID}" / "copy" / "rows").is_file()
        with pytest.raises(SandboxError, match="is running: its sandbox is locked"):
            sandbox.open_sandbox(root, ID)
    finally:
        owner.kill()
        owner.wait()


def test_a_folder_without_a_marker_is_left_alone(root: Path) -> None:
    mine = root / f"proof-{ID}"
    mine.mkdir()
    (mine / "thesis").touch()
    (root / f"proof-{ID}.lock").touch()
    with pytest.raises(SandboxError, match=r"holds files but no \.ods-sandbox: it is left alone"):
        sandbox.sweep(root)
    assert (mine / "thesis").is_file()


def test_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    box = sandbox.open_sandbox(root, ID)
    (box.folder / "link").symlink_to(outside)
    assert box.discard().left == ()
    assert (outside / "file").is_file()
    (root / f"proof-{ID}").symlink_to(outside)
    (root / f"proof-{ID}.lock").touch()
    with pytest.raises(SandboxError, match="is a link, which no proof made"):
        sandbox.sweep(root)
    assert (outside / "file").is_file()


def test_other_names_are_none_of_its_business(root: Path) -> None:
    for name in ("proof-xyz.lock", "proof-0123456789abc.lock", "notes.lock", ".dead-letters"):
        (root / name).touch()
    assert sandbox.sweep(root) == ()
    assert len(list(root.iterdir())) == 4


@pytest.mark.parametrize("made", ["a file", "open to others", "a link"])
def test_a_root_that_is_no_place_for_it(made: str, tmp_path: Path) -> None:
    place = tmp_path / "place"
    if made == "a file":
        place.touch()
    elif made == "a link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.mkdir()
        place.chmod(0o777)
    with pytest.raises(SandboxError):
        sandbox.root(str(place))
