"""The checkpoints of a Delta log: which are complete, and the actions that one holds."""

# pyright: standard
# (pyarrow carries no types)
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .delta_actions import Json, mapping, parse, sidecar_path
from .errors import SourceError, first_line

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_NAME = re.compile(
    r"(\d{20})\.checkpoint(?:\.(\d{10})\.(\d{10})|\.([0-9A-Za-z-]+))?\.(parquet|json)"
)
_MAPS = ("partitionValues", "configuration", "options")
_TABLE = ("protocol", "metaData")
_COLUMNS = (
    *("protocol", "metaData", "sidecar"),
    *("add.path", "add.partitionValues", "add.size", "add.deletionVector", "add.stats"),
    "add.stats_parsed.numRecords",
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a table at one version: one file, or all the parts of one checkpoint."""

    version: int
    files: tuple[Path, ...]


def checkpoints(log: Path, names: Iterable[str]) -> dict[int, Checkpoint]:
    """Return the complete checkpoints by version: a single file before one in parts."""
    found: dict[int, list[re.Match[str]]] = {}
    for name in sorted(names):
        match = _NAME.fullmatch(name)
        if match:
            found.setdefault(int(match[1]), []).append(match)
    chosen = {version: _choose(matches) for version, matches in found.items()}
    return {
        version: Checkpoint(version, tuple(log / name for name in files))
        for version, files in chosen.items()
        if files
    }


def actions(checkpoint: Checkpoint, files: bool) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Return the actions of a checkpoint, its sidecars included, each with the file it is in.

    Without `files` only the protocol and the metadata.
    """
    wanted = _COLUMNS if files else _TABLE
    for path in checkpoint.files:
        reader = _parquet if path.suffix == ".parquet" else _lines
        for action in reader(path, wanted):
            yield path.name, action
            if files and action.get("sidecar") is not None:
                sidecar = mapping(action["sidecar"], f"{path.name}: sidecar")
                inner = sidecar_path(sidecar, path.parent, path.name)
                yield from ((inner.name, found) for found in _parquet(inner, _COLUMNS))


def lines(path: Path) -> Iterator[Mapping[str, Json]]:
    """Return the actions of a file with one JSON object a line; an empty file is refused."""
    try:
        content = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise SourceError(f"{path} is gone: the log changed while it was read") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {first_line(error)}") from error
    if not content.strip():
        raise SourceError(f"{path} is empty: a commit or checkpoint was cut off")
    # Not splitlines: U+2028 and the like may stand inside a JSON string.
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            where = f"{path}, line {number}"
            yield mapping(parse(line, where), where)


def _lines(path: Path, wanted: Sequence[str]) -> Iterator[Mapping[str, Json]]:
    tops = {column.partition(".")[0] for column in wanted}
    for action in lines(path):
        yield {key: value for key, value in action.items() if key in tops}


def _choose(matches: Sequence[re.Match[str]]) -> tuple[str, ...]:
    single = [match[0] for match in matches if match[2] is None and match[4] is None]
    named = [match[0] for match in matches if match[4] is not None]
    if single or named:
        return ((single or named)[0],)
    for total in sorted({match[3] for match in matches}):
        parts = {int(match[2]): match[0] for match in matches if match[3] == total}
        if set(parts) == set(range(1, int(total) + 1)):
            return tuple(parts[number] for number in sorted(parts))
    return ()


def _parquet(path: Path, wanted: Sequence[str]) -> Iterator[Mapping[str, Json]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise SourceError(
            f"{path.name} needs pyarrow: pip install 'ods-fingerprint[delta]'"
        ) from error
    try:
        with pq.ParquetFile(path) as file:
            yield from _rows(file, wanted)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(
            f"the checkpoint file {path} cannot be read: {first_line(error)}"
        ) from error


def _rows(file: pq.ParquetFile, wanted: Sequence[str]) -> Iterator[dict[str, Json]]:
    for batch in file.iter_batches(columns=list(wanted)):
        for row in batch.to_pylist():
            yield {key: _json(value, key) for key, value in row.items()}


def _json(value: object, name: str) -> Json:
    """Return a value of pyarrow as JSON would have it: pyarrow gives a map as a list of pairs."""
    if isinstance(value, dict):
        return {key: _json(inner, key) for key, inner in value.items()}
    if isinstance(value, list) and name in _MAPS and all(isinstance(p, tuple) for p in value):
        return {key: _json(inner, key) for key, inner in value}
    if isinstance(value, list):
        return [_json(inner, "") for inner in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise SourceError(f"a checkpoint cannot hold {value!r} as {name!r}")
