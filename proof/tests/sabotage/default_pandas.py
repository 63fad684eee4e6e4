"""pandas with its default dtypes for all but integers, whose largest it could not write back."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
from ods_proof.engines import Place, pyarrow
from ods_proof.engines.pandas import *
from ods_proof.engines.pandas import Frames


def _kept(kind: pa.DataType) -> pd.ArrowDtype | None:
    return pd.ArrowDtype(kind) if pa.types.is_integer(kind) else None


def read(table: Path, version: int, place: Place) -> Frames:
    frame = pyarrow.read(table, version, place).read_all().to_pandas(types_mapper=_kept)
    schema = pa.Schema.from_pandas(frame, preserve_index=False)
    return Frames(schema, iter([frame]))
