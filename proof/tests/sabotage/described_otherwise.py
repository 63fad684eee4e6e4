"""A description changes."""

from __future__ import annotations

from ods_proof.engines.pyarrow import *  # noqa: F403

from .retagged import appender

append = appender("i64", {"comment": "another description"})
