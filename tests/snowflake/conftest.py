"""A local Snowflake in a process of its own, and the real connector on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(1, str(Path(__file__).parents[1]))

import local_server
from local_server import Local

if TYPE_CHECKING:
    from snowflake.connector import SnowflakeConnection

# these tests have environments of their own
if "snowflake" not in packages_distributions():
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    with local_server.started() as port:
        yield port


@pytest.fixture(scope="session")
def local(port: int) -> Local:
    return Local(port)


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
    with import_module("snowflake.connector").connect(**arguments) as connection:
        yield connection
