"""Delta tables of a proof: created as declared, and what their logs say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, TableFeatures

Json: TypeAlias = "dict[str, Any]"
STATS_COLUMNS = "delta.dataSkippingStatsColumns"
# file statistics of decimals go through a double in delta-rs 1.6, those of floats leave NaN out
_LOSSY = (pa.types.is_decimal, pa.types.is_floating, pa.types.is_nested, pa.types.is_binary)
# of a log whose first commits are gone
_UNSAID: Json = {"minReaderVersion": 0, "minWriterVersion": 0}
_EMPTY: Json = {"schemaString": '{"type": "struct", "fields": []}'}


@dataclass(frozen=True, slots=True)
class Commit:
    """Who commits: an engine in a step of a proof."""

    engine: str
    proof: str
    step: str

    def tags(self) -> dict[str, str]:
        """Return the keys that a commit carries."""
        return {"ods.engine": self.engine, "ods.proof": self.proof, "ods.step": self.step}

    def properties(self) -> CommitProperties:
        """Return them as delta-rs takes them."""
        return CommitProperties(custom_metadata=self.tags())


@dataclass(frozen=True, slots=True)
class Version:
    """One commit of a log: its actions by kind."""

    number: int
    info: Json
    adds: tuple[Json, ...]
    removes: tuple[Json, ...]
    protocol: Json | None
    metadata: Json | None

    def beside_stats(self) -> str:
        """Return all that a commit says but for file statistics, as JSON."""
        actions = [{k: v for k, v in action.items() if k != "stats"} for action in self.adds]
        rest = (self.info, *actions, *self.removes, self.protocol, self.metadata)
        return json.dumps(rest, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Log:
    """The commits of a table, first to last, and what holds at the end."""

    path: Path
    versions: tuple[Version, ...]
    protocol: Json = field(default_factory=dict)
    metadata: Json = field(default_factory=dict)

    def files(self) -> dict[str, Json]:
        """Return the `add` actions that are in force, by path."""
        found: dict[str, Json] = {}
        for version in self.versions:
            for action in version.removes:
                found.pop(action["path"], None)
            for action in version.adds:
                found[action["path"]] = action
        return found

    def gaps(self) -> list[int]:
        """Return the numbers of the versions that must have been, but are not there."""
        there = {version.number for version in self.versions}
        return sorted(set(range(max(there, default=0) + 1)) - there)

    def fields(self) -> list[Json]:
        """Return the fields of the schema in force."""
        return fields_of(self.metadata)


def fields_of(metadata: Json) -> list[Json]:
    """Return the fields of a `metaData` action."""
    found: list[Json] = json.loads(metadata["schemaString"])["fields"]
    return found


def create(path: Path, schema: pa.Schema, unlogged: tuple[str, ...], commit: Commit) -> int:
    """Make an empty table with types, NOT NULL and tags of `schema`, and return its version.

    `unlogged` are the confidential columns, which no file statistics may hold.
    """
    logged = [
        f.name
        for f in schema
        if f.name not in unlogged and not any(lossy(f.type) for lossy in _LOSSY)
    ]
    return _created(path, schema, {STATS_COLUMNS: ",".join(logged)}, commit)


def create_like(path: Path, other: Path, version: int, commit: Commit) -> int:
    """Make an empty table with the schema, tags and configuration of another one's log."""
    theirs = DeltaTable(other, version=version)
    return _created(path, theirs.schema(), dict(theirs.metadata().configuration), commit)


def _created(path: Path, schema: Any, configuration: Mapping[str, str], commit: Commit) -> int:
    table = DeltaTable.create(
        path,
        schema=schema,
        configuration=dict(configuration),
        commit_properties=commit.properties(),
    )
    # without it Delta JVM refuses a NOT NULL column beside a zone-less timestamp
    table.alter.add_feature(
        TableFeatures.Invariants,
        allow_protocol_versions_increase=True,
        commit_properties=commit.properties(),
    )
    return version_of(path)


def version_of(path: Path) -> int:
    """Return the newest version of a table."""
    return DeltaTable(path).version()


def arrow_schema(path: Path, version: int) -> pa.Schema:
    """Return the schema of a table's log as Arrow, field metadata included."""
    return pa.schema(DeltaTable(path, version=version).schema().to_arrow())


def log(path: Path) -> Log:
    """Read every JSON commit of a table."""
    commits = sorted((path / "_delta_log").glob("*.json"))
    versions = tuple(_version(commit) for commit in commits if commit.stem.isdigit())
    protocols = [v.protocol for v in versions if v.protocol is not None]
    metadata = [v.metadata for v in versions if v.metadata is not None]
    return Log(path, versions, (protocols or [_UNSAID])[-1], (metadata or [_EMPTY])[-1])


def _version(commit: Path) -> Version:
    found: dict[str, list[Json]] = {}
    for line in commit.read_text(encoding="utf-8").splitlines():
        for kind, action in json.loads(line).items():
            found.setdefault(kind, []).append(action)
    return Version(
        int(commit.stem),
        next(iter(found.get("commitInfo", ())), {}),
        tuple(found.get("add", ())),
        tuple(found.get("remove", ())),
        next(map(_sorted, found.get("protocol", ())), None),
        next(iter(found.get("metaData", ())), None),
    )


def _sorted(protocol: Json) -> Json:
    """Return a protocol with its features in order: writers keep them as sets."""
    return {k: sorted(v) if isinstance(v, list) else v for k, v in protocol.items()}
