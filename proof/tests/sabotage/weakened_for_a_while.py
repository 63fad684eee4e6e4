"""The e-mail is public at one version, and confidential again at the next."""

from __future__ import annotations

from ods_proof.engines.pyarrow import *

from .retagged import appender

append = appender("email", {"ods.classification": "public"}, {"ods.classification": "confidential"})
