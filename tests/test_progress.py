"""Progress: only on a terminal, only after a second, and gone at the end."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from command import parquet


def on_a_terminal(*arguments: object, seconds: float) -> tuple[int, str]:
    """Run with stderr on a terminal and a quick clock; return the exit code and stderr."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(seconds), *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=follower,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    return process.wait(), shown.decode()


# a clock that is ahead by some seconds at each look: a long computation without waiting
SLOW = """
import sys, time, itertools
step = float(sys.argv[1])
ticks = itertools.count()
time.monotonic = lambda: next(ticks) * step
from ods_fingerprint.cli import main
main(sys.argv[2:])
"""


def test_progress_shows_on_a_terminal_after_a_second_and_goes_away(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    code, shown = on_a_terminal("compute", path, seconds=2.0)
    assert code == 0
    assert "4 rows" in shown
    assert shown.endswith("\r\x1b[K")


def test_the_line_is_short_and_holds_no_escape_of_the_path(tmp_path: Path) -> None:
    path = parquet(tmp_path, name="\x1b[31m" + "long" * 30 + ".parquet")
    code, shown = on_a_terminal("compute", path, seconds=2.0)
    assert code == 0
    assert len(shown.split("\r")[1]) < 80
    named = parquet(tmp_path, name="\x1b[31mred.parquet")
    assert "\x1b[31m" not in on_a_terminal("compute", named, seconds=2.0)[1]


def test_no_progress_within_a_second(tmp_path: Path) -> None:
    assert on_a_terminal("compute", parquet(tmp_path), seconds=0.01) == (0, "")


def test_no_progress_where_no_one_watches(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "2.0", "compute", parquet(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
