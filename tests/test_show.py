"""What a person reads: one line a line whatever the names, and what equal does not mean (R21)."""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from forms import EXAMPLE, Form, bare, floats, form, forms, hashed, read
from hypothesis import given, settings
from hypothesis import strategies as st

import ods_fingerprint as ods
from ods_fingerprint.show import NOT_SEEN, name_of, table

ALWAYS = settings(derandomize=True, max_examples=100, deadline=None)
HOSTILE = [
    "line\nbreak",
    "return\r\n",
    "\x1b[31mred\x1b[0m",
    "\u202eright to left override",
    "\u2028separator\u2029",
    "\x85next line",
    "\x00",
    "tab\there",
    "\ufeffbom",
    "\ud800",
    "a ",
    " a",
    "",
    "   ",
    '"a"',
    "x" * 10_000,
    "東京" * 3,
    "שלום",
    "مرحبا",
    "e\u0301",
    "<script>alert(1)</script>",
    "a & b",
    "'; DROP TABLE x; --",
]

FINGERPRINT = """\
rows: 4
column  type            nulls  hash, or the figures of floats
------  --------------  -----  ------------------------------------------------------
id      int64           0      3612809648614498766
price   decimal(18, 2)  1      1769094790098313096
score   double          0      nan 1, posinf 0, neginf 0, min -2.5, max 1.0, sum -1.5
tags    list<string>    0      (not covered: only nulls are counted)
skipped: secret, "a "
note: price: read as it stands
"""

COMPARISON = """\
different
column   figure   A      B
-------  -------  -----  ------
(table)  rows     3      4
id       hash     10     11
old      missing  int64  -
x        type     int64  string
new      missing  -      int64
hint: the row counts differ: look there first, the other figures follow
hint: where types differ, values are not compared: cast one side, and compare again
hint: each side has a column of its own: if only a name changed, say so (rename old=new)
not covered: tags: nested: only nulls are counted in version 1
skipped: secret
note: score: sums differ by 2e-16 of their size: equal within 1e-9"""


def both(a: Form, b: Form, **more: list[str]) -> ods.Comparison:
    return ods.compare(read(a), read(b), skip=more.get("skip", []))


def test_a_fingerprint_as_a_table() -> None:
    more = {"skipped": ["secret", "a "], "notes": ["price: read as it stands"]}
    assert str(read({**EXAMPLE, **more})) == FINGERPRINT


def test_a_comparison_as_lines() -> None:
    shared = [bare("tags"), hashed("secret")]
    a = form(
        3, hashed("id", 10), hashed("old"), hashed("x"), floats("score", 0.1, 0.3, 0.6), *shared
    )
    b = form(
        4,
        hashed("id", 11),
        hashed("x", 5, "string", "string"),
        floats("score", 0.1, 0.3, 0.6000000000000001, nan=1),
        hashed("new"),
        *shared,
    )
    b["columns"][2]["figures"]["nan"], b["columns"][2]["figures"]["nulls"] = 0, 0
    assert str(both(a, b, skip=["secret"])) == COMPARISON


@pytest.mark.parametrize(
    ("a", "verdict"),
    [(form(1, hashed("x")), "equal"), (form(1, bare("x")), "equal, partial"), (form(0), "equal")],
)
def test_r21_what_equal_does_not_mean_is_one_line_away(a: Form, verdict: str) -> None:
    found = both(a, a)
    assert str(found).startswith(f"{verdict}\n{NOT_SEEN}")
    assert found._repr_html_().startswith(f"<p><strong>{verdict}</strong></p><p>equal means: ")


def test_r21_every_limit_is_said() -> None:
    said = " ".join(NOT_SEEN.split())
    for limit in (
        "values moved between the rows of a column",
        "nested content",
        "float changes below the tolerance that leave min and max alone",
        "digits below a microsecond",
        "the kind of zone",
        "the sign of zero",
        "CHAR padding",
        "It does not mean the same rows",
    ):
        assert limit in said


def test_different_does_not_speak_of_equal() -> None:
    found = both(form(1, hashed("x")), form(1, hashed("x", 6)))
    assert "equal" not in str(found)
    assert "equal" not in found._repr_html_()


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_hostile_name_keeps_to_its_line(name: str) -> None:
    a = form(4, hashed(name), hashed("after"))
    b = form(4, hashed(name, 6), hashed("after", 6))
    lines = str(read(a)).splitlines()
    assert len(lines) == 5
    assert lines[4].startswith("after ")
    lines = str(both(a, b)).splitlines()
    assert len(lines) == 6
    assert lines[4].split() == ["after", "hash", "5", "6"]
    partial = str(both(form(4, bare(name)), form(4, bare(name)))).splitlines()
    assert partial[-1].startswith("not covered: ")
    assert len(partial) == 1 + len(NOT_SEEN.splitlines()) + 2
    skipped = form(4, hashed("x"), skipped=[name], notes=[name])
    assert len(str(read(skipped)).splitlines()) == 6


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_nothing_that_a_terminal_obeys_is_printed(name: str) -> None:
    a, b = form(4, {**hashed(name), "note": name}), form(4, bare(name, "list<a>"))
    shown = str(read(a)) + str(both(a, b)) + str(both(a, form(4)))
    obeyed = {letter for letter in shown if unicodedata.category(letter)[0] == "C"}
    assert obeyed <= {"\n", "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"}
    shown.encode("utf-8")


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_no_line_grows_without_end_and_columns_stay_aligned(name: str) -> None:
    shown = str(read(form(4, hashed(name), hashed("after"))))
    assert max(map(len, shown.splitlines())) < 200
    starts = {width(line[: line.index("int64")]) for line in shown.splitlines()[3:]}
    assert len(starts) == 1


def width(words: str) -> int:
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in words)
    return wide + sum(unicodedata.category(letter) not in ("Mn", "Me", "Cf") for letter in words)


@ALWAYS
@given(st.text(max_size=8), st.text(max_size=8))
def test_two_names_are_never_printed_alike(one: str, other: str) -> None:
    assert (name_of(one) == name_of(other)) is (one == other)
    shown = name_of(one)
    assert shown.isprintable()
    assert one == (json.loads(shown) if shown.startswith('"') else shown)


class Reader(HTMLParser):
    """Collects tags and text, as a browser would see them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_html_shows_a_hostile_name_as_text(name: str) -> None:
    a = form(4, hashed(name), bare(f"{name}2"), skipped=[f"{name}3"], notes=[name])
    b = form(4, hashed(name, 6), bare(f"{name}2"))
    for html, shown in (
        (read(a)._repr_html_(), name),
        (both(a, b)._repr_html_(), name),
        (both(a, a)._repr_html_(), f"{name}2"),
    ):
        reader = seen(html)
        assert set(reader.tags) <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
        assert len(name) > 60 or name_of(shown) in reader.text


@ALWAYS
@given(forms(), forms())
def test_html_says_what_the_text_says(a: Form, b: Form) -> None:
    result = ods.compare(read(a), read(b))
    for shown, html in (
        (str(read(a)), read(a)._repr_html_()),
        (str(result), result._repr_html_()),
    ):
        assert words(shown) <= words(seen(html.replace("<", " <")).text)


def words(shown: str) -> set[str]:
    return set(re.findall(r"[0-9A-Za-z.]{2,}", shown))


@pytest.mark.parametrize(
    ("a", "b", "hint"),
    [
        (hashed("x", 5), hashed("x", 6), "at least one value changed"),
        (hashed("x", 5), hashed("x", 6, nulls=1), ""),
        (floats("x", 0.0, 2.0, 2.0), floats("x", 1.0, 2.0, 3.0), "at least one value changed"),
        (floats("x", 0.0, 2.0, 2.0), floats("x", 0.0, 2.0, 2.0, nan=1), ""),
        (hashed("x"), hashed("y"), "if only a name changed"),
        (hashed("x"), hashed("x", 5, "string", "string"), "cast one side"),
    ],
)
def test_a_hint_is_given_where_it_is_true(a: Form, b: Form, hint: str) -> None:
    shown = str(both(form(4, a), form(4, b)))
    assert (hint in shown) if hint else ("hint" not in shown)


def test_a_table_of_no_rows_is_its_head() -> None:
    assert table([("a", "bc")]) == "a  bc\n-  --"
    assert str(read(form(0))).splitlines()[0] == "rows: 0"
