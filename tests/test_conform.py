"""`conform`: the vectors as SQL over literals, and the judge that must not be fooled."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from broken_templates import BROKEN, broken, named_wrong, related, with_broken
from command import refused, run
from dialect_files import DIALECTS, shipped, written
from shared import spec_vectors
from sqlglot import exp

import ods_fingerprint as ods
from ods_fingerprint.conform import conform
from ods_fingerprint.dialect import load, text_key
from ods_fingerprint.judge import judge
from ods_fingerprint.vectors import engine_vectors

Row = dict[str, Any]


def answers(asked: ods.Conform) -> list[Row]:
    """Return what DuckDB answers, in a zone that moves hours."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'America/New_York'")
        found: list[Row] = []
        for text in asked.statements:
            names = [column[0] for column in connection.execute(text).description]
            found += [dict(zip(names, row)) for row in connection.fetchall()]
        return found


@pytest.fixture(scope="module")
def duckdb_row() -> Row:
    (row,) = answers(ods.conform("duckdb"))
    return row


ASKED = ods.conform("duckdb")


def judged(row: Mapping[str, object]) -> ods.Judgement:
    return judge(ASKED, [row])


def test_duckdb_has_every_vector_right(duckdb_row: Row) -> None:
    found = judged(duckdb_row)
    assert found
    assert found.failures == ()
    assert found.asked + len(found.gaps) == len(engine_vectors())
    assert found.engine_version == duckdb.__version__
    assert duckdb.__version__ in json.loads(str(found.evidence).removeprefix("versions = "))


def test_every_vector_that_an_engine_can_answer_is_there() -> None:
    wanted = [v["id"] for kind in ("value", "column", "table") for v in spec_vectors(kind)]
    assert sorted(vector.id for vector in engine_vectors()) == sorted(map(str, wanted))
    assert len(wanted) > 300


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_vector_is_dropped_without_a_reason(dialect: str) -> None:
    asked = ods.conform(dialect)
    ids = [v.id for v in asked.vectors] + [gap.vector.id for gap in asked.gaps]
    assert sorted(ids) == sorted(vector.id for vector in engine_vectors())
    assert all(gap.why for gap in asked.gaps)
    assert len(asked.gaps) < 40


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_template_is_in_the_statement_as_the_file_has_it(dialect: str) -> None:
    """Whatever a fingerprint is made of is asked: a template that is not there cannot fail."""
    used, text = load(dialect), "\n".join(ods.conform(dialect).statements)
    parts = {"text": used.text, "row": used.row, "figure": used.figure}
    for part, templates in parts.items():
        for key, template in templates.items():
            fragments = [f for f in re.split(r"\{\w+\}", template) if f.strip(" ()")]
            missing = [fragment for fragment in fragments if fragment not in text]
            assert not missing, (part, key)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_text_of_each_kind_is_asked(dialect: str) -> None:
    asked = ods.conform(dialect)
    keys = {text_key(told.column.type) for vector in asked.vectors for told in vector.columns}
    assert keys >= set(load(dialect).text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_statement_is_one_select_that_reads_no_table(dialect: str) -> None:
    for text in ods.conform(dialect).statements:
        (parsed,) = sqlglot.parse(text, dialect=dialect)
        assert isinstance(parsed, exp.Select)
        tables = {cte.alias for cte in parsed.find_all(exp.CTE)}
        assert {table.name for table in parsed.find_all(exp.Table)} == tables


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_the_vectors_hold_stands_in_the_statement_as_digits(dialect: str) -> None:
    """A NUL or a quote in a pasted statement would not survive the way; only names may be so."""
    for text in ods.conform(dialect).statements:
        assert "\0" not in text
        assert "café" not in text


# --- a template that is broken ---------------------------------------------------------------


@pytest.mark.one_version
@pytest.mark.parametrize(("part", "key"), broken("duckdb"))
def test_a_broken_template_fails_and_names_a_vector_of_it(
    part: str, key: str, tmp_path: Path
) -> None:
    for template in BROKEN["duckdb"][part, key]:
        path = written(with_broken("duckdb", part, key, template), tmp_path)
        asked = conform(path, only=related(part, key))
        found = judge(asked, answers(asked))
        assert not found
        assert found.evidence is None
        assert named_wrong(part, key, found), template


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_template_of_each_dialect_has_a_breakage(dialect: str) -> None:
    used = load(dialect)
    wanted = {
        (part, key)
        for part in ("text", "row", "figure", "unpivot")
        for key, value in shipped(dialect).get(part, {}).items()
        if isinstance(value, str)
    }
    assert set(BROKEN[dialect]) == wanted
    assert used.table["plain"] == "{table}"


def test_what_is_asked_in_part_is_no_evidence() -> None:
    asked = conform("duckdb", only={"date-001"})
    found = judge(asked, answers(asked))
    assert found
    assert found.asked == 1
    assert found.evidence is None


# --- the judge -------------------------------------------------------------------------------


def _changed(row: Row, name: str, value: object) -> Row:
    assert name in row
    return {**row, name: value}


@pytest.mark.parametrize("name", ["string-003__hash", "columns-001__nulls", "names-001__rows"])
def test_each_wrong_cell_fails_its_vector_alone(name: str, duckdb_row: Row) -> None:
    value = str(int(duckdb_row[name]) + 1)
    found = judged(_changed(duckdb_row, name, value))
    (failure,) = found.failures
    assert (failure.vector.id, failure.figure) == tuple(name.split("__"))
    assert (failure.expected, failure.got) == (str(duckdb_row[name]), value)
    said = str(found)
    assert f"FAILED {failure.vector.id}, clause {failure.vector.clause}" in said
    assert failure.vector.hunts in said
    assert not found
    assert found.evidence is None


def test_every_cell_counts(duckdb_row: Row) -> None:
    """No cell of the row may be changed without a vector that fails."""
    for name in duckdb_row:
        if name != "engine_version":
            found = judged(_changed(duckdb_row, name, "x"))
            (failure,) = found.failures
            assert name.startswith(failure.vector.id), name
            assert name.endswith(f"__{failure.figure}"), name


@pytest.mark.parametrize("value", [None, "", 1.5, "1.5E+17", True, "x"])
def test_a_cell_that_is_no_figure_fails(value: object, duckdb_row: Row) -> None:
    found = judged(_changed(duckdb_row, "string-003__hash", value))
    assert [failure.vector.id for failure in found.failures] == ["string-003"]
    assert found.failures[0].got.startswith("no figure: ")


def test_a_missing_cell_fails(duckdb_row: Row) -> None:
    found = judged({k: v for k, v in duckdb_row.items() if k != "date-001__hash"})
    assert [(f.vector.id, f.got) for f in found.failures] == [("date-001", "missing")]


def test_an_unknown_cell_is_an_error(duckdb_row: Row) -> None:
    with pytest.raises(ods.ResultError, match=r"the row holds date-999__hash, which the statement"):
        judged({**duckdb_row, "date-999__hash": "0"})


def test_a_row_too_many_is_an_error(duckdb_row: Row) -> None:
    with pytest.raises(ods.ResultError, match="is there twice"):
        judge(ods.conform("duckdb"), [duckdb_row, duckdb_row])


def test_no_row_is_an_error() -> None:
    with pytest.raises(ods.ResultError, match="no row"):
        judge(ods.conform("duckdb"), [])


def test_upper_case_and_another_order_are_accepted(duckdb_row: Row) -> None:
    pairs = reversed(list(duckdb_row.items()))
    assert judged({name.upper(): value for name, value in pairs})


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("float-013__sum", "0.0", True),  # 1e16 + 1 - 1e16 by rounding
        ("float-013__sum", "8.0", False),
        ("float-011__sum", "inf", True),  # some order overflows
        ("float-011__sum", "nan", True),
        ("float-012__sum", "0.0", True),
        ("float-009__sum", "1.7976931348623157e+308", False),
        ("float-009__sum", None, False),
        ("float-001__sum", "nan", False),  # no order overflows
        ("float-001__sum", "inf", False),
        ("float-002__sum", "0.0", False),
        ("float-002__sum", "", True),
        ("float-017__sum", "0.30000001192092896", False),  # summed as float32
        ("float-031__min", "0.29999999999999999", True),  # the same double
        ("float-031__min", "0.2999999999999999", False),
        ("float-005__min", "-0.0", True),
    ],
)
def test_floats_are_judged_as_a_comparison_would(
    name: str, value: object, right: bool, duckdb_row: Row
) -> None:
    assert bool(judged(_changed(duckdb_row, name, value))) == right


# --- several statements ----------------------------------------------------------------------


@pytest.mark.parametrize("limit", [{"bytes": 60_000}, {"columns": 90}, {"figures": 200}])
def test_past_a_limit_there_are_several_statements(limit: dict[str, int], tmp_path: Path) -> None:
    path = written(shipped("duckdb") | {"limits": limit}, tmp_path)
    asked = conform(path)
    assert len(asked.statements) > 2
    for question in asked.questions:
        assert len(question.text.encode()) <= limit.get("bytes", 1 << 30)
        assert len(question.cells) < limit.get("figures", 1 << 30)
        columns = {(cell.vector.id, cell.figure.column) for cell in question.cells}
        assert len({c for c in columns if c[1]}) <= limit.get("columns", 1 << 30)
    rows = answers(asked)
    assert judge(asked, rows)
    first = {cell.vector.id for cell in asked.questions[0].cells}
    assert {vector.id for vector in judge(asked, rows[1:]).failed} >= first


def test_a_limit_that_a_vector_cannot_keep_leaves_it_out_by_name(tmp_path: Path) -> None:
    path = written(shipped("duckdb") | {"limits": {"columns": 2}}, tmp_path)
    why = {gap.vector.id: gap.why for gap in conform(path).gaps}
    assert "more columns than one statement" in why["names-003"]


# --- the dialect file ------------------------------------------------------------------------


def test_a_dialect_without_literals_is_told_so(tmp_path: Path) -> None:
    root = shipped("duckdb")
    del root["literals"]
    path = written(root, tmp_path)
    assert ods.sql("t", {"a": "int"}, path)
    with pytest.raises(ods.DialectError, match="literals is missing"):
        ods.conform(path)


def test_a_gap_is_of_a_vector_that_there_is(tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["literals"]["gaps"]["date-999"] = "no such day"
    with pytest.raises(ods.DialectError, match=r"literals\.gaps\.date-999 is no vector of"):
        ods.conform(written(root, tmp_path))


# --- the command line ------------------------------------------------------------------------


def test_the_statement_is_printed_and_the_gaps_are_counted() -> None:
    ran = run("conform", "--dialect", "duckdb")
    assert ran.code == 0
    assert ran.out == ods.conform("duckdb").statements[0]
    assert f"{len(ASKED.vectors)} vectors; {len(ASKED.gaps)} cannot be expressed" in ran.err
    assert "not expressed (1), that day is DuckDB's infinity: date-021" in ran.err


def test_snowflake_gets_one_statement_to_paste() -> None:
    ran = run("conform", "--dialect", "snowflake")
    assert ran.code == 0
    assert len(ran.out.encode()) < 900_000
    (parsed,) = sqlglot.parse(ran.out, dialect="snowflake")
    assert isinstance(parsed, exp.Select)


def test_run_offers_the_line_for_evidence() -> None:
    ran = run("conform", "--dialect", "duckdb", "--run", "duckdb:")
    assert ran.code == 0
    asked = len(ASKED.vectors)
    assert ran.out.startswith(f"dialect duckdb: {asked} of {asked} vectors passed, 0 failed, ")
    assert re.search(r'\nversions = \[.*"' + re.escape(duckdb.__version__) + r'".*\]\n', ran.err)


def _csv(row: Row) -> str:
    cells = ['"' + str("" if value is None else value) + '"' for value in row.values()]
    return ",".join(f'"{name}"' for name in row) + "\n" + ",".join(cells) + "\n"


def test_a_pasted_result_is_judged(tmp_path: Path, duckdb_row: Row) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(_csv(duckdb_row), encoding="utf-8")
    assert run("conform", "--dialect", "duckdb", "--result", good).code == 0
    bad.write_text(_csv(_changed(duckdb_row, "decimal-012__hash", "1")), encoding="utf-8")
    ran = run("conform", "--dialect", "duckdb", "--result", bad)
    assert ran.code == 1
    assert "FAILED decimal-012, clause 3.3: " in ran.out
    assert "versions = " not in ran.out + ran.err


def test_the_judgement_as_json(tmp_path: Path, duckdb_row: Row) -> None:
    file = tmp_path / "row.json"
    file.write_text(json.dumps([_changed(duckdb_row, "date-001__hash", "1")], default=str))
    ran = run(
        "conform", "--dialect", "duckdb", "--result", file, "--json", "-o", tmp_path / "o.json"
    )
    assert ran.code == 1
    found = json.loads(ran.out)
    assert [(one["vector"], one["figure"], one["got"]) for one in found["failed"]] == [
        ("date-001", "hash", "1")
    ]
    assert (found["asked"], found["passed"]) == (len(ASKED.vectors), len(ASKED.vectors) - 1)
    assert {one["vector"] for one in found["not_expressed"]} >= {"date-021"}
    assert (tmp_path / "o.json").read_text() == ran.out


def test_the_statements_as_json() -> None:
    found = json.loads(run("conform", "--dialect", "spark", "--json").out)
    assert found["statements"] == list(ods.conform("spark").statements)
    assert len(found["vectors"]) + len(found["not_expressed"]) == len(engine_vectors())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--run", "oracle:"], "conform runs on duckdb:"),
        (["--run", "duckdb"], "conform runs on duckdb:"),
        (["--run", "spark:t"], "conform runs on duckdb:"),
        (["--run", "duckdb:", "--result", "x"], "--run and --result"),
        (["--run", "duckdb:absent.duckdb"], "absent.duckdb"),
        (["--result", "absent.csv"], "absent.csv"),
    ],
)
def test_a_wrong_use_is_one_error(arguments: list[str], words: str) -> None:
    refused(run("conform", "--dialect", "duckdb", *arguments), words)


def test_a_result_of_another_dialect_is_an_error(tmp_path: Path, duckdb_row: Row) -> None:
    file = tmp_path / "row.csv"
    file.write_text(_csv(duckdb_row), encoding="utf-8")
    refused(run("conform", "--dialect", "snowflake", "--result", file), "the row holds ")


def test_an_engine_that_refuses_the_statement_is_one_error(tmp_path: Path) -> None:
    root = shipped("duckdb")
    root["literals"]["boolean"] = "CAST({value} AS NOSUCH)"
    path = written(root, tmp_path)
    refused(run("conform", "--dialect", path, "--run", "duckdb:"), "NOSUCH")


# --- in Python -------------------------------------------------------------------------------


def test_a_connection_of_ones_own() -> None:
    with duckdb.connect() as connection:
        assert ods.conform("duckdb", run=connection)
        assert ods.conform("duckdb", run=connection.cursor())
        with pytest.raises(ods.SourceError, match="give one of them"):
            ods.conform("duckdb", run=connection, result="")  # type: ignore[call-overload]


def test_what_is_no_connection_is_told_so() -> None:
    with pytest.raises(ods.SourceError, match="no DB-API cursor"):
        ods.conform("duckdb", run=object())


def test_a_result_as_text(duckdb_row: Row) -> None:
    assert ods.conform("duckdb", result=_csv(duckdb_row))
    assert ods.conform("duckdb", result=[json.dumps(duckdb_row, default=str)])
