"""A file is there whole or not at all."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from command import parquet, refused, run, shell

from ods_fingerprint.errors import OdsError
from ods_fingerprint.whole_file import write


def test_what_was_there_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in ("first\n", "größer\n"):
        write(str(path), text)
        assert path.read_bytes() == text.encode()
        assert names(tmp_path) == ["a.json"]


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write(str(tmp_path / "a"), "")
    assert mode(tmp_path / "a") == mode(tmp_path / "plain")


@pytest.mark.parametrize("kept", (0o600, 0o664, 0o755))
def test_a_file_keeps_its_mode(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    path.chmod(kept)
    write(str(path), "x")
    assert mode(path) == kept


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link, dangling = tmp_path / "real" / "a", tmp_path / "link", tmp_path / "dangling"
    target.write_text("old")
    link.symlink_to("real/a")
    dangling.symlink_to("real/b")
    write(str(link), "new")
    write(str(dangling), "new")
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert target.read_text() == (tmp_path / "real" / "b").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE) as reader:
        write(str(fifo), "through")
        assert reader.stdout is not None
        assert reader.stdout.read() == b"through"
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    write("/dev/null", "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("place", (".", "no/such/folder.json", "file/inside.json"))
def test_where_no_file_can_be_the_error_names_it(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    path = tmp_path / place
    with pytest.raises(OdsError, match=r"^cannot write .*; nothing was written$"):
        write(str(path), "x")
    refused(run("compute", parquet(tmp_path), "-o", path), str(path), "cannot write")
    refused(run("compare", parquet(tmp_path), parquet(tmp_path), "-o", path), "cannot write")
    assert names(tmp_path) == ["file", "orders.parquet"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_write_that_fails_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    source, output = parquet(tmp_path), tmp_path / "out.json"
    output.write_text("old")
    done = subprocess.run(
        [sys.executable, "-m", "ods_fingerprint", "compute", source, "-o", output],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "File too large" in done.stderr
    assert output.read_text() == "old"
    assert names(tmp_path) == ["orders.parquet", "out.json"]


def test_the_file_of_each_command_is_what_json_prints(tmp_path: Path) -> None:
    path, output = parquet(tmp_path), tmp_path / "out.json"
    for command in (("compute", path), ("compare", path, path), ("schema", path)):
        printed = run(*command, "--json")
        assert run(*command, "-o", output).code == printed.code
        assert output.read_bytes() == printed.out.encode()


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output.write_text("old")
    refused(run("compute", tmp_path / "none.parquet", "-o", output))
    refused(run("compute", parquet(tmp_path), "--strict", "-o", output))
    assert output.read_text() == "old"


def test_standard_output_by_its_name_is_a_pipe_here(tmp_path: Path) -> None:
    """/dev/stdout is a link to a pipe's name, which no path leads to."""
    source = parquet(tmp_path)
    found = shell("schema", source, "-o", "/dev/stdout")
    assert (found.code, found.out) == (0, run("schema", source, "--json").out)
