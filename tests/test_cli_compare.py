"""`ods-fingerprint compare`: files and SOURCES, verdicts, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from command import database, orders, parquet, refused, run, shell
from shared import OUTSIDE, needs_shared
from test_cli import valid

VERSIONED = OUTSIDE / "delta-rs" / "checkpoint-v2-table"


def ids(folder: Path, *values: int, name: str = "ids.parquet", **more: list[object]) -> Path:
    return parquet(folder, pa.table({"id": pa.array(values, pa.int64()), **more}), name)


def test_equal_is_0_whatever_the_order_of_rows_and_columns(tmp_path: Path) -> None:
    shuffled = orders().take([2, 0, 3, 1]).select(["score", "price", "id"])
    a, b = (
        parquet(tmp_path, orders().drop_columns(["tags"])),
        parquet(tmp_path, shuffled, "b.parquet"),
    )
    ran = run("compare", a, b)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("equal\n")
    assert "does not see values moved between the rows" in " ".join(ran.out.split())


def test_different_is_1_and_names_every_column_and_figure(tmp_path: Path) -> None:
    a, b = ids(tmp_path, 1, 2, x=["a", "b"]), ids(tmp_path, 1, 3, name="b.parquet", x=["a", None])
    ran = run("compare", a, b, "--json")
    found = valid(ran.out, "comparison.json")
    assert (ran.code, found["verdict"]) == (1, "different")
    assert isinstance(found["differences"], list)
    assert [(one["column"], one["figure"]) for one in found["differences"]] == [
        ("id", "hash"),
        ("x", "nulls"),
        ("x", "hash"),
    ]
    assert run("compare", a, b).out.startswith("different\n")


def test_equal_as_far_as_compared_is_3_and_allow_partial_makes_it_0(tmp_path: Path) -> None:
    path, data = parquet(tmp_path), database(tmp_path)
    ran = run("compare", path, f"duckdb:{data}/orders", "--json")
    found = valid(ran.out, "comparison.json")
    assert (ran.code, found["verdict"]) == (3, "equal, partial")
    assert found["uncovered"] == [
        {"column": "tags", "why": "nested: only nulls are counted in version 1"}
    ]
    allowed = run("compare", path, f"duckdb:{data}/orders", "--json", "--allow-partial")
    assert (allowed.code, allowed.out) == (0, ran.out)


def test_allow_partial_never_hides_a_difference(tmp_path: Path) -> None:
    a, b = ids(tmp_path, 1), ids(tmp_path, 2, name="b.parquet")
    assert run("compare", a, b, "--allow-partial").code == 1


def test_columns_left_out_by_the_same_command_are_skipped_not_partial(tmp_path: Path) -> None:
    path, data = parquet(tmp_path), f"duckdb:{database(tmp_path)}/orders"
    for options in (("--skip", "TAGS"), ("--columns", "id,price,score")):
        ran = run("compare", path, data, "--json", *options)
        assert (ran.code, json.loads(ran.out)["skipped"]) == (0, ["tags"])


def test_columns_that_only_a_stored_fingerprint_leaves_out_are_partial(tmp_path: Path) -> None:
    path, stored = parquet(tmp_path), tmp_path / "a.json"
    run("compute", path, "--skip", "tags,price", "-o", stored)
    ran = run("compare", stored, path, "--json", "--skip", "tags")
    found = json.loads(ran.out)
    assert (ran.code, found["verdict"]) == (3, "equal, partial")
    assert found["uncovered"] == [{"column": "price", "why": "left out of A"}]
    assert run("compare", stored, path, "--skip", "tags,price").code == 0


def test_stored_against_stored_and_against_its_source(tmp_path: Path) -> None:
    path, stored = ids(tmp_path, 1, 2), tmp_path / "a.json"
    run("compute", path, "-o", stored)
    assert [
        run("compare", *pair).code for pair in ((stored, stored), (stored, path), (path, stored))
    ] == [0] * 3
    assert run("compare", stored, ids(tmp_path, 1, 3)).code == 1


def test_a_stored_fingerprint_is_read_whatever_blanks_or_mark_come_first(tmp_path: Path) -> None:
    path, stored = ids(tmp_path, 1, 2), tmp_path / "a.json"
    run("compute", path, "-o", stored)
    stored.write_bytes(b"\xef\xbb\xbf \r\n" + stored.read_bytes())
    assert run("compare", stored, path).code == 0


def test_standard_input_is_a_fingerprint_or_a_file(tmp_path: Path) -> None:
    path = ids(tmp_path, 1, 2)
    stored = run("compute", path, "--json").out.encode()
    for content in (stored, path.read_bytes()):
        assert shell("compare", "-", path, stdin=content).code == 0
        assert run("compare", path, "-", stdin=content).code == 0
        assert run("compare", ids(tmp_path, 5, name="b.parquet"), "-", stdin=content).code == 1


@pytest.mark.parametrize("command", ("compute", "schema"))
@pytest.mark.parametrize("form", ("parquet", "file", "stream"))
def test_standard_input_is_parquet_or_arrow(command: str, form: str, tmp_path: Path) -> None:
    path = parquet(tmp_path)
    content = path.read_bytes()
    if form != "parquet":
        sink = pa.BufferOutputStream()
        with (pa.ipc.new_file if form == "file" else pa.ipc.new_stream)(
            sink, orders().schema
        ) as writer:
            writer.write_table(orders())
        content = sink.getvalue().to_pybytes()
    assert run(command, "-", stdin=content).out == run(command, path).out
    refused(run(command, "-"), "standard input")
    refused(run("compute", "-", stdin=content[:-20]), "standard input")


def test_two_standard_inputs_are_refused() -> None:
    refused(run("compare", "-", "-"), "standard input can be read only once")


def test_rename_compares_columns_of_other_names(tmp_path: Path) -> None:
    a = ids(tmp_path, 1, 2, x=["a", "b"])
    b = parquet(tmp_path, pa.table({"key": [2, 1], "X": ["b", "a"]}), "b.parquet")
    assert run("compare", a, b).code == 1
    assert run("compare", a, b, "--rename", "ID=key").code == 0
    for options in (("--columns", "key"), ("--skip", "x"), ("--columns", "KEY,x", "--skip", "X")):
        ran = run("compare", a, b, "--rename", "id=key", "--json", *options)
        assert (ran.code, json.loads(ran.out)["skipped"]) == (0, ["x"])
    refused(run("compare", a, b, "--rename", "nope=key"), "nope")
    refused(run("compare", a, b, "--rename", "id=k", "--rename", "x=k"), "k")


def test_renaming_a_column_away_does_not_hide_it(tmp_path: Path) -> None:
    a, b = ids(tmp_path, 1, x=["a"]), ids(tmp_path, 1, name="b.parquet", x=["a"])
    ran = run("compare", a, b, "--rename", "x=gone", "--json")
    assert ran.code == 1
    assert {one["column"] for one in json.loads(ran.out)["differences"]} == {"gone", "x"}


@pytest.mark.parametrize(
    "options", (("--columns", "x"), ("--skip", "id"), ("--columns", "id,x"), ())
)
def test_a_column_that_one_side_lacks_is_missing(options: tuple[str, ...], tmp_path: Path) -> None:
    a, b = ids(tmp_path, 1), ids(tmp_path, 1, name="b.parquet", x=["a"])
    for pair in ((a, b), (b, a)):
        ran = run("compare", *pair, "--json", *options)
        assert ran.code == 1
        (only,) = valid(ran.out, "comparison.json")["differences"]  # type: ignore[misc]
        assert (only["column"], only["figure"]) == ("x", "missing")


def test_a_column_that_neither_side_has_is_an_error(tmp_path: Path) -> None:
    a, b = ids(tmp_path, 1), ids(tmp_path, 1, name="b.parquet")
    refused(run("compare", a, b, "--columns", "nope"), "nope", "id")
    refused(run("compare", a, b, "--skip", "id,nope"), "nope")
    refused(run("compare", a, b, "--skip", "id"), "no column is left")


def test_names_with_commas_and_quotes(tmp_path: Path) -> None:
    table = pa.table({"a,b": [1], 'say "hi"': [2], " pad": [3], "plain": [4]})
    path = parquet(tmp_path, table)
    chosen = ("--columns", '"a,b", "say ""hi""", " pad"')
    found = json.loads(run("compute", path, "--json", *chosen).out)
    assert [column["name"] for column in found["columns"]] == ["a,b", 'say "hi"', " pad"]
    ran = run("compare", path, path, "--json", "--skip", '"a,b"', "--skip", 'plain," pad"')
    assert (ran.code, json.loads(ran.out)["skipped"]) == (0, ["a,b", " pad", "plain"])


@needs_shared
def test_versions_of_a_delta_table() -> None:
    same = run(
        "compare", VERSIONED, VERSIONED, "--version-a", 5, "--version-b", 5, "--allow-partial"
    )
    assert same.code == 0
    ran = run("compare", VERSIONED, VERSIONED, "--version-a", 1, "--version-b", 5, "--json")
    assert ran.code == 1
    assert "rows" in {one["figure"] for one in json.loads(ran.out)["differences"]}
    refused(run("compare", VERSIONED, VERSIONED, "--version-a", 99), "99")


@pytest.mark.parametrize("kind", ("parquet", "stored", "duckdb", "stdin"))
def test_a_version_of_what_has_no_versions_is_refused(kind: str, tmp_path: Path) -> None:
    path, stored = parquet(tmp_path), tmp_path / "a.json"
    run("compute", path, "-o", stored)
    given = {
        "parquet": path,
        "stored": stored,
        "duckdb": f"duckdb:{database(tmp_path)}/orders",
        "stdin": "-",
    }[kind]
    refused(run("compare", given, path, "--version-a", 1, stdin=path.read_bytes()), "version")
    refused(run("compare", path, given, "--version-b", 1, stdin=path.read_bytes()), "version")
    if kind not in ("stored", "stdin"):
        refused(run("compute", given, "--version", 0), "version")
        refused(run("schema", given, "--version", 0), "version")


@pytest.mark.parametrize(
    ("text", "word"),
    (
        ("{", "JSON"),
        ("{}", "spec"),
        ('{"spec": "ods-fingerprint/2", "rows": 0, "columns": []}', "ods-fingerprint/2"),
        ('{"spec": "ods-fingerprint/1", "columns": []}', "rows"),
        ('{"spec": "ods-fingerprint/1", "rows": 0, "rows": 1, "columns": []}', "twice"),
        ("{" * 100_000, "JSON"),
        ('{"spec": "\udcff"}', "UTF-8"),
    ),
)
def test_a_damaged_fingerprint_is_never_compared(text: str, word: str, tmp_path: Path) -> None:
    stored = tmp_path / "a.json"
    stored.write_bytes(text.encode("utf-8", "surrogateescape"))
    refused(run("compare", stored, stored), word)
    refused(run("compare", "-", stored, stdin=stored.read_bytes()), word)


def test_what_is_no_side_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    refused(run("compare", path, "x" * 5000))
    refused(run("compare", '{"spec": "ods-fingerprint/1"}', path))
    refused(run("compare", path, tmp_path / "no.json"), "no.json")


def test_escape_sequences_of_names_are_not_printed(tmp_path: Path) -> None:
    a = parquet(tmp_path, pa.table({"\x1b[2Jx\ny": [1]}))
    b = parquet(tmp_path, pa.table({"\x1b[2Jx\ny": [2]}), "b.parquet")
    for ran in (run("compare", a, b), run("compute", a), run("compute", a, "--columns", "z")):
        assert "\x1b" not in ran.out + ran.err
    assert run("compare", a, b).code == 1
