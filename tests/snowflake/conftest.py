"""A local Snowflake in a process of its own, and the real connector on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import snowflake.connector
from snowflake.connector import SnowflakeConnection

sys.path.insert(0, str(Path(__file__).parents[1]))
# the server needs a connector of version 4: the tests of a later one start it with another Python
_PYTHON = os.environ.get("SNOWFLAKE_SERVER_PYTHON", sys.executable)


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    server = Path(__file__).with_name("server.py")
    pipe = subprocess.PIPE
    with subprocess.Popen([_PYTHON, str(server)], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        found = int(process.stdout.readline())
        _wait(found)
        yield found
        process.stdin.close()
        process.wait(30)


@pytest.fixture(scope="session")
def arguments(port: int) -> dict[str, Any]:
    return {
        "user": "u",
        "password": "p",
        "account": "a",
        "host": "127.0.0.1",
        "port": port,
        "protocol": "http",
        "database": "DB",
        "schema": "S",
        "session_parameters": {"CLIENT_OUT_OF_BAND_TELEMETRY_ENABLED": False},
    }


@pytest.fixture(scope="session")
def connection(arguments: dict[str, Any]) -> Iterator[SnowflakeConnection]:
    with snowflake.connector.connect(**arguments) as connection:
        yield connection


def history(port: int) -> list[dict[str, Any]]:
    """Return every statement that the server was sent, with its parameters."""
    with urlopen(f"http://127.0.0.1:{port}/history") as answer:
        return json.load(answer)


def _wait(port: int) -> None:
    for _ in range(100):
        try:
            history(port)
        except URLError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the local server did not start")
