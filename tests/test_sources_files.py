"""Parquet and Arrow files, folders and globs: read whole and rightly, or refused by name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from odd_files import kind_of, rows
from shared import OUTSIDE, needs_shared
from vector_columns import hash_of

import ods_fingerprint as ods

TABLE = pa.table({"x": [1, 2, None], "s": ["a", "", None]})
FIGURES = [{"nulls": 1, "hash": hash_of("1", "2")}, {"nulls": 1, "hash": hash_of("a", "")}]


def _figures(source: Path | str, **options: object) -> list[dict[str, object]]:
    return [dict(c.figures) for c in ods.compute(source, **options).columns]  # type: ignore[arg-type]


def _parquet(path: Path, table: pa.Table = TABLE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)
    return path


def _ipc(path: Path, table: pa.Table = TABLE, *, stream: bool = False) -> Path:
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as sink, make(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return path


def test_every_form_of_a_file_gives_the_same(tmp_path: Path) -> None:
    for path in (
        _parquet(tmp_path / "a.parquet"),
        _ipc(tmp_path / "a.arrow"),
        _ipc(tmp_path / "a.arrows", stream=True),
    ):
        assert _figures(path) == FIGURES
        assert _figures(str(path)) == FIGURES


@pytest.mark.parametrize("make", [_parquet, _ipc], ids=["parquet", "ipc"])
def test_a_file_of_no_rows_or_no_columns(make: object, tmp_path: Path) -> None:
    empty = make(tmp_path / "empty", TABLE.slice(0, 0))  # type: ignore[operator]
    assert (ods.compute(empty).rows, [f["hash"] for f in _figures(empty)]) == (0, [0, 0])
    bare = make(tmp_path / "bare", TABLE.select([]))  # type: ignore[operator]
    assert ods.compute(bare).columns == ()


@pytest.mark.parametrize("make", [_parquet, _ipc], ids=["parquet", "ipc"])
def test_a_truncated_file_is_refused_or_whole(make: object, tmp_path: Path) -> None:
    path = make(tmp_path / "whole")  # type: ignore[operator]
    content = path.read_bytes()
    for size in range(0, len(content), 61):
        path.write_bytes(content[:size])
        with pytest.raises(ods.SourceError, match="whole"):
            ods.compute(path)


@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
def test_a_truncated_ipc_stream_is_refused(stream: bool, tmp_path: Path) -> None:
    path = _ipc(tmp_path / "t", stream=stream)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ods.SourceError):
        ods.compute(path)


def test_bytes_flipped_in_a_parquet_file_are_refused_or_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path, write_page_checksum=True, compression="none")
    content = path.read_bytes()
    for at in range(4, len(content) - 8, 29):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        try:
            found = ods.compute(path)
        except ods.OdsError:
            continue
        names = [c.column.name for c in found.columns]
        assert (
            names != ["x", "s"]
            or [dict(c.figures) for c in found.columns] == FIGURES
            or (
                [c.column.type for c in found.columns]
                != [c.column.type for c in ods.compute(TABLE).columns]
            )
        )


@pytest.mark.parametrize("content", [b"", b"x", b"PAR1", b"PAR1PAR1", b"ARROW1", b"a,b\n1,2\n" * 9])
def test_what_is_no_data_file_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.parquet"
    path.write_bytes(content)
    with pytest.raises(ods.SourceError, match=r"odd\.parquet"):
        ods.compute(path)


def test_nothing_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ods.SourceError, match="there is no file or folder"):
        ods.compute(tmp_path / "missing.parquet")
    with pytest.raises(ods.SourceError, match="holds no data file"):
        ods.compute(tmp_path)
    with pytest.raises(ods.SourceError, match="holds no data file"):
        ods.compute(f"{tmp_path}/*.parquet")


def test_a_folder_is_one_table_without_its_hidden_files(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet", "deep/c.parquet", "named.parquet/d.parquet"):
        _parquet(tmp_path / name)
    for name in ("_SUCCESS", ".a.parquet.crc", "_delta/x", ".hidden/y", "deep/_x/z.parquet"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"no data")
    assert ods.compute(tmp_path).rows == 12
    assert ods.compute(f"{tmp_path}/**/*.parquet").rows == 12
    assert ods.compute(f"{tmp_path}/*.parquet").rows == 6


def test_two_hundred_files_are_one_table(tmp_path: Path) -> None:
    for at in range(200):
        _parquet(tmp_path / f"{at}.parquet", pa.table({"x": [at]}))
    assert _figures(tmp_path) == [{"nulls": 0, "hash": hash_of(*map(str, range(200)))}]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"x": [1], "s": [1]}, r"a\.parquet holds s string; .*b\.parquet holds s int64"),
        ({"x": [1]}, r"a\.parquet holds s string"),
        ({"s": ["a"], "x": [1]}, r"a\.parquet holds x int64, s string"),
        ({"x": [1], "S": ["a"]}, r"b\.parquet holds S string"),
    ],
)
def test_files_of_different_columns_are_refused_by_name(
    other: dict[str, list[object]], said: str, tmp_path: Path
) -> None:
    _parquet(tmp_path / "a.parquet")
    _parquet(tmp_path / "b.parquet", pa.table(other))
    with pytest.raises(ods.SourceError, match=said):
        ods.compute(tmp_path)


def test_key_value_folders_are_refused_unless_said(tmp_path: Path) -> None:
    _parquet(tmp_path / "k=a%20b" / "1.parquet")
    _parquet(tmp_path / "k=__HIVE_DEFAULT_PARTITION__" / "2.parquet")
    with pytest.raises(ods.SourceError, match=r"holds key=value folders .*--hive .*--no-hive"):
        ods.compute(tmp_path)
    assert len(_figures(tmp_path, hive="ignore")) == 2
    assert _figures(tmp_path, hive="read")[2] == {"nulls": 3, "hash": hash_of("a b") * 3}
    with pytest.raises(ods.SourceError, match="hive is 'read', 'ignore' or None, not True"):
        ods.compute(tmp_path, hive=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("folders", ["x=1", "k=1/K=2", "k=1/k=2"])
def test_a_key_that_is_a_column_or_twice_there_is_refused(folders: str, tmp_path: Path) -> None:
    _parquet(tmp_path / folders / "1.parquet")
    with pytest.raises(ods.SchemaError, match="differ at most by case"):
        ods.compute(tmp_path, hive="read")


def test_folders_of_different_keys_are_refused(tmp_path: Path) -> None:
    _parquet(tmp_path / "k=1" / "1.parquet")
    _parquet(tmp_path / "2.parquet")
    with pytest.raises(ods.SourceError, match="folders of different keys"):
        ods.compute(tmp_path, hive="read")


def test_a_folder_that_links_to_itself_is_refused(tmp_path: Path) -> None:
    _parquet(tmp_path / "deep" / "a.parquet")
    (tmp_path / "deep" / "loop").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(ods.SourceError, match="is a link to a folder that it is in"):
        ods.compute(tmp_path)


def test_a_broken_link_is_refused(tmp_path: Path) -> None:
    _parquet(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").symlink_to(tmp_path / "gone.parquet")
    with pytest.raises(ods.SourceError, match=r"cannot read .*b\.parquet: No such file"):
        ods.compute(tmp_path)


def _as_nobody(path: Path) -> int:
    """Return how a process that owns nothing ends: 0 after a SourceError that says Permission."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            ods.compute(path)
        except ods.SourceError as error:
            code = 0 if "Permission denied" in str(error) else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("closed", ["a.parquet", "deep"])
def test_what_may_not_be_read_is_refused(closed: str, tmp_path: Path) -> None:
    _parquet(tmp_path / "a.parquet")
    _parquet(tmp_path / "deep" / "b.parquet")
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == Path.home().owner() and folder.stat().st_mode & 0o077 == 0:
            folder.chmod(0o755)
    (tmp_path / closed).chmod(0)
    try:
        assert _as_nobody(tmp_path) == 0
    finally:
        (tmp_path / closed).chmod(0o755)


@pytest.mark.parametrize(
    "options",
    [
        {"use_deprecated_int96_timestamps": True},
        {"version": "1.0"},
        {"data_page_version": "2.0"},
        {"store_decimal_as_integer": True},
        {"store_schema": False},
        {"coerce_timestamps": "us"},
    ],
    ids=str,
)
def test_how_types_are_stored_in_parquet_does_not_show(
    options: dict[str, object], tmp_path: Path
) -> None:
    table = pa.table(
        {
            "t": pa.array([1_700_000_000_000_001, None], pa.timestamp("us")),
            "d": pa.array(["1.25", None]).cast(pa.decimal128(9, 2)),
            "u": pa.array([2**32 - 1, None], pa.uint32()),
            "e": pa.array(["a", None]).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet", **options)
    texts = ("1700000000000001", "1.25", "4294967295", "a")
    found = _figures(tmp_path / "t.parquet")
    assert found == [{"nulls": 1, "hash": hash_of(text)} for text in texts]


def test_int96_of_an_old_arrow_is_refused(tmp_path: Path) -> None:
    table = pa.table({"t": pa.array([-1], pa.timestamp("us"))})
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, use_deprecated_int96_timestamps=True)
    assert _figures(path) == [{"nulls": 0, "hash": hash_of("-1")}]
    content = path.read_bytes()
    ours = f"parquet-cpp-arrow version {pa.__version__.split('.')[0]}".encode()
    assert ours in content
    path.write_bytes(content.replace(ours, b"parquet-cpp-arrow version 22"))
    with pytest.raises(ods.SourceError, match="misread before 1970: t"):
        ods.compute(path)


@pytest.mark.parametrize("name", ["a", "t 'x'.parquet", "[a].parquet", "ä=1.parquet"])
def test_any_file_name_is_read(name: str, tmp_path: Path) -> None:
    assert _figures(_parquet(tmp_path / name)) == FIGURES


# 4 kB with two values of a gigabyte: read under a limit of memory
HEAVY = "large_string_map.brotli.parquet"
_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)
from ods_fingerprint.cli import main
try:
    main(["compute", sys.argv[2], "--json"])
finally:
    with open("/proc/self/status") as status:
        print(*(int(line.split()[1]) >> 10 for line in status if "VmHWM" in line), file=sys.stderr)
"""


def _limited(path: Path, megabytes: int) -> tuple[int, str, list[str]]:
    """Return exit code, stdout and the lines of stderr, the last of them the megabytes it took."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    command = [sys.executable, "-c", _LIMITED, str(megabytes), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.splitlines()


@needs_shared
def test_a_bomb_that_a_limit_of_the_system_stops_is_one_error() -> None:
    (path,) = (OUTSIDE / "parquet").rglob(HEAVY)
    code, printed, said = _limited(path, 2000)
    assert (code, printed) == (2, "")
    # which of the two comes first hangs on the machine
    file = rf"error: {path} cannot be read as Parquet: .*alloc.* failed"
    assert re.fullmatch(rf"{file}|error: the system gives no more memory or threads .*", said[0])
    assert len(said) == 2


def test_a_long_text_that_many_rows_refer_to_is_not_written_out_at_once(tmp_path: Path) -> None:
    long, rows = "a" * 4_000_000, 400
    indices = pa.array([0] * rows + [None, 1], pa.int32())
    table = pa.table({"x": pa.DictionaryArray.from_arrays(indices, pa.array([long, "b"]))})
    path = tmp_path / "t.arrow"
    with pa.ipc.new_file(path, table.schema) as writer:  # all rows in one batch
        writer.write_table(table)
    code, printed, said = _limited(path, 16_000)
    assert code == 0
    assert json.loads(printed)["columns"][0]["figures"] == {
        "nulls": 1,
        "hash": str(hash_of(long) * rows + hash_of("b")),
    }
    assert int(said[-1]) < 800  # the texts have 1600


def test_encrypted_parquet_is_refused_as_that(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PARE" + bytes(100) + b"PARE")
    with pytest.raises(ods.SourceError, match=r"t\.parquet is encrypted Parquet"):
        ods.compute(path)


OUTSIDE_FILES = sorted(
    path
    for kind in ("parquet", "arrow")
    for path in (OUTSIDE / kind).rglob("*.*")
    if path.name != HEAVY
)


@lru_cache
def _facts() -> dict[str, dict[str, object]]:
    return dict(json.loads((OUTSIDE / "facts.json").read_text(encoding="utf-8")))


def _fact(path: Path) -> dict[str, object]:
    return _facts().get(str(path.relative_to(OUTSIDE)), {})


def _as_duckdb_reads_it(found: ods.Fingerprint, path: Path) -> None:
    """Assert that DuckDB counts and hashes the same, where no one wrote down what a file holds."""
    view = duckdb.connect()
    view.execute(f"CREATE VIEW v AS FROM read_parquet('{path}')")
    if "malicious" in path.name:
        with pytest.raises(ods.SourceError, match="corrupt"):
            ods.compute(view, "v")
        return
    theirs = ods.compute(view, "v")
    assert (found.rows, len(found.columns)) == (theirs.rows, len(theirs.columns))
    for ours, other in zip(found.columns, theirs.columns):
        assert ours.column.name == other.column.name
        assert ours.figures.get("hash") == other.figures.get("hash")
        nulls = other.figures["nulls"]
        if ours.column.name == "var":
            assert isinstance(nulls, int)
            nulls -= _null_variants(path)
        assert ours.figures["nulls"] == nulls


def _null_variants(path: Path) -> int:
    """Return how many variants hold null, which DuckDB takes for NULL: one byte, and not shredded."""
    cells = pq.read_table(path, columns=["var"])["var"].to_pylist()
    return sum(
        cell is not None and cell["value"] == b"\0" and cell.get("typed_value") is None
        for cell in cells
    )


@needs_shared
def test_the_table_of_odd_files_is_in_the_docs() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "files.md").read_text(encoding="utf-8")
    names = [
        str(path.relative_to(OUTSIDE))
        for k in ("parquet", "arrow")
        for path in sorted((OUTSIDE / k).rglob("*.*"))
    ]
    assert len(names) == 183 + 16
    table = rows(names)
    assert not [row for row in table if row not in page], "\n".join(table)
    assert not [row for row in table if "| 0 |" in row]


@needs_shared
@pytest.mark.parametrize("path", OUTSIDE_FILES, ids=lambda path: path.name)
def test_se_05_outside_files_are_read_as_the_facts_say_or_refused(path: Path) -> None:
    fact = _fact(path)
    kind = kind_of(str(path.relative_to(OUTSIDE)))
    if kind.said:
        with pytest.raises(ods.OdsError, match=kind.said):
            ods.compute(path)
        return
    assert "pyarrow_error" not in fact
    found = ods.compute(path)
    if not fact:
        _as_duckdb_reads_it(found, path)
        return
    columns: list[list[object]] = fact["columns"]  # type: ignore[assignment]
    assert (found.rows, len(found.columns)) == (fact["rows"], len(columns))
    for column, (name, _, figures) in zip(found.columns, columns):
        assert column.column.name == name
        assert isinstance(figures, dict)
        for figure, value in figures.items():
            if figure in column.figures:
                wanted = int(value) if figure == "hash" else value
                assert column.figures[figure] == (  # type: ignore[index]
                    float(wanted) if isinstance(wanted, str) else wanted
                )


def test_a_duckdb_file_is_opened_read_only_and_closed(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "f.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
    from ods_fingerprint.front import compute_source

    found = compute_source(f"duckdb:{tmp_path}/f.duckdb/t")
    assert found.columns[0].figures["hash"] == hash_of("1")
    with duckdb.connect(str(tmp_path / "f.duckdb")) as connection:  # no lock is left
        connection.execute("DROP TABLE t")
