"""One figure's value: what drivers and texts give, and what may have lost digits (R3, R15, R16)."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ods_fingerprint import ResultError
from ods_fingerprint.figure_value import parse
from ods_fingerprint.figures import Figure, FigureName
from ods_fingerprint.schema import Column
from ods_fingerprint.types import Float, Integer

HASH = Figure("hash", Column("s", Integer(64)))
NULLS = Figure("nulls", Column("s", Integer(64)))
SUM = Figure("sum", Column("x", Float(64)))


@pytest.mark.parametrize(
    "value",
    [
        57446577476672362,
        Decimal("57446577476672362"),
        "57446577476672362",
        " 57446577476672362\n",
        Decimal("57446577476672362.0"),
        Decimal("57446577476672362E0"),
        "057446577476672362",
    ],
)
def test_cm_01_a_hash_is_one_number_whatever_the_driver_makes_of_it(value: object) -> None:
    assert parse(HASH, value) == 57446577476672362


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (5.744657747667236e16, "came as the float 5.744657747667236e\\+16: digits may be lost"),
        (4.0, "digits may be lost"),
        (True, "came as the bool"),
        ("5.744657747667236E16", "a point or an exponent, digits may be lost"),
        ("1e3", "written with a point or an exponent"),
        ("57446577476672360.0", "a point or an exponent, digits may be lost"),
        ("9007199254740994.", "written with a point or an exponent"),
    ],
)
def test_cm_01_a_hash_that_may_have_lost_digits_is_refused(value: object, reason: str) -> None:
    with pytest.raises(ResultError, match=f"s: hash .*{reason}"):
        parse(HASH, value)


def test_numbers_of_numpy_count_as_what_they_are() -> None:
    numpy = pytest.importorskip("numpy")
    assert parse(HASH, numpy.int64(5)) == 5
    assert type(parse(HASH, numpy.uint64(2**64 - 1))) is int
    for lossy in (numpy.float64(5.0), numpy.float32(5.0), numpy.bool_(True)):
        with pytest.raises(ResultError):
            parse(HASH, lossy)


@pytest.mark.parametrize("figure", [HASH, NULLS, Figure("rows")])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_r2_a_count_or_hash_is_never_null(figure: Figure, value: object) -> None:
    with pytest.raises(ResultError, match="never NULL"):
        parse(figure, value)


@pytest.mark.parametrize("figure", [HASH, NULLS, Figure("rows")])
@pytest.mark.parametrize(
    "value",
    [
        "1_000",
        "1,000",
        "1.5",
        "٥",
        "NULL",
        "nan",
        "inf",
        "0x10",
        "--5",
        "5 5",
        "9" * 100,
        "9" * 9999,
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        Decimal("1.5"),
        Decimal("1E+999999"),
        b"5",
        [5],
        object(),
    ],
)
def test_what_is_no_whole_number_is_refused(figure: Figure, value: object) -> None:
    with pytest.raises(ResultError, match="not a whole number"):
        parse(figure, value)


@pytest.mark.parametrize("value", [None, "", " ", "NULL", "null"])
def test_r16_a_float_figure_may_be_null(value: object) -> None:
    assert parse(SUM, value) is None


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("0.1", 0.1),
        ("1.7976931348623157e+308", 1.7976931348623157e308),
        (" 5E-324 ", 5e-324),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e-400", 0.0),
        ("9007199254740993", 9007199254740992.0),
        (9007199254740993, 9007199254740992.0),
        (Decimal("0.1"), 0.1),
        (7, 7.0),
        ("Infinity", math.inf),
        ("-inf", -math.inf),
        (math.inf, math.inf),
        (Decimal("-Infinity"), -math.inf),
    ],
)
def test_a_float_figure_is_read_to_the_nearest_double(value: object, number: float) -> None:
    found = parse(SUM, value)
    assert type(found) is float
    assert found == number


@pytest.mark.parametrize("value", ["NaN", "-nan", math.nan, Decimal("NaN")])
def test_a_sum_that_is_nan_is_kept(value: object) -> None:
    found = parse(SUM, value)
    assert isinstance(found, float)
    assert math.isnan(found)


@pytest.mark.parametrize("value", [-0.0, "-0.0", "-0", Decimal("-0"), "-1e-400"])
@pytest.mark.parametrize("name", ["min", "max", "sum"])
def test_r15_minus_zero_is_read_as_zero(name: FigureName, value: object) -> None:
    found = parse(Figure(name, Column("x", Float(64))), value)
    assert isinstance(found, float)
    assert math.copysign(1.0, found) == 1.0


@pytest.mark.parametrize(
    "value",
    [
        "1_0",
        "1,5",
        "٥",
        "0x1p3",
        "abc",
        "1e400",
        "-" + "9" * 400,
        "in",
        "infinite",
        "1e",
        ".",
        True,
        Decimal("1e400"),
        Decimal("sNaN"),
        10**400,
        b"1.0",
        [1.0],
        1j,
    ],
)
def test_what_is_no_double_is_refused_and_never_an_infinity(value: object) -> None:
    with pytest.raises(ResultError, match=r"x: sum is .* not a number that a double holds"):
        parse(SUM, value)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text(max_size=8) | st.text("0123456789eE+-._ nainfINF", max_size=8))
def test_no_text_is_read_as_another_number_or_ends_in_a_traceback(text: str) -> None:
    for figure in (HASH, SUM):
        try:
            found = parse(figure, text)
        except ResultError:
            continue
        assert found is None or math.isnan(found) or found == float(Decimal(text.strip()))
        assert found is None or "_" not in text
