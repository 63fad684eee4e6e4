"""A table through two engines and back, with its governance: what survived, step by step."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ._version import VERSION as __version__

if TYPE_CHECKING:
    from .errors import EngineMissing, ProofError, Refused
    from .events import CheckDone, Event, Finished, StepDone, StepStarted
    from .proof import Proof
    from .round_trip import run

__all__ = [
    "CheckDone",
    "EngineMissing",
    "Event",
    "Finished",
    "Proof",
    "ProofError",
    "Refused",
    "StepDone",
    "StepStarted",
    "__version__",
    "run",
]
# imported when asked for: the process of a step and the reaper of a sandbox need none of it
_HOMES = {
    **dict.fromkeys(("EngineMissing", "ProofError", "Refused"), "errors"),
    **dict.fromkeys(("CheckDone", "Event", "Finished", "StepDone", "StepStarted"), "events"),
    "Proof": "proof",
    "run": "round_trip",
}


def __getattr__(name: str) -> object:
    """Return a name of the front door from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
