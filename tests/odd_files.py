"""Files that others wrote, by kind: what each was, and what comes of it (the table of docs/files.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch


@dataclass(frozen=True, slots=True)
class Kind:
    """Files that are alike; `said` is what the refusal says, where they are refused."""

    what: str
    comes: str
    files: tuple[str, ...]
    said: str = ""


_TEST, _DUCK = "parquet/parquet-testing/", "parquet/duckdb/"

# a file is of the first kind that has its name
KINDS = (
    Kind(
        "encrypted: the footer, or columns",
        "refused: a key is never asked for",
        (f"{_DUCK}arrow_uniform_encryption_*", f"{_DUCK}plaintext_footer_crypto_*"),
        "encrypted",
    ),
    Kind(
        "a bomb: two texts of a gigabyte in 4 kB",
        "refused, or stopped by the limit that you set",
        (f"{_TEST}large_string_map.brotli.parquet",),
        "cannot be read as Parquet",
    ),
    Kind(
        "a schema at odds with itself: a DATE of 64 bits, a map whose keys may be NULL",
        "refused",
        (f"{_DUCK}broken_*", f"{_TEST}incorrect_map_schema.*", f"{_TEST}PARQUET-1481.*"),
        "annotat|Invalid physical column type",
    ),
    Kind(
        "a footer that a fuzzer made",
        "refused",
        (f"{_DUCK}fuzzer*",),
        "cannot be read as Parquet|neither a Parquet nor an Arrow IPC file",
    ),
    Kind(
        "damaged pages: negative sizes, impossible bit widths, repetition levels that begin inside a list",
        "refused",
        (
            f"{_DUCK}issue22325_*",
            f"{_DUCK}page_size_corruption.*",
            f"{_TEST}ARROW-GH-41317.*",
            f"{_TEST}ARROW-GH-41321.*",
            f"{_TEST}ARROW-GH-45185.*",
            f"{_TEST}ARROW-RS-GH-6229-LEVELS.*",
        ),
        "cannot be read as Parquet",
    ),
    Kind(
        "a page whose checksum is wrong",
        "refused; others read it without a word",
        (
            f"{_TEST}datapage_v1-corrupt-checksum.*",
            f"{_TEST}rle-dict-uncompressed-corrupt-checksum.*",
        ),
        "CRC",
    ),
    Kind(
        "a column of fewer values than the file has rows",
        "refused",
        (f"{_DUCK}parquet_column_num_values_mismatch.*",),
        "it states 8 rows and holds 0",
    ),
    Kind(
        "text that is not UTF-8, in four encodings",
        "refused (R12)",
        (f"{_DUCK}invalid.parquet", f"{_DUCK}invalid_utf8_*"),
        "not UTF-8",
    ),
    Kind(
        "columns of one name, or of names that differ by case",
        "refused: rename one",
        (f"{_DUCK}bug13053-2.*", "arrow/generated_duplicate_fieldnames.*"),
        "differ at most by case",
    ),
    Kind(
        "a struct without fields, which PyArrow leaves out",
        "refused by the column's name",
        (f"{_DUCK}empty_group_test.*",),
        "columns that PyArrow cannot read: nested",
    ),
    Kind(
        "a decimal value of more than 36 digits",
        "refused: not every engine can print it",
        (f"{_DUCK}pandas_decimal.*",),
        "decimal of more than 36 digits",
    ),
    Kind(
        "decimals of more than 38 digits",
        "refused, all columns in one error",
        ("arrow/generated_decimal256.*",),
        r"decimal\(39, 5\)|decimal\(76",
    ),
    Kind(
        "an interval that PyArrow does not know",
        "refused; `--skip` leaves it out",
        ("arrow/generated_interval.stream",),
        "is not known to PyArrow",
    ),
    Kind(
        "a variant that DuckDB finds corrupt",
        "read; what is in it is not covered, nulls only",
        (f"{_DUCK}variant_malicious.*",),
    ),
    Kind(
        "variants, whole and shredded",
        "read as structs: nulls only; DuckDB counts a variant that holds null as NULL, we do not (R20)",
        (f"{_DUCK}variant_*",),
    ),
    Kind(
        "geometry and geography",
        "read; not covered: nulls only",
        (f"{_TEST}crs-*", f"{_TEST}geography-*"),
    ),
    Kind(
        "Parquet of many writers: INT96, most codecs and encodings, nested, empty",
        "read as hashlib has it",
        ("parquet/*",),
    ),
    Kind(
        "Arrow streams of nearly every type: views, dictionaries of dictionaries, run ends, extensions",
        "read as hashlib has it",
        ("arrow/*",),
    ),
)


def kind_of(name: str) -> Kind:
    """Return the kind of a file, by its path in the folder of outside files."""
    return next(kind for kind in KINDS if any(fnmatch(name, pattern) for pattern in kind.files))


def rows(names: Sequence[str]) -> list[str]:
    """Return the rows of docs/files.md for these files."""
    kinds = [kind_of(name) for name in names]
    return [f"| {kind.what} | {kinds.count(kind)} | {kind.comes} |" for kind in KINDS]
