"""A table's name as a person types it: split at dots, exact in double quotes, folded elsewhere."""

from __future__ import annotations

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

import ods_fingerprint as ods
from ods_fingerprint.errors import CompileError
from ods_fingerprint.table_name import parts


@pytest.mark.parametrize(
    ("typed", "split"),
    [
        ("orders", [("orders", False)]),
        ("sales.orders", [("sales", False), ("orders", False)]),
        ('"a.b".c', [("a.b", True), ("c", False)]),
        ('c."a.b"', [("c", False), ("a.b", True)]),
        ('"a""b"', [('a"b', True)]),
        ('""""', [('"', True)]),
        ('"a"."b"."c"', [("a", True), ("b", True), ("c", True)]),
        ("Ab", [("Ab", False)]),
        (" a . b ", [(" a ", False), (" b ", False)]),
        ("a;--", [("a;--", False)]),
        ("/data/x", [("/data/x", False)]),
        ("größe.名", [("größe", False), ("名", False)]),
    ],
)
def test_a_typed_name_is_split(typed: str, split: list[tuple[str, bool]]) -> None:
    assert parts(typed) == split


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "is empty"),
        (".", "is empty"),
        ("a.", "is empty"),
        (".a", "is empty"),
        ("a..b", "is empty"),
        ('""', "is empty"),
        ('a."".b', "is empty"),
        ('"a', "is not closed"),
        ('"', "is not closed"),
        ('"a""', "is not closed"),
        ('a."b', "is not closed"),
        ('"a"b', "only a dot"),
        ('"a" ."b"', "only a dot"),
        ('"a""b"c', "only a dot"),
    ],
)
def test_a_name_that_cannot_be_split_is_refused(typed: str, reason: str) -> None:
    with pytest.raises(CompileError, match=reason) as found:
        parts(typed)
    assert repr(typed) in str(found.value)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4))
def test_quoted_parts_come_back(names: list[str]) -> None:
    typed = ".".join(exp.to_identifier(name, quoted=True).sql("postgres") for name in names)
    assert parts(typed) == [(name, True) for name in names]


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text(alphabet='a."; ', max_size=8))
def test_a_name_is_split_or_refused(typed: str) -> None:
    try:
        found = parts(typed)
    except CompileError:
        return
    assert all(name for name, _ in found)
    again = ".".join(
        exp.to_identifier(name, quoted=True).sql("postgres") if quoted else name
        for name, quoted in found
    )
    assert again == typed


@pytest.mark.parametrize(
    ("typed", "dialect", "exact", "source"),
    [
        # what someone who never quotes anything has, on each engine
        ("sales.orders", "snowflake", False, '"SALES"."ORDERS"'),
        ("Sales.Orders", "snowflake", False, '"SALES"."ORDERS"'),
        ("db.sales.order$items_2", "snowflake", False, '"DB"."SALES"."ORDER$ITEMS_2"'),
        ('sales."orders"', "snowflake", False, '"SALES"."orders"'),
        ("sales.orders", "snowflake", True, '"sales"."orders"'),
        # no plain word: could only have been made with quotes, so it is exact
        ("sales.my orders", "snowflake", False, '"SALES"."my orders"'),
        ("größe", "snowflake", False, '"größe"'),
        ("2024", "snowflake", False, '"2024"'),
        ("$stage", "snowflake", False, '"$stage"'),
        ("ſales", "snowflake", False, '"ſales"'),
        ("sales\n", "snowflake", False, '"sales\n"'),
        ("Sales.Orders", "duckdb", False, '"Sales"."Orders"'),
        ("Sales.Orders", "spark", False, "`Sales`.`Orders`"),
        ("Sales.Orders", "databricks", False, "`Sales`.`Orders`"),
        ('"a`b"', "spark", False, "`a``b`"),
        ("t@v3", "databricks", False, "`t@v3`"),
        ("delta./data/t", "spark", False, "`delta`.`/data/t`"),
    ],
)
def test_a_typed_name_is_found_in_the_from(
    typed: str, dialect: str, exact: bool, source: str
) -> None:
    made = ods.sql(typed, {}, dialect, exact=exact)
    assert made.partition("FROM ")[2] == f"{source}\n"


@pytest.mark.parametrize("dialect", ["duckdb", "snowflake", "spark"])
def test_a_name_given_as_parts_is_exact(dialect: str) -> None:
    made = ods.sql(("a.b", 'c"d', "plain"), {}, dialect)
    (table,) = sqlglot.parse_one(made, dialect=dialect).find_all(exp.Table)
    assert [part.name for part in table.parts] == ["a.b", 'c"d', "plain"]


@pytest.mark.parametrize("parts_given", [(), ("a", ""), ("a\0",), ("\ud800",)])
def test_parts_that_are_no_name_are_refused(parts_given: tuple[str, ...]) -> None:
    with pytest.raises(CompileError):
        ods.sql(parts_given, {}, "duckdb")


def test_a_typed_name_with_a_nul_is_refused() -> None:
    with pytest.raises(CompileError, match="NUL"):
        ods.sql("a\0b", {}, "duckdb")
