"""The actions of a Delta log that say what a table holds, read from one JSON object each."""

from __future__ import annotations

import json
import os.path
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from .errors import SourceError

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Action: TypeAlias = Mapping[str, Json]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a reader and a writer must know; the features are None below version 3 and 7."""

    min_reader: int
    min_writer: int
    reader_features: tuple[str, ...] | None = None
    writer_features: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """The schema as parsed JSON, the partition columns by logical name, the table properties."""

    schema: Mapping[str, Json]
    partition_columns: tuple[str, ...]
    configuration: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DeletionVector:
    """Where the deleted rows of a data file are listed: `storage` is u, p or i."""

    storage: str
    location: str
    offset: int | None
    size: int
    cardinality: int

    @property
    def unique_id(self) -> str:
        """Return the identity that the protocol derives, part of the key of a logical file."""
        at = "" if self.offset is None else f"@{self.offset}"
        return f"{self.storage}{self.location}{at}"


@dataclass(frozen=True, slots=True)
class AddFile:
    """A data file that is part of the table; `partition_values` go by physical name."""

    path: str
    partition_values: Mapping[str, str | None]
    size: int
    deletion_vector: DeletionVector | None
    num_records: int | None


def protocol(action: Action, where: str) -> Protocol:
    """Return a `protocol` action."""
    return Protocol(
        _number(action, "minReaderVersion", where),
        _number(action, "minWriterVersion", where),
        _texts(action, "readerFeatures", where),
        _texts(action, "writerFeatures", where),
    )


def metadata(action: Action, where: str) -> Metadata:
    """Return a `metaData` action, its schema parsed; formats other than Parquet are refused."""
    form = action.get("format")
    provider = form.get("provider") if isinstance(form, Mapping) else None
    if provider not in (None, "parquet"):
        raise SourceError(f"{where}: the data files are {provider!r}; only 'parquet' can be read")
    return Metadata(
        _schema(_text(action, "schemaString", where), where),
        _texts(action, "partitionColumns", where) or (),
        {key: value or "" for key, value in _map(action, "configuration", where).items()},
    )


def add_file(action: Action, root: Path, where: str) -> AddFile:
    """Return an `add` action, its path made absolute."""
    return AddFile(
        local_path(_text(action, "path", where), root, where),
        _map(action, "partitionValues", where),
        _number(action, "size", where),
        deletion_vector(action, where),
        _num_records(action, where),
    )


def deletion_vector(action: Action, where: str) -> DeletionVector | None:
    """Return the deletion vector of an `add` or `remove` action, None if it has none."""
    given = action.get("deletionVector")
    if given is None:
        return None
    found = mapping(given, f"{where}: deletionVector")
    return DeletionVector(
        _text(found, "storageType", where),
        _text(found, "pathOrInlineDv", where),
        None if found.get("offset") is None else _number(found, "offset", where),
        _number(found, "sizeInBytes", where),
        _number(found, "cardinality", where),
    )


def removed_path(action: Action, root: Path, where: str) -> str:
    """Return the absolute path that a `remove` action names."""
    return local_path(_text(action, "path", where), root, where)


def sidecar_path(action: Action, log: Path, where: str) -> Path:
    """Return the path of a `sidecar` action: a bare name lies in `_sidecars`."""
    return Path(local_path(_text(action, "path", where), log / "_sidecars", where))


def local_path(uri: str, root: Path, where: str) -> str:
    """Return a URI of the log as an absolute local path; other schemes than `file` are refused.

    `root` is without symbolic links, as absolute paths come out: a file has one path.
    """
    scheme = _SCHEME.fullmatch(uri)
    rest = uri
    if scheme:
        host, rest = _host(scheme[2])
        if scheme[1].lower() != "file" or host not in ("", "localhost"):
            raise SourceError(f"{where}: {uri!r} is not on this machine; copy the table whole")
    try:
        decoded = unquote(rest, errors="strict")
    except UnicodeDecodeError as error:
        raise SourceError(f"{where}: the path {uri!r} does not decode to UTF-8") from error
    if not decoded or "\0" in decoded:
        raise SourceError(f"{where}: {uri!r} is not a path")
    if decoded.startswith("/"):
        return os.path.realpath(decoded)
    return os.path.normpath(f"{root}/{decoded}")


def parse(text: str, where: str) -> Json:
    """Return a JSON text as Python values, refusing what is not JSON or not Unicode."""
    try:
        parsed: Json = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(parsed, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{where} is not JSON: {error}") from error
    return parsed


def mapping(value: Json, where: str) -> Mapping[str, Json]:
    """Return `value` if it is a JSON object, else refuse it by place."""
    if not isinstance(value, Mapping):
        raise SourceError(f"{where}: expected a JSON object, got {type(value).__name__}")
    return value


def _host(rest: str) -> tuple[str, str]:
    if not rest.startswith("//"):
        return "", rest
    host, slash, path = rest[2:].partition("/")
    return host, slash + path


def _schema(text: str, where: str) -> Mapping[str, Json]:
    parsed = mapping(parse(text, f"{where}: schemaString"), f"{where}: schemaString")
    fields = parsed.get("fields")
    if parsed.get("type") != "struct" or not isinstance(fields, list):
        raise SourceError(f"{where}: schemaString is not a struct with fields")
    for field in fields:
        name = _text(mapping(field, f"{where}: a field of schemaString"), "name", where)
        if "type" not in mapping(field, where):
            raise SourceError(f"{where}: the column {name!r} of schemaString has no type")
    return parsed


def _num_records(action: Action, where: str) -> int | None:
    stats = action.get("stats")
    if isinstance(stats, str) and stats:
        stats = parse(stats, f"{where}: stats")
    elif isinstance(action.get("stats_parsed"), Mapping):
        stats = action["stats_parsed"]
    if not isinstance(stats, Mapping) or stats.get("numRecords") is None:
        return None
    return _number(stats, "numRecords", where)


def _text(action: Action, key: str, where: str) -> str:
    value = action.get(key)
    if not isinstance(value, str):
        raise SourceError(f"{where}: {key!r} should be text, got {value!r}")
    return value


def _number(action: Action, key: str, where: str) -> int:
    value = action.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise SourceError(f"{where}: {key!r} should be a whole number, got {value!r}")
    return value


def _texts(action: Action, key: str, where: str) -> tuple[str, ...] | None:
    value = action.get(key)
    if value is None:
        return None
    if not isinstance(value, list):
        raise SourceError(f"{where}: {key!r} should be a list of names, got {value!r}")
    return tuple(_text({key: item}, key, where) for item in value)


def _map(action: Action, key: str, where: str) -> Mapping[str, str | None]:
    value = action.get(key)
    if value is None:
        return {}
    pairs = mapping(value, f"{where}: {key}")
    return {k: None if v is None else _text(pairs, k, where) for k, v in pairs.items()}
