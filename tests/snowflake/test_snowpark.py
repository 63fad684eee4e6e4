"""A Snowpark session: its own connection is used, and left as it was."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
import snow_columns
from local_server import Local
from snowflake.connector import SnowflakeConnection
from vector_columns import hash_of

import ods_fingerprint as ods

pytestmark = pytest.mark.skipif(
    find_spec("snowflake.snowpark") is None, reason="Snowpark takes no connector of version 5"
)


def test_a_session_is_taken_as_its_connection(
    connection: SnowflakeConnection, local: Local
) -> None:
    from snowflake.snowpark import Session

    local.duckdb(snow_columns.table("PARK", {"ID": ("int64", ["1", "2"], "us")}))
    local.duckdb('CREATE OR REPLACE TABLE "DB"."S"."POLICIES" (policy_kind TEXT, policy TEXT)')
    session = Session.builder.configs({"connection": connection}).create()
    found = ods.compute(session, "park")
    assert found.columns[0].figures == {"nulls": 0, "hash": hash_of("1", "2")}
    assert found == ods.compute(connection, "park")
    assert not connection.is_closed()
    with pytest.raises(ods.SourceError, match=r"^Snowflake: 002003"):
        ods.compute(session, "nowhere")
