"""The source `snowflake:CONNECTION_NAME/TABLE` of the command line, and the extra that it needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import snow_columns
from command import refused, shell
from local_server import Local
from vector_columns import hash_of


@pytest.fixture
def home(tmp_path: Path, port: int) -> dict[str, str]:
    """Return the environment in which the connector finds its own file of connections."""
    path = tmp_path / "connections.toml"
    path.write_text(
        f"""[local]
account = "a"
user = "u"
password = "p"
host = "127.0.0.1"
port = {port}
protocol = "http"
database = "DB"
schema = "S"
""",
        encoding="utf-8",
    )
    path.chmod(0o600)
    return {"SNOWFLAKE_HOME": str(tmp_path)}


@pytest.fixture(scope="module")
def orders(port: int, connection: object) -> str:
    local = Local(port)
    columns = {"ID": ("int64", ["1", "2"], "us"), "f": ("double", ["0x1p-1", None], "us")}
    local.duckdb(snow_columns.table("SOURCE", columns))
    local.duckdb('CREATE OR REPLACE TABLE "DB"."S"."POLICIES" (policy_kind TEXT, policy TEXT)')
    return "snowflake:local/db.s.source"


def test_a_source_is_computed_and_its_session_ended(
    home: dict[str, str], orders: str, port: int
) -> None:
    before = Local(port).history()["open"]
    ran = shell("compute", orders, "--json", env=home)
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    figures = {column["name"]: column["figures"] for column in found["columns"]}
    assert figures["ID"] == {"nulls": 0, "hash": str(hash_of("1", "2"))}
    assert (figures["f"]["min"], figures["f"]["nulls"]) == (0.5, 1)
    assert Local(port).history()["open"] == before


def test_a_schema_of_a_source_makes_the_statement(home: dict[str, str], orders: str) -> None:
    schema = shell("schema", orders, env=home)
    assert schema.code == 0
    assert json.loads(schema.out)["dialect"] == "snowflake"
    made = shell(
        "sql", "db.s.source", "--schema", "-", "--dialect", "snowflake", stdin=schema.out.encode()
    )
    assert '"ID" AS VARCHAR' in made.out
    assert 'CAST("f" AS DOUBLE)' in made.out, "a name of the catalogue is exact"


def test_a_source_is_compared_with_a_stored_fingerprint(
    home: dict[str, str], orders: str, tmp_path: Path
) -> None:
    stored = tmp_path / "f.json"
    assert shell("compute", orders, "-o", stored, env=home).code == 0
    assert shell("compare", orders, stored, env=home).code == 0
    ran = shell("compare", orders, stored, "--columns", "id", env=home)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "equal")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("snowflake:", ("snowflake:CONNECTION_NAME/DB.SCHEMA.TABLE",)),
        ("snowflake:local", ("snowflake:CONNECTION_NAME/DB.SCHEMA.TABLE",)),
        ("snowflake:local/", ("snowflake:CONNECTION_NAME/DB.SCHEMA.TABLE",)),
        ("snowflake:/db.s.t", ("snowflake:CONNECTION_NAME/DB.SCHEMA.TABLE",)),
        ("snowflake:other/db.s.t", ("Snowflake: ", "other")),
        ("snowflake:local/db.s.nowhere", ("Snowflake: 002003", "NOWHERE")),
        ("snowflake:local/db..t", ("is empty",)),
    ],
)
def test_a_source_that_is_not_there_is_one_error(
    home: dict[str, str], source: str, words: tuple[str, ...]
) -> None:
    refused(shell("compute", source, env=home), *words)


def test_a_version_is_refused(home: dict[str, str], orders: str) -> None:
    refused(shell("compute", orders, "--version", "3", env=home), "has no versions")
