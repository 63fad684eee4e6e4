"""The log replay against tables of other writers and against logs with every fault we know."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from delta_tables import (
    add,
    commit,
    field,
    metadata,
    protocol,
    read,
    remove,
    unpack,
)
from shared import OUTSIDE, needs_shared

from ods_fingerprint.delta_actions import local_path
from ods_fingerprint.delta_log import schema_of, snapshot
from ods_fingerprint.errors import SourceError

START = (protocol(), metadata(field("id", "long")))
DV = {"storageType": "u", "pathOrInlineDv": "ab^-aqEH.-t@S}K{vb[*k^", "sizeInBytes": 40}


def names(root: Path, version: int | None = None) -> list[str]:
    return sorted(Path(file.path).name for file in snapshot(root, version).files)


def three_commits(root: Path) -> None:
    commit(root, 0, *START, add("a"))
    commit(root, 1, add("b"))
    commit(root, 2, remove("a"), add("c"))


def test_every_version_is_what_its_commits_say(tmp_path: Path) -> None:
    three_commits(tmp_path)
    assert [names(tmp_path, version) for version in (0, 1, 2, None)] == [
        ["a"],
        ["a", "b"],
        ["b", "c"],
        ["b", "c"],
    ]


def test_versions_that_do_not_exist(tmp_path: Path) -> None:
    three_commits(tmp_path)
    for version in (3, -1):
        with pytest.raises(SourceError, match=f"no version {version}; its newest is 2"):
            snapshot(tmp_path, version)


def test_a_gap_names_the_missing_commit(tmp_path: Path) -> None:
    three_commits(tmp_path)
    (tmp_path / "_delta_log" / f"{1:020}.json").unlink()
    assert names(tmp_path, 0) == ["a"]
    with pytest.raises(SourceError, match="commit 1 is missing"):
        snapshot(tmp_path)


def test_folders_that_are_no_delta_table(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a Delta table"):
        snapshot(tmp_path / "absent")
    with pytest.raises(SourceError, match="not a Delta table"):
        snapshot(tmp_path)
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(SourceError, match="no commit, no checkpoint"):
        snapshot(tmp_path)


@pytest.mark.parametrize(("kept", "missing"), [(START[1], "protocol"), (START[0], "metaData")])
def test_a_log_without_protocol_or_metadata(
    tmp_path: Path, kept: dict[str, object], missing: str
) -> None:
    commit(tmp_path, 0, kept, add("a"))
    with pytest.raises(SourceError, match=f"no {missing} action"):
        snapshot(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b'{"add":', "line 1 is not JSON"),
        (b'{"a":1}\n{"add"', "line 2 is not JSON"),
        (b"[1]", "expected a JSON object"),
        (b'"\xff"', "cannot be read"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"add": 1}', "expected a JSON object"),
        (b'{"add": {}}', "'path' should be text"),
        (b'{"add": {"path": 1}}', "'path' should be text"),
        (b'{"add": {"path": "\\ud800"}}', "is not JSON"),
        (b'{"add": {"path": ""}}', "is not a path"),
        (b'{"add": {"path": "a%00"}}', "is not a path"),
        (b'{"add": {"path": "%ff"}}', "does not decode"),
        (b'{"add": {"path": "a"}}', "'size' should be"),
        (b'{"add": {"path": "a", "size": -1}}', "'size' should be"),
        (b'{"add": {"path": "a", "size": 1, "partitionValues": {"p": 1}}}', "should be text"),
        (b'{"add": {"path": "a", "size": 1, "stats": "{"}}', "stats is not JSON"),
        (b'{"add": {"path": "a", "size": 1, "stats": "{\\"numRecords\\": 1.5}"}}', "numRecords"),
        (b'{"add": {"path": "a", "size": 1, "deletionVector": {}}}', "storageType"),
        (b'{"protocol": {"minReaderVersion": "1"}}', "minReaderVersion"),
        (b'{"protocol": {"minReaderVersion": 1, "minWriterVersion": true}}', "minWriterVersion"),
        (b'{"metaData": {}}', "schemaString"),
        (b'{"metaData": {"schemaString": "["}}', "schemaString is not JSON"),
        (b'{"metaData": {"schemaString": "{}"}}', "not a struct"),
        (b'{"metaData": {"format": {"provider": "csv"}}}', "only 'parquet'"),
    ],
)
def test_damaged_commits_are_refused(tmp_path: Path, text: bytes, message: str) -> None:
    commit(tmp_path, 0, *START)
    commit(tmp_path, 1).write_bytes(text)
    with pytest.raises(SourceError, match=message):
        snapshot(tmp_path)


def test_a_line_separator_inside_a_string_ends_no_line(tmp_path: Path) -> None:
    path = commit(tmp_path, 0, *START)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(add("a\u2028b\x85c"), ensure_ascii=False) + "\n")
    assert names(tmp_path) == ["a\u2028b\x85c"]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (protocol(4), "reader of version 4"),
        (protocol(0), "reader of version 0"),
        (protocol(3, 7), "reader version 3 with the reader features None"),
        (protocol(1, 2, "fooBar", "timestampNtz", "barFoo"), "not supported here: barFoo, fooBar"),
        (protocol(1, 2, "variantShredding"), "variantShredding"),
        (protocol(1, 2, "catalogManaged"), "catalogManaged"),
        (protocol(1, 2, "catalogOwned-preview"), "catalogOwned-preview"),
    ],
)
def test_protocols_that_are_refused(tmp_path: Path, found: dict[str, object], message: str) -> None:
    commit(tmp_path, 0, found, START[1])
    for reads in (snapshot, schema_of):
        with pytest.raises(SourceError, match=message):
            reads(tmp_path)


def test_writer_features_are_no_concern_of_a_reader(tmp_path: Path) -> None:
    found = protocol(1, 2, "timestampNtz")
    found["protocol"]["writerFeatures"] += ["fooBar", "invariants"]  # type: ignore[index]
    commit(tmp_path, 0, found, START[1], add("a"))
    assert snapshot(tmp_path).protocol.writer_features == ("timestampNtz", "fooBar", "invariants")


def test_commits_that_a_catalog_keeps_are_refused(tmp_path: Path) -> None:
    coordinated = {"delta.coordinatedCommits.commitCoordinator-preview": "c"}
    commit(tmp_path, 0, protocol(), metadata(field("id", "long"), **coordinated))
    with pytest.raises(SourceError, match="commitCoordinator-preview"):
        snapshot(tmp_path)
    commit(tmp_path, 0, *START)
    staged = tmp_path / "_delta_log" / "_staged_commits"
    staged.mkdir()
    (staged / f"{0:020}.3a0d65cd-4056-49b8-937b-95f9e3ee90e5.json").touch()
    assert snapshot(tmp_path).version == 0
    (staged / f"{1:020}.7d17ac10-5cc3-401b-bd1a-9c82dd2ea032.json").touch()
    with pytest.raises(SourceError, match="newer than the log"):
        snapshot(tmp_path)


def test_the_same_file_with_other_deletions_is_another_file(tmp_path: Path) -> None:
    first, second = ({**DV, "offset": n, "cardinality": n} for n in (1, 2))
    commit(tmp_path, 0, protocol(1, 2, "deletionVectors"), START[1], add("a"))
    commit(tmp_path, 1, remove("a"), add("a", deletionVector=first))
    commit(tmp_path, 2, remove("a", deletionVector=first), add("a", deletionVector=second))
    found = [snapshot(tmp_path, version).files for version in range(3)]
    assert [len(files) for files in found] == [1, 1, 1]
    assert [getattr(files[0].deletion_vector, "offset", None) for files in found] == [None, 1, 2]
    assert found[2][0].deletion_vector.unique_id == "uab^-aqEH.-t@S}K{vb[*k^@2"  # type: ignore[union-attr]


def test_a_file_twice_in_the_table_is_refused(tmp_path: Path) -> None:
    commit(tmp_path, 0, protocol(1, 2, "deletionVectors"), START[1], add("a"))
    commit(tmp_path, 1, add("a", deletionVector={**DV, "cardinality": 1}))
    with pytest.raises(SourceError, match="two sets of deletions"):
        snapshot(tmp_path)


def test_deletions_that_the_protocol_does_not_allow(tmp_path: Path) -> None:
    commit(tmp_path, 0, *START, add("a", deletionVector={**DV, "cardinality": 1}))
    with pytest.raises(SourceError, match="the protocol allows none"):
        snapshot(tmp_path)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ((add("a"), add("%61")), "adds one file twice"),
        ((add("a"), remove("a")), "adds and removes"),
    ],
)
def test_actions_of_one_commit_that_clash(
    tmp_path: Path, actions: tuple[dict[str, object], ...], message: str
) -> None:
    commit(tmp_path, 0, *START, *actions)
    with pytest.raises(SourceError, match=message):
        snapshot(tmp_path)


def test_a_second_add_brings_new_statistics_only(tmp_path: Path) -> None:
    commit(tmp_path, 0, *START, add("a"))
    commit(tmp_path, 1, add("a", stats='{"numRecords": 7}'))
    assert [file.num_records for file in snapshot(tmp_path).files] == [7]


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("a", "/table/a"),
        ("p=1/a%20b", "/table/p=1/a b"),
        ("p=%2541/a", "/table/p=%41/a"),
        ("p=é/%C3%A9", "/table/p=é/é"),
        ("a+b?c", "/table/a+b?c"),
        ("/x/y", "/x/y"),
        ("file:/x/y%23", "/x/y#"),
        ("file:///x//y", "/x/y"),
        ("file://localhost/x", "/x"),
        ("p=2020-01-01 00:00/a", "/table/p=2020-01-01 00:00/a"),
    ],
)
def test_paths(uri: str, path: str) -> None:
    assert local_path(uri, Path("/table"), "log") == path


@pytest.mark.parametrize("uri", ["s3://bucket/a", "abfss://c@h/a", "file://host/a", "dbfs:/a"])
def test_paths_elsewhere_are_refused_by_name(uri: str) -> None:
    with pytest.raises(SourceError, match="not on this machine"):
        local_path(uri, Path("/table"), "log")


def test_a_remove_finds_its_file_however_the_path_is_written(tmp_path: Path) -> None:
    commit(tmp_path, 0, *START, add("a%20b"), add(f"file://{tmp_path}/c"), add(f"{tmp_path}/d"))
    commit(tmp_path, 1, remove(f"file:{tmp_path}/a%20b"), remove("c"), remove("d"))
    assert len(snapshot(tmp_path, 0).files) == 3
    assert names(tmp_path) == []


def test_other_files_of_the_log_are_not_read(tmp_path: Path) -> None:
    three_commits(tmp_path)
    log = tmp_path / "_delta_log"
    compacted = f"{0:020}.{2:020}.compacted.json"
    for name in (compacted, f"{3:020}.json.tmp", f".{3:020}.json.crc", "3.json", f"{2:020}.crc"):
        (log / name).write_text("not a log")
    (log / "_last_checkpoint").write_text('{"version": 99}')
    assert names(tmp_path) == ["b", "c"]


def test_the_schema_alone_reads_no_file_action(tmp_path: Path) -> None:
    commit(tmp_path, 0, *START, add("s3://elsewhere/a"))
    assert [found["name"] for found in schema_of(tmp_path)["fields"]] == ["id"]  # type: ignore[attr-defined]
    with pytest.raises(SourceError):
        snapshot(tmp_path)


def places(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Return the path to every value inside a JSON value."""
    pairs: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


def changed(value: object, path: tuple[object, ...], other: object) -> object:
    """Return a copy of a JSON value with another value at one place."""
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return copy


INLINE = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"
STRANGE = [
    None,
    1,
    -1,
    1.5,
    True,
    "",
    [],
    {},
    "x",
    [1],
    {"a": 1},
    2**70,
    "\ud800",
    "\0",
    "%zz",
    "/",
]


def test_any_value_of_a_log_may_be_strange(tmp_path: Path) -> None:
    """Whatever stands where, the answer is a table or a SourceError, never another error."""
    pq.write_table(pa.table({"id": range(30), "n": [{"x": 1}] * 30}), tmp_path / "a.parquet")
    inner = {"type": "struct", "fields": [field("x", "long", physical="x")]}
    fields = [field("id", "long", id=1, physical="id"), field("n", inner, physical="n")]
    schema = {"type": "struct", "fields": [*fields, field("p", "date", physical="p")]}
    vector = {"storageType": "i", "pathOrInlineDv": INLINE, "sizeInBytes": 44, "cardinality": 6}
    actions = [
        protocol(1, 2, "deletionVectors", "columnMapping"),
        metadata(partitions=("p",), mode="name"),
        add("a.parquet", partitionValues={"p": "2020-01-01"}, deletionVector=vector),
    ]

    def outcome(found: object, described: object) -> int:
        whole = json.loads(json.dumps(found))
        if isinstance(whole[1].get("metaData"), dict) and described is not None:
            whole[1]["metaData"]["schemaString"] = json.dumps(described)
        commit(tmp_path, 0, *whole)
        try:
            return read(tmp_path).num_rows
        except SourceError:
            return -1

    assert outcome(actions, schema) == 24
    logs = [changed(actions, at, v) for at in places(actions) if len(at) > 1 for v in STRANGE]
    schemas = [changed(schema, at, v) for at in places(schema) for v in STRANGE]
    found = [outcome(log, schema) for log in logs] + [outcome(actions, one) for one in schemas]
    assert {-1, 24} <= set(found) <= {-1, 0, 24, 30}


def checkpointed(root: Path) -> Path:
    """Write six commits and a checkpoint with delta-rs, the old commits cleaned away."""
    deltalake = pytest.importorskip("deltalake")
    for number in range(6):
        table = pa.table({"id": [number], "p": [None if number == 3 else f"v{number}"]})
        deltalake.write_deltalake(root, table, mode="append", partition_by=["p"])
        if number == 4:
            deltalake.DeltaTable(root).create_checkpoint()
    for number in range(4):
        (root / "_delta_log" / f"{number:020}.json").unlink()
    return root / "_delta_log"


def test_a_checkpoint_of_delta_rs(tmp_path: Path) -> None:
    log = checkpointed(tmp_path)
    for version in (4, 5):
        found = snapshot(tmp_path, version)
        values = {str(file.partition_values["p"]) for file in found.files}
        assert values == {"v0", "v1", "v2", "None", "v4", "v5"} - {f"v{version + 1}"}
        assert {file.num_records for file in found.files} == {1}
    with pytest.raises(SourceError, match="cannot be read at version 3: commit 0 is missing"):
        snapshot(tmp_path, 3)
    (log / "_last_checkpoint").unlink()
    assert len(snapshot(tmp_path).files) == 6


def test_a_damaged_checkpoint_is_refused_by_name(tmp_path: Path) -> None:
    path = checkpointed(tmp_path) / f"{4:020}.checkpoint.parquet"
    whole = path.read_bytes()
    for size in (0, 3, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(SourceError, match=f"checkpoint file .*{path.name} cannot be read"):
            snapshot(tmp_path)


def test_any_byte_of_a_checkpoint_may_be_damaged(tmp_path: Path) -> None:
    """Whatever is damaged, the answer is a snapshot or a SourceError, never another error."""
    path = checkpointed(tmp_path) / f"{4:020}.checkpoint.parquet"
    whole = path.read_bytes()
    refused = 0
    for place in range(0, len(whole), 23):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            snapshot(tmp_path)
        except SourceError:
            refused += 1
    assert refused > 20


@needs_shared
def test_a_checkpoint_in_parts_counts_only_whole(tmp_path: Path) -> None:
    root = unpack("multi-part-checkpoint", tmp_path) / "delta"
    log = root / "_delta_log"
    whole = names(root)
    (log / f"{0:020}.json").rename(tmp_path / "first")
    assert names(root) == whole
    (log / f"{1:020}.checkpoint.{2:010}.{2:010}.parquet").unlink()
    with pytest.raises(SourceError, match="commit 0 is missing"):
        snapshot(root)
    (tmp_path / "first").rename(log / f"{0:020}.json")
    assert names(root) == whole


@needs_shared
def test_v2_checkpoints_as_json_and_as_parquet(tmp_path: Path) -> None:
    root = tmp_path / "table"
    shutil.copytree(OUTSIDE / "delta-rs" / "checkpoint-v2-table", root)
    log = root / "_delta_log"
    replayed = names(root)
    top = next(log.glob(f"{8:020}.checkpoint.*.json"))
    for number in range(9):
        (log / f"{number:020}.json").unlink()
    assert names(root) == replayed
    assert names(root, 6)
    with pytest.raises(SourceError, match="commit 7 is missing"):
        snapshot(root, 7)
    as_parquet(top)
    assert names(root) == replayed
    next((log / "_sidecars").glob(f"{8:020}*")).unlink()
    assert schema_of(root)["type"] == "struct"
    with pytest.raises(SourceError, match=r"checkpoint file .*_sidecars"):
        snapshot(root)


def as_parquet(top: Path) -> None:
    """Write the JSON top file of a V2 checkpoint as Parquet, under another UUID."""
    actions = [json.loads(line) for line in top.read_text().splitlines()]
    texts = pa.map_(pa.string(), pa.string())
    listed = pa.list_(pa.string())
    schema = pa.schema(
        {
            "protocol": pa.struct(
                {
                    "minReaderVersion": pa.int32(),
                    "minWriterVersion": pa.int32(),
                    "readerFeatures": listed,
                    "writerFeatures": listed,
                }
            ),
            "metaData": pa.struct(
                {
                    "format": pa.struct({"provider": pa.string(), "options": texts}),
                    "schemaString": pa.string(),
                    "partitionColumns": listed,
                    "configuration": texts,
                }
            ),
            "sidecar": pa.struct({"path": pa.string(), "sizeInBytes": pa.int64()}),
            "checkpointMetadata": pa.struct({"version": pa.int64()}),
        }
    )
    for action in actions:
        if "metaData" in action:
            action["metaData"]["configuration"] = list(action["metaData"]["configuration"].items())
            action["metaData"]["format"]["options"] = []
    name = f"{8:020}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.parquet"
    pq.write_table(pa.Table.from_pylist(actions, schema), top.parent / name)
    top.unlink()


def isolated(script: str) -> str:
    """Run a script in an interpreter that finds our package and no more than it is told."""
    root = str(Path(__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_a_log_of_commits_needs_no_pyarrow(tmp_path: Path) -> None:
    three_commits(tmp_path)
    script = f"""
import sys
sys.modules["pyarrow"] = None
from ods_fingerprint.delta_log import snapshot
print(len(snapshot({str(tmp_path)!r}).files))
"""
    assert isolated(script) == "2\n"


def test_what_needs_pyarrow_says_how_to_get_it(tmp_path: Path) -> None:
    checkpointed(tmp_path)
    script = f"""
import sys
sys.modules["pyarrow"] = None
from ods_fingerprint.delta_log import snapshot
from ods_fingerprint.errors import SourceError
try:
    snapshot({str(tmp_path)!r})
except SourceError as error:
    print(error)
try:
    import ods_fingerprint.sources.delta
except SourceError as error:
    print(error)
"""
    told = isolated(script).splitlines()
    assert len(told) == 2
    assert all("pyarrow: pip install 'ods-fingerprint[delta]'" in line for line in told)
