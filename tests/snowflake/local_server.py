"""The local Snowflake, and what it does beside Snowflake's protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from vector_columns import NoForm

# the server needs a connector of version 4: the tests of another start it with another Python
_PYTHON = os.environ.get("SNOWFLAKE_SERVER_PYTHON", sys.executable)


@contextmanager
def started() -> Iterator[int]:
    """Run the server in a process of its own; the port is where it listens."""
    server = Path(__file__).with_name("server.py")
    process = subprocess.Popen([_PYTHON, str(server)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        _wait(port)
        yield port
    finally:
        process.kill()
        process.communicate()


class Local:
    """What the server does beside Snowflake's protocol."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}"

    def history(self) -> dict[str, Any]:
        """Return what was sent: `queries`, how many `aborts`, how many sessions are `open`."""
        with urlopen(f"{self._url}/history") as answer:
            return json.load(answer)

    def queries(self) -> list[str]:
        """Return every statement that was sent."""
        return [query["sql"] for query in self.history()["queries"]]

    def duckdb(self, sql: str) -> None:
        """Run a statement in the DuckDB inside."""
        with urlopen(f"{self._url}/duckdb", sql.encode()) as answer:
            if fault := json.load(answer):
                raise NoForm(fault)

    def describe(self, *rows: tuple[str, str, str | None]) -> None:
        """Say how the table ODD is described: names, types and masking policies."""
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        self.duckdb(
            'CREATE OR REPLACE TABLE "DB"."S"."DESCRIBED" AS '
            f'SELECT * FROM (VALUES {values}) v("name", "type", "policy name")'
        )


def _literal(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _wait(port: int) -> None:
    for _ in range(100):
        try:
            Local(port).history()
        except URLError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the local server did not start")
