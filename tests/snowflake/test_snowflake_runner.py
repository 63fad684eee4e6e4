"""Fingerprints on Snowflake through its real connector, from a local server that speaks its protocol."""

from __future__ import annotations

import pytest
from snowflake.connector import SnowflakeConnection

import ods_fingerprint as ods


def test_first(connection: SnowflakeConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("create table t (id number(38,0), price number(18,2), f float, v varchar(20), b boolean, d date, ts timestamp_ntz, lt timestamp_ltz, tz timestamp_tz(6), va variant, a array, o object, bi binary, ti time, fr number(5,5))")
    cursor.execute("insert into t (id,price,f,v,b,d,ts,lt,tz,bi,ti,fr) values (1,12.30,0.5,'x',true,'2020-01-01','2020-01-01 00:00:00.123456','2020-01-01','2020-01-01','ab','12:00:00', 0.5)")
    cursor.execute("create table policies (policy_kind varchar, policy varchar)")
    print(ods.compute(connection, "t"))
    found = ods.compute(connection, "t")
    print(found.to_json())
    assert 0
