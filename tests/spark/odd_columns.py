"""Columns that Spark writes in a way of its own, and what comes of each on three readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

REBASE = "spark.sql.parquet.{}RebaseModeIn{}"
CORRECTED = {
    REBASE.format(kind, way): "CORRECTED"
    for kind in ("datetime", "int96")
    for way in ("Read", "Write")
}
LEGACY = {
    **CORRECTED,
    REBASE.format("datetime", "Write"): "LEGACY",
    REBASE.format("int96", "Write"): "LEGACY",
}
_AS = "spark.sql.parquet.outputTimestampType"
_MOMENTS = (
    "TIMESTAMP_MICROS(-1), TIMESTAMP_MICROS(1615689000123456), TIMESTAMP '1500-02-28 00:00:00 UTC', "
    "TIMESTAMP '0001-01-01 00:00:00 UTC', TIMESTAMP '9999-12-31 23:59:59.999999 UTC', NULL"
)
_MICROS = (
    "-1",
    "1615689000123456",
    "-14826758400000000",
    "-62135596800000000",
    "253402300799999999",
)
_MILLIS = (
    "-1000",
    "1615689000123000",
    "-14826758400000000",
    "-62135596800000000",
    "253402300799999000",
)
_DAYS = "DATE '1500-02-28', DATE '0001-01-01', DATE '9999-12-31', DATE '1582-10-15', NULL"
_DATES = ("1500-02-28", "0001-01-01", "9999-12-31", "1582-10-15")
_CLOCKS = "TIMESTAMP_NTZ '2021-03-14 02:30:00', TIMESTAMP_NTZ '1500-02-28 00:00:00', NULL"
_SAME = "the same everywhere"
_MOVED = "right in Spark, which undoes it; the local calculator refuses the file; DuckDB does not know Spark's mark and sees other days: `different`"
_MARKED = "rebase mode LEGACY"
_NULLS = "not covered: nulls only"


@dataclass(frozen=True, slots=True)
class Odd:
    """A column `values` as Spark writes it under `settings`.

    `texts`: its canonical texts, where it has some. `here` and `duck`: the verdicts of Spark
    against the local calculator and DuckDB on the same files; None where they refuse the file,
    with an error that holds `error`.
    """

    name: str
    values: str
    says: str
    texts: Sequence[str] | None = None
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    here: str | None = "equal"
    duck: str | None = "equal"
    note: str = ""
    error: str = ""
    since: int = 3


ODD = (
    Odd("timestamp as INT96, Spark's default", _MOMENTS, f"{_SAME}; zone-less for other readers, which is noted", _MICROS, {**CORRECTED, _AS: "INT96"}),
    Odd("timestamp as TIMESTAMP_MICROS", _MOMENTS, _SAME, _MICROS, {**CORRECTED, _AS: "TIMESTAMP_MICROS"}),
    Odd("timestamp as TIMESTAMP_MILLIS", _MOMENTS, f"{_SAME}; Spark floors to milliseconds as it writes", _MILLIS, {**CORRECTED, _AS: "TIMESTAMP_MILLIS"}),
    Odd("timestamp_ntz", _CLOCKS, _SAME, ("1615689000000000", "-14826758400000000"), CORRECTED),
    Odd("timestamp_ntz, written under LEGACY", _CLOCKS, f"{_SAME}: never moved", ("1615689000000000", "-14826758400000000"), LEGACY),
    Odd("date", _DAYS, _SAME, _DATES, CORRECTED),
    Odd("date, written under LEGACY", _DAYS, _MOVED, _DATES, LEGACY, here=None, duck="different", error=_MARKED),
    Odd("timestamp, written under LEGACY", _MOMENTS, _MOVED, _MICROS, {**LEGACY, _AS: "TIMESTAMP_MICROS"}, here=None, duck="different", error=_MARKED),
    Odd("timestamp as INT96, written under LEGACY", _MOMENTS, _MOVED, _MICROS, {**LEGACY, _AS: "INT96"}, here=None, duck="different", error=_MARKED),
    Odd("date from 1582-10-15 on, written under LEGACY", "DATE '1582-10-15', DATE '9999-12-31', NULL", _SAME, ("1582-10-15", "9999-12-31"), LEGACY),
    Odd("timestamp from 1900 on, written under LEGACY", "TIMESTAMP '1900-01-01 00:00:00 UTC', NULL", _SAME, ("-2208988800000000",), {**LEGACY, _AS: "TIMESTAMP_MICROS"}),
    Odd("decimal, written under writeLegacyFormat", "1.50BD, -0.01BD, NULL", _SAME, ("1.50", "-0.01"), {"spark.sql.parquet.writeLegacyFormat": "true"}),
    Odd("string with a collation", "'a' COLLATE UNICODE_CI, 'A' COLLATE UNICODE_CI", f"{_SAME}: bytes are hashed; a note names the collation", ("a", "A"), note="collation icu.UNICODE_CI", since=4),
    Odd("string of bytes that are not UTF-8", "CAST(X'FF61' AS STRING)", "Spark hashes the bytes as they are; the local calculator and DuckDB refuse the column (ruling R12)", here=None, duck=None, error="UTF-8|string encoding"),
    Odd("binary", "X'00FF', NULL", _NULLS, here="equal, partial", duck="equal, partial"),
    Odd("array", "ARRAY(1), NULL", _NULLS, here="equal, partial", duck="equal, partial"),
    Odd("void", "NULL, NULL", f"{_NULLS}; Parquet holds it from Spark 4 on", here="equal, partial", duck="equal, partial", since=4),
    Odd("interval", "INTERVAL 1 DAY, NULL", f"{_NULLS}; in the file it is a whole number, so other readers differ by type", here="different", duck="different"),
    Odd("variant", "PARSE_JSON('{\"a\": 1}'), NULL", f"{_NULLS}; Arrow sees a struct, so the local calculator differs by type", here="different", duck="equal, partial", since=4),
)  # fmt: skip


def table() -> str:
    """Return the rows of docs/spark.md."""
    lines = [f"| {odd.name} | {odd.says} | {'3.5' if odd.since == 3 else '4'} |" for odd in ODD]
    return "\n".join(["| Written by Spark | What comes of it | Since |", "|---|---|---|", *lines])
