"""The local calculator: the cases of the open list, encodings, and what it must refuse."""

from __future__ import annotations

from decimal import Decimal as D

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from vector_columns import hash_of

import ods_fingerprint as ods

INF, NAN = float("inf"), float("nan")


def _figures(source: object, **options: object) -> list[dict[str, object]]:
    return [dict(c.figures) for c in ods.compute(source, **options).columns]  # type: ignore[arg-type]


def _hashes(source: object) -> list[object]:
    return [figures["hash"] for figures in _figures(source)]


def test_ct_01_a_decimal_keeps_the_zero_before_its_point() -> None:
    rate = pa.array([D("0.5")], pa.decimal128(1, 1))
    tiny = pa.array([D("-0.5")], pa.decimal128(38, 38))
    expected = [950554961032877051, hash_of("-0.5" + "0" * 37)]
    assert _hashes(pa.table({"rate": rate, "tiny": tiny})) == expected


def test_ct_03_a_decimal_has_no_negative_zero() -> None:
    frame = pd.DataFrame({"x": pd.Series([D("-0.00"), D("0.00")], dtype=object)})
    (found,) = _figures(frame, schema={"x": "decimal(10,2)"})
    assert found["hash"] == 2232583173120806986


def test_ct_06_digits_below_a_microsecond_are_floored() -> None:
    table = pa.table({"t": pa.array([-1, -1001, 1999], pa.timestamp("ns"))})
    assert _hashes(table) == [1792361961055992052]
    assert ods.compute(table).notes == ("t: digits below a microsecond are floored away",)


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata"])
def test_ct_07_a_zone_less_timestamp_is_read_as_utc(zone: str) -> None:
    array = pa.array([1615689000000000], pa.timestamp("us"))
    assert _hashes(pa.table({"c": array})) == [922595963800571477]
    with duckdb.connect() as connection:
        connection.execute(f"SET TimeZone = '{zone}'")
        connection.execute("CREATE TABLE v AS SELECT TIMESTAMP '2021-03-14 02:30:00' AS c")
        found = ods.compute(connection, "v")
        assert found.columns[0].figures["hash"] == 922595963800571477
        assert _hashes(connection.table("v")) == [922595963800571477]


def test_ct_09_strings_are_their_bytes() -> None:
    a = pa.table({"n": ["\u00e9", "a", "x"]})
    b = pa.table({"n": ["e\u0301", "a\u200b", "x"]})
    assert _hashes(a) + _hashes(b) == [1231526119886671400, 2073451461495888512]
    assert ods.compare(ods.compute(a), ods.compute(b)).verdict == "different"


def test_ct_11_a_nul_does_not_cut() -> None:
    assert _hashes(pa.table({"s": ["a\x00b", "a"]})) == [562783178206144929]
    assert _hashes(pa.table({"s": ["a\x00b"]})) == [505336600729472567]


def test_ct_13_a_column_keeps_its_scale() -> None:
    assert _hashes(pa.table({"x": pa.array([D("5")], pa.decimal128(38, 6))})) == [
        316336842563250481
    ]


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
@pytest.mark.parametrize(
    ("unit", "factor"), [("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)]
)
def test_ct_15_the_unit_of_a_timestamp_does_not_show(
    unit: str, factor: int, zone: str | None
) -> None:
    array = pa.array([1577836801 * factor], pa.int64()).view(pa.timestamp(unit, zone))
    assert _hashes(pa.table({"t": array})) == [702998330479279495]


def test_fg_01_the_sum_passes_64_bits() -> None:
    assert _hashes(pa.table({"s": ["a"] * 200})) == [11489315495334472400]


def test_fg_04_nan_and_infinities_are_counted_apart() -> None:
    found = ods.compute(pa.table({"x": pa.array([NAN, 1.0, None, INF, -INF, -2.5])}))
    assert found.rows == 6
    assert dict(found.columns[0].figures) == {
        "nulls": 1, "nan": 1, "posinf": 1, "neginf": 1, "min": -2.5, "max": 1.0, "sum": -1.5,
    }  # fmt: skip


def test_fg_08_a_null_in_a_dictionary_is_a_null() -> None:
    indices = pa.array([0, 1, None, 2], pa.int8())
    array = pa.DictionaryArray.from_arrays(indices, pa.array(["a", None, "b"]))
    assert _figures(pa.table({"c": array})) == [{"nulls": 2, "hash": 719112883567984232}]


def test_fg_10_no_rows_is_zero_and_not_one_null_row() -> None:
    empty = pa.table({"i": pa.array([], pa.int64()), "x": pa.array([], pa.float64())})
    counts = {"nulls": 0, "nan": 0, "posinf": 0, "neginf": 0}
    nothing = {"min": None, "max": None, "sum": None}
    assert _figures(empty) == [{"nulls": 0, "hash": 0}, {**counts, **nothing}]
    one = pa.table({"i": pa.array([None], pa.int64()), "x": pa.array([None], pa.float64())})
    result = ods.compare(ods.compute(empty), ods.compute(one))
    assert ods.compare(ods.compute(empty), ods.compute(empty)).verdict == "equal"
    assert {d.figure for d in result.differences} == {"rows", "nulls"}


def test_fg_12_values_swapped_between_rows_are_not_seen() -> None:
    a = pa.table({"id": [1, 2], "email": ["p@x.test", "q@x.test"]})
    b = pa.table({"id": [1, 2], "email": ["q@x.test", "p@x.test"]})
    assert ods.compare(ods.compute(a), ods.compute(b)).verdict == "equal"  # R21


def test_fg_14_floats_are_widened_first() -> None:
    (found,) = _figures(pa.table({"x": pa.array([0.1, 0.2], pa.float32())}))
    assert (found["min"], found["max"]) == (0.10000000149011612, 0.20000000298023224)
    assert found["sum"] == 0.30000000447034836


def test_er_09_unsigned_integers() -> None:
    a, b = pa.array([7, 200], pa.uint8()), pa.array([1, 2**64 - 1], pa.uint64())
    assert _hashes(pa.table({"a": a, "b": b})) == [888784375851224054, 1455830901208455903]


def test_er_11_a_decimal_inferred_anew_has_the_same_hash() -> None:
    table = pa.table({"p": pa.array([D("1.20")], pa.decimal128(18, 2))})
    again = pa.Table.from_pandas(table.to_pandas(), preserve_index=False)
    assert again.schema.field("p").type == pa.decimal128(3, 2)
    assert _hashes(table) == _hashes(again) == [710664666607522009]


def test_er_13_a_zone_moves_no_instant() -> None:
    for zone in ("Europe/Rome", "UTC"):
        array = pa.array([0, 1720000000000000], pa.timestamp("us", zone))
        assert _hashes(pa.table({"ts": array})) == [1829771634580986841]


def test_id_01_the_pandas_index_is_a_column_like_any_other() -> None:
    frame = pd.DataFrame({"a": [1, 2]}, index=[5, 6])
    assert [
        c.column.name
        for c in ods.compute(pa.Table.from_pandas(frame, preserve_index=False)).columns
    ] == ["a"]


TEXTS = ["a", "b", None, "", "a", "ä" * 40]


@pytest.mark.parametrize(
    "array",
    [
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS).dictionary_encode(),
        pa.array(TEXTS, pa.large_string()).dictionary_encode(),
        pa.chunked_array([TEXTS[:2], [], TEXTS[2:]]),
        pa.array(["x", *TEXTS, "y"]).slice(1, len(TEXTS)),
        pa.RunEndEncodedArray.from_arrays([1, 2, 3, 4, 5, 6], TEXTS),
    ],
    ids=["large", "view", "dictionary", "large dictionary", "chunks", "slice", "run ends"],
)
def test_how_text_is_stored_does_not_show(array: object) -> None:
    expected = {"nulls": 1, "hash": hash_of("a", "b", "", "a", "ä" * 40)}
    assert _figures(pa.table({"x": array})) == [expected]


def test_the_same_data_from_every_library_is_the_same() -> None:
    table = pa.table({"i": [1, None, 3], "s": ["a", "", None], "f": [0.5, None, 1e300]})
    expected = _figures(table)
    assert _figures(pl.DataFrame(table)) == expected
    assert _figures(ds.dataset(table)) == expected
    assert _figures(table.to_reader(max_chunksize=1)) == expected
    with duckdb.connect() as connection:
        assert _figures(connection.from_arrow(table)) == expected


def _decimals(kind: pa.DataType, stored: int) -> pa.Table:
    raw = pa.py_buffer(stored.to_bytes(16, "little", signed=True))
    return pa.table({"x": pa.Array.from_buffers(kind, 1, [None, raw])})


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        (pa.decimal128(5, 2), 12345678901234567890),
        (pa.decimal128(5, 2), -100000),
        (pa.decimal128(18, 2), 10**18),
        (pa.decimal128(38, 0), 10**38),
    ],
)
def test_a_decimal_of_too_many_digits_is_refused(kind: pa.DataType, stored: int) -> None:
    with pytest.raises(ods.SourceError, match=r"column x: it holds a decimal of more than"):
        ods.compute(_decimals(kind, stored))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_text_that_is_not_utf8_is_refused(kind: pa.DataType) -> None:  # R12
    broken = pa.array([b"ok", b"a\xffb"]).view(pa.string())
    array = pc_cast(broken, kind)
    with pytest.raises(ods.SourceError, match=r"column x: it holds text that is not UTF-8"):
        ods.compute(pa.table({"x": array}))


def pc_cast(text: pa.Array, kind: pa.DataType) -> pa.Array:
    """Cast without the check that a cast from binary makes."""
    return text.cast(kind) if kind != pa.string() else text


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT 340282366920938463463374607431768211455::UHUGEINT AS x", "127 bits"),
        ("SELECT 170141183460469231731687303715884105730::UHUGEINT AS x", "38 digits"),
        ("SELECT (-170141183460469231731687303715884105728)::HUGEINT AS x", "x|HUGEINT"),
        ("SELECT NULL::UNION(a INT, b TEXT) AS x", "union"),
        ("SELECT 1 AS a, 2 AS a", "a and a"),
        ("SELECT CASE WHEN i > 9 THEN error('boom') ELSE i END AS x FROM range(300000) t(i)", "boom"),
        ("SELECT CAST(x AS INT) AS x FROM (VALUES ('1'), ('z')) t(x)", "z"),
    ],
)  # fmt: skip
def test_what_a_duckdb_relation_cannot_give_is_refused(query: str, reason: str) -> None:
    with duckdb.connect() as connection:
        with pytest.raises(ods.OdsError, match=reason):
            ods.compute(connection.sql(query))
        assert connection.execute("SELECT 1").fetchall() == [(1,)]  # nothing is left open


def test_a_duckdb_relation_has_the_types_of_duckdb() -> None:
    query = "SELECT '{}'::JSON AS j, 5::UHUGEINT AS u, -5::HUGEINT AS h, 'a'::ENUM('a') AS e"
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS {query}")
        here, there = ods.compute(connection.table("t")), ods.compute(connection, "t")
        assert (here.columns, here.rows) == (there.columns, there.rows)
        assert [c.figures.get("hash") for c in here.columns] == [
            None, hash_of("5"), hash_of("-5"), hash_of("a")]  # fmt: skip


@pytest.mark.parametrize(
    ("array", "wanted"),
    [
        (pa.array([0.1]), "float"),
        (pa.array([1.5]), "bigint"),
        (pa.array([2**53 + 1]), "double"),
        (pa.array([2]), "boolean"),
        (pa.array([300]), "tinyint"),
        (pa.array([D("1.255")]), "decimal(10,2)"),
        (pa.array([0.255]), "decimal(10,2)"),
        (pa.array([D("0.1234567890123456789")]), "double"),
        (pa.array([1], pa.timestamp("us")), "date"),
        (pa.array([1], pa.timestamp("ns")), "timestamp"),
        (pa.array(["1.255"]), "decimal(10,2)"),
        (pa.array(["x"]), "bigint"),
    ],
)
def test_a_cast_that_changes_a_value_is_refused(array: pa.Array, wanted: str) -> None:
    with pytest.raises(ods.SchemaError, match=r"column x: "):
        ods.compute(pa.table({"x": array}), schema={"x": wanted})


def test_a_cast_that_keeps_the_values_is_made() -> None:
    table = pa.table({"x": pa.array([1, None], pa.int8()), "y": [NAN, 0.5], "z": ["1.5", "2"]})
    found = ods.compute(table, schema={"Z": "decimal(9,2)", "x": "bigint", "y": "float"})
    assert [c.column.name for c in found.columns] == ["Z", "x", "y"]
    assert found.columns[0].figures["hash"] == hash_of("1.50", "2.00")


def test_version_and_hive_belong_to_paths() -> None:
    with pytest.raises(ods.SourceError, match="version and hive belong to a path"):
        ods.compute(pa.table({"x": [1]}), version=1)


def test_timestamps_that_microseconds_cannot_hold_are_refused() -> None:
    for unit in ("s", "ms"):
        array = pa.array([2**62], pa.int64()).view(pa.timestamp(unit))
        with pytest.raises(ods.SourceError, match="64 bits of microseconds"):
            ods.compute(pa.table({"x": array}))
