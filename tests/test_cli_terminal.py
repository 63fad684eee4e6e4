"""The command line against its surroundings: a terminal, pipes, signals, locales, completion."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from command import database, parquet, refused, run, shell

COMMAND = [sys.executable, "-m", "ods_fingerprint"]
ENDLESS = "CREATE VIEW endless AS SELECT range AS i FROM range(1000000000000)"
SHELLS = {
    "bash": "complete -o nosort -F",
    "zsh": "#compdef ods-fingerprint",
    "fish": "complete --no-files",
}


def interrupted(source: str, *more: object) -> subprocess.CompletedProcess[str]:
    """Interrupt a computation that would not end, once DuckDB's threads run."""
    process = subprocess.Popen(
        [*COMMAND, "compute", source, *map(str, more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for_work(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return subprocess.CompletedProcess([], process.returncode, out, err)


def wait_for_work(pid: int, seconds: float = 120.0) -> None:
    """Wait until a thread beside the main one has used a second of a processor."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        threads = [path for path in Path(f"/proc/{pid}/task").iterdir() if path.name != str(pid)]
        ticks = [
            int((path / "stat").read_text().rpartition(")")[2].split()[11]) for path in threads
        ]
        if max(ticks, default=0) >= os.sysconf("SC_CLK_TCK"):
            return
        select.select([], [], [], 0.05)
    raise AssertionError("the engine did not start")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_ctrl_c_cancels_the_engine_and_writes_nothing(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output.write_text("old")
    done = interrupted(f"duckdb:{database(tmp_path, ENDLESS)}/endless", "-o", output)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == "error: interrupted: nothing was written"
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "w.duckdb"]


def test_a_reader_that_goes_away_is_never_a_difference(tmp_path: Path) -> None:
    path, other = parquet(tmp_path), parquet(tmp_path, pa.table({"id": [1]}), "b.parquet")
    for arguments in (("compute", path), ("compare", path, other, "--json"), ("compute", "--help")):
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "compute", parquet(tmp_path)], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "error: cannot read or write standard output: No space left on device\n"


@pytest.mark.parametrize("closed", (">&-", "2>&-", ">&- 2>&-"))
def test_a_closed_stream_changes_no_exit_code(closed: str, tmp_path: Path) -> None:
    command = " ".join(COMMAND)
    for arguments, code in ((f"compute {parquet(tmp_path)}", 0), ("compute nope", 2), ("nope", 2)):
        done = subprocess.run(
            ["bash", "-c", f"{command} {arguments} {closed}"], capture_output=True, text=True
        )
        assert done.returncode == code
        assert (done.stdout == "") == (code == 2 or ">&-" in closed.split())
        assert "Traceback" not in done.stderr


ASCII_ONLY = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.mark.parametrize("env", ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}))
def test_names_come_out_as_they_are_whatever_the_locale(
    env: dict[str, str], tmp_path: Path
) -> None:
    path = parquet(tmp_path, pa.table({"größe": [1], "名前": [2]}))
    ran = shell("compute", path, env=env)
    assert (ran.code, ran.err) == (0, "")
    assert "größe" in ran.out
    assert "名前" in ran.out
    statement = shell(
        "sql", "größe", "--schema", '{"größe": "int"}', "--dialect", "duckdb", env=env
    )
    assert '"größe"' in statement.out
    assert (
        statement.out
        == run("sql", "größe", "--schema", '{"größe": "int"}', "--dialect", "duckdb").out
    )
    assert shell("compute", path, "--columns", "x", env=env).code == 2


def test_an_ascii_locale_takes_ascii_arguments_and_still_prints_names(tmp_path: Path) -> None:
    ran = shell("compute", parquet(tmp_path, pa.table({"größe": [1]})), env=ASCII_ONLY)
    assert (ran.code, ran.err) == (0, "")
    assert "größe" in ran.out
    refused(
        shell("sql", "t", "--schema", '{"größe": "int"}', "--dialect", "duckdb", env=ASCII_ONLY),
        "Unicode",
    )


def test_json_is_ascii(tmp_path: Path) -> None:
    assert run("compute", parquet(tmp_path, pa.table({"größe": [1]})), "--json").out.isascii()


@pytest.mark.parametrize("name", sorted(SHELLS))
def test_completion_scripts_come_out(name: str) -> None:
    ran = shell(env={"_ODS_FINGERPRINT_COMPLETE": f"{name}_source"})
    assert ran.code == 0
    assert SHELLS[name] in ran.out


def test_the_bash_script_completes_a_command_an_option_and_a_file() -> None:
    def completed(words: str, at: int) -> str:
        env = {
            "_ODS_FINGERPRINT_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(at),
        }
        ran = shell(env=env)
        assert ran.code == 0
        return ran.out

    assert completed("ods-fingerprint comp", 1).split() == ["plain,compare", "plain,compute"]
    assert "plain,--allow-partial" in completed("ods-fingerprint compare --al", 2)
    assert "file," in completed("ods-fingerprint compare orders.", 2)


def test_an_unknown_shell_is_no_difference() -> None:
    assert shell(env={"_ODS_FINGERPRINT_COMPLETE": "nosuch_source"}).code in (0, 2)


def test_a_path_that_is_not_utf_8_is_an_error_not_a_crash(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(str(tmp_path)) + b"/caf\xe9.parquet")
    refused(shell("compute", name), "no file or folder")
    parquet(tmp_path).rename(name)
    refused(shell("compute", name), "cannot be read")  # PyArrow takes UTF-8 paths only
