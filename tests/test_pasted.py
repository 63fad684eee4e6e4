"""Result rows in every form in which tools save or copy them."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ods_fingerprint.errors import ResultError
from ods_fingerprint.pasted import figures, rows

ROW = {"rows": "3", "id__nulls": "0", "id__hash": "1769094790098313096", "f__min": "-1.5"}


def delimited(sign: str, end: str = "\n") -> str:
    return sign.join(ROW) + end + sign.join(ROW.values()) + end


@pytest.mark.parametrize("sign", (",", "\t", ";"))
@pytest.mark.parametrize("end", ("\n", "\r\n"))
@pytest.mark.parametrize("mark", ("", "\ufeff"))
def test_a_header_and_a_row(sign: str, end: str, mark: str) -> None:
    text = mark + delimited(sign, end)
    assert rows(text) == rows(text.rstrip()) == rows(text + end) == [ROW]


@pytest.mark.parametrize(
    "text",
    (
        json.dumps(ROW),
        json.dumps([ROW]),
        json.dumps([ROW], indent=2),
        "\n\n" + json.dumps(ROW) + "\n\n",
        "\ufeff" + json.dumps([ROW]),
        '{"rows": 3, "id__nulls": 0, "id__hash": 1769094790098313096, "f__min": -1.5}',
    ),
)
def test_json_of_one_row(text: str) -> None:
    assert rows(text) == [ROW]


def test_json_lines() -> None:
    line = json.dumps(ROW)
    assert rows(f"{line}\n{line}\r\n\n") == [ROW, ROW]


def test_a_json_number_keeps_its_digits() -> None:
    text = (
        '{"rows": 123456789012345678901234567890, "x__sum": 0.10, "y__sum": 1e400, "z__sum": NaN}'
    )
    assert rows(text) == [
        {
            "rows": "123456789012345678901234567890",
            "x__sum": "0.10",
            "y__sum": "1e400",
            "z__sum": "NaN",
        }
    ]


def test_a_json_null_is_none_and_an_empty_cell_is_empty() -> None:
    assert rows('{"rows": 0, "x__sum": null}') == [{"rows": "0", "x__sum": None}]
    assert rows("rows,x__sum\n0,\n") == [{"rows": "0", "x__sum": ""}]


@pytest.mark.parametrize(
    ("name", "text"),
    (
        ("a,b__hash", 'rows,"a,b__hash"\n1,2\n'),
        ("a,b,c__hash", "rows\ta,b,c__hash\n1\t2\n"),
        ("a;b;c__hash", "rows,a;b;c__hash\n1,2\n"),
        ("a,b,c__hash", "rows;a,b,c__hash\n1;2\n"),
        ("a\tb__hash", 'rows,"a\tb__hash"\n1,2\n'),
        ("a\nb__hash", 'rows,"a\nb__hash"\n1,2\n'),
        ("a\r\nb__hash", 'rows,"a\r\nb__hash"\r\n1,2\r\n'),
        ('say "hi"__hash', 'rows,"say ""hi""__hash"\n1,2\n'),
        ('say "hi"__hash', 'rows\tsay "hi"__hash\n1\t2\n'),
        (" pad__hash", "rows, pad__hash\n1,2\n"),
        ("rows,x__hash", 'ROWS,"rows,x__hash"\n1,2\n'),
    ),
)
def test_names_with_signs_in_them(name: str, text: str) -> None:
    (found,) = rows(text)
    assert list(found)[1:] == [name]
    assert list(found.values()) == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "reason"),
    (
        ("", "empty"),
        ("\n\n", "empty"),
        ("rows,a__nulls\n1\n", "row 1 has 1 cells, the header has 2"),
        ("rows,a__nulls\n1,2\n1,2,3\n", "row 2 has 3 cells"),
        ("rows,a__nulls,a__nulls\n1,2,3\n", "a__nulls stands twice"),
        ('rows,a\n1,"2\n', "not CSV"),
        ('rows,a\n1,"2"3\n', "not CSV"),
        ('{"rows": 1, "rows": 1}', "rows stands twice"),
        ('{"rows": [1]}', "rows is"),
        ('{"rows": true}', "rows is True"),
        ('{"data": {"rows": 1}}', "data is"),
        ("[[1]]", "object"),
        ('{"rows": 1}\n{"rows": ', "line 2"),
        ('{"rows": 1},\n', "neither JSON nor JSON lines"),
        ('{"rows": 1} trailing', "neither JSON nor JSON lines"),
        ("[" * 100_000, "deeply"),
    ),
)
def test_what_is_no_row_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ResultError, match=reason):
        rows(text)


def test_a_header_alone_and_an_empty_array_hold_no_row() -> None:
    assert rows("rows,a__nulls\n") == rows("[]") == []


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=5, unique=True), st.data(), st.sampled_from(",;\t"))
def test_what_pythons_csv_writes_is_read_as_it_was(
    names: list[str], data: st.DataObject, sign: str
) -> None:
    header = ["rows", *(name + "__hash" for name in names)]
    values = data.draw(st.lists(CELLS, min_size=len(header), max_size=len(header)))
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=sign).writerows([header, values])
    if _ambiguous(header, sign):
        return
    assert rows(written.getvalue()) == [dict(zip(header, values))]


def _ambiguous(header: list[str], sign: str) -> bool:
    """Return whether a name holds another sign and `rows` as a cell of that other form."""
    others = set(",;\t") - {sign}
    return any(other in name for name in header for other in others)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.dictionaries(CELLS, CELLS | st.none() | st.integers(), max_size=5))
def test_what_pythons_json_writes_is_read_as_it_was(row: dict[str, str | int | None]) -> None:
    expected = {name: None if value is None else str(value) for name, value in row.items()}
    for text in (json.dumps(row), json.dumps([row], indent=1), json.dumps(row, ensure_ascii=False)):
        assert rows(text) == [expected]


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet='{}[]",:;\t\n01rows', max_size=60))
def test_any_text_is_rows_or_refused(text: str) -> None:
    try:
        found = rows(text)
    except ResultError:
        return
    assert all(isinstance(value, str) or value is None for row in found for value in row.values())


# --- what people really paste ----------------------------------------------------------------

SNOWFLAKE_CSV = '"rows","ID__nulls","ID__hash","PRICE__min","PRICE__max"\n"4","0","3612809648614498766","-2.5",""\n'
SNOWFLAKE_JSON = '[{"rows":"4","ID__nulls":"0","ID__hash":"3612809648614498766","PRICE__min":"-2.5","PRICE__max":null}]'
DATABRICKS_CSV = (
    "rows,ID__nulls,ID__hash,PRICE__min,PRICE__max\n4,0,3612809648614498766,-2.5,null\n"
)
DATABRICKS_JSON = '[\n  {\n    "rows": 4,\n    "ID__nulls": 0,\n    "ID__hash": "3612809648614498766",\n    "PRICE__min": "-2.5",\n    "PRICE__max": null\n  }\n]'


@pytest.mark.parametrize("text", [SNOWFLAKE_CSV, SNOWFLAKE_JSON, DATABRICKS_CSV, DATABRICKS_JSON])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_downloads_of_result_grids(text: str, mark: str, end: str) -> None:
    (found,) = figures(mark + text.replace("\n", end) + end * 3)
    assert (found["rows"], found["ID__hash"]) == ("4", "3612809648614498766")
    assert found["PRICE__max"] in (None, "", "null")


@pytest.mark.parametrize(
    ("cell", "digits"),
    [
        ("3,612,809,648,614,498,766", "3612809648614498766"),
        ("3.612.809.648.614.498.766", "3612809648614498766"),
        ("3 612 809 648 614 498 766", "3612809648614498766"),
        ("3\u202f612\u202f809", "3612809"),
        ("3\u00a0612\u00a0809", "3612809"),
        ("3'612'809", "3612809"),
        ("1,000", "1000"),
        ("12", "12"),
        ("0", "0"),
    ],
)
def test_separators_of_thousands_are_taken_out(cell: str, digits: str) -> None:
    for name in ("rows", "X__HASH", "x__nulls", "x__nan", "x__posinf", "x__neginf"):
        assert figures(f"x\t{name}\n2\t{cell}\n") == [{"x": "2", name: digits}]


@pytest.mark.parametrize(
    "cell", ["3,61,2809", "3,612.809", "1,00", "3,612 809", "3612,809", ",612"]
)
def test_what_is_not_grouped_by_thousands_stays(cell: str) -> None:
    assert figures(f"rows\tx__hash\n1\t{cell}\n")[0]["x__hash"] == cell


def test_figures_of_floats_are_never_regrouped() -> None:
    """1,234 is 1.234 to half of Europe."""
    for name in ("x__min", "x__max", "x__sum"):
        assert figures(f"rows\t{name}\n1\t1,234\n")[0][name] == "1,234"
        assert figures(f"rows\t{name}\n1\t1.234\n")[0][name] == "1.234"


def test_a_point_that_may_part_thousands_is_refused() -> None:
    with pytest.raises(ResultError, match=r"x__nulls is '1\.000': does the point part thousands"):
        figures("rows\tx__nulls\n1\t1.000\n")


@pytest.mark.parametrize(
    "cell", ["3612809648614490000", "361280964861449000", "3,612,809,648,614,490,000"]
)
def test_a_hash_that_a_spreadsheet_rounded_is_refused(cell: str) -> None:
    with pytest.raises(ResultError, match=r"x__hash is .*zeros after 15 digits.*copy it as text"):
        figures(f"rows\tx__hash\n1\t{cell}\n")
    digits = cell.replace(",", "")
    assert figures(json.dumps({"rows": 1, "x__hash": digits}))[0]["x__hash"] == digits


def test_the_empty_lines_of_a_spreadsheet_are_no_rows() -> None:
    assert figures("rows;x__nulls\r\n4;0\r\n;\r\n;\r\n\r\n") == [{"rows": "4", "x__nulls": "0"}]
