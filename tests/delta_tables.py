"""Delta tables for the tests: the shared ones, and logs written by hand."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from shared import OUTSIDE

from ods_fingerprint.delta_log import Snapshot, snapshot
from ods_fingerprint.sources.delta import batches


def unpack(name: str, folder: Path) -> Path:
    """Unpack a golden table of delta-kernel-rs and return the folder that holds it."""
    packed = pa.OSFile(str(OUTSIDE / "delta-golden" / f"{name}.tar.zst"))
    with tarfile.open(fileobj=pa.CompressedInputStream(packed, "zstd"), mode="r|") as members:
        members.extractall(folder, filter="data")
    return folder / name


def protocol(reader: int = 1, writer: int = 2, *features: str) -> dict[str, object]:
    """Return a `protocol` action; with features it is of reader version 3."""
    found: dict[str, object] = {"minReaderVersion": reader, "minWriterVersion": writer}
    if features:
        found |= {"minReaderVersion": 3, "minWriterVersion": 7}
        found |= {"readerFeatures": list(features), "writerFeatures": list(features)}
    return {"protocol": found}


def field(name: str, kind: object, nullable: bool = True, **metadata: object) -> dict[str, object]:
    """Return a field of a schema; `id` and `physical` are its column mapping."""
    words = {"id": "delta.columnMapping.id", "physical": "delta.columnMapping.physicalName"}
    named = {words.get(key, key): value for key, value in metadata.items()}
    return {"name": name, "type": kind, "nullable": nullable, "metadata": named}


def metadata(
    *fields: dict[str, object], partitions: tuple[str, ...] = (), **configuration: str
) -> dict[str, object]:
    """Return a `metaData` action; `mode` sets the column mapping."""
    words = {"mode": "delta.columnMapping.mode"}
    return {
        "metaData": {
            "id": "00000000-0000-0000-0000-000000000000",
            "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps({"type": "struct", "fields": list(fields)}),
            "partitionColumns": list(partitions),
            "configuration": {words.get(k, k): v for k, v in configuration.items()},
        }
    }


def add(path: str, **more: object) -> dict[str, object]:
    """Return an `add` action of an unpartitioned file."""
    base = {"path": path, "partitionValues": {}, "size": 1, "modificationTime": 1}
    return {"add": base | {"dataChange": True} | more}


def remove(path: str, **more: object) -> dict[str, object]:
    """Return a `remove` action."""
    return {"remove": {"path": path, "dataChange": True, "deletionTimestamp": 1} | more}


def commit(root: Path, version: int, *actions: dict[str, object]) -> Path:
    """Write one commit of a log and return its path."""
    log = root / "_delta_log"
    log.mkdir(parents=True, exist_ok=True)
    path = log / f"{version:020}.json"
    path.write_text("".join(json.dumps(action) + "\n" for action in actions), encoding="utf-8")
    return path


def parquet(root: Path, name: str, table: pa.Table, **options: object) -> int:
    root.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, root / name, **options)
    return table.num_rows


def one_file(root: Path, table: pa.Table, *fields: dict[str, object], **more: object) -> None:
    """Write a table of one file; `features`, `mode` and the rest are of the protocol and the log."""
    features = more.pop("features", ())
    mode = more.pop("mode", None)
    reader = protocol(1, 2, *features) if features else protocol(2 if mode else 1, 5)
    parquet(root, "a.parquet", table, **more.pop("options", {}))
    described = metadata(*fields, **({"mode": mode} if mode else {}))
    commit(root, 0, reader, described, add("a.parquet", **more))


def read(source: Path | Snapshot, columns: list[str] | None = None) -> pa.Table:
    """Return a whole table as our reader gives it, checked by Arrow itself."""
    table = source if isinstance(source, Snapshot) else snapshot(source)
    schema, stream = batches(table, columns)
    found = pa.Table.from_batches(list(stream), schema)
    found.validate(full=True)
    return found


def rows(table: pa.Table) -> list[str]:
    """Return the rows as text, sorted: two lists are equal if the tables hold the same rows."""
    return sorted(map(repr, table.to_pylist()))
