"""A table through two engines and back, with its governance: what survived, step by step."""

from ._version import VERSION as __version__
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
