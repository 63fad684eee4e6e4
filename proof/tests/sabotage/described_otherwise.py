"""A description changes."""

from __future__ import annotations

from ods_proof.engines.pyarrow import *

from .retagged import appender

append = appender("i64", {"comment": "another description"})
