"""Ctrl-C: the statement is cancelled in Snowflake too, whatever the connector hears of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest
from local_server import Local

_LONG = """
import json, sys
import snowflake.connector, ods_fingerprint as ods
connection = snowflake.connector.connect(**json.loads(sys.argv[1]))
print("begun", flush=True)
print(ods.compute(connection, "big"))
"""


def test_ctrl_c_cancels_what_runs(
    arguments: dict[str, Any], local: Local, connection: object
) -> None:
    local.duckdb(
        'CREATE OR REPLACE VIEW "DB"."S"."BIG" AS '
        'SELECT md5(i::TEXT) AS "S" FROM range(2000000000) t(i)'
    )
    before = local.history()["aborts"]
    pipe = subprocess.PIPE
    given = [sys.executable, "-c", _LONG, json.dumps(arguments)]
    process = subprocess.Popen(given, stdout=pipe, stderr=pipe)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        assert [sql for sql in local.queries() if "MD5" in sql][-1].strip().endswith('FROM "BIG"')
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (out, b"KeyboardInterrupt" in error) == (b"", True)
    assert local.history()["aborts"] > before
