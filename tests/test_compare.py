"""Two fingerprints to a verdict: the spec's answers, the reference's, and rules that always hold."""

from __future__ import annotations

import copy
import importlib.util
import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from forms import EXAMPLE, Form, bare, columns_of, floats, form, forms, hashed, read
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import spec_vectors

import ods_fingerprint as ods
from ods_fingerprint.cli import EXIT

SPEC = Path(__file__).resolve().parents[1] / "spec"
CHECK = jsonschema.Draft202012Validator(
    json.loads((SPEC / "schemas" / "comparison.json").read_text(encoding="utf-8"))
)
ALWAYS = settings(derandomize=True, max_examples=150, deadline=None)


def loaded() -> ModuleType:
    place = importlib.util.spec_from_file_location("spec_reference", SPEC / "reference.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


REFERENCE: Any = loaded()


def options(vector: Form) -> Form:
    return {key: vector[key] for key in ("rename", "columns", "skip") if key in vector}


def result(a: Form, b: Form, **more: Any) -> Form:
    """Return our comparison of two forms, in the JSON form."""
    found = json.loads(ods.compare(read(a), read(b), **more).to_json())
    CHECK.validate(found)
    assert isinstance(found, dict)
    return found


def fits(found: Form, expected: Form) -> None:
    """Hold that a comparison is the expected one, its notes by what they contain."""
    for key in ("verdict", "differences", "uncovered", "skipped"):
        assert found[key] == expected[key], key
    notes = [(note["column"], note["note"]) for note in found["notes"]]
    wanted = [(note["column"], note["contains"]) for note in expected["notes"]]
    assert [column for column, _ in notes] == [column for column, _ in wanted]
    assert all(words in note for (_, note), (_, words) in zip(notes, wanted))


@pytest.mark.parametrize("vector", spec_vectors("compare"), ids=lambda v: v["id"])
def test_the_spec_s_comparisons(vector: Form) -> None:
    if "error" in vector:
        with pytest.raises((ods.FingerprintError, ods.SchemaError)):
            ods.compare(read(vector["a"]), read(vector["b"]), **options(vector))
        return
    found = result(vector["a"], vector["b"], **options(vector))
    fits(found, vector)
    if not vector.get("allow_partial"):
        assert EXIT[found["verdict"]] == vector["exit"]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Form, Form]:
    """Draw two fingerprints that have much in common."""
    a = draw(forms())
    b = draw(forms()) if draw(st.booleans()) else copy.deepcopy(a)
    for at, column in enumerate(b["columns"]):
        if draw(st.integers(0, 2)) == 0:
            b["columns"][at] = draw(columns_of(column["name"], b["rows"]))
    return a, {**b, "columns": draw(st.permutations(b["columns"]))}


@settings(ALWAYS, max_examples=250)
@given(pairs(), st.data())
def test_the_reference_says_the_same(sides: tuple[Form, Form], data: st.DataObject) -> None:
    a, b = sides
    names = [c["name"] for c in a["columns"] + b["columns"]] + a.get("skipped", []) or ["z"]
    some = st.lists(st.sampled_from(names), max_size=2)
    more: Form = {
        "rename": data.draw(
            st.dictionaries(st.sampled_from(names), st.sampled_from([*names, "new"]), max_size=1)
        ),
        "skip": data.draw(some),
        "columns": data.draw(st.none() | some),
    }
    try:
        expected = REFERENCE.compare(copy.deepcopy(a), copy.deepcopy(b), **more)
    except REFERENCE.Refused:
        with pytest.raises(ods.SchemaError):
            ods.compare(read(a), read(b), **more)
        return
    notes = [{"column": column, "contains": words} for column, words in expected["notes"]]
    fits(result(a, b, **more), {**expected, "notes": notes})


@ALWAYS
@given(forms())
def test_a_table_is_never_different_from_itself(found: Form) -> None:
    verdict = ods.compare(read(found), read(found)).verdict
    unsure = any(
        c["family"] in ("nested", "other") or c["figures"].get("sum") in ("inf", "-inf", "nan")
        for c in found["columns"]
    )
    assert verdict == ("equal, partial" if unsure or found.get("skipped") else "equal")


@ALWAYS
@given(pairs())
def test_the_sides_do_not_matter(sides: tuple[Form, Form]) -> None:
    one, other = ods.compare(*map(read, sides)), ods.compare(*map(read, reversed(sides)))
    assert one.verdict == other.verdict
    assert facts(one, "a", "b") == facts(other, "b", "a")


def facts(found: ods.Comparison, a: str, b: str) -> set[str]:
    """Return the differences whatever their order and the case of names."""
    return {
        repr(((d.column or "").lower(), d.figure, getattr(d, a), getattr(d, b)))
        for d in found.differences
    }


@ALWAYS
@given(forms(), st.data())
def test_r22_order_and_case_of_columns_do_not_matter(found: Form, data: st.DataObject) -> None:
    turned = data.draw(st.permutations(found["columns"]))
    shouted = [{**c, "name": upper(c["name"])} for c in turned]
    assert not ods.compare(read(found), read({**found, "columns": shouted})).differences


def upper(name: str) -> str:
    """Return a name in capitals where lower case brings it back (ß is not SS)."""
    return name.upper() if name.upper().lower() == name.lower() else name


@ALWAYS
@given(forms(), st.data())
def test_any_one_changed_figure_is_the_one_named(found: Form, data: st.DataObject) -> None:
    places = [
        (at, figure)
        for at, c in enumerate(found["columns"])
        for figure, value in c["figures"].items()
        if figure == "hash" or not (value is None or isinstance(value, str))
    ]
    if not places:
        return
    at, figure = data.draw(st.sampled_from(places))
    changed = copy.deepcopy(found)
    figures = changed["columns"][at]["figures"]
    figures[figure] = moved(figure, figures[figure])
    try:
        b = read(changed)
    except ods.FingerprintError:
        return  # the change alone is one that no table can have
    name, (one,) = found["columns"][at]["name"], ods.compare(read(found), b).differences or (None,)
    if figure == "sum" and one is None:
        assert REFERENCE.compare(found, changed)["differences"] == []
        return
    assert one is not None
    assert (one.column, one.figure) == (name, figure)
    assert (one.a, one.b) == (found["columns"][at]["figures"][figure], figures[figure])


def moved(figure: str, value: Any) -> Any:
    if figure == "hash":
        return str(int(value) - 1 if int(value) else 1)
    if figure == "sum":
        return value * 1.5 + 1.0 if abs(value) < 1e300 else 0.0
    if isinstance(value, float):
        return math.nextafter(value, 0.0 if value else 1.0)
    return value - 1 if value else 1


def test_cm_07_the_result_names_column_figure_and_both_values() -> None:
    a = form(3, hashed("x", 10), hashed("y", 7, nulls=1))
    b = form(3, hashed("x", 11), hashed("y", 7, nulls=1))
    found = ods.compare(read(a), read(b))
    assert found.differences == (ods.Difference("x", "hash", "10", "11"),)
    assert not found
    lines = str(found).splitlines()
    assert [line for line in lines if " y" in line or line.startswith("y ")] == []
    assert "the same counts everywhere: at least one value changed" in str(found)
    assert result(a, b)["differences"] == [{"column": "x", "figure": "hash", "a": "10", "b": "11"}]


def test_cm_03_null_figures_equal_themselves() -> None:
    a = form(2, floats("x", None, None, None, nan=2))
    assert ods.compare(read(a), read(a)).verdict == "equal"


def test_cm_09_versions_are_refused_and_never_compared() -> None:
    newer = EXAMPLE | {"spec": "ods-fingerprint/2"}
    with pytest.raises(
        ods.FingerprintError, match=r"'ods-fingerprint/2' is not known.*fingerprint/1"
    ):
        ods.compare(read(EXAMPLE), read(newer))


def test_r24_only_equal_is_true_in_an_if() -> None:
    equal, partial, different = form(1, hashed("x")), form(1, bare("x")), form(1, hashed("x", 6))
    assert bool(ods.compare(read(equal), read(equal))) is True
    assert bool(ods.compare(read(partial), read(partial))) is False
    assert bool(ods.compare(read(equal), read(different))) is False
    assert EXIT == {"equal": 0, "different": 1, "equal, partial": 3}


def test_r10_spellings_of_one_type_are_equal_and_scales_are_not() -> None:
    def typed(kind: str, family: str) -> Form:
        return form(1, hashed("x", 5, kind, family))

    for one, other in [
        (("decimal(20, 0)", "integer"), ("uint64", "integer")),
        (("int8", "integer"), ("int128", "integer")),
        (("decimal(18, 2)", "decimal"), ("decimal(38, 2)", "decimal")),
    ]:
        assert ods.compare(read(typed(*one)), read(typed(*other))).verdict == "equal"
    for one, other in [
        (("decimal(18, 2)", "decimal"), ("decimal(18, 3)", "decimal")),
        (("decimal(18, 0)", "integer"), ("decimal(18, 2)", "decimal")),
        (("int64", "integer"), ("string", "string")),
        (("boolean", "boolean"), ("string", "string")),
        (("timestamp", "timestamp"), ("int64", "integer")),
        (("date", "date"), ("timestamp", "timestamp")),
    ]:
        found = ods.compare(read(typed(*one)), read(typed(*other)))
        assert found.differences == (ods.Difference("x", "type", one[0], other[0]),)


def test_a_nested_column_against_another_type_is_a_difference_and_not_uncovered() -> None:
    a, b = form(1, bare("x", "list<string>")), form(1, bare("x", "json", "other", nulls=1))
    found = ods.compare(read(a), read(b))
    assert [(d.figure, d.a, d.b) for d in found.differences] == [
        ("type", "list<string>", "json"),
        ("nulls", 0, 1),
    ]
    assert found.uncovered == ()


def test_r18_an_overflow_hides_nothing_but_the_sum() -> None:
    a, b = floats("x", -1e308, 1e308, "inf"), floats("x", -1e308, 1e308, 0.0)
    assert ods.compare(read(form(4, a)), read(form(4, b))).verdict == "equal, partial"
    b["figures"] = {**b["figures"], "max": 1.5e308}
    assert ods.compare(read(form(4, a)), read(form(4, b))).verdict == "different"


@pytest.mark.parametrize("turned", [False, True])
def test_r17_the_bound_is_of_the_side_with_more_values_and_larger_ones(turned: bool) -> None:
    few = floats("x", -1.0, 1.0, 0.0)
    many = form(10**6, floats("x", -1.0, 1.0, 1e-8))
    large = form(3, floats("x", -1e9, 1.0, 1e-8))
    for rows, other, figures in [(3, many, {"rows"}), (3, large, {"min"})]:
        sides = [read(form(rows, few)), read(other)]
        found = ods.compare(*(reversed(sides) if turned else sides))
        assert {difference.figure for difference in found.differences} == figures


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"rename": {"z": "y"}}, "rename: the first side has no column z"),
        ({"rename": {"x": "a", "X": "b"}}, "two new names for one column: x, X"),
        ({"rename": {"x": "Y"}}, "Y and y"),
        ({"columns": ["z"]}, "no column z on either side; there are: x, y"),
        ({"skip": ["z", "q"]}, "no column z, q on either side"),
        ({"skip": ["x", "Y"]}, "no column is left to compare"),
        ({"columns": []}, "no column is left to compare"),
        ({"columns": ["x"], "skip": ["X"]}, "no column is left to compare"),
    ],
)
def test_a_selection_or_rename_of_nothing_is_an_error(more: Form, reason: str) -> None:
    found = read(form(1, hashed("x"), hashed("y")))
    with pytest.raises(ods.SchemaError, match=reason):
        ods.compare(found, found, **more)


def test_comparing_leaves_both_sides_as_they_were() -> None:
    a, b = read(EXAMPLE), read(form(4, hashed("ID2", 5)))
    before = a.to_json(), b.to_json()
    ods.compare(a, b, rename={"id": "id2"}, skip=["tags"])
    assert (a.to_json(), b.to_json()) == before


@pytest.mark.parametrize("other", [EXAMPLE, {"rows": 1}, None, [1]], ids=str)
def test_only_fingerprints_are_compared(other: object) -> None:
    found = read(form(1, hashed("x")))
    for a, b in ((found, other), (other, found)):
        with pytest.raises(ods.FingerprintError, match=r"is no fingerprint: compare\(compute"):
            ods.compare(a, b)
