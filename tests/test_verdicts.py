"""Real small tables on both sides: no false `different`, and no false `equal` beyond R21's list."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import ods_fingerprint as ods
from ods_fingerprint.show import NOT_SEEN

NAN, INF = float("nan"), float("inf")


def verdict(a: pa.Table, b: pa.Table) -> ods.Comparison:
    return ods.compare(ods.compute(a), ods.compute(b))


def table(**columns: Any) -> pa.Table:
    return pa.table(columns)


def x(values: list[Any], kind: pa.DataType | None = None) -> pa.Table:
    return pa.table({"x": pa.array(values, kind)})


def micro(*values: int, unit: str = "us", zone: str | None = None) -> pa.Table:
    return x(list(values), pa.int64()).cast(pa.schema([("x", pa.timestamp(unit, zone))]))


def decimals(*values: str, scale: int = 2, precision: int = 18) -> pa.Table:
    return x([Decimal(value) for value in values], pa.decimal128(precision, scale))


# What other tools get wrong on the same tables: each case has its right answer, and the figures
# that must tell it. The names are those of the survey of peers.
DIFFERENT: dict[str, tuple[pa.Table, pa.Table, set[tuple[str | None, str]]]] = {
    "one value changed": (x([1, 2, 3]), x([1, 2, 4]), {("x", "hash")}),
    "separator collision a|b,c": (
        table(a=["a|b"], b=["c"]),
        table(a=["a"], b=["b|c"]),
        {("a", "hash"), ("b", "hash")},
    ),
    "no separator ab,c": (
        table(a=["ab"], b=["c"]),
        table(a=["a"], b=["bc"]),
        {("a", "hash"), ("b", "hash")},
    ),
    "unit separator in the text": (
        table(a=["a\x1fb"], b=["c"]),
        table(a=["a"], b=["b\x1fc"]),
        {("a", "hash"), ("b", "hash")},
    ),
    **{
        f"NULL and the marker {marker!r}": (
            x([None, "a"], pa.string()),
            x([marker, "a"]),
            {("x", "nulls"), ("x", "hash")},
        )
        for marker in ("<null>", "NULL", "\\N", "_null_recon_", "DEFAULT_REPLACEMENT_STRING", "")
    },
    "trailing space": (x(["a"]), x(["a "]), {("x", "hash")}),
    "leading space and case": (x(["a", "b"]), x([" a", "B"]), {("x", "hash")}),
    "composed and decomposed": (x(["\u00e9"]), x(["e\u0301"]), {("x", "hash")}),
    "NaN and NULL": (
        x([NAN, 1.0]),
        x([None, 1.0], pa.float64()),
        {("x", "nulls"), ("x", "nan")},
    ),
    "NaN and infinity": (x([NAN, 1.0]), x([INF, 1.0]), {("x", "nan"), ("x", "posinf")}),
    "the sign of infinity": (x([INF, 1.0]), x([-INF, 1.0]), {("x", "posinf"), ("x", "neginf")}),
    "1e-10 and 2e-10": (x([1e-10, 1.0]), x([2e-10, 1.0]), {("x", "min")}),
    "1e-10 and 2e-10 in a float column of small sums": (
        x([0.0, 1e-10, 5e-10]),
        x([0.0, 2e-10, 5e-10]),
        {("x", "sum")},
    ),
    "2.0 and 2.01 at scales 1 and 2": (
        decimals("2.0", scale=1),
        decimals("2.01", scale=2),
        {("x", "type")},
    ),
    "1.0001 and 1.0004": (
        decimals("1.0001", scale=4),
        decimals("1.0004", scale=4),
        {("x", "hash")},
    ),
    "30 digits, the last one": (
        decimals("123456789012345678901234567890", scale=0, precision=38),
        decimals("123456789012345678901234567891", scale=0, precision=38),
        {("x", "hash")},
    ),
    "integers over 2^53": (x([2**53]), x([2**53 + 1]), {("x", "hash")}),
    "timestamps 800 ms apart": (micro(0, 100_000), micro(0, 900_000), {("x", "hash")}),
    "timestamps one microsecond apart": (micro(-1), micro(0), {("x", "hash")}),
    "duplicate rows {1,1,2} and {1,2,2}": (x([1, 1, 2]), x([1, 2, 2]), {("x", "hash")}),
    "XOR cancels pairs {a} and {a,b,b}": (
        x(["a"]),
        x(["a", "b", "b"]),
        {(None, "rows"), ("x", "hash")},
    ),
    "NULL-key rows differ": (
        table(k=pa.array([None, 1], pa.int64()), v=["z", "a"]),
        table(k=pa.array([None, 1], pa.int64()), v=["QQ", "a"]),
        {("v", "hash")},
    ),
    "a row lost": (x([1, 2]), x([1]), {(None, "rows"), ("x", "hash")}),
    "an empty target": (x([1]), x([], pa.int64()), {(None, "rows"), ("x", "hash")}),
    "no row and one NULL": (
        x([], pa.int64()),
        x([None], pa.int64()),
        {(None, "rows"), ("x", "nulls")},
    ),
    "1 and '1'": (x([1, 2]), x(["1", "2"]), {("x", "type")}),
    "true and 'true'": (x([True]), x(["true"]), {("x", "type")}),
    "true and 1": (x([True]), x([1]), {("x", "type")}),
    "timestamp and its microseconds": (micro(7), x([7]), {("x", "type")}),
    "date and its text": (
        micro(0).cast(pa.schema([("x", pa.date32())])),
        x(["1970-01-01"]),
        {("x", "type")},
    ),
    "a column missing": (table(a=[1], b=[2]), table(a=[1]), {("b", "missing")}),
    "two columns swapped": (
        table(a=[1], b=[2]),
        table(a=[2], b=[1]),
        {("a", "hash"), ("b", "hash")},
    ),
    "a list that became NULL": (x([[1]]), x([None], pa.list_(pa.int64())), {("x", "nulls")}),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_different_and_named(case: str) -> None:
    a, b, expected = DIFFERENT[case]
    for one, other in ((a, b), (b, a)):
        found = verdict(one, other)
        assert found.verdict == "different"
        assert {(d.column, d.figure) for d in found.differences} == expected


EQUAL: dict[str, tuple[pa.Table, pa.Table]] = {
    "NaN and NaN": (x([NAN, 1.0]), x([1.0, NAN])),
    "only NaN": (x([NAN, NAN]), x([NAN, NAN])),
    "only NULL": (x([None], pa.string()), x([None], pa.string())),
    "two empty tables": (x([], pa.int64()), x([], pa.int64())),
    "two empty float columns": (x([], pa.float64()), x([], pa.float64())),
    "0.0 and -0.0": (x([0.0, -0.0]), x([-0.0, -0.0])),
    "rows in another order": (table(a=[1, 2], b=["x", "y"]), table(a=[2, 1], b=["y", "x"])),
    "columns in another order": (table(a=[1], b=["x"]), table(b=["x"], a=[1])),
    "names in upper case": (table(id=[1]), table(ID=[1])),
    "0.1 + 0.2 in another order": (x([0.1, 0.2, 0.3]), x([0.3, 0.2, 0.1])),
    "float and the double of the same value": (x([0.5], pa.float32()), x([0.5])),
    "half and float": (
        x([0.5, 2.0]).cast(pa.schema([("x", pa.float16())])),
        x([0.5, 2.0], pa.float32()),
    ),
    "widths of integers": (x([1, 2], pa.int8()), x([1, 2], pa.uint64())),
    "decimal(20, 0) and uint64": (decimals("5", scale=0, precision=20), x([5], pa.uint64())),
    "decimal(18, 2) and decimal(38, 2)": (decimals("1.50"), decimals("1.50", precision=38)),
    "18 and 18.00 of one scale": (decimals("18"), decimals("18.00")),
    "milliseconds and microseconds": (micro(5, unit="ms"), micro(5000)),
    "zoned and zone-less": (micro(5, zone="Europe/Rome"), micro(5)),
    "an enum and its text": (
        x(["a", "b"]),
        pa.table({"x": pa.array(["a", "b"]).dictionary_encode()}),
    ),
    "string and large_string": (x(["a"]), x(["a"], pa.large_string())),
    "many chunks": (x(list(range(9))), pa.concat_tables([x([value]) for value in range(9)])),
    "no columns": (pa.table({}), pa.table({})),
}


@pytest.mark.parametrize("case", EQUAL)
def test_equal_without_a_word_missing(case: str) -> None:
    for one, other in (EQUAL[case], EQUAL[case][::-1]):
        found = verdict(one, other)
        assert found.differences == ()
        assert found.verdict == "equal"
        assert NOT_SEEN in str(found)


PARTIAL: dict[str, tuple[pa.Table, pa.Table, str]] = {
    "list content": (x([[1, 2]]), x([[2, 1]]), "nested: only nulls are counted in version 1"),
    "identical lists": (x([[1]]), x([[1]]), "nested: only nulls are counted in version 1"),
    "binary": (x([b"a"]), x([b"b"]), "binary: only nulls are counted in version 1"),
    "fg-06: the sum overflows": (
        x([1.7e308] * 3),
        x([1.7e308] * 3),
        "sum overflowed: undetermined",
    ),
    "void": (
        x([None], pa.null()),
        x([None], pa.null()),
        "void: only nulls are counted in version 1",
    ),
}


@pytest.mark.parametrize("case", PARTIAL)
def test_partial_and_named(case: str) -> None:
    a, b, why = PARTIAL[case]
    found = verdict(a, b)
    assert found.verdict == "equal, partial"
    assert found.uncovered == (ods.Remark("x", why),)
    assert not found


# What version 1 cannot see (R21): the only false `equal` there may be. Each is said in NOT_SEEN.
UNSEEN: dict[str, tuple[pa.Table, pa.Table, str]] = {
    "column shuffled between rows": (
        table(a=[1, 2], b=["a", "b"]),
        table(a=[1, 2], b=["b", "a"]),
        "values moved between the rows of a column",
    ),
    "floats differ, same min, max and sum": (
        x([0.0, 2.0, 3.0, 9.0]),
        x([0.0, 1.5, 3.5, 9.0]),
        "float\nchanges below the tolerance that leave min and max alone",
    ),
    "1e-10 and 2e-10 between min and max": (
        x([0.0, 1e-10, 1.0]),
        x([0.0, 2e-10, 1.0]),
        "float\nchanges below the tolerance",
    ),
    "nanoseconds below a microsecond": (
        micro(1_001, unit="ns"),
        micro(1_999, unit="ns"),
        "digits below a microsecond",
    ),
    "the kind of zone": (micro(5, zone="UTC"), micro(5), "the kind of\nzone"),
    "the sign of zero": (x([0.0]), x([-0.0]), "the sign of zero"),
}


@pytest.mark.parametrize("case", UNSEEN)
def test_r21_what_is_not_seen_is_said(case: str) -> None:
    a, b, words = UNSEEN[case]
    found = verdict(a, b)
    assert found.verdict == "equal"
    assert words in NOT_SEEN
    assert str(found).startswith(f"equal\n{NOT_SEEN}")


def test_fg_06_the_same_rows_in_another_order_are_not_different_though_their_sum_overflows() -> (
    None
):
    a, b = x([1e308, 1e308, -1e308, -1e308]), x([1e308, -1e308, 1e308, -1e308])
    assert verdict(a, b).verdict == "equal"
    assert ods.compute(a).columns[0].figures["sum"] == 0.0


def test_fg_12_values_swapped_between_rows_are_equal_and_the_report_does_not_say_rows() -> None:
    a = table(id=[1, 2], email=["p@x.test", "q@x.test"])
    b = table(id=[1, 2], email=["q@x.test", "p@x.test"])
    found = verdict(a, b)
    assert found.verdict == "equal"
    assert "in each column the same values" in str(found)
    assert "It does not mean the\nsame rows" in str(found)
    assert ods.compute(a).columns[0].figures["hash"] == 1787519262322087214
    assert ods.compute(a).columns[1].figures["hash"] == 866517544673980231


def test_cm_05_equal_hashes_of_other_types_are_a_type_difference() -> None:
    a = table(k=[1, 2], b=[True, False])
    b = table(k=["1", "2"], b=["true", "false"])
    one, other = ods.compute(a), ods.compute(b)
    assert one.columns[0].figures["hash"] == other.columns[0].figures["hash"] == 1787519262322087214
    assert one.columns[1].figures == other.columns[1].figures
    assert ods.compare(one, other).differences == (
        ods.Difference("k", "type", "int64", "string"),
        ods.Difference("b", "type", "boolean", "string"),
    )


def test_r5_r9_notes_stand_beside_an_equal_and_leave_it_equal() -> None:
    found = verdict(micro(1_001, unit="ns", zone="UTC"), micro(1))
    assert found.verdict == "equal"
    notes = [note.text for note in found.notes]
    assert len(notes) == 2
    assert "timestamp against timestamp_ntz" in notes[0]
    assert "digits below a microsecond are not compared" in notes[1]


@pytest.mark.parametrize("selection", [{"skip": ["b"]}, {"columns": ["A"]}])
def test_r24_leaving_out_now_is_equal_and_leaving_out_before_is_partial(selection: Any) -> None:
    a, b = table(a=[1], b=[1]), table(a=[1], b=[2])
    now = ods.compare(ods.compute(a), ods.compute(b), **selection)
    assert (now.verdict, now.skipped) == ("equal", ("b",))
    before = ods.compare(ods.compute(a, **selection), ods.compute(b))
    assert before.verdict == "equal, partial"
    assert before.uncovered == (ods.Remark("b", "left out of A"),)
    both = ods.compare(ods.compute(a, skip=["b"]), ods.compute(b, skip=["B"]))
    assert both.uncovered == (ods.Remark("b", "left out of both"),)


def test_a_rename_compares_the_values_under_the_new_name() -> None:
    a, same, other = table(old=[1]), table(new=[1]), table(new=[2])
    assert verdict(a, same).verdict == "different"
    assert ods.compare(ods.compute(a), ods.compute(same), rename={"OLD": "new"})
    found = ods.compare(ods.compute(a), ods.compute(other), rename={"old": "new"})
    assert [(d.column, d.figure) for d in found.differences] == [("new", "hash")]


def test_two_columns_that_swap_names() -> None:
    a, b = table(a=[1], b=["x"]), table(a=["x"], b=[1])
    assert ods.compare(ods.compute(a), ods.compute(b), rename={"a": "b", "b": "a"})


def test_a_moment_is_one_value_in_every_unit() -> None:
    moment = datetime(2021, 3, 14, 2, 30)
    sides = [x([moment], pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")]
    assert all(verdict(sides[0], side).verdict == "equal" for side in sides)
