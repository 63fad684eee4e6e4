"""Which vectors Spark cannot hold, way by way: whose gap it is, what is said, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Literal

Route = Literal["literals", "parquet", "delta"]
HAS_DELTA = find_spec("delta") is not None
# where Spark is absent these tests are skipped, but read
VERSION = tuple(map(int, version("pyspark").split(".")[:2])) if find_spec("pyspark") else (0, 0)
FILES: tuple[Route, ...] = ("parquet", "delta")


@dataclass(frozen=True, slots=True)
class Gap:
    """`ours` is to do, `theirs` is Spark's, `never` cannot be; `says` is in the error.

    "reads TYPE" is of a column that Spark takes for one of another type, and answers so.
    """

    kinds: tuple[str, ...]
    routes: tuple[Route, ...]
    whose: Literal["ours", "theirs", "never"]
    says: str
    why: str


_FOUR = VERSION >= (4, 0)
_UNKNOWN, _ILLEGAL = "UNSUPPORTED_DATATYPE", "Illegal Parquet type"
_NANOS = ("timestamp ns", "timestamp_ntz ns")
GAPS = (
    Gap(
        ("int128", "uint128"), ("literals",), "never",
        "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION" if _FOUR else "exceeds max precision 38",
        "the largest have 39 digits",
    ),
    Gap(("int128", "uint128"), FILES, "never", "Arrow has no 128-bit integers", "nor has Parquet"),
    Gap(_NANOS, ("literals",), "theirs", _UNKNOWN, "moments are of microseconds"),
    Gap(_NANOS, FILES, "theirs", _ILLEGAL, "moments are of microseconds"),
    Gap(("half",), ("literals",), "theirs", _UNKNOWN, "floats are of 32 and 64 bits"),
    Gap(
        ("half",), FILES, "theirs",
        _ILLEGAL if _FOUR else "CANNOT_READ_FILE_FOOTER", "floats are of 32 and 64 bits",
    ),
    Gap(
        ("time",), ("literals",), "theirs",
        "UNSUPPORTED_TIME_TYPE" if _FOUR else _UNKNOWN, "a time of day is behind a setting",
    ),
    Gap(
        ("time",), FILES, "theirs",
        "UNSUPPORTED_TIME_TYPE" if _FOUR else _ILLEGAL, "a time of day is behind a setting",
    ),
    Gap(("uuid",), ("literals",), "theirs", _UNKNOWN, "a uuid is a string"),
    Gap(("uuid",), FILES, "theirs", _ILLEGAL, "a uuid is a string"),
    Gap(("json",), ("literals",), "theirs", _UNKNOWN, "JSON is a string, or a variant"),
    Gap(("json",), FILES, "theirs", "reads string", "the mark of JSON in Parquet is not read"),
    *([] if _FOUR else [Gap(("variant",), ("literals",), "theirs", _UNKNOWN, "came with 4.0")]),
    Gap(("void",), FILES, "theirs", "reads int32", "PyArrow stores nothing as integers"),
    Gap(("bit", "bignum", "geography"), ("literals",), "theirs", _UNKNOWN, "no such type"),
    Gap(("union<int64, string>",), ("literals",), "theirs", "PARSE_SYNTAX_ERROR", "no such type"),
    Gap(
        ("bit", "bignum", "geography", "union<int64, string>", "interval", "variant"),
        FILES, "never", "Arrow has no", "PyArrow writes none to Parquet",
    ),
)  # fmt: skip


def of(route: str, vector: Mapping[str, object]) -> Gap | None:
    """Return the gap that a vector falls into on a route, or None where it must be answered."""
    kind = kind_of(vector)
    found = [gap for gap in GAPS if route in gap.routes and kind in gap.kinds]
    return found[0] if found else None


def kind_of(vector: Mapping[str, object]) -> str:
    """Return a vector's type, with its unit where that is nanoseconds."""
    return f"{vector['type']}{' ns' if vector.get('unit') == 'ns' else ''}"
