"""Events as lines for people, as they happen; in colour on a terminal where rich is here."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from .events import CheckDone, Event, Finished, StepDone, StepStarted

if TYPE_CHECKING:
    from rich.console import Console

_MARKS = {
    "done": "✓",
    "passed": "✓",
    "failed": "✗",
    "refused": "–",
    "not reached": "·",
}
_COLOURS = {"✓": "green", "✗": "bold red", "!": "yellow", "–": "yellow", "·": "dim"}


def follow(events: Iterable[Event]) -> Finished:
    """Print each event as it happens, and return the last."""
    console = _console() if sys.stdout.isatty() else None
    finished = None
    for event in events:
        if console is None:
            click.echo(line(event))
        else:
            _paint(console, event)
        if isinstance(event, Finished):
            finished = event
    if finished is None:
        raise AssertionError("a proof ends with its verdict")
    return finished


def _console() -> Console | None:
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(highlight=False)


def _paint(console: Console, event: Event) -> None:
    """Print an event; a step that runs is overwritten by its end."""
    text = line(event)
    if isinstance(event, StepStarted):
        console.print(text, style="dim", end="\r", markup=False)
    elif isinstance(event, Finished):
        style = "bold green" if event.verdict == "passed" else "bold red"
        console.print(text, style=style, markup=False)
    else:
        console.print(text[0], style=_COLOURS[text[0]], end="", markup=False)
        console.print(text[1:], markup=False)


def line(event: Event) -> str:
    """Return an event as a line for people."""
    match event:
        case StepStarted():
            return f"… {event.step:<17} {event.engine}"
        case StepDone():
            rows = f"{event.fingerprint.rows} rows" if event.fingerprint else event.error or ""
            mark = _MARKS[event.status]
            return f"{mark} {event.step:<17} {event.engine:<9} {event.seconds:5.1f} s  {rows}"
        case CheckDone():
            mark = "!" if event.severity == "warning" else _MARKS[event.status]
            return f"{mark} {event.name:<19} {event.summary}"
        case Finished():
            return event.verdict
