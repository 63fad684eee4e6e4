"""An engine with SQL of its own gives no figures."""

from __future__ import annotations

from dataclasses import replace

from ods_proof.engines import About, pyarrow
from ods_proof.engines.pyarrow import *


def about() -> About:
    return replace(pyarrow.about(), dialect="duckdb")
