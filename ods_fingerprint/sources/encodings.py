"""Arrow arrays without their encodings: extensions, dictionaries, run ends."""

from __future__ import annotations

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
