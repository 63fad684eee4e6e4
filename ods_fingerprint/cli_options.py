"""Options that several commands of the command line share, and what they mean."""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from . import _data, described
from .errors import OdsError, SchemaError, SourceError
from .json_value import is_list, is_object
from .schema import Schema, schema_from
from .sources.source import Hive

Command = TypeVar("Command", bound=Callable[..., object])


@dataclass(slots=True)
class State:
    """What the whole command line shares: whether a fault shows its traceback."""

    debug: bool = False


def _set_debug(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    state = context.find_root().obj
    if value and isinstance(state, State):
        state.debug = True


def _names(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> list[str] | None:
    """Split a,b at its commas; a name that holds one stands in double quotes."""
    if value is None:
        return None
    names: list[str] = []
    try:
        for line in csv.reader([value], skipinitialspace=True, strict=True):
            names += line
    except csv.Error as error:
        raise click.BadParameter(f"{value!r} is not a list of names: {error}") from None
    if not all(names) or not names:
        raise click.BadParameter(f"{value!r} holds an empty name")
    return names


def debug(command: Command) -> Command:
    """Add --debug."""
    return click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_set_debug,
        help="Show the traceback of an error.",
    )(command)


def output(command: Command) -> Command:
    """Add --json and -o."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    to_file = click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the JSON to FILE, whole or not at all.",
    )
    return as_json(to_file(command))


def selection(command: Command) -> Command:
    """Add --columns, --skip and --strict."""
    columns = click.option(
        "--columns",
        metavar="A,B",
        callback=_names,
        help="Only these columns (quote a name with a comma).",
    )
    skip = click.option("--skip", metavar="A,B", callback=_names, help="All but these columns.")
    strict = click.option(
        "--strict", is_flag=True, help="Refuse columns that version 1 does not cover in full."
    )
    return columns(skip(strict(command)))


def hive(command: Command) -> Command:
    """Add --hive/--no-hive."""
    return click.option(
        "--hive/--no-hive",
        "hive",
        default=None,
        help="In a folder: read key=value folders as string columns, or leave the keys out.",
        callback=_hive,
    )(command)


def _hive(_context: click.Context, _parameter: click.Parameter, value: bool | None) -> Hive:
    return None if value is None else "read" if value else "ignore"


def schema_input(command: Command) -> Command:
    """Add --schema, --dialect, --schema-dialect and --names."""
    names = ", ".join(_data.dialect_names())
    options = (
        click.option(
            "--schema",
            "schema_text",
            required=True,
            metavar="FILE|JSON",
            help='What `schema` prints, {"column": "type"}, or a downloaded DESCRIBE TABLE; - is stdin.',
        ),
        click.option(
            "--dialect", required=True, metavar="NAME|PATH", help=f"{names}, or a .toml file."
        ),
        click.option(
            "--schema-dialect",
            metavar="NAME",
            help="Whose words the types are in; default: --dialect.",
        ),
        click.option(
            "--names",
            type=click.Choice(["fold", "exact"]),
            default="fold",
            show_default=True,
            help="Fold plain hand-typed names as the engine does, or keep them as written.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def read_schema(given: str, dialect: str, skip: list[str] | None = None) -> Schema:
    """Return the schema that --schema gives; `dialect` is whose words its types are in."""
    text = given if given.lstrip()[:1] in ("{", "[") else read_text(given)
    body = text.removeprefix("\ufeff").lstrip()
    if body[:1] != "{":
        return described.schema(text, dialect)
    found = _json_object(body)
    if is_list(found.get("columns")):
        return schema_from(found)
    left_out = {name.lower() for name in skip or ()}
    types = {name: str(words) for name, words in found.items() if name.lower() not in left_out}
    return Schema.from_sql(types, dialect)


def _json_object(body: str) -> dict[str, object]:
    try:
        found: object = json.loads(body, object_pairs_hook=_pairs)
    except ValueError as error:
        raise SchemaError(f"--schema is not JSON: {error}") from None
    if not is_object(found):
        raise SchemaError("--schema as JSON is an object")
    return found


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise SchemaError(f"--schema names a column twice: {', '.join(names)}")
    return dict(pairs)


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    return read_bytes(path).decode("utf-8-sig", "strict") if path != "-" else _stdin()


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror}") from None


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8-sig")


def write_whole(path: str, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    target = Path(path)
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=target.parent, prefix=".ods-", delete=False
        ) as file:
            file.write(text)
        os.chmod(file.name, 0o666 & ~_umask())
        os.replace(file.name, target)
    except OSError as error:
        raise OdsError(f"cannot write {path}: {error.strerror}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
