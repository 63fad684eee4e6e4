"""Options that several commands of the command line share, and what they mean."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from . import _data, described, json_text
from .console import State
from .errors import SchemaError, SourceError
from .json_value import is_list, is_object
from .schema import Column, Schema, schema_from
from .sources.source import Hive
from .types import Other

Command = TypeVar("Command", bound=Callable[..., object])

# for shell completion alone: what the name names is looked at where it is read
FILE = click.Path(readable=False, allow_dash=True)


def _set_debug(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    state = context.find_root().obj
    if value and isinstance(state, State):
        state.debug = True


def _names(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> list[str] | None:
    """Split each a,b at its commas; a name that holds one stands in double quotes."""
    return [name for value in given for name in _split(value)] if given else None


def _split(value: str) -> list[str]:
    try:
        names = [
            name
            for line in csv.reader([value], skipinitialspace=True, strict=True)
            for name in line
        ]
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
        type=FILE,
        metavar="FILE",
        callback=_output,
        help="Write the JSON to FILE, whole or not at all.",
    )
    return as_json(to_file(command))


def _output(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value == "-":
        raise click.BadParameter("a file; what goes to stdout is there without -o")
    return value


def selection(command: Command) -> Command:
    """Add --columns, --skip and --strict."""
    columns = click.option(
        "--columns",
        multiple=True,
        metavar="A,B",
        callback=_names,
        help="Only these columns (a name with a comma in double quotes).",
    )
    skip = click.option(
        "--skip", multiple=True, metavar="A,B", callback=_names, help="All but these columns."
    )
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
            type=FILE,
            metavar="FILE|JSON",
            help='What `schema` prints, {"column": "type"}, or a downloaded DESCRIBE TABLE '
            "or information_schema.columns; - is stdin.",
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


def read_schema(
    given: str, dialect: str, columns: Sequence[str] | None, skip: Sequence[str] | None
) -> Schema:
    """Return the schema that --schema gives, whole; `dialect` is whose words its types are in.

    The types of columns that are left out are not read: the way past a type that no one knows.
    """
    text = given if given.lstrip()[:1] in ("{", "[") else read_text(given)
    body = text.removeprefix("\ufeff").lstrip()
    if not body:
        raise SchemaError(f"--schema {given or repr(given)} is empty")
    if body[:1] != "{":
        found = described.types(text)
        return _typed(found, dialect, columns, skip, origin=dialect)
    form = _json_object(body)
    if is_list(form.get("columns")):
        return schema_from(form)
    types = {name: _words(name, words) for name, words in form.items()}
    return _typed(types, dialect, columns, skip, origin=None)


def _typed(
    types: dict[str, str],
    dialect: str,
    columns: Sequence[str] | None,
    skip: Sequence[str] | None,
    origin: str | None,
) -> Schema:
    left_out = {name.lower() for name in skip or ()}
    kept = {name.lower() for name in types if columns is None} | {n.lower() for n in columns or ()}
    read = {name: words for name, words in types.items() if name.lower() in kept - left_out}
    known = {one.name: one for one in Schema.from_sql(read, dialect, origin=origin).columns}
    return Schema(tuple(known.get(name, Column(name, Other("unread"))) for name in types), origin)


def _words(name: str, words: object) -> str:
    if not isinstance(words, str):
        raise SchemaError(f'--schema: the type of {name} is a text like "bigint", not {words!r}')
    return words


def _json_object(body: str) -> dict[str, object]:
    try:
        found = json_text.parse(body)
    except ValueError as error:
        raise SchemaError(f"--schema is not JSON: {error}") from None
    if not is_object(found):
        raise SchemaError("--schema as JSON is an object")
    return found


def refuse_two_stdins(given: Iterable[str]) -> None:
    """Refuse `-` in two places: standard input can be read once."""
    if list(given).count("-") > 1:
        raise click.UsageError("- stands in two places; standard input can be read only once")


def source(given: str) -> str | bytes:
    """Return a SOURCE, or for `-` the Parquet or Arrow bytes of standard input."""
    return read_bytes("-") if given == "-" else given


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    return decoded(read_bytes(path), path)


def decoded(content: bytes, path: str) -> str:
    """Return UTF-8 bytes as a text; refuse any other."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        what = "standard input" if path == "-" else path
        raise SourceError(f"{what} is not UTF-8 text; save it as UTF-8") from None


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file, or of standard input for `-`."""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read {path or repr(path)}: {error.strerror}") from None
