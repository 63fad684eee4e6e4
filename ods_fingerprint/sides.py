"""The two sides of a comparison as the command line names them: a fingerprint file or a SOURCE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from . import cli_options as options
from . import figures, front
from .errors import SourceError
from .fingerprint import Fingerprint
from .progress import watched
from .schema import Schema
from .sources.source import Hive


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is compared of a side: `columns` (all where None) without `skip`, in its own names."""

    columns: Sequence[str] | None
    skip: Sequence[str]
    strict: bool
    hive: Hive

    def renamed(self, back: Mapping[str, str]) -> Wanted:
        """Return the same for the side whose names `back` leads to, from lower-case names."""
        columns, skip = (
            [back.get(name.lower(), name) for name in names]
            for names in (self.columns or (), self.skip)
        )
        return Wanted(None if self.columns is None else columns, skip, self.strict, self.hive)

    def of(self, schema: Schema) -> Wanted:
        """Return what of it `schema` has; of none at all one column, since the rows count too."""
        there = [column.name for column in schema.columns]
        known = {name.lower() for name in there}
        skip = [name for name in self.skip if name.lower() in known]
        columns = [name for name in self.columns or there if name.lower() in known]
        left_out = {name.lower() for name in skip}
        if not any(name.lower() not in left_out for name in columns):
            return Wanted(there[:1], (), self.strict, self.hive)
        return Wanted(None if self.columns is None else columns, skip, self.strict, self.hive)


def renames(pairs: Sequence[str]) -> dict[str, str]:
    """Return what --rename says: name of the first side → name of the second."""
    found: dict[str, str] = {}
    for pair in pairs:
        old, _, new = pair.partition("=")
        if pair.count("=") != 1 or not old or not new:
            raise click.BadParameter(f"--rename takes a=b, not {pair!r}")
        if old in found:
            raise click.BadParameter(f"--rename names {old} twice")
        found[old] = new
    return found


def side(given: str, version: int | None, wanted: Wanted) -> Fingerprint:
    """Return one side of a comparison: a stored fingerprint, or a SOURCE computed on the spot."""
    content = options.read_bytes("-") if given == "-" else None
    stored = _stored(given, content)
    if stored is None:
        return _computed(given, content, version, wanted)
    if version is not None:
        raise SourceError(f"{given} is a stored fingerprint: it has no versions")
    if wanted.strict:
        _refuse_uncovered(stored, wanted)
    return stored


def _computed(
    given: str, content: bytes | None, version: int | None, wanted: Wanted
) -> Fingerprint:
    source = given if content is None else content
    if wanted.columns is not None or wanted.skip:
        wanted = wanted.of(front.schema(source, version=version, hive=wanted.hive))
    with watched(given) as progress:
        return front.compute_source(
            source,
            columns=wanted.columns,
            skip=wanted.skip,
            strict=wanted.strict,
            version=version,
            hive=wanted.hive,
            progress=progress,
        )


def _refuse_uncovered(stored: Fingerprint, wanted: Wanted) -> None:
    there = Schema(tuple(found.column for found in stored.columns))
    here = wanted.of(there)
    figures.strictly(there.chosen(here.columns, here.skip))


def _stored(given: str, content: bytes | None) -> Fingerprint | None:
    """Return the fingerprint that a file holds, or `content` of stdin; None for a SOURCE."""
    start = _start(given) if content is None else content[:64]
    if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        return None
    text = options.read_text(given) if content is None else options.decoded(content, given)
    return Fingerprint.from_json(text)


def _start(given: str) -> bytes:
    try:
        if not Path(given).is_file():
            return b""
        with Path(given).open("rb") as file:
            return file.read(64)
    except OSError as error:
        raise SourceError(f"cannot read {given}: {error.strerror}") from None
