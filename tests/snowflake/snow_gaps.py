"""Which vectors cannot run on the local Snowflake: whose gap it is, what is said, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Vector: TypeAlias = Mapping[str, object]
_UNKNOWN = ("interval", "uuid", "geography", "bit", "bignum", "void", "union")
# 0001-01-01 as days since 1970; DuckDB's first and last day
_FIRST = -719162
_FIRST_MADE, _LAST_MADE = -2147483646, 2147483646


@dataclass(frozen=True, slots=True)
class Gap:
    """`theirs` is fakesnow's or DuckDB's, `never` Snowflake's own; `says` is in what comes."""

    what: str
    holds: Callable[[Vector], bool]
    whose: Literal["theirs", "never"]
    says: str


def values(vector: Vector) -> Sequence[object]:
    """Return the values of a column, or the one value of a vector of one value."""
    found = vector["values"] if "values" in vector else [vector["value"]]
    assert isinstance(found, list)
    return found


def _days(vector: Vector) -> list[int]:
    found = values(vector) if vector["type"] == "date" else ()
    return [int(str(value)) for value in found if value is not None]


def _is_before_1(vector: Vector) -> bool:
    """Return whether a date is one that DuckDB's cast prints otherwise than TO_CHAR would."""
    return any(day < _FIRST for day in _days(vector)) and not _is_beyond(vector)


def _is_beyond(vector: Vector) -> bool:
    return any(not _FIRST_MADE <= day <= _LAST_MADE for day in _days(vector))


def _is_zoned_nanoseconds(vector: Vector) -> bool:
    return vector["type"] == "timestamp" and vector.get("unit") == "ns"


GAPS = (
    Gap("39_digits", lambda v: "int128" in str(v["type"]), "never", "Conversion Error"),
    Gap("years_before_1", _is_before_1, "theirs", "wrong: {'nulls': "),
    Gap("the_last_days_of_int32", _is_beyond, "theirs", "Error"),
    Gap("zoned_nanoseconds", _is_zoned_nanoseconds, "theirs", "no zoned nanoseconds"),
    Gap(
        "the_first_microsecond_of_int64",
        lambda v: v["type"] == "timestamp" and values(v) == ["-9223372036854775807"],
        "theirs", "Conversion Error",
    ),
    Gap(
        "the_last_microsecond_of_int64_is_infinity_in_duckdb",
        lambda v: v["type"] == "timestamp_ntz" and values(v) == ["9223372036854775807"],
        "theirs", "Conversion Error",
    ),
    Gap(
        "no_such_type",
        lambda v: str(v["type"]).startswith(_UNKNOWN), "never", "Snowflake has no ",
    ),
)  # fmt: skip


def of(vector: Vector) -> Gap | None:
    """Return the gap that a vector falls into, or None where it must be answered."""
    return next((gap for gap in GAPS if gap.holds(vector)), None)
