"""The command line as a whole: help, usage, what goes where, exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from command import ID_HASH, PRICE_HASH, Ran, database, parquet, refused, run, shell

COMMANDS = ("schema", "sql", "compute", "read", "compare")
SPEC = Path(__file__).resolve().parents[1] / "spec" / "schemas"
EVERYWHERE = ("--output", "--columns", "--skip", "--strict", "--json", "--help", "--debug")
HASHABLE = ("--skip", "tags")


def valid(text: str, name: str) -> dict[str, object]:
    """Return the JSON of a text that the schema of the spec holds valid."""
    found = json.loads(text, parse_constant=lambda word: pytest.fail(f"a bare {word}"))
    form = json.loads((SPEC / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(form).validate(found)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("sign", ("--help", "-h"))
def test_every_command_has_help_with_an_example(command: str, sign: str) -> None:
    ran = run(command, sign)
    assert (ran.code, ran.err) == (0, "")
    assert re.search(rf"Example.*\n +ods-fingerprint {command} ", ran.out)
    assert not [option for option in EVERYWHERE if option not in ran.out]


def test_help_names_every_command_and_exit_code() -> None:
    ran = run("--help")
    assert (ran.code, ran.err) == (0, "")
    assert not [command for command in COMMANDS if f"\n  {command} " not in ran.out]
    assert "0 equal or done, 1 different, 3 equal as far as compared, 2 an error" in " ".join(
        ran.out.split()
    )


def test_version_is_on_stdout() -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out.startswith("ods-fingerprint, version ")


@pytest.mark.parametrize(
    "arguments",
    (
        (),
        ("comptue", "x"),
        ("compute",),
        ("compute", "a", "b"),
        ("compare", "a"),
        ("compute", "x", "--nope"),
        ("compute", "x", "--version", "new"),
        ("sql", "t"),
        ("sql", "t", "--schema", "{}"),
        ("read", "--schema", "{}", "--dialect", "spark"),
        ("sql", "t", "--schema", "{}", "--dialect", "spark", "--names", "loud"),
        ("compute", "x", "--columns", ""),
        ("compute", "x", "--columns", "a,,b"),
        ("compute", "x", "--skip", 'a,"b'),
        ("compute", "x", "-o", "-"),
        ("compare", "a", "b", "--rename", "a"),
        ("compare", "a", "b", "--rename", "a=b=c"),
        ("compare", "a", "b", "--rename", "=b"),
        ("compare", "a", "b", "--rename", "a=b", "--rename", "a=c"),
        ("compare", "-", "-"),
        ("read", "-", "-", "--schema", "{}", "--dialect", "spark"),
        ("read", "-", "--schema", "-", "--dialect", "spark"),
    ),
)
def test_bad_usage_is_exit_code_2_on_stderr(arguments: tuple[str, ...]) -> None:
    refused(run(*arguments), "rror: ")


def test_an_unknown_command_or_option_is_named() -> None:
    assert "comptue" in run("comptue").err
    assert "--nope" in run("compute", "x", "--nope").err


def test_the_module_and_the_script_are_the_same_command_line(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    module = shell("compute", path, "--json", *HASHABLE)
    script = Path(sys.executable).with_name("ods-fingerprint")
    done = subprocess.run(
        [script, "compute", path, "--json", *HASHABLE], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (module.code, module.out, module.err)
    assert (module.code, module.err) == (0, "")
    assert f'"hash": "{ID_HASH}"' in module.out


def test_the_json_of_the_front_door(tmp_path: Path) -> None:
    ran = run("compute", parquet(tmp_path), "--json")
    found = valid(ran.out, "fingerprint.json")
    assert found["rows"] == 4
    assert found["columns"] == [
        {
            "name": "id",
            "type": "int64",
            "family": "integer",
            "figures": {"nulls": 0, "hash": ID_HASH},
        },
        {
            "name": "price",
            "type": "decimal(18, 2)",
            "family": "decimal",
            "figures": {"nulls": 1, "hash": PRICE_HASH},
        },
        {
            "name": "score",
            "type": "double",
            "family": "float",
            "figures": {
                "nulls": 0,
                "nan": 1,
                "posinf": 0,
                "neginf": 0,
                "min": -2.5,
                "max": 1.0,
                "sum": -1.5,
            },
        },
        {"name": "tags", "type": "list<string>", "family": "nested", "figures": {"nulls": 0}},
    ]


def test_a_table_that_a_person_can_read(tmp_path: Path) -> None:
    ran = run("compute", parquet(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "rows: 4"
    assert [ID_HASH in line for line in ran.out.splitlines()].count(True) == 1
    assert "{" not in ran.out


@pytest.mark.parametrize("place", ("before", "after"))
def test_debug_shows_a_traceback_and_nothing_else_does(place: str) -> None:
    arguments = ["compute", "no-such-file"]
    arguments.insert(0 if place == "before" else 2, "--debug")
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" in ran.err
    assert ran.err.splitlines()[-1] == "error: there is no file or folder no-such-file"
    refused(run("compute", "no-such-file"), "no-such-file")


def test_an_error_is_what_was_wrong_and_what_would_do(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    error = refused(run("compute", path, "--columns", "id,prcie"), "prcie", "price")
    assert error.count("\n") == 1


def test_columns_and_skip_may_be_given_more_than_once(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    once = run("compute", path, "--json", "--columns", "id,price")
    assert run("compute", path, "--json", "--columns", "id", "--columns", "PRICE").out == once.out
    assert run("compute", path, "--json", "--skip", "score", "--skip", "tags").out == once.out
    assert json.loads(once.out)["skipped"] == ["score", "tags"]


def test_strict_names_all_columns_in_one_error(tmp_path: Path) -> None:
    data = database(
        tmp_path, "ALTER TABLE orders ADD COLUMN t TIME", "ALTER TABLE orders ADD COLUMN b BLOB"
    )
    for command in (("compute",), ("schema",), ("compare", parquet(tmp_path))):
        source = f"duckdb:{data}/orders"
        error = refused(run(*command, source, "--strict"), "--skip")
        assert "tags" in error
        if command[0] != "compare":
            assert "--skip tags,t,b" in error
    assert run("compute", source, "--strict", "--skip", "tags,t,b").code == 0


def test_strict_of_a_stored_fingerprint_heeds_skip(tmp_path: Path) -> None:
    path, stored = parquet(tmp_path), tmp_path / "a.json"
    run("compute", path, "-o", stored)
    refused(run("compare", stored, stored, "--strict"), "tags")
    assert run("compare", stored, stored, "--strict", *HASHABLE).code == 0
    assert run("compare", stored, stored, "--strict", "--columns", "id").code == 0


def agree(first: Ran, second: Ran) -> bool:
    return (first.code, first.out, first.err) == (second.code, second.out, second.err)


def test_the_same_bytes_whatever_the_hash_seed_and_the_locale(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    one = shell("compute", path, "--json", env={"PYTHONHASHSEED": "1", "LC_ALL": "C"})
    other = shell("compute", path, "--json", env={"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8"})
    assert one.code == 0
    assert agree(one, other)
