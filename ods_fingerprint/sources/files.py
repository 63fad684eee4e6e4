"""Parquet and Arrow IPC files, and folders of Parquet, as streams of Arrow batches."""

from __future__ import annotations

import glob
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import SourceError

Stream: TypeAlias = tuple[pa.Schema, Iterator[pa.RecordBatch]]
Hive: TypeAlias = Literal["read", "ignore"] | None

BATCH_ROWS = 32_768
_READ_BUFFER = 1 << 20
_PARQUET, _IPC_FILE = b"PAR1", b"ARROW1"
_HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def stream(path: str, hive: Hive = None) -> Stream:
    """Return the schema and the batches of a file, a folder of Parquet files or a quoted glob."""
    place = Path(path)
    if place.is_file():
        return _one(place)
    if place.is_dir():
        files = _inside(place)
        return _many(files, place, hive, f"the folder {path}")
    if glob.has_magic(path):
        files = sorted(Path(found) for found in glob.glob(path, recursive=True))
        files = [found for found in files if found.is_file() and not _hidden(found.name)]
        return _many(files, Path(_fixed(path)), hive, f"the pattern {path}")
    raise SourceError(f"there is no file or folder {path}")


def stream_of(content: bytes, name: str) -> Stream:
    """Return the schema and the batches of a Parquet or Arrow file that is in memory."""
    return _opened(io.BytesIO(content), content[:6], name)


def _one(path: Path) -> Stream:
    try:
        with path.open("rb") as file:
            head = file.read(6)
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror}") from None
    return _opened(path, head, str(path))


def _opened(source: Path | BinaryIO, head: bytes, name: str) -> Stream:
    if head.startswith(_PARQUET):
        return _parquet(source, name)
    try:
        if head == _IPC_FILE:
            return _ipc_file(source, name)
        return _ipc_stream(source, name)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = _first_line(error)
        raise SourceError(f"{name} is neither a Parquet nor an Arrow IPC file: {reason}") from None


def _parquet(source: Path | BinaryIO, name: str) -> Stream:
    try:
        file = pq.ParquetFile(
            source,
            coerce_int96_timestamp_unit="us",
            pre_buffer=False,
            buffer_size=_READ_BUFFER,
            page_checksum_verification=True,
        )
        return file.schema_arrow, _parquet_batches(file, name)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SourceError(f"{name} cannot be read as Parquet: {_first_line(error)}") from None


def _parquet_batches(file: pq.ParquetFile, name: str) -> Iterator[pa.RecordBatch]:
    try:
        with file:
            yield from file.iter_batches(batch_size=BATCH_ROWS, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SourceError(f"{name} cannot be read as Parquet: {_first_line(error)}") from None


def _ipc_file(source: Path | BinaryIO, name: str) -> Stream:
    reader = pa.ipc.open_file(_arrow_source(source))
    batches = (reader.get_batch(at) for at in range(reader.num_record_batches))
    return reader.schema, _checked(batches, name)


def _ipc_stream(source: Path | BinaryIO, name: str) -> Stream:
    reader = pa.ipc.open_stream(_arrow_source(source))
    return reader.schema, _checked(iter(reader), name)


def _arrow_source(source: Path | BinaryIO) -> pa.NativeFile | BinaryIO:
    return pa.memory_map(str(source)) if isinstance(source, Path) else source


def _checked(batches: Iterator[pa.RecordBatch], name: str) -> Iterator[pa.RecordBatch]:
    """Yield batches whose offsets and lengths were checked: an IPC file may state any."""
    try:
        for batch in batches:
            batch.validate(full=True)
            yield batch
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SourceError(f"{name} is damaged: {_first_line(error)}") from None


def _inside(folder: Path) -> list[Path]:
    """Return the files of a folder and its folders, without hidden ones and those with `_`."""
    found: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if _hidden(entry.name):
            continue
        found += _inside(entry) if entry.is_dir() else [entry]
    return found


def _hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _fixed(pattern: str) -> str:
    """Return the folder part of a glob that holds no wildcard."""
    parts = Path(pattern).parts
    fixed = [part for at, part in enumerate(parts) if not any(map(glob.has_magic, parts[: at + 1]))]
    return str(Path(*fixed)) if fixed else "."


def _many(files: Sequence[Path], root: Path, hive: Hive, what: str) -> Stream:
    if not files:
        raise SourceError(f"{what} holds no data file")
    keys = [_keys(path, root) for path in files]
    if any(keys) and hive is None:
        example = next(path for path, found in zip(files, keys) if found)
        raise SourceError(
            f"{what} holds key=value folders ({example}): --hive reads the keys as string columns, "
            "--no-hive leaves them out"
        )
    schema = _one(files[0])[0].remove_metadata()
    unlike = [path for path in files if not _same(_one(path)[0], schema)]
    if unlike:
        raise SourceError(f"{what} holds files of different columns: {files[0]} and {unlike[0]}")
    # each file is opened when its turn comes, and closed after it
    streams = (_one(path)[1] for path in files)
    if hive != "read":
        return schema, (batch for batches in streams for batch in batches)
    return _with_keys(files, keys, streams, schema)


def _same(one: pa.Schema, other: pa.Schema) -> bool:
    """Return whether columns and types agree; whether one may hold nulls does not matter."""
    return one.names == other.names and one.types == other.types


def _keys(path: Path, root: Path) -> dict[str, str | None]:
    """Return the key=value pairs of the folders between `root` and a file."""
    inner = path.relative_to(root).parts[:-1] if path.is_relative_to(root) else ()
    pairs = (part.partition("=") for part in inner if "=" in part)
    return {
        unquote(key): None if value == _HIVE_NULL else unquote(value) for key, _, value in pairs
    }


def _with_keys(
    files: Sequence[Path],
    keys: Sequence[dict[str, str | None]],
    streams: Iterator[Iterator[pa.RecordBatch]],
    schema: pa.Schema,
) -> Stream:
    names = list(keys[0])
    for path, found in zip(files, keys):
        if list(found) != names:
            raise SourceError(f"{files[0]} and {path} lie in folders of different keys")
    wide = pa.schema([*schema, *(pa.field(name, pa.string()) for name in names)])
    return wide, _keyed(keys, streams, wide)


def _keyed(
    keys: Sequence[dict[str, str | None]],
    streams: Iterator[Iterator[pa.RecordBatch]],
    schema: pa.Schema,
) -> Iterator[pa.RecordBatch]:
    for found, batches in zip(keys, streams):
        for batch in batches:
            constant = [
                pa.array([value], pa.string()).take(pa.array([0] * batch.num_rows, pa.int32()))
                for value in found.values()
            ]
            yield pa.RecordBatch.from_arrays([*batch.columns, *constant], schema=schema)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
