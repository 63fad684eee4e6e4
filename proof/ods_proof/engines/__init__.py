"""What an engine is: a module with these functions, and what it says of itself.

    about() -> About                              what it is, without starting it
    missing() -> str | None                       why it is not here, with what would do
    start(place)                                  import it, and start what it runs in
    load(path, place) -> Frames                   the generated data as the engine's own frames
    read(table, version, place) -> Frames         a Delta table at a version, as its own frames
    append(frames, table, commit, place)          frames onto a Delta table that is there
    arrow(frames) -> RecordBatchReader            what the frames hold, streamed
    own_fingerprint(table, version, place)        its own SQL's figures, or None
    count_equal(table, version, column, value, place)   rows by a filter that it pushes down
    close()                                       let go of everything

`load` reads an Arrow IPC file. Frames are the engine's own, lazy where it has lazy ones, and are
used once. A module of that shape by any other name is an engine too:
`ods-proof run my_package.my_engine duckdb`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pyarrow as pa

import ods_fingerprint as ods

from ..delta_table import Commit
from ..errors import ProofError

NAMES = ("polars", "pandas", "pyarrow", "duckdb", "spark")
Frames = TypeVar("Frames")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step may spill: a folder inside the sandbox."""

    scratch: Path


@dataclass(frozen=True, slots=True)
class About:
    """An engine's own words: its Delta implementation, versions and limits.

    `commits` matches the engineInfo of its commits, `files` the created_by of its Parquet files.
    `signs`: its commits carry the keys of a proof. `honours_stats`: it leaves statistics out as
    told.
    `reads` are the reader features that it was seen to read rightly. `int96`: it reads such
    timestamps rightly, those after 2262 too. `rehearses`: it gets faster as it runs, so that it
    should try itself while its process waits.
    """

    name: str
    implementation: str
    versions: Mapping[str, str]
    commits: re.Pattern[str]
    files: re.Pattern[str]
    signs: bool = True
    honours_stats: bool = True
    dialect: str | None = None
    reads: frozenset[str] = frozenset({"timestampNtz"})
    int96: bool = True
    rehearses: bool = False
    unwritable: Mapping[str, str] = field(default_factory=dict)

    def cannot_write(self, schema: pa.Schema) -> str | None:
        """Return why it cannot write a table of this schema, or None."""
        for found in schema:
            for word, reason in self.unwritable.items():
                if str(found.type).startswith(word):
                    return f"{self.name} cannot write {found.name}, a {word.rstrip('<')}: {reason}"
        return None


class Engine(Protocol[Frames]):
    """The functions of an engine module."""

    def about(self) -> About: ...
    def missing(self) -> str | None: ...
    def start(self, place: Place) -> None: ...
    def load(self, path: Path, place: Place) -> Frames: ...
    def read(self, table: Path, version: int, place: Place) -> Frames: ...
    def append(self, frames: Frames, table: Path, commit: Commit, place: Place) -> None: ...
    def arrow(self, frames: Frames) -> pa.RecordBatchReader: ...
    def own_fingerprint(
        self, table: Path, version: int, place: Place
    ) -> ods.Fingerprint | None: ...
    def count_equal(
        self, table: Path, version: int, column: str, value: pa.Scalar, place: Place
    ) -> int: ...
    def close(self) -> None: ...


def find(name: str) -> Engine[object]:
    """Return an engine's module; it imports the engine itself only as it works."""
    if name not in NAMES and "." not in name:
        raise ProofError(f"no engine {name!r}; there are: {', '.join(NAMES)}")
    try:
        module: Any = importlib.import_module(f"{__name__}.{name}" if name in NAMES else name)
    except ModuleNotFoundError as error:
        raise ProofError(f"no engine {name!r}: {error}") from error
    found: Engine[object] = module
    return found


def listed(names: Sequence[str] = NAMES) -> list[dict[str, Any]]:
    """Return the engines as JSON values: implementation, versions, and why one is not here."""
    found = []
    for name in names:
        module = find(name)
        about = module.about()
        versions = [f"{package} {number}" for package, number in about.versions.items()]
        shown = {"name": name, "implementation": about.implementation, "versions": versions}
        found.append({**shown, "missing": module.missing()})
    return found


def versions_of(*packages: str) -> dict[str, str]:
    """Return the versions of the packages that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def lacks(extra: str, *packages: str) -> str | None:
    """Return why an engine is not here if one of its packages is not."""
    absent = [package for package in packages if package not in versions_of(package)]
    if not absent:
        return None
    return f"{', '.join(absent)} is not installed: pip install 'ods-proof[{extra}]'"
