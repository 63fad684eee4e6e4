"""Arrow arrays without their encodings: extensions, dictionaries, run ends."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc


def plain(array: pa.Array) -> pa.Array:
    """Return the same values, one stored for each row."""
    if isinstance(array, pa.ExtensionArray):
        return plain(array.storage)
    if isinstance(array, pa.DictionaryArray):
        return plain(array.dictionary_decode())
    if isinstance(array, pa.RunEndEncodedArray):
        return plain(pc.run_end_decode(array))
    return array


def rows_at_once(arrays: Iterable[pa.Array], most: int) -> int | None:
    """Return how many rows have at most `most` bytes in each array when plain; None: no limit."""
    longest = max((_longest(array) for array in arrays), default=0)
    return max(1, most // longest) if longest else None


def _longest(array: pa.Array) -> int:
    """Return the bytes of the longest text that an encoded array may repeat."""
    if isinstance(array, pa.ExtensionArray):
        return _longest(array.storage)
    if isinstance(array, pa.DictionaryArray):
        return _largest(array.dictionary)
    return _largest(array.values) if isinstance(array, pa.RunEndEncodedArray) else 0


def _largest(values: pa.Array) -> int:
    held = plain(values)
    kinds = (pa.types.is_string, pa.types.is_large_string)
    if any(kind(held.type) for kind in kinds) and len(held) > held.null_count:
        return int(pc.max(pc.binary_length(held)).as_py())
    return 0
