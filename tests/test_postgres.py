"""PostgreSQL, a dialect made of one file: its own server, through the generic DB-API cursor."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import postgres_server
import pyarrow as pa
import pytest
from broken_templates import BROKEN, broken, named_wrong, related, with_broken
from command import run
from dialect_files import written
from postgres_server import needs_postgres
from test_verdicts import DIFFERENT, EQUAL, UNSEEN
from vector_columns import hash_of

import ods_fingerprint as ods
from ods_fingerprint.conform import conform
from ods_fingerprint.judge import judge
from ods_fingerprint.runners.conforming import answers

psycopg = pytest.importorskip("psycopg", reason="needs psycopg")
pytestmark = needs_postgres
Connection = Any
NAN, INF = float("nan"), float("inf")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres_server.server() as found:
        yield found


@pytest.fixture(params=["America/New_York", "Asia/Kolkata"])
def connection(address: str, request: pytest.FixtureRequest) -> Iterator[Connection]:
    with psycopg.connect(address, autocommit=True) as opened:
        opened.execute(f"SET TimeZone = '{request.param}'")
        opened.execute("SET DateStyle = 'SQL, DMY'")
        opened.execute("DROP SCHEMA IF EXISTS own CASCADE")
        opened.execute("CREATE SCHEMA own")
        opened.execute("SET search_path = own, public")
        yield opened


def computed(connection: Connection, table: str) -> ods.Fingerprint:
    return ods.compute(connection, table, dialect="postgres")


def figures(found: ods.Fingerprint) -> list[dict[str, Any]]:
    return [column["figures"] for column in json.loads(found.to_json())["columns"]]


# --- the vectors -----------------------------------------------------------------------------


def test_every_vector_that_postgres_can_express_is_right(connection: Connection) -> None:
    found = ods.conform("postgres", run=connection)
    assert found.failures == ()
    assert found.asked >= 295
    assert found.evidence is not None


def test_the_row_that_psql_saves_is_judged(address: str, tmp_path: Path) -> None:
    psql = postgres_server.program("psql")
    assert psql is not None
    statement = tmp_path / "conform.sql"
    statement.write_text(run("conform", "--dialect", "postgres").out, encoding="utf-8")
    asked = [psql, address, "-X", "--csv", "-f", statement]
    row = subprocess.run(asked, capture_output=True, timeout=60, check=True).stdout
    ran = run("conform", "--dialect", "postgres", "--result", "-", stdin=row)
    assert (ran.code, "0 failed" in ran.out) == (0, True)
    broken_row = row.replace(b"648541476951500027", b"648541476951500028")
    ran = run("conform", "--dialect", "postgres", "--result", "-", stdin=broken_row)
    assert (ran.code, "FAILED string-003" in ran.out) == (1, True)


def test_no_setting_changes_an_answer(connection: Connection) -> None:
    for name, value in (
        ("IntervalStyle", "sql_standard"),
        ("bytea_output", "escape"),
        ("lc_numeric", "C"),
        ("standard_conforming_strings", "on"),
        ("jit", "off"),
        ("client_encoding", "LATIN1"),
    ):
        connection.execute(f"SET {name} = '{value}'")
    asked = conform("postgres", only=related("text", "date") | related("text", "timestamp"))
    assert judge(asked, answers(connection, asked))


@pytest.mark.parametrize(("part", "key"), broken("postgres"))
def test_a_broken_template_fails_and_names_a_vector_of_it(
    part: str, key: str, address: str, tmp_path: Path
) -> None:
    with psycopg.connect(address, autocommit=True) as opened:
        opened.execute("SET TimeZone = 'America/New_York'")
        for template in BROKEN["postgres"][part, key]:
            file = written(with_broken("postgres", part, key, template), tmp_path)
            asked = conform(file, only=related(part, key))
            found = judge(asked, answers(opened, asked))
            assert named_wrong(part, key, found), template


# --- the verdict matrix ----------------------------------------------------------------------

_TYPES = {
    pa.bool_(): "BOOLEAN", pa.int8(): "SMALLINT", pa.int16(): "SMALLINT", pa.int32(): "INTEGER",
    pa.int64(): "BIGINT", pa.uint64(): "NUMERIC(20, 0)", pa.float16(): "REAL",
    pa.float32(): "REAL", pa.float64(): "DOUBLE PRECISION", pa.date32(): "DATE",
    pa.string(): "TEXT", pa.large_string(): "TEXT", pa.list_(pa.int64()): "BIGINT[]",
}  # fmt: skip


def _word(kind: pa.DataType) -> str | None:
    if pa.types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {kind.scale})"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMPTZ"
    if pa.types.is_dictionary(kind):
        return _word(kind.value_type)
    return _TYPES.get(kind)


def _stored(connection: Connection, table: pa.Table, name: str) -> ods.Fingerprint | None:
    """Return the fingerprint of Arrow data in PostgreSQL, or None where it has no such type."""
    words = [_word(field.type) for field in table.schema]
    units = [getattr(field.type, "unit", "us") for field in table.schema]
    # its catalogue has no row for a table without columns: it is refused as absent
    if None in words or not words or "ns" in units or "\0" in str(table.to_pylist()):
        return None
    quoted = ['"' + column.replace('"', '""') + '"' for column in table.column_names]
    columns = ", ".join(f"{column} {word}" for column, word in zip(quoted, words))
    connection.execute(f"CREATE TABLE {name} ({columns})")
    if quoted:
        holes = ", ".join(["%s"] * len(quoted))
        with connection.cursor() as cursor:
            for row in table.to_pylist():
                values = [row[column] for column in table.column_names]
                cursor.execute(f"INSERT INTO {name} VALUES ({holes})", values)
    return computed(connection, name)


def _pair(connection: Connection, a: pa.Table, b: pa.Table) -> list[tuple[Any, Any]]:
    """Return each side here against the other side in PostgreSQL, and both there."""
    one, other = _stored(connection, a, "one"), _stored(connection, b, "other")
    here = ods.compute(a), ods.compute(b)
    pairs = [(one, other), (here[0], other), (one, here[1])]
    return [pair for pair in pairs if None not in pair]


@pytest.mark.parametrize("case", DIFFERENT)
def test_what_differs_is_different_and_named(case: str, connection: Connection) -> None:
    a, b, expected = DIFFERENT[case]
    for one, other in _pair(connection, a, b):
        found = ods.compare(one, other)
        assert found.verdict == "different"
        assert {(d.column, d.figure) for d in found.differences} == expected


@pytest.mark.parametrize("case", [*EQUAL, *UNSEEN])
def test_what_is_equal_is_equal(case: str, connection: Connection) -> None:
    a, b = (EQUAL.get(case) or UNSEEN[case])[:2]
    for one, other in _pair(connection, a, b):
        found = ods.compare(one, other)
        assert found.differences == ()
        assert found.verdict == "equal"


def test_the_matrix_is_hardly_cut() -> None:
    tables = [side for case in (*DIFFERENT.values(), *EQUAL.values()) for side in case[:2]]
    held = [t for t in tables if all(_word(f.type) for f in t.schema)]
    assert len(held) > len(tables) * 0.95


# --- values that PostgreSQL alone has --------------------------------------------------------


@pytest.mark.parametrize("word", ["DATE", "TIMESTAMP", "TIMESTAMPTZ"])
@pytest.mark.parametrize("value", ["infinity", "-infinity"])
def test_r7_an_infinite_moment_is_an_error_that_says_so(
    word: str, value: str, connection: Connection
) -> None:
    connection.execute(f"CREATE TABLE t (x {word})")
    connection.execute(f"INSERT INTO t VALUES ('{value}'), (now()), (NULL)")
    with pytest.raises(ods.SourceError, match=f"no canonical text: {value}"):
        computed(connection, "t")


@pytest.mark.parametrize("word", ["NUMERIC(18, 2)", "NUMERIC(10, 0)"])
def test_a_numeric_that_is_no_number_is_an_error_that_says_so(
    word: str, connection: Connection
) -> None:
    connection.execute(f"CREATE TABLE t (x {word})")
    connection.execute("INSERT INTO t VALUES (1), ('NaN')")
    with pytest.raises(ods.SourceError, match="no canonical text: NaN"):
        computed(connection, "t")


def test_r13_char_is_hashed_as_a_client_sees_it(connection: Connection) -> None:
    connection.execute("CREATE TABLE t (c CHAR(5), v VARCHAR(5))")
    connection.execute("INSERT INTO t VALUES ('ab', 'ab')")
    (seen,) = connection.execute("SELECT c, v FROM t").fetchall()
    assert seen == ("ab   ", "ab")
    found = computed(connection, "t")
    assert [f["hash"] for f in figures(found)] == [str(hash_of(text)) for text in seen]
    assert any("CHAR(5)" in note for note in found.notes)


def test_far_dates_and_moments(connection: Connection) -> None:
    connection.execute("CREATE TABLE t (d DATE, m TIMESTAMP)")
    connection.execute(
        "INSERT INTO t VALUES (DATE '4713-01-01 BC', TIMESTAMP '4713-01-01 00:00:00 BC'), "
        "(DATE '5874897-12-31', TIMESTAMP '294247-01-10 04:00:54.775806')"
    )
    found = figures(computed(connection, "t"))
    assert found[0]["hash"] == str(hash_of("-4712-01-01", "5874897-12-31"))
    assert found[1]["hash"] == str(hash_of("-210863520000000000", "9223372036854775806"))


@pytest.mark.parametrize("word", ["TIMESTAMP", "TIMESTAMPTZ"])
@pytest.mark.parametrize(
    "value", ["294247-01-10 04:00:54.775807+00", "294276-12-31 23:59:59.999999+00"]
)
def test_3_10_microseconds_past_64_bits_are_an_error(
    word: str, value: str, connection: Connection
) -> None:
    """EXTRACT gives no more than 16 digits of them: two moments would have one text."""
    connection.execute(f"CREATE TABLE t (x {word})")
    connection.execute(f"INSERT INTO t VALUES ('{value}')")
    with pytest.raises(ods.SourceError, match="no canonical text: "):
        computed(connection, "t")


def test_5_10_sums_that_overflow_are_told_and_raise_nothing(connection: Connection) -> None:
    connection.execute("CREATE TABLE t (up FLOAT8, down FLOAT8, around FLOAT8, tiny FLOAT8)")
    rows = [(1.7e308, -1.7e308, 1.7e308, 5e-324)] * 3 + [(1.7e308, -1.7e308, -1.7e308, -5e-324)] * 3
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO t VALUES (%s, %s, %s, %s)", rows)
    found = figures(computed(connection, "t"))
    assert [f["sum"] for f in found] == ["inf", "-inf", 0.0, 0.0]
    assert (found[3]["min"], found[3]["max"]) == (-5e-324, 5e-324)


def test_r3_a_session_that_cuts_the_digits_of_floats_is_an_error(connection: Connection) -> None:
    connection.execute("SET extra_float_digits = 0")
    connection.execute("CREATE TABLE t (x FLOAT8)")
    connection.execute("INSERT INTO t VALUES (0.1::float8 + 0.2::float8)")
    with pytest.raises(ods.SourceError, match="extra_float_digits must be above 0, not 0"):
        computed(connection, "t")


def test_a_database_in_another_encoding_hashes_utf_8() -> None:
    with postgres_server.server("LATIN1") as found, psycopg.connect(found) as opened:
        opened.execute("CREATE TABLE t (x TEXT)")
        opened.execute("INSERT INTO t VALUES ('café'), ('ÿ')")
        assert figures(computed(opened, "t"))[0]["hash"] == str(hash_of("café", "ÿ"))


# --- the catalogue ---------------------------------------------------------------------------


def test_catalogue_types(connection: Connection) -> None:
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    connection.execute("CREATE TYPE pair AS (a INT, b TEXT)")
    connection.execute("CREATE DOMAIN money_like AS NUMERIC(12, 2)")
    words = {
        "a": ("SMALLINT", "int16"), "b": ("INTEGER", "int32"), "c": ("BIGSERIAL", "int64"),
        "d": ("NUMERIC(18, 2)", "decimal(18, 2)"), "e": ("NUMERIC(38)", "decimal(38, 0)"),
        "f": ("REAL", "float"), "g": ("DOUBLE PRECISION", "double"), "h": ("TEXT", "string"),
        "i": ("VARCHAR(20)", "string"), "j": ("CHAR(3)", "string"), "k": ("BOOLEAN", "boolean"),
        "l": ("DATE", "date"), "m": ("TIMESTAMP(3)", "timestamp_ntz"),
        "n": ("TIMESTAMPTZ", "timestamp"), "o": ("UUID", "uuid"), "p": ("JSONB", "json"),
        "q": ("INT[][]", "list<int32>"), "r": ("BYTEA", "binary"), "s": ("INTERVAL", "interval"),
        "t": ("TIME(3)", "time"), "u": ("TIMETZ", "time"), "v": ("mood", "string"),
        "w": ("pair", "struct<>"), "x": ("money_like", "decimal(12, 2)"), "y": ("INET", "network"),
        "z": ("INT4RANGE", "range"), "aa": ("BIT(3)", "bit"), "ab": ("BIT VARYING", "bit"),
        "ac": ("INTERVAL DAY TO SECOND", "interval"), "ad": ("NAME", "string"),
        "ae": ("XML", "xml"), "af": ("POINT", "geometry"), "ag": ("MONEY", "money"),
    }  # fmt: skip
    columns = ", ".join(f"{name} {word}" for name, (word, _) in words.items())
    connection.execute(f"CREATE TABLE t ({columns})")
    connection.execute("INSERT INTO t DEFAULT VALUES")
    found = computed(connection, "t")
    kinds = {c["name"]: c["type"] for c in json.loads(found.to_json())["columns"]}
    assert kinds == {name: kind for name, (_, kind) in words.items()}
    assert all(f["nulls"] == (0 if name == "c" else 1) for name, f in zip(words, figures(found)))


def test_an_enum_is_hashed_by_its_label(connection: Connection) -> None:
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    connection.execute("CREATE TABLE t (x mood)")
    connection.execute("INSERT INTO t VALUES ('ok'), ('sad'), ('ok'), (NULL)")
    expected = {"nulls": 1, "hash": str(hash_of("ok", "sad", "ok"))}
    assert figures(computed(connection, "t")) == [expected]


def test_what_is_null_is_what_count_says(connection: Connection) -> None:
    """5.3: IS NULL is true of a row of nulls; it is a value all the same."""
    connection.execute("CREATE TYPE pair AS (a INT, b TEXT)")
    connection.execute("CREATE TABLE t (p pair, l INT[], j JSON)")
    connection.execute("INSERT INTO t VALUES (ROW(NULL, NULL), '{}', 'null'), (NULL, NULL, NULL)")
    assert figures(computed(connection, "t")) == [{"nulls": 1}] * 3


def test_a_numeric_without_digits_is_refused_by_name(connection: Connection) -> None:
    connection.execute("CREATE TABLE t (a NUMERIC, b INT)")
    with pytest.raises(ods.SchemaError, match="column a: NUMERIC without its numeric_precision"):
        computed(connection, "t")
    assert ods.Schema.from_sql({"b": "integer"}, "postgres").columns[0].name == "b"


def test_a_collation_is_noted_and_ignored(connection: Connection) -> None:
    connection.execute(
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
    )
    connection.execute("CREATE TABLE t (x TEXT COLLATE loose)")
    connection.execute("INSERT INTO t VALUES ('a'), ('A')")
    found = computed(connection, "t")
    assert figures(found)[0]["hash"] == str(hash_of("a", "A"))
    assert any("collation loose" in note for note in found.notes)


def test_names_fold_down_and_quoted_ones_are_exact(connection: Connection) -> None:
    connection.execute('CREATE TABLE t ("Id" INT, "a""b" INT, "select" INT, "größe" INT, t INT)')
    connection.execute('CREATE TABLE "T" (x INT)')
    names = [c.column.name for c in computed(connection, "OWN.T").columns]
    assert names == ["Id", 'a"b', "select", "größe", "t"]
    assert [c.column.name for c in computed(connection, 'own."T"').columns] == ["x"]
    with pytest.raises(ods.SourceError, match="no table or view absent"):
        computed(connection, "absent")


def test_a_view_a_long_name_and_a_wide_table(connection: Connection) -> None:
    wide = ", ".join(f"c{at} INT" for at in range(900))
    connection.execute(f"CREATE TABLE wide ({wide})")
    connection.execute("INSERT INTO wide (c0, c899) VALUES (7, 8)")
    found = computed(connection, "wide")
    assert figures(found)[0]["hash"] == str(hash_of("7"))
    assert figures(found)[899]["hash"] == str(hash_of("8"))
    assert any("2 statements" in note for note in found.notes)
    long = "n" * 63
    connection.execute(f'CREATE VIEW v AS SELECT 1 AS "{long}", 2 AS "{long[:-1]}m"')
    assert [f["hash"] for f in figures(computed(connection, "v"))] == [
        str(hash_of("1")),
        str(hash_of("2")),
    ]


def test_many_values_against_hashlib_and_the_local_calculator(connection: Connection) -> None:
    draw = random.Random(7)
    rows = [
        (
            draw.randint(-(2**63), 2**63 - 1),
            Decimal(draw.randint(-(10**18), 10**18)).scaleb(-9),
            "".join(map(chr, draw.choices(range(1, 0xD7FF), k=5))),
            draw.choice([0.1, 1e300, -1e-300, NAN, INF, -INF, None, draw.random()]),
            date.fromordinal(draw.randint(1, 3652059)),
            datetime.fromtimestamp(draw.randint(-(10**9), 10**10) + 0.5, timezone.utc),
        )
        for _ in range(2000)
    ]
    connection.execute("CREATE TABLE t (i INT8, d NUMERIC(38, 9), s TEXT, f FLOAT8, a DATE, m TIMESTAMPTZ)")  # fmt: skip
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO t VALUES (%s, %s, %s, %s, %s, %s)", rows)
    found = computed(connection, "t")
    assert figures(found)[0]["hash"] == str(hash_of(*(str(row[0]) for row in rows)))
    assert figures(found)[2]["hash"] == str(hash_of(*(row[2] for row in rows)))
    kinds = [pa.int64(), pa.decimal128(38, 9), pa.string(), pa.float64(), pa.date32(), pa.timestamp("us", "UTC")]  # fmt: skip
    columns = [pa.array(column, kind) for column, kind in zip(zip(*rows), kinds)]
    here = ods.compute(pa.table(columns, names=list("idsfam")))
    assert ods.compare(here, found).verdict == "equal"
