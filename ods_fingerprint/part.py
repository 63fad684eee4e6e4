"""What one column adds to a statement."""

from __future__ import annotations

from dataclasses import dataclass

from .dialect import Dialect
from .figures import Figure

# what reads a figure of a column that is a row
_ITEM_BYTES = 60


@dataclass(frozen=True, slots=True)
class Part:
    """What one column adds to a statement: lines of the subquery, expressions of the row.

    `cell` is its value where it is a row: its canonical text, or a double.
    """

    inner: tuple[str, ...]
    outer: tuple[str, ...]
    cell: str
    figures: tuple[Figure, ...]
    row_names: tuple[str, ...]

    def size(self, used: Dialect) -> int:
        """Return the bytes that the column takes, with what stands between its lines."""
        names = sum(len(used.quoted(name).encode()) + 4 for name in self.row_names)
        lines = sum(len(line.encode()) + 6 for line in (*self.inner, *self.outer))
        items = len(self.cell.encode()) + 10 + _ITEM_BYTES * len(self.row_names)
        return names + (max(lines, items) if used.unpivot else lines)
