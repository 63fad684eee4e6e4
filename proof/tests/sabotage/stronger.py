"""The city is confidential in the end: stronger than declared."""

from __future__ import annotations

from ods_proof.engines.pyarrow import *

from .retagged import appender

append = appender("city", {"ods.classification": "confidential"})
