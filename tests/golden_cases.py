"""The golden files' cases: which schema, table and pin each has, and the text that we print for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ods_fingerprint import Column, Schema
from ods_fingerprint.compiler import At, statements
from ods_fingerprint.types import (
    Boolean,
    Date,
    Decimal,
    Float,
    Integer,
    Nested,
    Other,
    String,
    Timestamp,
    Type,
)

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "golden"
DIALECTS = ("duckdb", "postgres", "snowflake", "spark")

TYPES: dict[str, Type] = {
    **{f"int{bits}": Integer(bits) for bits in (8, 16, 32, 64, 128)},
    **{f"uint{bits}": Integer(bits, signed=False) for bits in (8, 16, 32, 64, 128)},
    "decimal_scale_0": Decimal(38, 0),
    "decimal": Decimal(18, 2),
    "decimal_scale_6": Decimal(38, 6),
    "decimal_fine": Decimal(38, 7),
    "decimal_fraction": Decimal(9, 9),
    "string": String(),
    "string_char": String(length=10),
    "string_collated": String(collation="UNICODE_CI"),
    "enum": String(label=True),
    "boolean": Boolean(),
    "date": Date(),
    "timestamp_s": Timestamp(True, "s"),
    "timestamp_ms": Timestamp(True, "ms"),
    "timestamp": Timestamp(True),
    "timestamp_zone": Timestamp(True, "us", "Asia/Kolkata"),
    "timestamp_ns": Timestamp(True, "ns"),
    "timestamp_ntz_s": Timestamp(False, "s"),
    "timestamp_ntz_ms": Timestamp(False, "ms"),
    "timestamp_ntz": Timestamp(False),
    "timestamp_ntz_ns": Timestamp(False, "ns"),
    "half": Float(16),
    "float": Float(32),
    "double": Float(64),
    "nested": Nested("struct<a: int64, b: list<string>>"),
    "other": Other("uuid"),
}
MIXED = Schema(
    (
        Column("id", Integer(64)),
        Column("price", Decimal(18, 2)),
        Column("score", Float(64)),
        Column("tags", Nested("list<string>")),
        Column("Name", String()),
        Column("placed_at", Timestamp(True)),
    )
)
# quotes of each dialect, placeholders, comments, other tables' words, our own row names
HOSTILE = (
    "cust#", 'a"b', "a`b", "a'b", "a\\b", "select", "$1", "{x}", "{h}", "{text}", "{{x}}", "a;--",
    "/* a", "a.b", "two words", " lead", "line\nbreak", "c0", "h1", "c2_", "t", "rows", "a__nulls",
    "A__hash", "größe", "名", "🦆", 'x"; DROP TABLE t; --',
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One golden file for each of `dialects`; `limit` is put under [limits] of a copy of the file."""

    name: str
    schema: Schema
    table: str = "sales.orders"
    at: At | None = None
    limit: str = ""
    dialects: tuple[str, ...] = DIALECTS


def of_types(*kinds: Type) -> Schema:
    """Return a schema of columns x0, x1 … of these types."""
    return Schema(tuple(Column(f"x{at}", kind) for at, kind in enumerate(kinds)))


def hostile() -> Schema:
    """Return a schema of hostile names, with types that take each way through the templates."""
    kinds = (Integer(64), Decimal(38, 9), Float(64), Nested("list<int64>"))
    return Schema(tuple(Column(name, kinds[at % 4]) for at, name in enumerate(HOSTILE)))


def cases() -> Iterator[Case]:
    """Yield every case."""
    for name, kind in TYPES.items():
        yield Case(f"type_{name}", of_types(kind), "t")
    yield Case("table_mixed", MIXED)
    yield Case("table_no_columns", Schema(()))
    yield Case("table_wide", of_types(*(list(TYPES.values()) * 2)[:40]))
    yield Case("names_hostile", hostile(), 'lake."a.b"."x""y"')
    yield Case("names_long", Schema((Column("n" * 260, String()), Column("c0", String()))))
    yield Case("pin_version", MIXED, at=At(version=3), dialects=("spark",))
    moment = At(timestamp="2026-11-30T17:30:00.000001+05:30")
    yield Case("pin_timestamp", MIXED, at=moment, dialects=("snowflake", "spark"))
    yield Case("parts_columns", MIXED, limit="columns = 4")
    # the figures of one float column of PostgreSQL take more
    small = tuple(dialect for dialect in DIALECTS if dialect != "postgres")
    yield Case("parts_bytes", MIXED, limit="bytes = 1600", dialects=small)
    yield Case("parts_bytes", MIXED, limit="bytes = 2400", dialects=("postgres",))


def path(case: Case, dialect: str) -> Path:
    """Return the golden file of a case."""
    return GOLDEN / f"{case.name}.{dialect}.sql"


def printed(case: Case, dialect: str, folder: Path) -> str:
    """Return what we print for a case; `folder` takes a copy of the dialect file, if one is needed."""
    used = str(limited(dialect, case.limit, folder)) if case.limit else dialect
    made = statements(case.table, case.schema, used, at=case.at)
    texts = [re.sub(r"(?<=, library )[^;\n]+", "*", one.text, count=1) for one in made]
    return "\n".join(texts)


def limited(dialect: str, limit: str, folder: Path) -> Path:
    """Write a copy of a shipped dialect file with this line as its only limit."""
    shipped = (ROOT / "dialects" / f"{dialect}.toml").read_text(encoding="utf-8")
    without = re.sub(r"\[limits\]\n(?:(?:#.*|\w+ = .*)\n)+", "", shipped)
    copy = folder / f"{dialect}.toml"
    copy.write_text(f"{without}\n[limits]\n{limit}\n", encoding="utf-8")
    return copy
