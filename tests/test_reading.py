"""A result row that someone else's engine returned (R25), against what DuckDB itself returns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from command import ID_HASH, PRICE_HASH, orders, refused, run

import ods_fingerprint as ods
from ods_fingerprint.errors import OdsError
from ods_fingerprint.reading import read
from ods_fingerprint.runners.duckdb import schema as schema_of

SCHEMA = ods.Schema.from_sql({"id": "bigint", "f": "double"}, "duckdb")
ROW = {
    "rows": "3",
    "id__nulls": "1",
    "id__hash": "1769094790098313096",
    "f__nulls": "0",
    "f__nan": "1",
    "f__posinf": "0",
    "f__neginf": "0",
    "f__min": "-1.5",
    "f__max": "2.0",
    "f__sum": "0.5",
}


def with_figures(**changed: str | None) -> str:
    return json.dumps({**ROW, **changed})


def found(text: str) -> ods.Fingerprint:
    return read([text], SCHEMA, "duckdb")


def as_csv(row: dict[str, str]) -> str:
    return ",".join(row) + "\n" + ",".join(row.values()) + "\n"


EXPECTED = found(json.dumps(ROW))


def test_the_figures_are_those_of_the_row() -> None:
    by_name = {one.column.name: dict(one.figures) for one in EXPECTED.columns}
    assert EXPECTED.rows == 3
    assert by_name["id"] == {"nulls": 1, "hash": 1769094790098313096}
    assert by_name["f"] == {
        "nulls": 0,
        "nan": 1,
        "posinf": 0,
        "neginf": 0,
        "min": -1.5,
        "max": 2.0,
        "sum": 0.5,
    }


@pytest.mark.parametrize(
    "change",
    (
        lambda row: row,
        lambda row: {name.upper(): row[name] for name in row},
        lambda row: dict(reversed(row.items())),
        lambda row: {f" {name} ": row[name] for name in row},
    ),
)
@pytest.mark.parametrize("form", (as_csv, json.dumps, lambda row: json.dumps([row])))
def test_names_match_whatever_their_case_and_order(
    change: Callable[[dict[str, str]], dict[str, str]], form: Callable[[dict[str, str]], str]
) -> None:
    assert found(form(change(ROW))) == EXPECTED


@pytest.mark.parametrize("name", list(ROW))
def test_each_planned_name_must_be_there(name: str) -> None:
    row = {key: value for key, value in ROW.items() if key != name}
    with pytest.raises(OdsError, match=name):
        found(json.dumps(row))


@pytest.mark.parametrize("name", ("x__nulls", "id__nan", "f__hash", "id", ""))
def test_no_other_name_may_be_there(name: str) -> None:
    with pytest.raises(OdsError, match=f"the row holds {name}"):
        found(with_figures(**{name: "0"}))


def test_a_name_that_is_there_in_two_cases_is_refused() -> None:
    with pytest.raises(OdsError, match="ID__HASH is there twice"):
        found(with_figures(ID__HASH=ROW["id__hash"]))


@pytest.mark.parametrize("second", (ROW, {**ROW, "rows": "4"}))
def test_two_rows_of_one_table_are_refused(second: dict[str, str]) -> None:
    text = as_csv(ROW) + ",".join(second.values()) + "\n"
    with pytest.raises(OdsError, match=r"twice|different tables"):
        found(text)
    with pytest.raises(OdsError, match=r"twice|different tables"):
        read([as_csv(ROW), as_csv(second)], SCHEMA, "duckdb")


def test_no_row_and_no_header_are_refused() -> None:
    with pytest.raises(OdsError, match="no row"):
        found(",".join(ROW) + "\n")
    with pytest.raises(OdsError, match="header"):
        found(",".join(ROW.values()) + "\n" + ",".join(ROW.values()) + "\n")


def test_several_parts_make_one_fingerprint_in_any_order() -> None:
    first = {name: ROW[name] for name in list(ROW)[:3]}
    second = {name: ROW[name] for name in ROW if name == "rows" or name.startswith("f__")}
    for parts in ([as_csv(first), json.dumps(second)], [json.dumps([second, first])]):
        assert read(parts, SCHEMA, "duckdb") == EXPECTED
    with pytest.raises(OdsError, match="different tables: 3 rows and 4 rows"):
        read([as_csv(first), as_csv({**second, "rows": "4"})], SCHEMA, "duckdb")
    with pytest.raises(OdsError, match="the row lacks f__nulls"):
        read([as_csv(first)], SCHEMA, "duckdb")
    del second["rows"]
    with pytest.raises(OdsError, match="rows"):
        read([as_csv(first), as_csv(second)], SCHEMA, "duckdb")


@pytest.mark.parametrize(
    "hash_",
    (
        "1.76909479e18",
        "1,76,094",
        "1,769 094",
        "1_769",
        "١٢٣",
        "0x10",
        "+5",
        "-5",
        "5.5",
        "",
        "NULL",
        "nan",
        "5e0",
    ),
)
def test_a_hash_that_may_have_lost_digits_or_is_none_is_refused(hash_: str) -> None:
    with pytest.raises(OdsError, match="hash"):
        found(with_figures(id__hash=hash_))


@pytest.mark.parametrize("number", ("3.612809648614499E18", "3612809648614499000.0", "5e0"))
def test_a_hash_that_some_tool_made_a_float_is_to_be_given_as_text(number: str) -> None:
    with pytest.raises(OdsError, match="as text"):
        found(with_figures(id__hash=number))
    with pytest.raises(OdsError, match="as text"):
        found(with_figures(id__hash="?").replace('"?"', number))


@pytest.mark.parametrize("null", ("", "NULL", "null", None))
def test_an_all_null_float_column(null: str | None) -> None:
    made = found(with_figures(f__nulls="3", f__nan="0", f__min=null, f__max=null, f__sum=null))
    assert [made.columns[1].figures[key] for key in ("min", "max", "sum")] == [None, None, None]


@pytest.mark.parametrize(
    ("text", "word"),
    (("inf", "inf"), ("Infinity", "inf"), ("-Infinity", "-inf"), ("-inf", "-inf"), ("NaN", "nan")),
)
def test_a_sum_that_overflowed(text: str, word: str) -> None:
    made = found(with_figures(f__sum=text))
    assert json.loads(made.to_json())["columns"][1]["figures"]["sum"] == word


@pytest.mark.parametrize("text", ("1_0", "١", "1,5", "0x1p3", "1.5 2", "true", "1e999"))
def test_a_float_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(OdsError, match="f"):
        found(with_figures(f__max=text))


@pytest.mark.parametrize(
    "changed", ({"rows": "0"}, {"id__nulls": "4"}, {"f__nan": "9"}, {"f__min": "3"})
)
def test_a_row_that_contradicts_itself_is_refused(changed: dict[str, str]) -> None:
    with pytest.raises(OdsError):
        found(with_figures(**changed))


def duckdb_row(
    connection: duckdb.DuckDBPyConnection, statement: str, form: str, folder: Path
) -> str:
    path = folder / f"row.{form}"
    options = (
        "FORMAT csv, HEADER"
        if form == "csv"
        else "FORMAT json" + (", ARRAY" if form == "array" else "")
    )
    connection.execute(f"COPY ({statement}) TO '{path}' ({options})")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ("csv", "json", "array"))
def test_a_real_row_of_duckdb_is_what_compute_gives(form: str, tmp_path: Path) -> None:
    held = orders()
    with duckdb.connect() as connection:
        connection.register("held", held)
        connection.execute('CREATE TABLE t AS SELECT *, 0.1 + score AS "a,b""c\n" FROM held')
        connection.execute("CREATE TABLE none AS SELECT * FROM t LIMIT 0")
        for table in ("t", "none"):
            schema = schema_of(connection, table)
            text = duckdb_row(connection, ods.sql(table, schema, "duckdb"), form, tmp_path)
            computed = ods.compute(connection, table)
            assert read([text], schema, "duckdb") == computed
            assert ods.compare(read([text], schema, "duckdb"), computed).verdict == "equal, partial"
    assert f'"{ID_HASH}"' in computed.to_json() or computed.rows == 0


def test_read_on_the_command_line(tmp_path: Path) -> None:
    schema, row, output = tmp_path / "s.json", tmp_path / "row.csv", tmp_path / "f.json"
    schema.write_text('{"id": "bigint", "price": "decimal(18,2)"}')
    cells = {
        "ROWS": "4",
        "ID__NULLS": "0",
        "ID__HASH": ID_HASH,
        "PRICE__NULLS": "1",
        "PRICE__HASH": PRICE_HASH,
    }
    written = io.StringIO()
    csv.writer(written).writerows([cells, cells.values()])
    row.write_text(written.getvalue())
    options = ("--schema", schema, "--schema-dialect", "spark", "--dialect", "snowflake")
    ran = run("read", row, *options, "-o", output)
    assert (ran.code, ran.err) == (0, "")
    assert ID_HASH in ran.out
    assert run("read", "-", *options, "--json", stdin=row.read_bytes()).out == output.read_text()
    refused(run("read", row, *options, "--columns", "id"), "PRICE__NULLS")
    refused(run("read", tmp_path / "none.csv", *options), "none.csv")
    row.write_bytes(written.getvalue().encode("utf-16"))
    refused(run("read", row, *options), "UTF-8")


def test_read_strict(tmp_path: Path) -> None:
    row = b'{"rows": 0, "t__nulls": 0}'
    options = ("read", "-", "--schema", '{"t": "time"}', "--dialect", "duckdb")
    refused(run(*options, "--strict", stdin=row), "t time")
    assert run(*options, stdin=row).code == 0
