"""The command line: schema, sql, compute, read, compare, conform."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from . import cli_options as options
from . import figures, front, sides, whole_file
from ._version import VERSION
from .cli_conform import conform
from .compare import Comparison, Verdict
from .compare import compare as compare_fingerprints
from .console import State, ended, say, show
from .fingerprint import Fingerprint
from .progress import watched
from .reading import read as read_rows
from .schema import SPEC, Schema
from .show import name_of
from .sources.source import Hive
from .types import text as type_text

EXIT: dict[Verdict, int] = {"equal": 0, "different": 1, "equal, partial": 3}


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(VERSION, prog_name="ods-fingerprint")
@options.debug
@click.pass_context
def cli(context: click.Context) -> None:
    """Say whether two tables, on engines that share nothing, hold the same data.

    A fingerprint is one row of numbers, whatever the row order or file layout. SOURCE is a Parquet
    or Arrow file, a folder or quoted glob of Parquet files, a Delta table,
    duckdb:FILE.duckdb/[schema.]table, spark:TABLE, or snowflake:CONNECTION_NAME/DB.SCHEMA.TABLE.

    \b
    Example: is the export the table that I have?
      ods-fingerprint compare sales.parquet duckdb:warehouse.duckdb/sales
    \b
    Exit codes: 0 equal or done, 1 different, 3 equal as far as compared, 2 an error.
    """
    if context.invoked_subcommand is None:
        raise click.UsageError("a command is missing; --help shows them all", context)


cli.add_command(conform)


@cli.command()
@click.argument("source", type=options.FILE)
@click.option("--version", type=int, metavar="N", help="The version of a Delta table.")
@options.hive
@options.selection
@options.output
@options.debug
def schema(
    source: str,
    version: int | None,
    hive: Hive,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Print the schema of SOURCE, for `--schema`: always as JSON.

    \b
    Example:
      ods-fingerprint schema orders.parquet -o orders.schema.json
    """
    found = front.schema(options.source(source), version=version, hive=hive)
    chosen = found.chosen(columns, skip or ())
    if strict:
        figures.strictly(chosen)
    _written(chosen.to_json(), output)


@cli.command()
@click.argument("table")
@options.schema_input
@options.selection
@click.option("--version", type=int, metavar="N", help="Read this version of the table.")
@click.option("--timestamp", metavar="TIME", help="Read the table as of this ISO 8601 moment.")
@options.output
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
    as_json: bool,
    output: str | None,
) -> None:
    """Print the statement that fingerprints TABLE on an engine: paste it, and read its one row.

    With --json, the statements as texts in JSON, also in the file of -o.

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
        say(f"{len(found)} statements: run all, and give all rows to `read`")
    _written(_statements_json(found, dialect) if as_json else _statements_text(found), output)


@cli.command()
@click.argument("source", type=options.FILE)
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
            options.source(source),
            columns=columns,
            skip=skip or (),
            strict=strict,
            version=version,
            hive=hive,
            progress=progress,
        )
    _shown(found, as_json, output)


@cli.command()
@click.argument("rows", metavar="ROW...", nargs=-1, required=True, type=options.FILE)
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
    options.refuse_two_stdins([schema_text, *rows])
    whole = options.read_schema(schema_text, schema_dialect or dialect, columns, skip)
    if strict:
        figures.strictly(whole.chosen(columns, skip or ()))
    texts = [options.read_text(path) for path in rows]
    exact = names == "exact"
    found = read_rows(texts, whole, dialect, exact=exact, columns=columns, skip=skip or ())
    _shown(found, as_json, output)


@cli.command()
@click.argument("a", type=options.FILE)
@click.argument("b", type=options.FILE)
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
    options.refuse_two_stdins([a, b])
    rename = sides.renames(renames)
    wanted = sides.Wanted(columns, skip or (), strict, hive)
    back = {new.lower(): old for old, new in rename.items()}
    left = sides.side(a, version_a, wanted.renamed(back))
    right = sides.side(b, version_b, wanted)
    result = compare_fingerprints(left, right, rename=rename, columns=columns, skip=skip or ())
    _print_comparison(result, as_json, output)
    partial = result.verdict == "equal, partial"
    return 0 if partial and allow_partial else EXIT[result.verdict]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    given = list(arguments) if arguments is not None else None
    state = State()
    sys.exit(
        ended(
            lambda: cli.main(given, prog_name="ods-fingerprint", obj=state, standalone_mode=False),
            state,
        )
    )


def _chosen(
    schema_text: str,
    dialect: str,
    columns: list[str] | None,
    skip: list[str] | None,
    strict: bool,
) -> Schema:
    """Return the chosen columns of --schema; name on stderr those that are not covered."""
    chosen = options.read_schema(schema_text, dialect, columns, skip).chosen(columns, skip or ())
    if strict:
        figures.strictly(chosen)
    for column in chosen.columns:
        if figures.why_uncovered(column.type):
            name = name_of(column.name)
            say(f"not covered: {name} {type_text(column.type)}: only nulls are counted")
    for note in figures.notes(chosen.columns):
        say(f"note: {note}")
    return chosen


def _statements_text(found: Sequence[str]) -> str:
    return found[0] if len(found) == 1 else "".join(f"{one.rstrip()};\n\n" for one in found)


def _statements_json(found: Sequence[str], dialect: str) -> str:
    form = {"spec": SPEC, "dialect": dialect, "statements": list(found)}
    return json.dumps(form, indent=1) + "\n"


def _shown(found: Fingerprint, as_json: bool, output: str | None) -> None:
    if output:
        whole_file.write(output, found.to_json())
    show(found.to_json() if as_json else str(found))


def _print_comparison(result: Comparison, as_json: bool, output: str | None) -> None:
    if output:
        whole_file.write(output, result.to_json())
    show(result.to_json() if as_json else f"{result}\n")


def _written(text: str, output: str | None) -> None:
    if output:
        whole_file.write(output, text)
    else:
        show(text)
