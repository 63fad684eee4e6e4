"""The command line of a proof."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import NoReturn

import click

from ods_fingerprint import OdsError, whole_file

from . import engines, live, sandbox, settings
from ._version import VERSION
from .errors import ProofError
from .events import Finished
from .proof import Proof
from .round_trip import run

_RUN_HELP = """Take the generated table through two engines and back, and check what survived.

FIRST writes it as Delta, SECOND reads and writes it again, FIRST reads that back. Every step runs
in a process of its own; the copies are deleted at the end.

\b
Example:
  ods-proof run polars duckdb
  ods-proof run spark pandas --json record.json
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="ods-proof")
def main() -> None:
    """Prove that a table survives the trip between two engines, with its governance."""


@main.command("run", help=_RUN_HELP)
@click.argument("first")
@click.argument("second")
@click.option("--rows", type=click.IntRange(1), help="Rows of the generated table (1000).")
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True)
@click.option("--maps", is_flag=True, help="Give the table a map column: DuckDB cannot write it.")
@click.option("--json", "target", type=click.Path(dir_okay=False), help="Write the record here.")
def run_command(
    first: str, second: str, rows: int | None, seed: int, maps: bool, target: str | None
) -> None:
    """Run a proof and print it as it happens."""
    with _errors():
        given = settings.read()
        given.refuse()
        if not given.may_run(None):
            raise ProofError("you may not start a proof here: ODS_PROOF_AUTHORIZE says no")
        _refuse_target(target)
        records = _records(given)
        proof = Proof(first, second, rows or given.rows, seed, maps)
        finished = _followed(proof, given)
        _keep(finished, target, records)
    sys.exit(0 if finished.verdict == "passed" else 1)


def _refuse_target(target: str | None) -> None:
    """Raise where the record could not be written: before the proof, not after it."""
    if target and not os.access(Path(target).resolve().parent, os.W_OK | os.X_OK):
        raise ProofError(f"cannot write {target}: its folder is not there or may not be written to")


def _followed(proof: Proof, given: settings.Settings) -> Finished:
    """Print each event as it happens and return the last one."""
    with _terminated():
        return live.follow(run(proof, given.sandbox))


def _records(given: settings.Settings) -> Path | None:
    """Return the folder for records, made; raise where none can be, before the proof."""
    if given.records is None:
        return None
    folder = Path(given.records)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ProofError(f"ODS_PROOF_RECORDS: cannot make {folder}: {error.strerror}") from error
    return folder


def _keep(finished: Finished, target: str | None, records: Path | None) -> None:
    text = json.dumps(finished.record, indent=1, ensure_ascii=False) + "\n"
    kept = [] if records is None else [str(records / f"{finished.record['proof']}.json")]
    for path in (*([target] if target else []), *kept):
        try:
            whole_file.write(path, text)
        except OdsError as error:
            raise ProofError(str(error)) from error


@main.command("engines")
def engines_command() -> None:
    """Say of each engine whether it is here, its versions, and what it can write."""
    for name in engines.NAMES:
        found = engines.find(name)
        about, reason = found.about(), found.missing()
        versions = ", ".join(f"{package} {number}" for package, number in about.versions.items())
        click.echo(f"{name:<8} {about.implementation:<17} {reason or versions}")
        for word, why in about.unwritable.items():
            click.echo(f"{'':<8} cannot write {word.rstrip('<')}: {why}")


@main.command("serve")
@click.option("--port", type=click.IntRange(0, 65_535), help="0 takes a free one.")
def serve_command(port: int | None) -> None:
    """Serve the portal at /proof/: start proofs in a browser and watch them."""
    with _errors(), _terminated():
        _portal().serve(port)


def _portal() -> ModuleType:
    """Return the portal's server, which needs what only an extra brings."""
    try:
        return importlib.import_module("ods_proof.portal.server")
    except ModuleNotFoundError as error:
        raise ProofError(
            f"the portal needs {error.name}, which is not installed: "
            "pip install 'ods-proof[portal]'"
        ) from error


@main.command("sweep")
def sweep_command() -> None:
    """Delete the sandboxes whose owner is dead; a live one is left alone."""
    with _errors():
        swept = sandbox.sweep(sandbox.root(settings.read().sandbox))
    for name in swept:
        click.echo(name)
    click.echo(f"{len(swept)} swept", err=True)


@contextmanager
def _errors() -> Iterator[None]:
    """Show an error that a user can mend as one block, with exit code 2."""
    try:
        yield
    except ProofError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)


@contextmanager
def _terminated() -> Iterator[None]:
    """Have SIGTERM end a proof as Ctrl-C does, so that its sandbox goes."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
