"""SOURCE on the command line: paths and DuckDB files as people name them, damaged and locked ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from command import ID_HASH, database, parquet, refused, run, shell
from shared import COVID, OUTSIDE, needs_shared
from test_cli import valid

BAD = ("ARROW-GH-41317", "ARROW-GH-45185", "PARQUET-1481")


def test_schema_prints_the_form_of_the_spec(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    for source in (path, f"duckdb:{database(tmp_path)}/orders"):
        found = valid(run("schema", source).out, "schema.json")
        assert found["columns"] == [
            {"name": "id", "type": "int64", "family": "integer"},
            {"name": "price", "type": "decimal(18, 2)", "family": "decimal"},
            {"name": "score", "type": "double", "family": "float"},
            {"name": "tags", "type": "list<string>", "family": "nested"},
        ]


def test_schema_takes_columns_and_skip(tmp_path: Path) -> None:
    path = parquet(tmp_path)
    chosen = run("schema", path, "--columns", "tags,ID").out
    assert [column["name"] for column in json.loads(chosen)["columns"]] == ["id", "tags"]
    assert run("schema", path, "--skip", "price,score").out == chosen
    refused(run("schema", path, "--columns", "nope"), "nope")


def test_the_same_bytes_from_every_place(tmp_path: Path) -> None:
    path, data = parquet(tmp_path), database(tmp_path)
    made = json.loads(run("compute", path, "--json").out)
    other = json.loads(run("compute", f"duckdb:{data}/orders", "--json").out)
    assert made.pop("made_by") != other.pop("made_by")
    assert made == other


@pytest.mark.parametrize(
    "folder", ("with space", "a:b", "duckdb:x", "C:\\data", "größe", "50%", "[x]", "~")
)
def test_a_path_may_hold_nearly_any_sign(folder: str, tmp_path: Path) -> None:
    place = tmp_path / folder
    place.mkdir()
    assert ID_HASH in run("compute", parquet(place)).out
    if "\\" not in folder:  # DuckDB 2 itself takes it for a slash
        assert ID_HASH in run("compute", f"duckdb:{database(place)}/orders").out


def test_relative_paths(tmp_path: Path) -> None:
    parquet(tmp_path)
    database(tmp_path, "CREATE SCHEMA s", 'CREATE TABLE s."a.b/c""d" AS SELECT 1 AS id')
    (tmp_path / "C:").mkdir()
    shutil.copy(tmp_path / "orders.parquet", tmp_path / "C:" / "o.parquet")
    for source in ("./orders.parquet", "C:/o.parquet", "duckdb:w.duckdb/orders"):
        assert ID_HASH in shell("compute", source, cwd=tmp_path).out
    assert shell("compute", 'duckdb:w.duckdb/s."a.b/c""d"', cwd=tmp_path).code == 0
    refused(shell("compute", 'duckdb:w.duckdb/s."a.b"', cwd=tmp_path), "no table or view")


def test_a_name_without_a_table_or_file_is_refused(tmp_path: Path) -> None:
    data = database(tmp_path)
    for source in (f"duckdb:{data}", f"duckdb:{data}/", "duckdb:none.duckdb/t", "duckdb:"):
        refused(run("compute", source), "duckdb:FILE.duckdb/[schema.]table")
    refused(run("compute", f"duckdb:{data}/nope"), "no table or view nope", "orders")
    refused(run("compute", "", "--json"))
    refused(run("compute", "s3://bucket/x.parquet"), "no file or folder")


def test_a_table_name_that_is_a_path_reads_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    data = database(tmp_path)
    refused(run("compute", f'duckdb:{data}/"{secret}"'), "no table or view")


def test_a_duckdb_file_is_opened_read_only(tmp_path: Path) -> None:
    data = database(tmp_path)
    data.chmod(0o444)
    before = (data.stat().st_mtime_ns, data.read_bytes())
    assert ID_HASH in run("compute", f"duckdb:{data}/orders").out
    assert (data.stat().st_mtime_ns, data.read_bytes()) == before
    assert [path.name for path in tmp_path.iterdir()] == ["w.duckdb"]


def test_a_duckdb_file_that_another_process_writes_is_an_error(tmp_path: Path) -> None:
    data = database(tmp_path)
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        error = refused(run("compute", f"duckdb:{data}/orders"), "cannot open", "lock")
        assert error.count("\n") == 1
        holder.communicate()
    assert run("compute", f"duckdb:{data}/orders").code == 0


def test_what_is_no_duckdb_file_is_an_error(tmp_path: Path) -> None:
    for content in (b"", b"nothing like it", parquet(tmp_path).read_bytes()):
        (tmp_path / "x.duckdb").write_bytes(content)
        refused(run("compute", f"duckdb:{tmp_path}/x.duckdb/t"))
        assert (tmp_path / "x.duckdb").read_bytes() == content


@pytest.mark.parametrize("source", ("spark:t", "snowflake:c/DB.S.T"))
def test_an_engine_that_is_not_here_is_an_error(source: str) -> None:
    refused(run("compute", source), source.partition(":")[0])
    refused(run("schema", source), source.partition(":")[0])


def test_a_folder_and_its_keys(tmp_path: Path) -> None:
    for day in ("1", "2"):
        (tmp_path / "t" / f"day={day}").mkdir(parents=True)
        parquet(tmp_path / "t" / f"day={day}", pa.table({"id": [int(day)]}))
    refused(run("compute", tmp_path / "t"), "--hive", "--no-hive")
    names = [
        [
            column["name"]
            for column in json.loads(run("schema", tmp_path / "t", option).out)["columns"]
        ]
        for option in ("--hive", "--no-hive")
    ]
    assert names == [["id", "day"], ["id"]]
    assert run("compare", tmp_path / "t", f"{tmp_path}/t/*/*.parquet", "--no-hive").code == 0


@needs_shared
@pytest.mark.parametrize("name", BAD)
def test_se_05_a_damaged_file_is_one_line(name: str) -> None:
    source = OUTSIDE / "parquet" / "parquet-testing" / f"{name}.parquet"
    assert source.exists()
    assert (
        refused(shell("compute", source), f"{name}.parquet", "cannot be read as Parquet").count(
            "\n"
        )
        == 1
    )


@needs_shared
def test_the_real_table_at_a_version() -> None:
    ran = run("compute", COVID, "--version", 0, "--columns", "cases", "--json")
    assert json.loads(ran.out)["rows"] == 1_111_930
    refused(run("compute", COVID, "--version", 1), "1")
    refused(run("compute", COVID, "--version", -1))
