"""The city gets a level that nobody declared."""

from __future__ import annotations

from ods_proof.engines.pyarrow import *

from .retagged import appender

append = appender("city", {"ods.classification": "very secret"})
