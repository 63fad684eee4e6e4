"""Fingerprints on Snowflake through its real connector, from a local server that speaks its protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
import snow_columns
import snowflake.connector
from local_server import Local
from snowflake.connector import DictCursor, SnowflakeConnection
from vector_columns import hash_of

import ods_fingerprint as ods
from ods_fingerprint.runners import snowflake as runner

NAN, INF = "nan", "inf"
COLUMNS: dict[str, tuple[str, list[object], str]] = {
    "ID": ("int64", ["1", "2", "9007199254740993", None], "us"),
    "Price": ("decimal(38, 9)", ["12.300000000", "-0.000000001", None, None], "us"),
    "share": ("decimal(4, 4)", ["0.5000", "-0.0001", None, None], "us"),
    "score": ("double", ["0x1.999999999999ap-4", NAN, INF, "-0x1.4p+1"], "us"),
    "odd \"name' 50%": ("string", ["x", "", "ünï🎈", None], "us"),
    "SEEN": ("timestamp_ntz", ["-1", "1577836801123456", None, "253402300799999999"], "us"),
    "at": ("timestamp", ["-1001", "1577836801123456", None, None], "us"),
    "DAY": ("date", ["0", "-719162", "2932896", None], "us"),
    "OK": ("boolean", [True, False, None, None], "us"),
    "TAGS": ("list<string>", [["a"], [], [None], None], "us"),
}


@pytest.fixture(scope="module")
def orders(local: Local, connection: SnowflakeConnection) -> str:
    assert connection.database == "DB"
    local.duckdb(snow_columns.table("ORDERS", COLUMNS))
    local.duckdb('CREATE OR REPLACE TABLE "DB"."S"."POLICIES" (policy_kind TEXT, policy TEXT)')
    return "orders"


@pytest.fixture
def in_duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        found.execute("ATTACH ':memory:' AS DB; CREATE SCHEMA DB.S")
        found.execute(snow_columns.table("ORDERS", COLUMNS))
        yield found


def _figures(found: ods.Fingerprint) -> dict[str, dict[str, object]]:
    columns = json.loads(found.to_json())["columns"]
    return {column["name"]: column["figures"] for column in columns}


def test_a_table_is_what_duckdb_says_of_the_same_values(
    connection: SnowflakeConnection, orders: str, in_duckdb: duckdb.DuckDBPyConnection
) -> None:
    here, there = ods.compute(connection, orders), ods.compute(in_duckdb, "DB.S.ORDERS")
    assert _figures(here) == _figures(there)
    assert here.made_by["engine"].startswith("Snowflake ")
    result = ods.compare(here, there, skip=["tags"])
    assert (result.verdict, result.differences) == ("equal", ())
    assert _figures(here)["ID"]["hash"] == str(hash_of("1", "2", "9007199254740993"))
    assert (_figures(here)["score"]["min"], _figures(here)["score"]["max"]) == (-2.5, 0.1)


def test_a_changed_value_is_seen(
    connection: SnowflakeConnection, orders: str, in_duckdb: duckdb.DuckDBPyConnection
) -> None:
    in_duckdb.execute('UPDATE DB.S.ORDERS SET "Price" = 12.300000001 WHERE "ID" = 1')
    result = ods.compare(ods.compute(connection, orders), ods.compute(in_duckdb, "DB.S.ORDERS"))
    assert [(d.column, d.figure) for d in result.differences] == [("Price", "hash")]


def test_types_are_those_of_the_catalogue(connection: SnowflakeConnection, orders: str) -> None:
    found = runner.schema(connection, orders)
    assert found.origin == "snowflake"
    kinds = [(c["name"], c["type"]) for c in json.loads(found.to_json())["columns"]]
    assert kinds == [
        ("ID", "decimal(38, 0)"),
        ("Price", "decimal(38, 9)"),
        ("share", "decimal(4, 4)"),
        ("score", "double"),
        ("odd \"name' 50%", "string"),
        ("SEEN", "timestamp_ntz"),
        ("at", "timestamp"),
        ("DAY", "date"),
        ("OK", "boolean"),
        ("TAGS", "variant"),
    ]


# as Snowflake's documentation shows what DESCRIBE TABLE returns
_DOCUMENTED = {
    "NUMBER(38,0)": ("decimal(38, 0)", {}),
    "NUMBER(18,2)": ("decimal(18, 2)", {}),
    "FLOAT": ("double", {}),
    "VARCHAR(16777216)": ("string", {}),
    "VARCHAR(10) COLLATE 'en-ci'": ("string", {"collation": "en-ci"}),
    "BOOLEAN": ("boolean", {}),
    "DATE": ("date", {}),
    "TIMESTAMP_NTZ(9)": ("timestamp_ntz", {"unit": "ns"}),
    "TIMESTAMP_NTZ(6)": ("timestamp_ntz", {}),
    "TIMESTAMP_NTZ(3)": ("timestamp_ntz", {}),
    "TIMESTAMP_NTZ(0)": ("timestamp_ntz", {}),
    "TIMESTAMP_LTZ(9)": ("timestamp", {"unit": "ns"}),
    "TIMESTAMP_TZ(6)": ("timestamp", {}),
    "VARIANT": ("variant", {}),
    "VECTOR(FLOAT, 256)": ("list", {}),
    "ARRAY": ("list", {}),
    "ARRAY(NUMBER(38,0))": ("list", {}),
    "OBJECT": ("struct", {}),
    "MAP(VARCHAR(16777216), NUMBER(38,0))": ("map", {}),
    "GEOGRAPHY": ("geography", {}),
    "GEOMETRY": ("geometry", {}),
    "BINARY(8388608)": ("binary", {}),
    "TIME(9)": ("time", {}),
}


def test_documented_types_are_read(connection: SnowflakeConnection, local: Local) -> None:
    local.describe(*((f"c{at}", kind, None) for at, kind in enumerate(_DOCUMENTED)))
    columns = json.loads(runner.schema(connection, "odd").to_json())["columns"]
    for column, (kind, (wanted, keys)) in zip(columns, _DOCUMENTED.items(), strict=True):
        stated = {key: column.get(key) for key in ("unit", "collation") if column.get(key)}
        assert (kind, column["type"].partition("<")[0], stated) == (kind, wanted, keys)


def test_an_unknown_type_names_its_column(connection: SnowflakeConnection, local: Local) -> None:
    local.describe(("A", "NUMBER(38,0)", None), ("B", "HOLOGRAM(3)", None))
    with pytest.raises(ods.SchemaError, match=r"column B: 'HOLOGRAM\(3\)' is no type of snowflake"):
        ods.compute(connection, "odd")


def test_exactly_the_text_of_sql_is_sent_with_a_tag(
    connection: SnowflakeConnection, orders: str, local: Local
) -> None:
    text = ods.sql("DB.S.ORDERS", runner.schema(connection, orders), "snowflake")
    before = len(local.history()["queries"])
    ods.compute(connection, "DB.S.ORDERS")
    sent = local.history()["queries"][before:]
    # a connector before 5 cuts the last line end
    assert [q["sql"].strip() for q in sent if "MD5" in q["sql"]] == [text.strip()]
    assert len(sent) == 4
    for query in sent:
        assert re.fullmatch(r"ods-fingerprint/1, library [\d.]+", query["parameters"]["QUERY_TAG"])
        assert re.match(r"--|SELECT|DESCRIBE", query["sql"]), "nothing is set or changed"


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("orders", '"ORDERS"'),
        ("s.Orders", '"S"."ORDERS"'),
        ("db.s.orders", '"DB"."S"."ORDERS"'),
        ('DB."S".orders', '"DB"."S"."ORDERS"'),
    ],
)
def test_plain_names_are_folded_to_capitals(
    connection: SnowflakeConnection, orders: str, local: Local, typed: str, sent: str
) -> None:
    assert ods.compute(connection, typed).rows == 4
    assert [q for q in local.queries() if "MD5" in q][-1].strip().endswith(f"FROM {sent}")


def test_a_quoted_name_is_exact(connection: SnowflakeConnection, local: Local) -> None:
    local.duckdb(snow_columns.table("Odd.Name", {"x": ("int64", ["7"], "us")}))
    found = ods.compute(connection, 'db.s."Odd.Name"')
    assert _figures(found) == {"x": {"nulls": 0, "hash": str(hash_of("7"))}}


def test_columns_are_chosen_in_any_case(connection: SnowflakeConnection, orders: str) -> None:
    found = ods.compute(connection, orders, columns=["id", "PRICE"])
    assert [c.column.name for c in found.columns] == ["ID", "Price"]
    assert len(found.skipped) == 8
    with pytest.raises(ods.NotCovered, match="TAGS variant"):
        ods.compute(connection, orders, strict=True)


def test_what_is_not_there_is_one_clear_error(connection: SnowflakeConnection) -> None:
    with pytest.raises(ods.SourceError, match=r"^Snowflake: 002003 \(42S02\): [^\n]+NOPE[^\n]+$"):
        ods.compute(connection, "nope")
    with pytest.raises(ods.SourceError, match="has no versions"):
        ods.compute(connection, "orders", version=3)


def test_the_connection_is_as_it_was(connection: SnowflakeConnection, orders: str) -> None:
    mine = connection.cursor(DictCursor)
    mine.execute("SELECT 1 AS a UNION ALL SELECT 2 ORDER BY 1")
    before = (connection.database, connection.schema, connection.role, connection.warehouse)
    ods.compute(connection, orders)
    assert mine.fetchall() == [{"A": 1}, {"A": 2}]
    assert (connection.database, connection.schema, connection.role, connection.warehouse) == before
    assert not connection.is_closed()


def test_a_dialect_given_too_is_the_same(connection: SnowflakeConnection, orders: str) -> None:
    own = ods.compute(connection, orders)
    assert ods.compute(connection, orders, dialect="snowflake") == own
    # the generic way, for what only looks like a cursor of it
    from ods_fingerprint.runners import dbapi

    assert dbapi.compute(connection.cursor(), orders, "snowflake").columns == own.columns


@pytest.mark.slow
def test_past_a_megabyte_the_statements_are_pinned_to_one_moment(
    connection: SnowflakeConnection, local: Local
) -> None:  # R23
    names = [f"{'n' * 240}{at}" for at in range(172)]
    local.duckdb(snow_columns.table("WIDE", {n: ("double", ["0x1p+0", None], "us") for n in names}))
    before = len(local.queries())
    found = ods.compute(connection, "wide")
    sent = [query for query in local.queries()[before:] if query.startswith("--")]
    assert len(sent) > 1
    assert all(len(query.encode()) < 1_000_000 for query in sent)
    moments = {
        moment for query in sent for moment in re.findall(r"AT \(TIMESTAMP => [^)]*\)", query)
    }
    assert len(moments) == 1
    assert re.search(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00'", moments.pop())
    figures = {"nulls": 1, "nan": 0, "posinf": 0, "neginf": 0, "min": 1.0, "max": 1.0, "sum": 1.0}
    assert _figures(found) == dict.fromkeys(names, figures)


def test_policies_are_noted(connection: SnowflakeConnection, local: Local) -> None:
    local.duckdb(
        'CREATE OR REPLACE TABLE "DB"."S"."ODD" AS SELECT 1 AS "A", 2 AS "B";'
        'CREATE OR REPLACE TABLE "DB"."S"."POLICIES" AS SELECT * FROM (VALUES '
        "('ROW_ACCESS_POLICY', 'G.P.ROWS'), ('MASKING_POLICY', 'G.P.MASK'), "
        "('ROW_ACCESS_POLICY', 'G.P.ROWS')) v(policy_kind, policy)"
    )
    local.describe(("A", "NUMBER(38,0)", "G.P.MASK"), ("B", "NUMBER(38,0)", None))
    found = ods.compute(connection, "db.s.odd")
    assert found.notes == (
        "A: masking policy G.P.MASK is set: the fingerprint is of what this role sees",
        "row access policy G.P.ROWS is set: the fingerprint is of what this role sees",
    )
    assert ods.compute(connection, "db.s.odd", skip=["a"]).notes == found.notes[1:]


def test_policies_on_a_view_are_noted(connection: SnowflakeConnection, local: Local) -> None:
    local.duckdb(
        'CREATE OR REPLACE VIEW "DB"."S"."A_VIEW" AS SELECT 1 AS "A";'
        'CREATE OR REPLACE TABLE "DB"."S"."POLICIES" AS '
        "SELECT 'ROW_ACCESS_POLICY' AS policy_kind, 'G.P.ROWS' AS policy"
    )
    (note,) = ods.compute(connection, "db.s.a_view").notes
    assert note.startswith("row access policy G.P.ROWS is set")
    assert [q.rpartition("=> ")[2] for q in local.queries()[-2:]] == ["'TABLE'))", "'VIEW'))"]


def test_policies_that_are_not_shown_are_noted(
    connection: SnowflakeConnection, local: Local
) -> None:
    local.duckdb('CREATE OR REPLACE TABLE "DB"."S"."T" AS SELECT 1 AS "A"')
    local.duckdb('DROP TABLE IF EXISTS "DB"."S"."POLICIES"')
    try:
        (note,) = ods.compute(connection, "t").notes
    finally:
        local.duckdb('CREATE OR REPLACE TABLE "DB"."S"."POLICIES" (policy_kind TEXT, policy TEXT)')
    assert re.match(
        r"whether a row access policy hides rows is not shown to this role: Snowflake: 002003", note
    )


def test_names_that_differ_by_case_alone_are_refused(
    connection: SnowflakeConnection, local: Local
) -> None:  # R22
    local.describe(("a", "NUMBER(38,0)", None), ("A", "NUMBER(38,0)", None))
    with pytest.raises(ods.SchemaError, match="a and A"):
        ods.compute(connection, "odd")


def test_a_session_that_ends_in_between_is_one_clear_error(arguments: dict[str, Any]) -> None:
    with snowflake.connector.connect(**arguments) as connection:
        pass
    with pytest.raises(ods.SourceError, match=r"^Snowflake: .*[Cc]los"):
        ods.compute(connection, "orders")
