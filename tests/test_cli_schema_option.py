"""Every form in which --schema may come, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import parquet, refused, run

EXPECTED = ('"id__hash"', '"price__hash"', '"score__sum"', '"tags__nulls"')


def made(*more: object, stdin: bytes = b"") -> str:
    ran = run("sql", "t", "--dialect", "duckdb", *more, stdin=stdin)
    assert ran.code == 0, ran.err
    return ran.out


def test_a_schema_file_and_a_fingerprint_file_and_stdin_are_the_same(tmp_path: Path) -> None:
    path, schema, stored = parquet(tmp_path), tmp_path / "s.json", tmp_path / "f.json"
    run("schema", path, "-o", schema)
    run("compute", path, "-o", stored)
    texts = [
        made("--schema", schema),
        made("--schema", stored),
        made("--schema", schema.read_text()),
        made("--schema", "-", stdin=schema.read_bytes()),
        made("--schema", "-", stdin=b"\xef\xbb\xbf\n" + schema.read_bytes()),
    ]
    assert set(texts) == {texts[0]}
    assert not [name for name in EXPECTED if name not in texts[0]]


def test_a_map_is_in_the_words_of_schema_dialect_else_of_dialect() -> None:
    words = '{"a": "HUGEINT"}'
    assert '"a__hash"' in made("--schema", words)
    refused(run("sql", "t", "--schema", words, "--dialect", "spark"), "column a", "HUGEINT")
    assert (
        "a__hash"
        in run(
            "sql", "t", "--schema", words, "--schema-dialect", "duckdb", "--dialect", "spark"
        ).out
    )


def test_a_column_may_be_called_spec_or_columns() -> None:
    assert '"columns__hash"' in made("--schema", '{"columns": "bigint", "spec": "varchar"}')


def test_a_type_that_no_one_knows_can_be_left_out() -> None:
    schema = '{"a": "int", "b": "sketch", "c": "int"}'
    refused(run("sql", "t", "--schema", schema, "--dialect", "duckdb"), "column b", "sketch")
    skipped = made("--schema", schema, "--skip", "B")
    assert (
        skipped
        == made("--schema", schema, "--columns", "a,c")
        == made("--schema", '{"a": "int", "c": "int"}')
    )
    row = '{"rows": 0, "a__nulls": 0, "a__hash": "0", "c__nulls": 0, "c__hash": "0"}'
    read = run(
        "read",
        "-",
        "--schema",
        schema,
        "--dialect",
        "duckdb",
        "--skip",
        "b",
        "--json",
        stdin=row.encode(),
    )
    assert json.loads(read.out)["skipped"] == ["b"]


@pytest.mark.parametrize(
    ("text", "words"),
    (
        ("{", ("--schema is not JSON",)),
        ('{"a": "int", "a": "text"}', ("twice", "a")),
        ('{"a": "int", "A": "text"}', ("a and A",)),
        ('{"a": 5}', ("a", "5")),
        ('{"a": null}', ("a", "None")),
        ('{"a": ["int"]}', ("a",)),
        ('{"spec": "ods-fingerprint/2", "columns": []}', ("ods-fingerprint/2",)),
        ('{"columns": [{"name": "a", "type": "int64", "family": "integer"}]}', ("spec",)),
        ('{"spec": "ods-fingerprint/1", "columns": [{"name": "a"}]}', ("a",)),
        ('{"a": "int"} {"b": "int"}', ("JSON",)),
        ("[", ("JSON",)),
        ('["id"]', ("object",)),
        ('{"a": NaN}', ("NaN",)),
        ('{"a":' * 50_000, ("JSON",)),
        ("", ("''",)),
        ("no-such-file.json", ("no-such-file.json", "No such file")),
        ("id bigint", ("id bigint", "No such file")),
        (".", ("Is a directory",)),
    ),
)
def test_what_is_no_schema_is_refused(text: str, words: tuple[str, ...]) -> None:
    refused(run("sql", "t", "--schema", text, "--dialect", "duckdb"), *words)


@pytest.mark.parametrize(
    ("content", "word"),
    (
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"PAR1\x00\xff\xfe", "UTF-8"),
        ('{"id": "bigint"}'.encode("utf-16"), "UTF-8"),
        (b"\x00\x01\x02", "rror"),
    ),
)
def test_a_file_that_holds_no_schema_is_refused(content: bytes, word: str, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(content)
    refused(run("sql", "t", "--schema", path, "--dialect", "duckdb"), word)
    refused(run("sql", "t", "--schema", "-", "--dialect", "duckdb", stdin=content), word)


def test_a_parquet_file_is_no_schema(tmp_path: Path) -> None:
    refused(run("sql", "t", "--schema", parquet(tmp_path), "--dialect", "duckdb"), "UTF-8")
