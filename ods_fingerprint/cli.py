"""The command line: schema, sql, compute, read, compare."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from . import cli_options as options
from . import figures, front
from ._version import VERSION
from .compare import Comparison, Verdict
from .compare import compare as compare_fingerprints
from .errors import OdsError, SchemaError
from .fingerprint import Fingerprint
from .progress import watched
from .reading import read as read_rows
from .schema import Schema
from .sources.source import Hive
from .types import text as type_text

EXIT: dict[Verdict, int] = {"equal": 0, "different": 1, "equal, partial": 3}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="ods-fingerprint")
@options.debug
def cli() -> None:
    """Say whether two tables, on engines that share nothing, hold the same data.

    A fingerprint is one row of numbers, whatever the row order or file layout. SOURCE is a Parquet
    or Arrow file, a folder or quoted glob of Parquet files, a Delta table, or
    duckdb:FILE.duckdb/[schema.]table.

    \b
    Example: is the export the table that I have?
      ods-fingerprint compare sales.parquet duckdb:warehouse.duckdb/sales
    \b
    Exit codes: 0 equal or done, 1 different, 3 equal as far as compared, 2 an error.
    """


@cli.command()
@click.argument("source")
@click.option("--version", type=int, metavar="N", help="The version of a Delta table.")
@options.hive
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all.")
@options.debug
def schema(source: str, version: int | None, hive: Hive, output: str | None) -> None:
    """Print the schema of SOURCE as JSON, for `--schema`.

    \b
    Example:
      ods-fingerprint schema orders.parquet -o orders.schema.json
    """
    _written(front.schema(source, version=version, hive=hive).to_json(), output)


@cli.command()
@click.argument("table")
@options.schema_input
@options.selection
@click.option("--version", type=int, metavar="N", help="Read this version of the table.")
@click.option("--timestamp", metavar="TIME", help="Read the table as of this ISO 8601 moment.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all.")
@options.debug
def sql(
    table: str,
    schema_text: str,
    dialect: str,
    schema_dialect: str | None,
    names: str,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
    version: int | None,
    timestamp: str | None,
    output: str | None,
) -> None:
    """Print the statement that fingerprints TABLE on an engine: paste it, and read its one row.

    \b
    Example:
      ods-fingerprint sql sales.orders --dialect snowflake \\
        --schema '{"id": "bigint", "price": "decimal(18,2)"}' --schema-dialect spark
    """
    chosen = _chosen(schema_text, schema_dialect or dialect, columns, skip, strict)
    found = front.statements(
        table, chosen, dialect, exact=names == "exact", version=version, timestamp=timestamp
    )
    if len(found) > 1:
        _say(f"{len(found)} statements: run all, and give all rows to `read`")
    _written(
        found[0] if len(found) == 1 else "".join(f"{one.rstrip()};\n\n" for one in found), output
    )


@cli.command()
@click.argument("source")
@click.option("--version", type=int, metavar="N", help="The version of a Delta table.")
@options.hive
@options.selection
@options.output
@options.debug
def compute(
    source: str,
    version: int | None,
    hive: Hive,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Print the fingerprint of SOURCE.

    \b
    Example:
      ods-fingerprint compute orders.parquet -o orders.json
    """
    with watched(source) as progress:
        found = front.compute_source(
            source,
            columns=columns,
            skip=skip or (),
            strict=strict,
            version=version,
            hive=hive,
            progress=progress,
        )
    _shown(found, as_json, output)


@cli.command()
@click.argument("rows", metavar="ROW...", nargs=-1, required=True)
@options.schema_input
@options.selection
@options.output
@options.debug
def read(
    rows: Sequence[str],
    schema_text: str,
    dialect: str,
    schema_dialect: str | None,
    names: str,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Read the result ROW that an engine returned, a file or - (CSV, TSV, JSON), as a fingerprint.

    \b
    Example: the row that someone downloaded, against the file that I have
      ods-fingerprint read row.csv --schema orders.schema.json --dialect snowflake -o theirs.json
      ods-fingerprint compare orders.parquet theirs.json
    """
    whole = options.read_schema(schema_text, schema_dialect or dialect)
    if strict:
        figures.strictly(whole.chosen(columns, skip or ()))
    texts = [options.read_text(path) for path in rows]
    exact = names == "exact"
    found = read_rows(texts, whole, dialect, exact=exact, columns=columns, skip=skip or ())
    _shown(found, as_json, output)


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--rename",
    "renames",
    multiple=True,
    metavar="A=B",
    help="Column A of the first is B of the second.",
)
@click.option("--version-a", type=int, metavar="N", help="The version of the first Delta table.")
@click.option("--version-b", type=int, metavar="N", help="The version of the second Delta table.")
@options.hive
@options.selection
@click.option("--allow-partial", is_flag=True, help="Exit with 0 where equal as far as compared.")
@options.output
@options.debug
def compare(
    a: str,
    b: str,
    renames: Sequence[str],
    version_a: int | None,
    version_b: int | None,
    hive: Hive,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
    allow_partial: bool,
    as_json: bool,
    output: str | None,
) -> int:
    """Compare two fingerprint files or SOURCEs; name every column and figure that differs.

    \b
    Example:
      ods-fingerprint compare orders.parquet theirs.json
    """
    rename = dict(_rename(pair) for pair in renames)
    backwards = {new.lower(): old for old, new in rename.items()}
    left = _side(a, version_a, hive, columns, skip, strict, backwards)
    right = _side(b, version_b, hive, columns, skip, strict, {})
    result = compare_fingerprints(left, right, rename=rename, columns=columns, skip=skip or ())
    _print_comparison(result, as_json, output)
    partial = result.verdict == "equal, partial"
    return 0 if partial and allow_partial else EXIT[result.verdict]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    state = options.State()
    try:
        code = cli.main(
            list(arguments) if arguments is not None else None,
            prog_name="ods-fingerprint",
            obj=state,
            standalone_mode=False,
        )
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = 2
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted: nothing was written")
        code = 2
    except OdsError as error:
        code = _failed(str(error), state)
    except BrokenPipeError:
        sys.stderr.close()
        code = 2
    except Exception as error:  # the last line of defence: a fault of ours, said as one block
        code = _failed(
            f"a fault of this tool: {type(error).__name__}: {error}; --debug shows where", state
        )
    sys.exit(code if isinstance(code, int) else 0)


def _failed(reason: str, state: options.State) -> int:
    if state.debug:
        traceback.print_exc()
    _say(f"error: {reason}")
    return 2


def _say(words: str) -> None:
    print(words, file=sys.stderr)


def _chosen(
    schema_text: str,
    dialect: str,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
) -> Schema:
    """Return the chosen columns of --schema; name on stderr those that are not covered."""
    whole = options.read_schema(schema_text, dialect)
    chosen = whole.chosen(columns, skip or ())
    if strict:
        figures.strictly(chosen)
    for column in chosen.columns:
        if figures.why_uncovered(column.type):
            _say(f"not covered: {column.name} {type_text(column.type)}: only nulls are counted")
    for note in figures.notes(chosen.columns):
        _say(f"note: {note}")
    return chosen


def _shown(found: Fingerprint, as_json: bool, output: str | None) -> None:
    if output:
        options.write_whole(output, found.to_json())
    click.echo(found.to_json() if as_json else str(found), nl=False)


def _print_comparison(result: Comparison, as_json: bool, output: str | None) -> None:
    if output:
        options.write_whole(output, result.to_json())
    click.echo(result.to_json() if as_json else f"{result}\n", nl=False)


def _written(text: str, output: str | None) -> None:
    if output:
        options.write_whole(output, text)
    else:
        click.echo(text, nl=False)


def _rename(pair: str) -> tuple[str, str]:
    old, equals, new = pair.partition("=")
    if not (old and equals and new):
        raise click.BadParameter(f"--rename takes a=b, not {pair!r}")
    return old, new


def _side(
    given: str,
    version: int | None,
    hive: Hive,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
    backwards: dict[str, str],
) -> Fingerprint:
    """Return one side of a comparison: a stored fingerprint, or a SOURCE computed on the spot."""
    stored = _stored(given)
    if stored is not None:
        if strict:
            figures.strictly(Schema(tuple(found.column for found in stored.columns)))
        return stored
    there = {
        column.name.lower() for column in front.schema(given, version=version, hive=hive).columns
    }
    ours = [backwards.get(name.lower(), name) for name in columns or ()]
    left_out = [backwards.get(name.lower(), name) for name in skip or ()]
    with watched(given) as progress:
        return front.compute_source(
            given,
            columns=[name for name in ours if name.lower() in there] if columns else None,
            skip=[name for name in left_out if name.lower() in there],
            strict=strict,
            version=version,
            hive=hive,
            progress=progress,
        )


def _stored(given: str) -> Fingerprint | None:
    """Return the fingerprint of a file (or - for stdin) that holds one; None for a SOURCE."""
    if given != "-":
        path = Path(given)
        if not path.is_file():
            return None
        with path.open("rb") as file:
            if file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
                return None
    try:
        return Fingerprint.from_json(options.read_text(given))
    except UnicodeDecodeError:
        raise SchemaError(f"{given} is not UTF-8 text") from None
