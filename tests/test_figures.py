"""The plan: which figures a column has, in which order, and what is refused by name."""

from __future__ import annotations

import csv
import shlex

import pytest
from forms import Form
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import spec_vectors

import ods_fingerprint as ods
from ods_fingerprint import figures
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
    from_text,
)

HASHED = ("nulls", "hash")
FLOAT = ("nulls", "nan", "posinf", "neginf", "min", "max", "sum")
FIGURES: list[tuple[Type, tuple[str, ...]]] = [
    *((Integer(bits, signed), HASHED) for bits in (8, 16, 32, 64, 128) for signed in (True, False)),
    (Decimal(18, 2), HASHED),
    (Decimal(38, 0), HASHED),
    (Decimal(38, 38), HASHED),
    (String(), HASHED),
    (String(length=5), HASHED),
    (String(label=True), HASHED),
    (Boolean(), HASHED),
    (Date(), HASHED),
    *(
        (Timestamp(zoned, unit), HASHED)
        for zoned in (True, False)
        for unit in ("s", "ms", "us", "ns")
    ),
    *((Float(bits), FLOAT) for bits in (16, 32, 64)),
    (Nested("list<string>"), ("nulls",)),
    (Other("binary"), ("nulls",)),
]


def schema(**kinds: Type) -> ods.Schema:
    return ods.Schema(tuple(ods.Column(name, kind) for name, kind in kinds.items()))


@pytest.mark.parametrize(("kind", "expected"), FIGURES, ids=str)
def test_every_type_has_these_figures_in_this_order(kind: Type, expected: tuple[str, ...]) -> None:
    planned = figures.plan(schema(x=kind))
    assert tuple(figure.name for figure in planned) == ("rows", *expected)
    assert [figure.column for figure in planned[1:]] == [ods.Column("x", kind)] * len(expected)
    covered = "hash" in expected or "sum" in expected
    assert (figures.why_uncovered(kind) is None) is covered


@pytest.mark.parametrize("vector", spec_vectors("column"), ids=lambda v: v["id"])
def test_the_spec_s_columns_have_these_figures(vector: Form) -> None:
    planned = figures.plan(schema(x=from_text(vector["type"])))
    assert [figure.name for figure in planned[1:]] == list(vector["figures"])


def test_a_table_without_columns_has_its_rows() -> None:
    assert figures.plan(ods.Schema(())) == (figures.Figure("rows"),)


def test_columns_keep_the_table_s_order_and_their_names() -> None:
    planned = figures.plan(schema(b=Integer(8), A=Float(32), rows=String()))
    assert [f.column.name if f.column else "" for f in planned] == [
        "",
        *"bb",
        *"AAAAAAA",
        *["rows"] * 2,
    ]


@pytest.mark.parametrize("version", [0, 2, 10, -1])
def test_another_version_has_no_plan(version: int) -> None:
    with pytest.raises(ods.SchemaError, match=f"version {version} is not known; known: 1"):
        figures.plan(schema(x=Integer(8)), version)


def test_r4_every_decimal_outside_is_named_in_one_error() -> None:
    kinds = {
        "wide": Decimal(39, 2),
        "ok": Decimal(38, 38),
        "none": Decimal(0, 0),
        "negative": Decimal(10, -2),
        "deep": Decimal(2, 3),
    }
    with pytest.raises(ods.SchemaError) as caught:
        figures.plan(schema(**kinds))
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [
        f"column {name}" for name in ("wide", "none", "negative", "deep")
    ]
    assert "decimal(39, 2) is outside version 1: a decimal has 1 to 38 digits" in lines[0]
    assert "leave these columns out (skip), or cast them" in lines[-1]


def test_r19_strict_names_every_column_that_is_not_covered_in_full() -> None:
    figures.strictly(schema(x=Integer(8), y=Float(64), z=String()))
    with pytest.raises(ods.NotCovered) as caught:
        figures.strictly(
            schema(a=Nested("list<int64>"), x=Integer(8), b=Other("uuid"), c=Other("void"))
        )
    assert str(caught.value) == (
        "not in fingerprint v1: a list<int64>, b uuid, c void\nuse --skip a,b,c"
    )


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4, unique_by=str.lower))
def test_the_skip_that_strict_advises_names_just_these_columns(names: list[str]) -> None:
    """The advice is pasted into a shell, and its list is read as one line of CSV."""
    with pytest.raises(ods.NotCovered) as caught:
        figures.strictly(schema(**dict.fromkeys(names, Other("uuid"))))
    _, _, advice = str(caught.value).rpartition("use --skip ")
    (argument,) = shlex.split(advice)
    assert next(csv.reader([argument], skipinitialspace=True, strict=True)) == names


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        (Timestamp(True, "ns"), "x: digits below a microsecond are floored away"),
        (Timestamp(True, "us", "UTC"), None),
        (String(length=5), "x: CHAR(5): hashed as the engine presents it; some engines pad it"),
        (String(collation="de"), "x: collation de is ignored: bytes are hashed"),
        (String(label=True), None),
        (Decimal(18, 2), None),
        (Float(16), None),
    ],
)
def test_r5_r11_r13_what_a_reader_must_know_of_a_column(kind: Type, note: str | None) -> None:
    assert figures.notes([ods.Column("x", kind)]) == ([note] if note else [])


def test_a_column_tells_all_its_notes_its_own_first() -> None:
    kind = String(length=5, collation="de")
    found = figures.notes([ods.Column("x", kind, "read as it stands"), ods.Column("y", Date())])
    assert [note.split(":")[1].split()[0] for note in found] == ["read", "CHAR(5)", "collation"]


def test_why_a_column_is_not_covered_names_its_type() -> None:
    for words in ("binary", "uuid", "void"):
        assert (
            figures.why_uncovered(Other(words)) == f"{words}: only nulls are counted in version 1"
        )
    why = figures.why_uncovered(Nested("map<string, int64>"))
    assert why == "nested: only nulls are counted in version 1"
