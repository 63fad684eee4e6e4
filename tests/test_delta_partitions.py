"""Partition values, which a Delta log holds as text: read as their type, or refused."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from delta_tables import (
    add,
    commit,
    field,
    metadata,
    parquet,
    protocol,
    read,
)

from ods_fingerprint.errors import SourceError

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1)
ARROW = int(pa.__version__.partition(".")[0])


def constant(root: Path, kind: str, text: str | None) -> pa.Scalar:
    """Return what a table of one row gives for a partition value of the log."""
    count = parquet(root, "a.parquet", pa.table({"id": [1]}))
    assert count == 1
    described = metadata(field("id", "long"), field("p", kind), partitions=("p",))
    commit(root, 0, protocol(), described, add("a.parquet", partitionValues={"p": text}))
    return read(root)["p"][0]


INSTANT = datetime(2021, 9, 8, 11, 11, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "", None),
        ("string", "__HIVE_DEFAULT_PARTITION__", "__HIVE_DEFAULT_PARTITION__"),
        ("string", "%41", "%41"),
        ("long", None, None),
        ("long", "", None),
        ("long", "-9223372036854775808", -(2**63)),
        ("byte", "-128", -128),
        ("double", "1.0E10", 1e10),
        ("double", "-Infinity", float("-inf")),
        ("float", "0.1", 0.10000000149011612),
        ("boolean", "true", True),
        ("boolean", "false", False),
        ("date", "2020-02-29", date(2020, 2, 29)),
        ("date", "0001-01-01", date(1, 1, 1)),
        ("date", "9999-12-31", date(9999, 12, 31)),
        ("timestamp", "2021-09-08 11:11:11", INSTANT),
        ("timestamp", "2021-09-08T11:11:11Z", INSTANT),
        ("timestamp", "2021-09-08T13:11:11.000000+02:00", INSTANT),
        ("timestamp", "2021-09-08T11:11:11.1Z", INSTANT.replace(microsecond=100_000)),
        ("timestamp", "2021-09-08 11:11:11.000001", INSTANT.replace(microsecond=1)),
        ("timestamp", "0001-01-01 00:00:00", datetime(1, 1, 1, tzinfo=UTC)),
        ("timestamp", "9999-12-31 23:59:59.999999", datetime.max.replace(tzinfo=UTC)),
        ("timestamp_ntz", "2021-09-08 11:11:11.123456", datetime(2021, 9, 8, 11, 11, 11, 123456)),
        ("timestamp_ntz", "1969-12-31 23:59:59.999999", datetime(1969, 12, 31, 23, 59, 59, 999999)),
        ("decimal(12,5)", "-2342342.23423", Decimal("-2342342.23423")),
        ("decimal(12,5)", "1", Decimal("1.00000")),
        ("decimal(20,10)", "0E-10", Decimal("0E-10")),
        ("decimal(38,0)", "-" + "9" * 38, Decimal("-" + "9" * 38)),
        ("binary", "\x01\x02a", b"\x01\x02a"),
    ],
)
def test_partition_values(tmp_path: Path, kind: str, text: str | None, value: object) -> None:
    assert constant(tmp_path, kind, text).as_py() == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("long", "9223372036854775808"),
        ("byte", "128"),
        ("integer", "1.0"),
        ("integer", "1_000"),
        ("integer", "١"),
        ("integer", " 1"),
        ("double", "one"),
        ("double", "1_0"),
        ("boolean", "1"),
        ("date", "2021-02-29"),
        ("date", "20210208"),
        ("date", "10000-01-01"),
        ("timestamp", "2021-09-08"),
        ("timestamp", "2021-09-08 24:00:00"),
        ("timestamp", "2021-09-08 11:11:11.1234567"),
        ("timestamp_ntz", "2021-09-08 11:11:11+02:00"),
        ("decimal(4,1)", "1.25"),
        ("decimal(4,1)", "1234.5"),
        ("decimal(4,1)", "NaN"),
        ("decimal(38,0)", "1E9999"),
        ("binary", "é"),
        ("long", "__HIVE_DEFAULT_PARTITION__"),
        ("variant", "1"),
    ],
)
def test_partition_values_that_are_none(tmp_path: Path, kind: str, text: str) -> None:
    with pytest.raises(SourceError, match=r"a\.parquet: the partition value .* of the column 'p'"):
        constant(tmp_path, kind, text)


def test_a_partition_value_that_the_log_lacks(tmp_path: Path) -> None:
    parquet(tmp_path, "a.parquet", pa.table({"id": [1]}))
    described = metadata(field("id", "long"), field("p", "long"), partitions=("p",))
    commit(tmp_path, 0, protocol(), described, add("a.parquet", partitionValues={"P": "1"}))
    with pytest.raises(SourceError, match="no value of the partition 'p'"):
        read(tmp_path)
