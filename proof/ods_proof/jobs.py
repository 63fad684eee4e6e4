"""What runs in a process of its own: make the table, write, read, copy, examine.

Arguments and results are JSON values: paths, and fingerprints as their JSON texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

import ods_fingerprint as ods

from . import delta_files, delta_table, probes, profiles, rehearsal, rows
from .contract import load
from .delta_table import Commit
from .engines import Place, find
from .rows import plain_type
from .table import Generated

Json: TypeAlias = "dict[str, Any]"


def start(engine: str, scratch: str) -> Json:
    """Have an engine start, if there is one: it takes a while, and waits for its first job."""
    if engine:
        find(engine).start(Place(Path(scratch)))
    return {}


def rehearse(engine: str, scratch: str) -> Json:
    """Have an engine that gets faster as it runs use the time until its first job."""
    if engine and find(engine).about().rehearses:
        rehearsal.rehearse(find(engine), Place(Path(scratch)))
    return {}


def generate(rows: int, seed: int, maps: bool, keep: str, values: str) -> Json:
    """Make the table as an Arrow IPC file, fingerprint it, and choose the values of the probes."""
    contract = load() if maps else load().without_maps()
    made = Generated(contract, rows, seed)
    stream = pa.RecordBatchReader.from_batches(contract.arrow(), made.batches())
    found = _figures(stream, Path(keep))
    return {**found, "counts": probes.choose(Path(keep), Path(values))}


def write(
    engine: str, source: str, table: str, maps: bool, commit: Mapping[str, str], scratch: str
) -> Json:
    """Have an engine write the generated table as Delta, under the declared schema."""
    contract = load() if maps else load().without_maps()
    path, ours = Path(table), Commit(**commit)
    platform = Commit("platform", ours.proof, ours.step)
    delta_table.create(path, contract.arrow(), contract.confidential(), platform)
    used, place = find(engine), Place(Path(scratch))
    used.append(used.load(Path(source), place), path, ours, place)
    return _read(engine, path, delta_table.version_of(path), place, None)


def read(engine: str, table: str, version: int, scratch: str, keep: str | None) -> Json:
    """Have an engine read a table at a version."""
    return _read(engine, Path(table), version, Place(Path(scratch)), Path(keep) if keep else None)


def copy(
    engine: str, table: str, version: int, target: str, commit: Mapping[str, str], scratch: str
) -> Json:
    """Have an engine read a table and write it again, under the schema found in the log."""
    path, ours = Path(target), Commit(**commit)
    platform = Commit("platform", ours.proof, ours.step)
    delta_table.create_like(path, Path(table), version, platform)
    used, place = find(engine), Place(Path(scratch))
    used.append(used.read(Path(table), version, place), path, ours, place)
    return _read(engine, path, delta_table.version_of(path), place, None)


def _read(engine: str, table: Path, version: int, place: Place, keep: Path | None) -> Json:
    used = find(engine)
    found = _figures(used.arrow(used.read(table, version, place)), keep)
    own = used.own_fingerprint(table, version, place)
    return {**found, "own": own and own.to_json(), "version": version}


def _figures(stream: pa.RecordBatchReader, keep: Path | None) -> Json:
    """Fingerprint a stream, and keep it as an Arrow IPC file if asked."""
    kinds = {field.name: str(plain_type(field.type)) for field in stream.schema}
    if keep is None:
        return {"fingerprint": ods.compute(stream).to_json(), "schema": kinds}
    with pa.OSFile(str(keep), "wb") as sink, pa.ipc.new_file(sink, stream.schema) as writer:
        kept = pa.RecordBatchReader.from_batches(stream.schema, _kept(stream, writer))
        fingerprint = ods.compute(kept)
    return {"fingerprint": fingerprint.to_json(), "schema": kinds}


def _kept(stream: pa.RecordBatchReader, writer: pa.RecordBatchWriter) -> Iterator[pa.RecordBatch]:
    for batch in stream:
        writer.write_batch(batch)
        yield batch


def examine(
    generated: str,
    read: str | None,
    tables: Mapping[str, str],
    hidden: Sequence[str],
    mark: str,
) -> Json:
    """Compare rows, take profiles, and look into data files: the platform's own part."""
    report = rows.compare(Path(generated), Path(read), hidden, mark) if read else None
    return {
        "rows": report and {**asdict(report), "identical": report.identical},
        "profiles": {side: profiles.of_table(Path(path)) for side, path in tables.items()},
        "files": {side: delta_files.look(Path(path)) for side, path in tables.items()},
    }


def probe(engine: str, table: str, version: int, values: str, scratch: str) -> Json:
    """Have an engine count the rows that hold a value, column by column, by its own filter."""
    used, place = find(engine), Place(Path(scratch))
    found: Json = {}
    for name, value in probes.load(Path(values)).items():
        try:
            found[name] = used.count_equal(Path(table), version, name, value, place)
        except Exception as error:  # an answer too: the next column may have another
            found[name] = type(error).__name__
    return {"counts": found}


JOBS: Mapping[str, Callable[..., Json]] = {
    "generate": generate,
    "write": write,
    "read": read,
    "copy": copy,
    "examine": examine,
    "probe": probe,
}
