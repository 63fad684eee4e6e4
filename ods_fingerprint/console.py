"""What the command line says where, and how it ends: results on stdout, all else on stderr."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from .errors import OdsError, first_line
from .types import printable


@dataclass(slots=True)
class State:
    """What the whole command line shares: whether an error shows its traceback."""

    debug: bool = False


def show(text: str) -> None:
    """Print a result as it is: `click.echo` would take escape sequences out of a statement."""
    print(text, end="")


def say(words: str) -> None:
    """Print a message on stderr; control characters of names are escaped, line breaks are kept."""
    click.echo("\n".join(map(printable, words.split("\n"))), err=True)


def ended(run: Callable[[], object], state: State) -> int:
    """Run a command and return its exit code; an error is one block on stderr, with exit code 2."""
    _open_streams()
    try:
        code = run()
        print(end="", flush=True)
        return code if isinstance(code, int) else 0
    except SystemExit as left:  # click leaves with 1, our "different", where a pipe is closed
        _let_go_of_stdout()
        return 2 if left.code else 0
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        return _failed("interrupted: nothing was written", state)
    except BrokenPipeError:
        _let_go_of_stdout()
        return 2
    except OdsError as error:
        return _failed(str(error), state)
    except OSError as error:
        _let_go_of_stdout()
        where = error.filename if error.filename is not None else "standard output"
        return _failed(f"cannot read or write {where}: {error.strerror or error}", state)
    except Exception as error:  # the last line of defence: a fault of ours, said as one block
        if _starved(error):
            told = first_line(error) if str(error) else "out of memory"
            return _failed(
                f"the system gives no more memory or threads ({told}): "
                "raise its limit, or read less at once",
                state,
            )
        return _failed(
            f"a fault of this tool: {type(error).__name__}: {error}; --debug shows where", state
        )


def _starved(error: Exception) -> bool:
    """Return whether a limit of the system stopped us: each library says so in a way of its own."""
    named = type(error).__name__ == "OutOfMemoryException"  # DuckDB's, which is not imported here
    return named or isinstance(error, MemoryError) or str(error) == "can't start new thread"


def _failed(reason: str, state: State) -> int:
    if state.debug:
        traceback.print_exc()
    say(f"error: {reason}")
    return 2


def _open_streams() -> None:
    """Give closed streams a place to go, and make stdout UTF-8: no locale may change a name."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    reconfigure = getattr(sys.stdout, "reconfigure", None)  # a text in memory has none
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _let_go_of_stdout() -> None:
    """Point stdout to nowhere, so that what is left in its buffer cannot fail again at the exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
