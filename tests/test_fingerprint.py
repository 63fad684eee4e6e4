"""The row and its checks: what no table can have is never a fingerprint (spec clause 8)."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from forms import EXAMPLE, LARGEST, Form, floats, form, forms, hashed, read
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import spec_vectors

import ods_fingerprint as ods
from ods_fingerprint.figures import plan
from ods_fingerprint.fingerprint import from_values, joined
from ods_fingerprint.schema import schema_from
from ods_fingerprint.types import Decimal as DecimalType
from ods_fingerprint.types import Float, Integer, Nested, String

ID, X = ods.Column("id", Integer(64)), ods.Column("x", Float(64))


def refused(found: Form, reason: str = "") -> None:
    with pytest.raises(ods.FingerprintError, match=reason):
        read(found)


DAMAGED = [vector for vector in spec_vectors("refuse") if vector["what"] == "fingerprint"]


@pytest.mark.parametrize("vector", DAMAGED, ids=lambda v: v["id"])
def test_the_spec_s_damaged_fingerprints_are_refused(vector: Form) -> None:
    text = vector["text"] if "text" in vector else json.dumps(vector["fingerprint"])
    with pytest.raises(ods.FingerprintError):
        ods.Fingerprint.from_json(text)


@pytest.mark.parametrize("vector", spec_vectors("table"), ids=lambda v: v["id"])
def test_the_spec_s_tables_have_these_rows_and_read_back(vector: Form) -> None:
    expected = vector["fingerprint"]
    figures = plan(schema_from({"spec": expected["spec"], "columns": bare_columns(expected)}))
    names = [f"{f.column.name}__{f.name}" if f.column else f.name for f in figures]
    assert names == vector["row"]
    assert json.loads(read(expected).to_json()) == expected


def bare_columns(found: Form) -> list[Form]:
    return [{k: v for k, v in column.items() if k != "figures"} for column in found["columns"]]


@pytest.mark.parametrize("spec", ["ods-fingerprint/2", "ods-fingerprint/10", 1, 2, None, ["x"], ""])
def test_cm_09_another_version_is_refused_and_named(spec: object) -> None:
    refused(EXAMPLE | {"spec": spec}, "version .* is not known here; known: ods-fingerprint/1")
    refused({"version": 1, "rows": 1, "s": {"nulls": 0, "hash": 5}}, "object with .spec.")


def test_cm_03_nan_as_a_min_is_an_invalid_fingerprint_and_says_so() -> None:
    figures: Any = {
        "nulls": 0,
        "nan": 1,
        "posinf": 0,
        "neginf": 0,
        "min": math.nan,
        "max": math.nan,
    }
    with pytest.raises(ods.FingerprintError, match="min is nan: not a finite figure"):
        ods.Fingerprint(2, (ods.ColumnFigures(X, {**figures, "sum": math.nan}),))
    with pytest.raises(ods.FingerprintError, match=r"\(0 are finite; they are nan"):
        ods.Fingerprint(1, (ods.ColumnFigures(X, {**figures, "sum": math.nan}),))


@pytest.mark.parametrize(
    "figures",
    [
        {"nulls": 0, "hash": 5.0},
        {"nulls": 0, "hash": True},
        {"nulls": 0.0, "hash": 5},
        {"nulls": 0, "hash": "5"},
        {"nulls": 0, "hash": Decimal(5)},
        {"nulls": 0, "hash": None},
        {"nulls": 0, "hash": -1},
        {"nulls": 0, "hash": 4 * LARGEST + 1},
        {"nulls": 4, "hash": 1},
        {"nulls": 5, "hash": 0},
        {"nulls": -1, "hash": 0},
        {"nulls": 0},
        {"hash": 0},
        {},
        {"nulls": 0, "hash": 0, "sum": 0.0},
    ],
)
def test_r3_a_column_made_by_hand_must_be_one_that_a_table_can_have(figures: Any) -> None:
    with pytest.raises(ods.FingerprintError, match="column id"):
        ods.Fingerprint(4, (ods.ColumnFigures(ID, figures),))


@pytest.mark.parametrize("rows", [-1, 2**127, 10**400, True, 4.0, "4", None])
def test_rows_are_a_count_that_an_engine_can_count(rows: Any) -> None:
    with pytest.raises(ods.FingerprintError, match=r"a table has 0 to 2\^127-1 rows"):
        ods.Fingerprint(rows, ())


def test_r22_names_equal_but_for_case_are_refused_skipped_ones_too() -> None:
    for columns, skipped in (((ID, ods.Column("ID", Integer(64))), ()), ((ID,), ("Id",))):
        found = tuple(ods.ColumnFigures(column, {"nulls": 0, "hash": 0}) for column in columns)
        with pytest.raises(ods.SchemaError, match=r"id and I[dD]"):
            ods.Fingerprint(0, found, skipped)


def test_r4_a_type_outside_the_spec_has_no_fingerprint() -> None:
    column = ods.ColumnFigures(ods.Column("d", DecimalType(39, 2)), {"nulls": 0, "hash": 0})
    with pytest.raises(ods.SchemaError, match="column d: decimal\\(39, 2\\)"):
        ods.Fingerprint(0, (column,))


def test_cm_01_a_row_of_any_driver_is_one_fingerprint() -> None:
    figures = plan(ods.Schema((ods.Column("s", String()),)))
    rows: list[list[object]] = [
        [1, 0, 57446577476672362],
        [Decimal(1), Decimal(0), Decimal("57446577476672362")],
        ["1", "0", "57446577476672362"],
        [Decimal("1"), "0.0", Decimal("57446577476672362.0")],
    ]
    found = [from_values(figures, row) for row in rows]
    assert all(bool(ods.compare(found[0], one)) for one in found)
    assert len({one.to_json() for one in found}) == 1
    with pytest.raises(ods.ResultError, match="digits may be lost"):
        from_values(figures, [1, 0, 5.744657747667236e16])


def test_a_row_of_another_length_is_refused() -> None:
    figures = plan(ods.Schema((ID,)))
    for row in ([], [1, 0], [1, 0, 0, 0]):
        with pytest.raises(ods.ResultError, match=f"3 figures was asked for, {len(row)} came"):
            from_values(figures, row)


def test_a_wrapped_hash_or_nulls_above_rows_in_a_row_are_refused() -> None:
    figures = plan(ods.Schema((ID,)))
    for row in ([4, 0, -5], [4, 5, 0], [4, 0, 4 * LARGEST + 1], [0, 0, 1], [-1, 0, 0]):
        with pytest.raises(ods.FingerprintError):
            from_values(figures, row)


def test_r2_no_rows_and_all_null() -> None:
    figures = plan(ods.Schema((ID, X, ods.Column("t", Nested("list<int64>")))))
    empty = from_values(figures, [0, 0, 0, 0, 0, 0, 0, None, None, None, 0])
    null = from_values(figures, [1, 1, 0, 1, 0, 0, 0, None, None, None, 1])
    assert json.loads(empty.to_json())["columns"][0]["figures"] == {"nulls": 0, "hash": "0"}
    assert json.loads(null.to_json())["columns"][0]["figures"] == {"nulls": 1, "hash": "0"}
    assert ods.compare(empty, null).verdict == "different"


def test_r3_a_hash_of_ten_to_the_twelve_rows_keeps_every_digit() -> None:
    total = 10**12 * LARGEST - 1
    found = read(form(10**12, hashed("x", total)))
    assert found.columns[0].figures["hash"] == total
    assert f'"hash": "{total}"' in found.to_json()


def test_r18_every_overflow_is_kept_as_its_word() -> None:
    for word in ("inf", "-inf", "nan"):
        found = read(form(2, floats("x", -1e308, 1e308, word)))
        assert json.loads(found.to_json())["columns"][0]["figures"]["sum"] == word


def test_r15_minus_zero_is_written_as_zero_however_it_came() -> None:
    by_json = read(form(1, floats("x", -0.0, -0.0, -0.0)))
    by_hand = ods.Fingerprint(1, (ods.ColumnFigures(X, dict(by_json.columns[0].figures)),))
    raw = {**by_json.columns[0].figures, "min": -0.0, "max": -0.0, "sum": -0.0}
    by_raw = ods.Fingerprint(1, (ods.ColumnFigures(X, raw),))
    assert "-0.0" not in by_json.to_json() + by_hand.to_json() + by_raw.to_json()


def test_the_parts_of_one_table_must_have_seen_as_many_rows() -> None:
    whole = ods.Schema((ID, X))
    one = from_values(plan(ods.Schema((ID,))), [2, 0, 5])
    other = from_values(plan(ods.Schema((X,))), [2, 0, 0, 0, 0, 1.0, 2.0, 3.0])
    found = joined([one, other], whole, whole, {"engine": "two"})
    assert [column.column.name for column in found.columns] == ["id", "x"]
    late = from_values(plan(ods.Schema((X,))), [3, 0, 0, 0, 0, 1.0, 2.0, 3.0])
    with pytest.raises(ods.ResultError, match="different tables: 2, 3 rows"):
        joined([one, late], whole, whole, {})


def test_what_a_selection_left_out_is_named_in_the_table_s_order() -> None:
    whole = ods.Schema((ods.Column("z", Integer(8)), ID, ods.Column("A", String())))
    part = from_values(plan(ods.Schema((ID,))), [2, 0, 5])
    assert joined([part], whole, ods.Schema((ID,)), {}).skipped == ("z", "A")


def places(node: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value of a JSON form."""
    items: Any = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(found: Form, path: tuple[Any, ...], value: object) -> Form:
    whole = copy.deepcopy(found)
    place: Any = whole
    for step in path[:-1]:
        place = place[step]
    if value is DROPPED:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return whole


DROPPED = object()
ODD = [DROPPED, None, True, -1, 0, 1, 4.0, 1e308, 10**400, "", "5", "-5", "inf", "nan", "int64"]
ODD += ["decimal(18,2)", "decimal(39, 2)", "list<>", [], {}, [[]], {"nulls": 0}, "\x00", "Infinity"]


@pytest.mark.parametrize("path", list(places(EXAMPLE)), ids=str)
def test_damage_in_one_place_is_refused_or_leaves_a_valid_fingerprint(
    path: tuple[Any, ...],
) -> None:
    for value in ODD:
        damaged = changed(EXAMPLE, path, value)
        try:
            found = read(damaged)
        except ods.FingerprintError:
            continue
        kept, result = json.loads(found.to_json()), ods.compare(read(EXAMPLE), found)
        assert kept == damaged
        overflowed = any("overflowed" in remark.text for remark in result.uncovered)
        assert result.differences or overflowed or same(kept, EXAMPLE), value


def same(one: Form, other: Form) -> bool:
    """Return whether two forms say the same of a table: width is no difference."""
    bare_ones = [[(c["name"], c["figures"]) for c in side["columns"]] for side in (one, other)]
    return bare_ones[0] == bare_ones[1] and one["rows"] == other["rows"]


@settings(derandomize=True, max_examples=100, deadline=None)
@given(forms(), st.data())
def test_no_damage_ends_in_a_traceback(found: Form, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(list(places(found))))
    junk = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    damaged = changed(found, path, data.draw(junk | st.lists(junk, max_size=2)))
    with suppress(ods.FingerprintError, ods.SchemaError):
        ods.compare(read(damaged), read(found))


@settings(derandomize=True, max_examples=100, deadline=None)
@given(
    st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists, max_leaves=5)
    | st.text()
)
def test_any_other_json_is_refused(found: object) -> None:
    for text in (
        json.dumps(found),
        str(found),
        json.dumps({"spec": "ods-fingerprint/1", "columns": found}),
    ):
        with pytest.raises(ods.FingerprintError):
            ods.Fingerprint.from_json(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"rows": 4', '"rows": 4, "rows": 5'),
        ('"nulls": 1', '"nulls": 1, "nulls": 2'),
        ('"name": "id"', '"name": "id", "name": "price"'),
        ('"max": 1.0', '"max": 1e999'),
        ('"sum": -1.5', '"sum": -Infinity'),
        ('"sum": -1.5', '"sum": "Infinity"'),
        ('"min": -2.5', '"min": NaN'),
        ('"rows": 4', '"rows": 4.0'),
        ('"rows": 4', '"rows": 4e0'),
        ('"rows": 4', f'"rows": {"9" * 5000}'),
        ('"hash": "3612809648614498766"', f'"hash": "{"9" * 5000}"'),
        ('"hash": "3612809648614498766"', '"hash": 3612809648614498766'),
        ('"spec"', '"specs": "ods-fingerprint/1", "spec"'),
        ('"name": "tags"', '"name": "tags", "unit": "ns"'),
        ('"name": "price"', '"name": "price", "length": 3'),
    ],
)
def test_damaged_text_is_refused(old: str, new: str) -> None:
    text = json.dumps(EXAMPLE)
    assert old in text
    ods.Fingerprint.from_json(text)
    with pytest.raises(ods.FingerprintError):
        ods.Fingerprint.from_json(text.replace(old, new, 1))
