"""Parquet and Arrow IPC files, and folders of Parquet, as streams of Arrow batches."""

from __future__ import annotations

import glob
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import SourceError, first_line
from ..schema import refuse_doubles
from . import int96, rebase
from .source import Hive

Stream: TypeAlias = tuple[pa.Schema, Iterator[pa.RecordBatch]]

BATCH_ROWS = 32_768
_BATCH_BYTES = 1 << 28
_READ_BUFFER = 1 << 20
_PARQUET, _ENCRYPTED, _IPC_FILE = b"PAR1", b"PARE", b"ARROW1"
_HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def stream(path: str, hive: Hive = None) -> Stream:
    """Return the schema and the batches of a file, a folder of Parquet files or a quoted glob."""
    if hive not in (None, "read", "ignore"):
        raise SourceError(f"hive is 'read', 'ignore' or None, not {hive!r}")
    place = Path(path)
    if place.is_file():
        return _one(place)
    if place.is_dir():
        return _many(_inside(place, ()), place, hive, f"the folder {path}")
    if glob.has_magic(path):
        root = Path(_fixed(path))
        found = sorted(Path(name) for name in glob.glob(path, recursive=True))
        files = [file for file in found if file.is_file() and not _beside(file, root)]
        return _many(files, root, hive, f"the pattern {path}")
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
    if head.startswith(_ENCRYPTED):
        raise SourceError(f"{name} is encrypted Parquet, which is not read: give a decrypted copy")
    try:
        if head == _IPC_FILE:
            return _ipc_file(source, name)
        return _ipc_stream(source, name)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = first_line(error)
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
        _refuse_misread(file, name)
        return file.schema_arrow, _parquet_batches(file, name)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SourceError(f"{name} cannot be read as Parquet: {first_line(error)}") from None


def _refuse_misread(file: pq.ParquetFile, name: str) -> None:
    found = int96.misread(file)
    if found:
        raise SourceError(
            f"{name} holds INT96 as an old Arrow wrote it, which is misread before 1970: "
            f"{', '.join(found)}; write the file again, or read it through DuckDB or Spark"
        )


def _parquet_batches(file: pq.ParquetFile, name: str) -> Iterator[pa.RecordBatch]:
    """Yield what the footer promises; PyArrow leaves out columns without leaves, or stops early."""
    rows = 0
    try:
        with file:
            schema, promised = file.schema_arrow, file.metadata.num_rows
            old_calendar = rebase.of_file(file, name)
            for batch in file.iter_batches(batch_size=_rows(file.metadata), use_threads=False):
                if not _same(batch.schema, schema):
                    raise SourceError(
                        f"{name} holds columns that PyArrow cannot read: {_lost(batch, schema)}"
                    )
                old_calendar.refuse(batch)
                rows += batch.num_rows
                yield batch
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SourceError(f"{name} cannot be read as Parquet: {first_line(error)}") from None
    if rows != promised:
        raise SourceError(f"{name} is damaged: it states {promised} rows and holds {rows}")


def _rows(metadata: pq.FileMetaData) -> int:
    """Return how many rows a batch may have: as the file states it, none is over _BATCH_BYTES."""
    groups = (metadata.row_group(at) for at in range(metadata.num_row_groups))
    widest = max((group.total_byte_size // max(1, group.num_rows) for group in groups), default=0)
    return max(1, min(BATCH_ROWS, _BATCH_BYTES // max(1, widest)))


def _lost(batch: pa.RecordBatch, schema: pa.Schema) -> str:
    return ", ".join(name for name in schema.names if name not in batch.schema.names)


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
        raise SourceError(f"{name} is damaged: {first_line(error)}") from None


def _inside(folder: Path, around: tuple[Path, ...]) -> list[Path]:
    """Return the files of a folder and its folders, without hidden ones and those with `_`."""
    real = folder.resolve()
    if real in around:
        raise SourceError(f"{folder} is a link to a folder that it is in")
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise SourceError(f"cannot read {folder}: {error.strerror}") from None
    found: list[Path] = []
    for entry in entries:
        if not _hidden(entry.name):
            found += _inside(entry, (*around, real)) if entry.is_dir() else [entry]
    return found


def _beside(file: Path, root: Path) -> bool:
    """Return whether a file, or a folder between it and `root`, is hidden."""
    return any(map(_hidden, file.relative_to(root).parts))


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
    for path in files:
        _refuse_unlike(files[0], schema, path, _one(path)[0])
    # each file is opened when its turn comes, and closed after it
    streams = (_one(path)[1] for path in files)
    if hive != "read":
        return schema, (batch for batches in streams for batch in batches)
    return _with_keys(files, keys, streams, schema)


def _refuse_unlike(first: Path, schema: pa.Schema, path: Path, other: pa.Schema) -> None:
    if _same(schema, other):
        return
    columns = [f"{field.name} {field.type}" for field in schema]
    others = [f"{field.name} {field.type}" for field in other]
    unlike = [words for words in columns if words not in others] or columns
    unlike_other = [words for words in others if words not in columns] or others
    raise SourceError(
        f"files of different columns: {first} holds {', '.join(unlike)}; "
        f"{path} holds {', '.join(unlike_other)}"
    )


def _same(one: pa.Schema, other: pa.Schema) -> bool:
    """Return whether columns and types agree; whether one may hold nulls does not matter."""
    return bool(one.names == other.names and one.types == other.types)


def _keys(path: Path, root: Path) -> dict[str, str | None]:
    """Return the key=value pairs of the folders between `root` and a file."""
    inner = path.relative_to(root).parts[:-1]
    pairs = [part.partition("=") for part in inner if "=" in part]
    refuse_doubles(unquote(key) for key, _, _ in pairs)
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
