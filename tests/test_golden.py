"""What we print, byte by byte: the same with the oldest and the newest sqlglot (UX-03)."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_cases import DIALECTS, GOLDEN, ROOT, Case, cases, path, printed

UNTESTED = "; vectors never passed on this engine: run conform"

MATRIX = [(case, dialect) for case in cases() for dialect in case.dialects]
NAMES = [path(case, dialect).name for case, dialect in MATRIX]


@pytest.mark.parametrize(("case", "dialect"), MATRIX, ids=NAMES)
def test_ux_03_the_printed_sql_is_the_golden_file(case: Case, dialect: str, tmp_path: Path) -> None:
    golden = path(case, dialect).read_bytes().decode()
    assert printed(case, dialect, tmp_path) == golden, "`make golden` rewrites; read the diff"


def test_the_listing_is_the_matrix() -> None:
    assert sorted(found.name for found in GOLDEN.iterdir()) == sorted(NAMES)


def test_every_shipped_dialect_file_is_in_the_matrix() -> None:
    shipped = {found.stem for found in (ROOT / "dialects").glob("*.toml")}
    assert shipped == set(DIALECTS)


@pytest.mark.parametrize("case", [c for c in cases() if "spark" in c.dialects and not c.limit])
def test_databricks_text_is_spark_text_but_for_the_comment(case: Case, tmp_path: Path) -> None:
    spark = printed(case, "spark", tmp_path).split("\n", 1)
    databricks = printed(case, "databricks", tmp_path).split("\n", 1)
    assert databricks[1] == spark[1]
    # what Spark passed says nothing of Databricks
    assert databricks[0] == spark[0].replace("dialect spark", "dialect databricks") + UNTESTED


@pytest.mark.parametrize(("case", "dialect"), MATRIX, ids=NAMES)
def test_golden_sql_is_ascii_where_the_names_are(case: Case, dialect: str) -> None:
    text = path(case, dialect).read_text(encoding="utf-8")
    names = [case.table, *(column.name for column in case.schema.columns)]
    assert text.isascii() == all(name.isascii() for name in names)


@pytest.mark.parametrize(("case", "dialect"), MATRIX, ids=NAMES)
def test_golden_sql_begins_with_one_comment_that_says_what_it_is(case: Case, dialect: str) -> None:
    first, second = path(case, dialect).read_text(encoding="utf-8").split("\n")[:2]
    assert first.startswith("-- ods-fingerprint/1, ")
    assert ", library *" in first
    assert second == "SELECT"
    evidence = (ROOT / "dialects" / f"{dialect}.toml").read_text(encoding="utf-8")
    assert first.endswith(UNTESTED) == ("versions = []" in evidence)
