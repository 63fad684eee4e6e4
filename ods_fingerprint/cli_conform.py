"""The command `conform`: a user proves that a dialect's SQL is right on the user's own engine."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from . import _data, front, whole_file
from . import cli_options as options
from .conform import Conform
from .console import say, show
from .judge import Judgement, gap_lines, gaps_json
from .schema import SPEC


@click.command()
@click.option(
    "--dialect",
    required=True,
    metavar="NAME|PATH",
    help=f"{', '.join(_data.dialect_names())}, or a .toml file.",
)
@click.option(
    "--result",
    "results",
    multiple=True,
    type=options.FILE,
    metavar="FILE",
    help="Judge the row that the statement returned (CSV, TSV, JSON; - is stdin); "
    "once for each statement where there were several.",
)
@click.option(
    "--run", "source", metavar="SOURCE", help="Run it there: duckdb:, spark:, snowflake:NAME."
)
@options.output
@options.debug
def conform(
    dialect: str, results: Sequence[str], source: str | None, as_json: bool, output: str | None
) -> int:
    """Print one SELECT over literals that holds every vector of the spec; or judge its result.

    It reads no table and needs no rights. What passes here has the spec's answer to every question
    that is known to have tripped an engine. Exit code 1: a vector failed or is missing.

    \b
    Example: does the SQL for my warehouse give the right figures there?
      ods-fingerprint conform --dialect snowflake > conform.sql
      (run it, download the row)
      ods-fingerprint conform --dialect snowflake --result row.csv
    """
    if source is not None and results:
        raise click.UsageError("--run and --result: give one of them")
    if source is not None:
        return _judged(front.conform_source(dialect, source), as_json, output)
    if results:
        options.refuse_two_stdins(results)
        texts = [options.read_text(path) for path in results]
        return _judged(front.conform(dialect, result=texts), as_json, output)
    _asked(front.conform(dialect), as_json, output)
    return 0


def _asked(found: Conform, as_json: bool, output: str | None) -> None:
    texts = found.statements
    say(f"{len(found.vectors)} vectors; {len(found.gaps)} cannot be expressed in this dialect")
    for line in gap_lines(found.gaps):
        say(line)
    if len(texts) > 1:
        say(f"{len(texts)} statements: run all, and give each row with a --result of its own")
    form = {
        "spec": SPEC,
        "dialect": found.dialect,
        "statements": list(texts),
        "vectors": [vector.id for vector in found.vectors],
        "not_expressed": gaps_json(found.gaps),
    }
    written = json.dumps(form, indent=1) + "\n"
    plain = texts[0] if len(texts) == 1 else "".join(f"{one.rstrip()};\n\n" for one in texts)
    _written(written if as_json else plain, output)


def _judged(found: Judgement, as_json: bool, output: str | None) -> int:
    if output:
        whole_file.write(output, found.to_json())
    show(found.to_json() if as_json else f"{found}\n")
    if found.evidence:
        say(f"all passed: for [evidence] of the dialect file:\n{found.evidence}")
    return 0 if found else 1


def _written(text: str, output: str | None) -> None:
    if output:
        whole_file.write(output, text)
    else:
        show(text)
