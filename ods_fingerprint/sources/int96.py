"""INT96 timestamps of Parquet in the one form that Arrow misreads."""

from __future__ import annotations

import re

import pyarrow.parquet as pq

_ARROW = re.compile(r"parquet-cpp-arrow version (\d+)")
_MENDED = 23


def misread(file: pq.ParquetFile) -> list[str]:
    """Return the INT96 columns whose writer stored a negative time of day before 1970.

    Read as microseconds these come out 584 years late (apache/arrow issue 48246, mended in 23.0).
    """
    writer = str(file.metadata.created_by or "")
    arrow = _ARROW.match(writer)
    if not writer.startswith("parquet-cpp") or (arrow and int(arrow[1]) >= _MENDED):
        return []
    leaves = [file.schema.column(at) for at in range(len(file.schema))]
    return sorted(str(leaf.path) for leaf in leaves if leaf.physical_type == "INT96")
