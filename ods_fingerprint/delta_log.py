"""What a Delta table holds at one version, from its log alone: schema, protocol and data files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from .delta_actions import (
    AddFile,
    DeletionVector,
    Json,
    Metadata,
    Protocol,
    add_file,
    deletion_vector,
    mapping,
    metadata,
    protocol,
    removed_path,
)
from .delta_checkpoint import Checkpoint, actions, checkpoints, lines
from .errors import SourceError

__all__ = ["AddFile", "DeletionVector", "Protocol", "Snapshot", "schema_of", "snapshot"]

READER_FEATURES = frozenset(
    {
        "columnMapping",
        "deletionVectors",
        "timestampNtz",
        "typeWidening",
        "typeWidening-preview",
        "v2Checkpoint",
        "vacuumProtocolCheck",
        "variantType",
        "variantType-preview",
    }
)
_CATALOG = frozenset({"catalogManaged", "catalogOwned-preview", "coordinatedCommits-preview"})
_COORDINATOR = "delta.coordinatedCommits.commitCoordinator"
_COMMIT = re.compile(r"(\d{20})\.json")
_STAGED = re.compile(r"(\d{20})\.[0-9A-Za-z-]+\.json")

_Key: TypeAlias = "tuple[str, str | None]"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at one version; `schema` is the parsed schemaString, `files` the data files."""

    path: Path
    version: int
    protocol: Protocol
    schema: Mapping[str, Json]
    partition_columns: tuple[str, ...]
    configuration: Mapping[str, str]
    files: tuple[AddFile, ...]

    @property
    def mapping_mode(self) -> str:
        """Return how columns are found in data files: none, name or id.

        The property counts only where the protocol has the feature.
        """
        if self.protocol.min_reader < 2:
            return "none"
        if "columnMapping" not in (self.protocol.reader_features or ("columnMapping",)):
            return "none"
        return self.configuration.get("delta.columnMapping.mode", "none")


@dataclass(slots=True)
class _State:
    """What the replay has found so far; `files` goes by path and deletion vector."""

    protocol: Protocol | None = None
    metadata: Metadata | None = None
    files: dict[_Key, AddFile] = field(default_factory=dict[_Key, AddFile])


@dataclass(frozen=True, slots=True)
class _Log:
    """What lies in `_delta_log`, by name alone."""

    folder: Path
    commits: frozenset[int]
    checkpoints: Mapping[int, Checkpoint]

    @property
    def newest(self) -> int:
        return max(self.commits | self.checkpoints.keys())


def snapshot(path: str | Path, version: int | None = None) -> Snapshot:
    """Return the table in the folder `path` at `version`, by default its newest.

    A SourceError says why where the table cannot be read rightly.
    """
    return _read(path, version, files=True)


def schema_of(path: str | Path, version: int | None = None) -> Mapping[str, Json]:
    """Return the parsed schemaString alone, refusing what `snapshot` refuses of the protocol."""
    return _read(path, version, files=False).schema


def _read(path: str | Path, version: int | None, files: bool) -> Snapshot:
    root = Path(os.path.realpath(path))
    log = _list(root)
    target = log.newest if version is None else version
    if not 0 <= target <= log.newest:
        raise SourceError(f"{root} has no version {target}; its newest is {log.newest}")
    state = _replay(log, root, target, files)
    if state.protocol is None or state.metadata is None:
        missing = "protocol" if state.protocol is None else "metaData"
        raise SourceError(f"{root}: the log up to version {target} has no {missing} action")
    _check(state.protocol, state.metadata, root)
    if version is None:
        _refuse_staged(log)
    table = state.metadata
    found = Snapshot(
        root,
        target,
        state.protocol,
        table.schema,
        table.partition_columns,
        table.configuration,
        _live(state, root),
    )
    if found.mapping_mode not in ("none", "name", "id"):
        raise SourceError(f"{root}: delta.columnMapping.mode is {found.mapping_mode!r}")
    return found


def _list(root: Path) -> _Log:
    folder = root / "_delta_log"
    if not folder.is_dir():
        raise SourceError(f"{root} is not a Delta table: it has no folder _delta_log")
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise SourceError(f"{folder} cannot be listed: {error}") from error
    commits = frozenset(int(m[1]) for m in map(_COMMIT.fullmatch, names) if m)
    log = _Log(folder, commits, checkpoints(folder, names))
    if not commits and not log.checkpoints:
        raise SourceError(f"{root} is not a Delta table: _delta_log has no commit, no checkpoint")
    return log


def _replay(log: _Log, root: Path, target: int, files: bool) -> _State:
    state = _State()
    start = max((found for found in log.checkpoints if found <= target), default=None)
    first = 0 if start is None else start + 1
    missing = next((n for n in range(first, target + 1) if n not in log.commits), None)
    if missing is not None:
        raise SourceError(
            f"{root} cannot be read at version {target}: commit {missing} is missing from the"
            f" log, and no complete checkpoint from {missing} to {target} stands in for it"
        )
    if start is not None:
        for name, action in actions(log.checkpoints[start], files):
            where = f"{root}: {name}"
            _describe(state, action, where)
            if files and action.get("add") is not None:
                file = add_file(mapping(action["add"], where), root, where)
                state.files[_key(file)] = file
    for number in range(first, target + 1):
        _commit(state, log.folder / f"{number:020}.json", root, files)
    return state


def _describe(state: _State, action: Mapping[str, Json], where: str) -> None:
    if action.get("protocol") is not None:
        state.protocol = protocol(mapping(action["protocol"], where), where)
    if action.get("metaData") is not None:
        state.metadata = metadata(mapping(action["metaData"], where), where)


def _commit(state: _State, path: Path, root: Path, files: bool) -> None:
    """Apply one commit: its actions have no order, so an add and a remove must not clash."""
    where = f"{root}: commit {path.name}"
    found = list(lines(path))
    for action in found:
        _describe(state, action, where)
    if not files:
        return
    added = [add_file(action, root, where) for action in _of("add", found, where)]
    removed = [_removed(action, root, where) for action in _of("remove", found, where)]
    if len({file.path for file in added}) != len(added):
        raise SourceError(f"{where} adds one file twice")
    for clash in {_key(file) for file in added} & set(removed):
        raise SourceError(f"{where} both adds and removes {clash[0]}")
    for key in removed:
        state.files.pop(key, None)
    state.files.update((_key(file), file) for file in added)


def _of(kind: str, found: list[Mapping[str, Json]], where: str) -> Iterator[Mapping[str, Json]]:
    return (mapping(action[kind], where) for action in found if action.get(kind) is not None)


def _removed(action: Mapping[str, Json], root: Path, where: str) -> _Key:
    vector = deletion_vector(action, where)
    return removed_path(action, root, where), vector.unique_id if vector else None


def _key(file: AddFile) -> _Key:
    return file.path, file.deletion_vector.unique_id if file.deletion_vector else None


def _live(state: _State, root: Path) -> tuple[AddFile, ...]:
    files = tuple(state.files.values())
    seen: set[str] = set()
    features = (state.protocol.reader_features if state.protocol else None) or ()
    for file in files:
        if file.path in seen:
            raise SourceError(f"{root}: {file.path} is in the table with two sets of deletions")
        if file.deletion_vector and "deletionVectors" not in features:
            raise SourceError(f"{root}: {file.path} has deletions, but the protocol allows none")
        seen.add(file.path)
    return files


def _check(found: Protocol, table: Metadata, root: Path) -> None:
    _refuse_catalog(found, table, root)
    version = found.min_reader
    if version not in (1, 2, 3):
        raise SourceError(
            f"{root} needs a reader of version {version}; versions 1 to 3 can be read here"
        )
    if (version == 3 and found.reader_features is None) or (version < 3 and found.reader_features):
        listed = found.reader_features
        raise SourceError(f"{root}: reader version {version} with the reader features {listed}")
    unknown = sorted(set(found.reader_features or ()) - READER_FEATURES)
    if unknown:
        named = ", ".join(unknown)
        raise SourceError(f"{root} needs reader features that are not supported here: {named}")


def _refuse_catalog(found: Protocol, table: Metadata, root: Path) -> None:
    named = _CATALOG & {*(found.reader_features or ()), *(found.writer_features or ())}
    named |= {key for key in table.configuration if key.startswith(_COORDINATOR)}
    if named:
        raise SourceError(
            f"{root} has its commits kept by a catalog ({', '.join(sorted(named))}):"
            " its folder alone does not say what it holds; read it through its engine"
        )


def _refuse_staged(log: _Log) -> None:
    staged = log.folder / "_staged_commits"
    if not staged.is_dir():
        return
    for path in sorted(staged.iterdir()):
        match = _STAGED.fullmatch(path.name)
        if match and int(match[1]) > log.newest:
            raise SourceError(f"{path} is newer than the log: the table's catalog decides")
