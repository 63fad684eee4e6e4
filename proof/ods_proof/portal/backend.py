"""What the portal asks of whoever runs proofs: itself, or Dagster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import ProofError
from .sheet import Order, Sheet

QUEUE = 20  # proofs that may wait


class Unknown(ProofError):
    """A proof that is not there."""


class Down(ProofError):
    """Whoever runs proofs does not answer."""


class Full(ProofError):
    """A queue that takes no more."""


class Queued(ProofError):
    """A second proof in the queue by one user; `proof` is the one that waits."""

    def __init__(self, proof: str) -> None:
        super().__init__("you have a proof in the queue already")
        self.proof = proof


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine as the start page shows it; `missing` says why it is not here."""

    name: str
    implementation: str
    versions: tuple[str, ...]
    missing: str | None = None


def engine_list(found: Sequence[Mapping[str, Any]]) -> list[Engine]:
    """Return engines from what `engines.listed` says, here or where Dagster runs."""
    return [
        Engine(e["name"], e["implementation"], tuple(e["versions"]), e["missing"]) for e in found
    ]


class Backend(Protocol):
    """Whoever runs proofs. All of it blocks, and is called from threads."""

    def engines(self) -> Sequence[Engine]:
        """Return the engines that a proof can take."""
        ...

    def start(self, order: Order) -> None:
        """Queue a proof; one that is there by this id is left alone. Raises Queued, Full, Down."""
        ...

    def latest(self) -> Sequence[Sheet]:
        """Return the latest proofs in brief, newest first. Raises Down."""
        ...

    def look(self, proof: str) -> Sheet:
        """Return a proof as it stands. Raises Unknown, Down."""
        ...

    def cancel(self, proof: str, user: str | None) -> None:
        """Have a proof stopped; one that has ended is left alone. Raises Unknown, Down."""
        ...

    def open(self) -> None:
        """Begin to run what is queued."""
        ...

    def close(self) -> None:
        """Stop what it started itself."""
        ...
