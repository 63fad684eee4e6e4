"""The two modes in which everything must be right, and settings put in place for a while."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ANSI, _ZONE = "spark.sql.ansi.enabled", "spark.sql.session.timeZone"
# ANSI is off by default in 3.5 and on in 4; both zones have hours that never were
MODES: Mapping[str, Mapping[str, str]] = {
    "ansi_new_york": {_ANSI: "true", _ZONE: "America/New_York"},
    "plain_kolkata": {_ANSI: "false", _ZONE: "Asia/Kolkata"},
}


@contextmanager
def set_to(spark: SparkSession, settings: Mapping[str, str]) -> Generator[None, None, None]:
    """Put settings of the session in place for a while."""
    before = {key: spark.conf.get(key, None) for key in settings}
    for key, value in settings.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key, old in before.items():
            spark.conf.unset(key) if old is None else spark.conf.set(key, old)
