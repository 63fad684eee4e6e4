"""Where the outside inputs lie: a folder `shared` beside the checkout; absent elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
OUTSIDE = SHARED / "outside"
COVID = OUTSIDE / "delta-rs" / "COVID-19_NYT"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="needs the folder `shared` beside the checkout"
)


def spec_vectors(*kinds: str) -> list[dict[str, object]]:
    """Return the vectors of the spec that are of these kinds."""
    folder = Path(__file__).resolve().parents[1] / "spec" / "vectors" / "v1"
    found: list[dict[str, object]] = []
    for path in sorted(folder.glob("*.json")):
        found += json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return [vector for vector in found if vector["kind"] in kinds]
