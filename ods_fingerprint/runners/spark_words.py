"""What Spark raised, in one line that says what is wrong and what would do."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from ..errors import SourceError

# the class of an error, such as [TABLE_OR_VIEW_NOT_FOUND], with what stands behind it
_STATED = re.compile(r"\[[A-Z][A-Z0-9_.]{2,}\] .+")
_STACK = re.compile(r"\n\s+at |\n\s*JVM stacktrace")
# what Spark 4 adds to a message for programs, and Python to one from Java
_NOISE = re.compile(r"[;,]? ?\b(SQLSTATE: \w+|line \d+ pos \d+)\.?$|^: ")
_CALLED = "An error occurred while calling"
_UNREADABLE = (
    "not a file of this format, or timestamps in nanoseconds, which Spark does not read: "
    "spark.sql.legacy.parquet.nanosAsLong=true reads them as whole numbers"
)
_HINTS: Mapping[str, str] = {
    "READ_ANCIENT_DATETIME": (
        "dates before 1582-10-15 or timestamps before 1900: set "
        "spark.sql.parquet.datetimeRebaseModeInRead (int96RebaseModeInRead for INT96) to "
        "CORRECTED, or to LEGACY for files that Spark 2 or Hive wrote"
    ),
    "UNSUPPORTED_DATASOURCE_FOR_DIRECT_QUERY": _UNREADABLE,
    "FAILED_TO_CREATE_PLAN_FOR_DIRECT_QUERY": _UNREADABLE,
    "PARQUET_TYPE_ILLEGAL": "spark.sql.legacy.parquet.nanosAsLong=true reads them as whole numbers",
    "AMBIGUOUS_REFERENCE": "columns that differ only by case: rename one of each",
}


@contextmanager
def said() -> Generator[None, None, None]:
    """Raise what Spark raises inside as a SourceError of one line."""
    faults = _faults()
    try:
        yield
    except faults as error:
        raise SourceError(f"Spark: {reason(str(error))}") from error


def reason(message: str) -> str:
    """Return the line of a message that says what is wrong, with what would do where we know it."""
    lines = [line.strip() for line in _STACK.split(message)[0].splitlines() if line.strip()]
    stated = [found[0] for line in lines if (found := _STATED.search(line))]
    plain = [line for line in lines if not line.startswith(_CALLED)]
    line = _NOISE.sub("", (stated or plain or ["it gave no reason"])[0]).strip()
    hints = [hint for word, hint in _HINTS.items() if word in line]
    return f"{line} ({hints[0]})" if hints else line


def _faults() -> tuple[type[Exception], ...]:
    """Return what a session raises: a Connect client alone has no py4j."""
    found: list[type[Exception]] = [import_module("pyspark.errors").PySparkException]
    if find_spec("py4j") is not None:
        found.append(import_module("py4j.protocol").Py4JError)
    return (*found, ConnectionError)
