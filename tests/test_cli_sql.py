"""`ods-fingerprint sql`: the statement, its names, and every form of --schema."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
import sqlglot
from command import ID_HASH, PRICE_HASH, blocked, database, orders, parquet, refused, run, shell

DIALECTS = ("duckdb", "postgres", "spark", "snowflake")
UX_01 = '{"id": "bigint", "geo": "geography", "t": "time"}'
HOSTILE = 'x"; DROP TABLE t; --'


def test_ux_01_strict_refuses_all_columns_in_one_block() -> None:
    ran = run("sql", "orders", "--schema", UX_01, "--dialect", "snowflake", "--strict")
    refused(ran, "geo geography", "t time", "not in fingerprint v1", "use --skip geo,t")
    assert ran.err.count("\n") == 2


def test_ux_01_without_strict_counts_nulls_and_names_the_columns_on_stderr() -> None:
    ran = run("sql", "orders", "--schema", UX_01, "--dialect", "snowflake")
    assert ran.code == 0
    assert [line for line in ran.err.splitlines() if line.startswith("not covered:")] == [
        "not covered: geo geography: only nulls are counted",
        "not covered: t time: only nulls are counted",
    ]
    assert '"GEO__nulls"' in ran.out
    assert '"GEO__hash"' not in ran.out
    assert '"T__hash"' not in ran.out


def test_ux_01_the_advice_of_the_error_works() -> None:
    ran = run(
        "sql", "orders", "--schema", UX_01, "--dialect", "snowflake", "--strict", "--skip", "geo,t"
    )
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_se_03_a_hostile_type_is_refused(dialect: str) -> None:
    schema = json.dumps({"y": "bigint); DROP TABLE t; --"})
    refused(run("sql", "t", "--schema", schema, "--dialect", dialect), "column y")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_se_03_hostile_names_stay_inside_quotes(dialect: str) -> None:
    schema = json.dumps({HOSTILE: "bigint", "y": "string"})
    table = '"' + HOSTILE.replace('"', '""') + '"'
    words = ("--schema-dialect", "spark")
    ran = run("sql", table, "--schema", schema, "--dialect", dialect, *words)
    assert ran.code == 0
    (parsed,) = sqlglot.parse(ran.out, read=dialect)
    assert isinstance(parsed, sqlglot.exp.Select)
    assert not list(parsed.find_all(sqlglot.exp.Drop))


@pytest.mark.parametrize(
    ("options", "expected"),
    (
        ((), '"SALES"."ORDERS"'),
        (("--names", "fold"), '"SALES"."ORDERS"'),
        (("--names", "exact"), '"sales"."orders"'),
    ),
)
def test_plain_names_fold_in_a_dialect_that_folds(options: tuple[str, ...], expected: str) -> None:
    schema = ("--schema", '{"id": "bigint"}', "--schema-dialect", "spark")
    ran = run("sql", "sales.orders", *schema, "--dialect", "snowflake", *options)
    assert f"FROM {expected}" in ran.out
    assert ('"ID"' in ran.out) == ("SALES" in expected)


def test_a_quoted_part_is_exact_and_only_a_plain_word_folds() -> None:
    schema = (
        "--schema",
        '{"my id": "bigint"}',
        "--schema-dialect",
        "spark",
        "--dialect",
        "snowflake",
    )
    ran = run("sql", 'sales."orders"', *schema)
    assert 'FROM "SALES"."orders"' in ran.out
    assert '"my id"' in ran.out


def test_spark_and_duckdb_do_not_fold() -> None:
    for dialect in ("spark", "duckdb"):
        ran = run("sql", "Sales.Orders", "--schema", '{"Id": "bigint"}', "--dialect", dialect)
        assert "Id" in ran.out
        assert "ORDERS" not in ran.out


def test_names_of_the_engines_own_catalogue_are_exact() -> None:
    described = b'name,type,kind\nid,"NUMBER(38,0)",COLUMN\n'
    ran = run("sql", "t", "--schema", "-", "--dialect", "snowflake", stdin=described)
    assert '"id__nulls"' in ran.out
    assert '"ID' not in ran.out


def test_the_statement_runs_and_gives_the_figures_of_the_front_door(tmp_path: Path) -> None:
    path, held = parquet(tmp_path), orders()
    run("schema", path, "-o", tmp_path / "s.json")
    ran = run("sql", "held", "--schema", tmp_path / "s.json", "--dialect", "duckdb")
    with duckdb.connect() as connection:
        connection.register("held", held)
        row = connection.execute(ran.out).fetchone()
    assert row is not None
    assert row[:5] == (4, 0, ID_HASH, 1, PRICE_HASH)


def test_the_first_line_is_a_comment_with_spec_dialect_and_library() -> None:
    ran = run("sql", "t", "--schema", '{"id": "bigint"}', "--dialect", "snowflake")
    first = ran.out.splitlines()[0]
    assert first.startswith("-- ods-fingerprint/1, dialect snowflake, library ")
    assert ran.out.isascii()


def test_sql_as_json_and_to_a_file(tmp_path: Path) -> None:
    schema = ("--schema", '{"id": "bigint"}', "--dialect", "spark")
    plain = run("sql", "t", *schema)
    found = json.loads(run("sql", "t", *schema, "--json").out)
    assert found == {"spec": "ods-fingerprint/1", "dialect": "spark", "statements": [plain.out]}
    written = run("sql", "t", *schema, "-o", tmp_path / "t.sql")
    assert (written.code, written.out) == (0, "")
    assert (tmp_path / "t.sql").read_bytes() == plain.out.encode()


def test_a_wide_table_gives_several_statements_said_on_stderr() -> None:
    schema = json.dumps({f"column_{at}": "timestamp_ntz" for at in range(5000)})
    ran = run("sql", "t", "--schema", "-", "--dialect", "snowflake", stdin=schema.encode())
    count = ran.out.count("-- ods-fingerprint/1, part ")
    assert count > 1
    assert f"{count} statements" in ran.err
    assert f"part {count} of {count}" in ran.out


def test_a_pinned_read() -> None:
    schema = ("--schema", '{"id": "bigint"}', "--dialect", "spark")
    assert "VERSION AS OF 3" in run("sql", "t", *schema, "--version", 3).out
    assert "2026-01-02" in run("sql", "t", *schema, "--timestamp", "2026-01-02T03:04:05Z").out
    refused(run("sql", "t", *schema, "--version", 3, "--timestamp", "2026-01-02"))
    refused(run("sql", "t", *schema, "--timestamp", "yesterday"), "yesterday", "ISO 8601")


def test_an_unknown_dialect_names_the_known_ones() -> None:
    refused(
        run("sql", "t", "--schema", "{}", "--dialect", "oracle"),
        "oracle",
        "duckdb",
        "snowflake",
        "spark",
    )


def test_a_dialect_of_the_users_own_is_a_path(tmp_path: Path) -> None:
    shipped = Path(__file__).resolve().parents[1] / "dialects" / "duckdb.toml"
    own = tmp_path / "mine.toml"
    own.write_bytes(shipped.read_bytes())
    ran = run("sql", "t", "--schema", '{"id": "bigint"}', "--dialect", own)
    assert ran.code == 0
    assert str(tmp_path) not in ran.out
    refused(run("sql", "t", "--schema", "{}", "--dialect", tmp_path / "none.toml"), "none.toml")


@pytest.mark.parametrize("path", ("", ".", '"open', "a..b", 'a."b"c'))
def test_a_table_name_that_is_none_is_refused(path: str) -> None:
    refused(run("sql", path, "--schema", '{"id": "bigint"}', "--dialect", "spark"), "table name")


def test_escape_sequences_of_a_name_stay_in_the_statement_and_out_of_messages() -> None:
    name = "a\x1b[31mb"
    schema = json.dumps({name: "time", "plain": "int"})
    ran = shell("sql", "t", "--schema", schema, "--dialect", "duckdb")
    assert ran.code == 0
    assert f'"{name}"' in ran.out
    assert "\x1b" not in ran.err
    assert "\x1b" not in run("sql", "t", "--schema", schema, "--dialect", "duckdb", "--strict").err
    assert (
        "\x1b"
        not in run("sql", "t", "--schema", json.dumps({name: "nope"}), "--dialect", "duckdb").err
    )


def test_sql_needs_neither_pyarrow_nor_duckdb() -> None:
    schema = '{"id": "bigint", "f": "double"}'
    ran = blocked("sql", "t", "--schema", schema, "--dialect", "snowflake")
    assert (ran.code, ran.err) == (0, "")
    assert "ID__hash" in ran.out


@pytest.mark.parametrize("command", ("compute", "schema"))
def test_a_missing_package_is_named_with_its_extra(command: str, tmp_path: Path) -> None:
    for source in (parquet(tmp_path), f"duckdb:{database(tmp_path)}/orders", tmp_path):
        error = refused(blocked(command, source), "pip install 'ods-fingerprint[duckdb]'")
        assert error.count("\n") == 1
