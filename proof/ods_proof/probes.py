"""Whether a filter that an engine pushes down to the files finds every row: a value per column.

It is looked for once an engine's own part is done, and what is found changes no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

Json: TypeAlias = "dict[str, Any]"


def choose(generated: Path, keep: Path) -> dict[str, int]:
    """Keep a value of each column that filters compare, and return how often each is there.

    It is the last of the first batch. Left out are nested columns, and NULL, NaN and infinities:
    engines compare those otherwise.
    """
    with pa.OSFile(str(generated)) as source:
        stream = pa.ipc.open_file(source)
        first = stream.get_batch(0)
        found = {name: _last(first.column(name)) for name in first.schema.names}
        values = {name: value for name, value in found.items() if value is not None}
        counts = dict.fromkeys(values, 0)
        for at in range(stream.num_record_batches):
            batch = stream.get_batch(at)
            for name, value in values.items():
                counts[name] += pc.sum(pc.equal(batch.column(name), value)).as_py() or 0
    row = pa.table({name: pa.array([v], v.type) for name, v in values.items()})
    with pa.OSFile(str(keep), "wb") as sink, pa.ipc.new_file(sink, row.schema) as writer:
        writer.write_table(row)
    return counts


def _last(column: pa.Array) -> pa.Scalar | None:
    if pa.types.is_nested(column.type):
        return None
    kept = column.drop_null()
    if pa.types.is_floating(column.type):
        kept = kept.filter(pc.is_finite(kept))
    return kept[-1] if len(kept) else None


def load(path: Path) -> Mapping[str, pa.Scalar]:
    """Return the values that `choose` kept, by column."""
    row = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return {name: row.column(name)[0] for name in row.schema.names}


def text(value: pa.Scalar) -> str:
    """Return a value as SQL casts it from text."""
    return str(value.as_py())


def entry(
    expected: Mapping[str, int], found: Mapping[str, Json], engines: Mapping[str, str]
) -> Json:
    """Return what a record says of it: columns and counts, never a value."""
    wrong = {side: _wrong(expected, counts) for side, counts in found.items()}
    said = [
        f"{engines[side]} finds {'; '.join(texts.values())}"
        for side, texts in wrong.items()
        if texts
    ]
    return {
        "name": "pushdown_safe",
        "passed": not said,
        "summary": "; ".join(said) or f"filters on {len(expected)} columns find every row",
        "evidence": {side: texts for side, texts in wrong.items() if texts},
    }


def _wrong(expected: Mapping[str, int], found: Json) -> dict[str, str]:
    return {
        name: f"{found.get(name, 'nothing')} of {count} rows where {name} is one value"
        for name, count in expected.items()
        if found.get(name) != count
    }
