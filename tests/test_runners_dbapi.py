"""Fingerprints through a DB-API cursor, by a dialect file; the driver is DuckDB's own."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from dialect_files import shipped, written
from vector_columns import hash_of

import ods_fingerprint as ods
from ods_fingerprint.runners import dbapi

# what DuckDB has for catalogues that keep versions
_VERSION = "{table} AT (VERSION => {version})"


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA sales")
        connection.execute(
            "CREATE TABLE sales.orders (id BIGINT, price DECIMAL(9, 2), seen TIMESTAMPTZ, "
            "score DOUBLE, kind ENUM('a', 'b'), tags VARCHAR[])"
        )
        connection.execute(
            "INSERT INTO sales.orders VALUES (1, 12.30, '2026-11-30 12:00:00+00', 0.5, 'a', ['x']), "
            "(2, NULL, NULL, 'nan', 'b', NULL)"
        )
        yield connection


class Cursor:
    """A cursor of DuckDB with the three things that DB-API promises, and what was sent to it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._cursor, self.sent, self.closed = connection.cursor(), list[str](), False

    @property
    def description(self) -> object:
        return self._cursor.description

    def execute(self, operation: str) -> Cursor:
        self.sent.append(operation)
        self._cursor.execute(operation)
        return self

    def fetchall(self) -> list[object]:
        return self._cursor.fetchall()

    def close(self) -> None:
        self.closed = True


class Named(Cursor):
    """One that makes mappings of its rows, as psycopg's dict_row and others do."""

    def fetchall(self) -> list[object]:
        names = [column[0] for column in self._cursor.description or ()]
        return [dict(zip(names, row)) for row in self._cursor.fetchall()]


class Connection:
    """A connection that can do no more than give cursors."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection, self.given = connection, list[Cursor]()

    def cursor(self) -> Cursor:
        self.given.append(Cursor(self._connection))
        return self.given[-1]


def test_a_cursor_says_what_duckdb_itself_says(connection: duckdb.DuckDBPyConnection) -> None:
    own = ods.compute(connection, "sales.orders")
    for cursor in (connection.cursor(), Cursor(connection), Named(connection)):
        found = ods.compute(cursor, "sales.orders", dialect="duckdb")
        assert (found.rows, found.columns, found.notes) == (own.rows, own.columns, own.notes)
        assert found.made_by["engine"] == "DuckDB"
    assert {c.column.name: c for c in own.columns}["id"].figures["hash"] == hash_of("1", "2")


def test_exactly_the_text_of_sql_is_sent_and_the_cursor_stays_open(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    cursor = Cursor(connection)
    there = dbapi.schema(cursor, "sales.orders", "duckdb")
    ods.compute(cursor, "sales.orders", dialect="duckdb")
    assert cursor.sent[-1] == ods.sql("sales.orders", there, "duckdb")
    assert (len(cursor.sent), cursor.closed) == (3, False)


def test_a_connection_is_asked_for_a_cursor_which_is_closed(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    giving = Connection(connection)
    found = ods.compute(giving, "sales.orders", dialect="duckdb", columns=["id"], skip=["id"][1:])
    assert [c.column.name for c in found.columns] == ["id"]
    assert found.skipped == ("price", "seen", "score", "kind", "tags")
    assert [cursor.closed for cursor in giving.given] == [True]


def test_an_error_of_the_driver_is_one_clear_error(connection: duckdb.DuckDBPyConnection) -> None:
    giving = Connection(connection)
    with pytest.raises(
        ods.SourceError, match=r"^DuckDB: Catalog Error: .*nowhere does not exist!$"
    ):
        ods.compute(giving, "nowhere", dialect="duckdb")
    assert [cursor.closed for cursor in giving.given] == [True]


def test_a_bug_is_no_error_of_the_driver(connection: duckdb.DuckDBPyConnection) -> None:
    class Broken(Cursor):
        def fetchall(self) -> list[object]:
            raise TypeError("not the driver's")

    with pytest.raises(TypeError, match="not the driver's"):
        ods.compute(Broken(connection), "sales.orders", dialect="duckdb")


@pytest.mark.parametrize("given", [None, 7, "sales.orders", object()])
def test_what_is_no_cursor_is_refused(given: object) -> None:
    with pytest.raises(ods.SourceError, match="is no DB-API cursor"):
        ods.compute(given, "t", dialect="duckdb")


def test_without_a_dialect_or_a_table_the_error_says_so(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    with pytest.raises(ods.SourceError, match=r"a Cursor is no connection .* with its `dialect`"):
        ods.compute(Cursor(connection), "sales.orders")
    with pytest.raises(ods.SourceError, match="give its table too"):
        ods.compute(Cursor(connection), dialect="duckdb")
    with pytest.raises(ods.DialectError, match="no dialect 'oracle'"):
        ods.compute(Cursor(connection), "t", dialect="oracle")


def test_strict_refuses_what_is_not_covered(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ods.NotCovered, match=r"tags list<string>"):
        ods.compute(Cursor(connection), "sales.orders", dialect="duckdb", strict=True)


def test_a_name_that_is_a_file_reads_no_file(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:  # SE-01
    path = tmp_path / "secret.csv"
    connection.execute(f"COPY (SELECT 1 AS a) TO '{path}'")
    assert connection.execute(f'FROM "{path}"').fetchall() == [(1,)]
    with pytest.raises(ods.SourceError, match="does not exist"):
        ods.compute(Cursor(connection), f'"{path}"', dialect="duckdb")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("SALES.ORDERS", '"sales"."orders"'),
        ('"Odd.Name".X', '"Odd.Name"."x"'),
        ("a.b.c", '"a"."b"."c"'),
    ],
)
def test_plain_names_are_folded_where_the_engine_folds(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, typed: str, found: str
) -> None:
    root = shipped("duckdb")
    root["names"]["fold"] = "lower"
    cursor = Cursor(connection)
    connection.execute('CREATE SCHEMA "Odd.Name"; CREATE TABLE "Odd.Name".x (id BIGINT)')
    connection.execute("ATTACH ':memory:' AS a; CREATE SCHEMA a.b; CREATE TABLE a.b.c (ID BIGINT)")
    ods.compute(cursor, typed, dialect=written(root, tmp_path), columns=["id"])
    assert f"FROM {found}" in cursor.sent[-1]
    # a column's name is the catalogue's own, and exact
    assert ('"ID"' in cursor.sent[-1]) == (typed == "a.b.c")


@pytest.mark.parametrize(
    "query",
    [
        "DESCRIBE {table}",
        "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = SPLIT_PART({name}, '\"', 4)",
        "SELECT column_name, column_type FROM (DESCRIBE {table})",
    ],
)
def test_the_catalogue_is_asked_as_the_file_says(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, query: str
) -> None:
    own = ods.compute(connection, "sales.orders")
    found = ods.compute(
        Cursor(connection), "sales.orders", dialect=written(_with(columns=query), tmp_path)
    )
    assert found.columns == own.columns


def test_a_table_that_the_catalogue_does_not_know_is_an_error(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    query = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = {name}"
    own = written(_with(columns=query), tmp_path)
    with pytest.raises(ods.SourceError, match=r"there is no table or view sales\.orders$"):
        ods.compute(Cursor(connection), "sales.orders", dialect=own)


def test_a_version_is_read_and_described_as_the_file_says(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    root = _with(columns="DESCRIBE {table}", pinned="DESCRIBE SELECT * FROM {source}")
    root["table"]["version"] = _VERSION
    cursor = Cursor(connection)
    with pytest.raises(ods.SourceError, match="does not support time travel"):
        ods.compute(cursor, "sales.orders", dialect=written(root, tmp_path), version=3)
    assert cursor.sent == ['DESCRIBE SELECT * FROM "sales"."orders" AT (VERSION => 3)']


@pytest.mark.parametrize(("key", "version"), [("columns", None), ("pinned", 3)])
def test_a_file_without_the_query_is_named(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, key: str, version: int | None
) -> None:
    root = shipped("duckdb")
    root["table"]["version"] = _VERSION
    del root["catalog"]
    with pytest.raises(ods.DialectError, match=rf"has no catalog\.{key}"):
        ods.compute(Cursor(connection), "t", dialect=written(root, tmp_path), version=version)


def test_a_backslash_does_not_get_into_a_literal(connection: duckdb.DuckDBPyConnection) -> None:
    cursor = Cursor(connection)
    with pytest.raises(ods.CompileError, match="backslash"):
        ods.compute(cursor, '"a\\"', dialect="duckdb")
    assert cursor.sent == []


def test_several_statements_that_nothing_pins_are_noted(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:  # R23
    root = shipped("duckdb") | {"limits": {"columns": 4}}
    found = ods.compute(Cursor(connection), "sales.orders", dialect=written(root, tmp_path))
    assert found.columns == ods.compute(connection, "sales.orders").columns
    assert found.notes == ("computed by 2 statements that no version of the table was pinned for",)


def test_a_result_that_is_not_the_row_is_refused(connection: duckdb.DuckDBPyConnection) -> None:
    class Doubling(Cursor):
        def fetchall(self) -> list[object]:
            found = super().fetchall()
            return found * 2 if "MD5" in self.sent[-1] else found

    with pytest.raises(ods.ResultError, match=r"one row of \d+ figures was asked for; 2 rows"):
        ods.compute(Doubling(connection), "sales.orders", dialect="duckdb")


def test_a_driver_that_binds_to_its_thread_is_used_in_it(tmp_path: Path) -> None:
    root = _with(columns="SELECT name, type FROM PRAGMA_TABLE_INFO({name})")
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (id BIGINT)")
        connection.create_function("MD5", 1, lambda text: "f" * 32)
        # theirs: SQLite has no '0x…' to number cast
        root["figure"]["hash"] = "CAST(COALESCE(SUM(LENGTH(MD5({text}))), 0) AS TEXT)"
        root["catalog"]["columns"] = "SELECT name, type FROM PRAGMA_TABLE_INFO(TRIM({name}, '\"'))"
        found = ods.compute(connection, "t", dialect=written(root, tmp_path))
    assert (found.rows, [c.column.name for c in found.columns]) == (0, ["id"])


_LONG = """
import duckdb, ods_fingerprint as ods
connection = duckdb.connect()
connection.execute("CREATE VIEW v AS SELECT md5(i::TEXT) AS s, i FROM range(2000000000) t(i)")
print("begun", flush=True)
print(ods.compute(connection.cursor(), "v", dialect="duckdb"))
"""


def test_ctrl_c_cancels_what_runs() -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", _LONG], stdout=pipe, stderr=pipe)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (out, b"KeyboardInterrupt" in error) == (b"", True)


def _with(**catalog: str) -> dict[str, dict[str, object]]:
    return shipped("duckdb") | {"catalog": catalog}
