"""Spark that asks the registry for a package which is not there."""

from __future__ import annotations

from functools import partial

import delta
from ods_proof.engines.spark import *

delta.configure_spark_with_delta_pip = partial(
    delta.configure_spark_with_delta_pip, extra_packages=["io.delta:nowhere:0"]
)
