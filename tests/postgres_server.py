"""A PostgreSQL server of the tests' own, on a socket in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
_ABSENT = "needs PostgreSQL's server"


def program(name: str) -> str | None:
    """Return a program of the newest server that the machine has, or the one on the path."""
    found = [str(place / name) for place in reversed(_PLACES) if (place / name).is_file()]
    return found[0] if found else shutil.which(name)


HERE = program("initdb") is not None and program("pg_ctl") is not None
needs_postgres = pytest.mark.skipif(not HERE, reason=_ABSENT)


@contextmanager
def server(encoding: str = "UTF8") -> Generator[str, None, None]:
    """Start a server and yield what a driver connects by; nobody else can reach it.

    The server refuses to run as root: there it runs as the user that the package has made.
    """
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    # a socket's path has at most 107 bytes
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        _run(user, "initdb", "-D", f"{folder}/data", "-U", "postgres", "-A", "trust", "-N",
             "-E", encoding, "--locale=C")  # fmt: skip
        options = f"-c listen_addresses='' -k {folder} -c fsync=off -c max_connections=10"
        _run(user, "pg_ctl", "-D", f"{folder}/data", "-o", options, "-l", f"{folder}/log", "-w", "start")  # fmt: skip
        try:
            yield f"host={folder} user=postgres dbname=postgres"
        finally:
            _run(user, "pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "-w", "stop")


def _run(user: str, called: str, *arguments: str) -> None:
    found = program(called)
    assert found is not None
    groups = {"group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    # pg_ctl leaves the server behind, which would keep a pipe open
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            [found, *arguments], stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd="/tmp",
            user=user if os.geteuid() == 0 else None, timeout=60, **groups,
        )  # fmt: skip
        said.seek(0)
        assert done.returncode == 0, said.read().decode(errors="replace")
