"""What is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from . import contract
from .contract import Contract

_LIMIT = 600.0
_LIMIT_PER_ROW = 0.002


@dataclass(frozen=True, slots=True)
class Proof:
    """What is asked for: two engines, and the size and seed of the generated table."""

    first: str
    second: str
    rows: int = 1_000
    seed: int = 7
    maps: bool = False
    id: str = field(default_factory=lambda: uuid4().hex[:12])

    @property
    def contract(self) -> Contract:
        """Return the declared columns of the generated table."""
        found = contract.load()
        return found if self.maps else found.without_maps()

    @property
    def limit(self) -> float:
        """Return the seconds that a step may take."""
        return _LIMIT + self.rows * _LIMIT_PER_ROW
