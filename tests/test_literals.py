"""`[literals]` of a dialect file: what may stand there, and the values that are made of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from dialect_files import DIALECTS, refusal, shipped, written

from ods_fingerprint.dialect import load
from ods_fingerprint.errors import CompileError
from ods_fingerprint.types import Decimal, Float, Integer, Nested, Other, String, Timestamp
from ods_fingerprint.vectors import engine_vectors


def _literals(dialect: str, change: dict[str, Any]) -> dict[str, Any]:
    root = shipped(dialect)
    root["literals"] |= change
    return root


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"int46": "CAST({value} AS INT)"}, r"literals\.int46 is no type of the spec"),
        ({"INT": "CAST({value} AS INT)"}, r"literals\.INT is no type of the spec"),
        ({"list": "{value}"}, r"literals\.list is no type of the spec"),
        ({"decimal(18, 2)": "{value}"}, r"literals\.decimal\(18, 2\) is no type"),
        ({"uuid": "{value}"}, r"literals\.uuid is no type of the spec"),
        ({"timestamp[us]": 5}, r"literals\.timestamp\[us\] is a text"),
        ({"timestamp[xs]": "{value}"}, r"literals\.timestamp\[xs\] is no type"),
        ({"int32": 7}, r"literals\.int32 is a text"),
        ({"int32": ""}, r"literals\.int32 is a text"),
        ({"int32": "CAST('1' AS INT)"}, r"literals\.int32 must hold \{value\}"),
        ({"int32": "CAST({x} AS INT)"}, r"literals\.int32 may hold \{value\}, not \{x\}"),
        ({"int32": "CAST({value} AS D({scale}))"}, r"literals\.int32 may hold \{value\}, not"),
        ({"string": "F({value}, {length})"}, r"literals\.string may hold \{value\}, not"),
        ({"other void": "{value}"}, r"literals\.other void holds no placeholder"),
        ({"int32": "CAST({value} AS INT"}, r"literals\.int32 is not one SQL expression"),
        ({"int32": "{value}, 1"}, r"literals\.int32 is not one SQL expression"),
        ({"int32": "{value} -- x"}, r"literals\.int32 is not one SQL expression"),
        ({"int32": "(SELECT {value} FROM t)"}, r"literals\.int32 may not read a table"),
        ({"int32": "CAST({value}\n AS INT)"}, r"literals\.int32 is one line of text"),
        ({"gaps": "none"}, r"literals\.gaps is a table, not 'none'"),
        ({"gaps": {"date-001": 5}}, r"literals\.gaps\.date-001 is a text"),
        ({"gaps": {"date-001": ""}}, r"literals\.gaps\.date-001 is a text"),
        ({"gaps": {"date-001": "a\nb"}}, r"literals\.gaps\.date-001 is one line"),
    ],
)
def test_a_fault_is_named(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    root = shipped("duckdb")
    literals = {key: value for key, value in root["literals"].items() if key != "gaps"} | change
    assert re.match(reason, refusal(root | {"literals": literals}, tmp_path))


def test_literals_are_a_table(tmp_path: Path) -> None:
    assert (
        refusal(shipped("duckdb") | {"literals": "x"}, tmp_path) == "literals is a table, not 'x'"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_value_of_a_vector_can_end_its_literal(dialect: str) -> None:
    literals = load(dialect).literals
    for vector in engine_vectors():
        for told in vector.columns:
            if literals.why_not(told.column.type) is None:
                for value in told.values:
                    made = literals.written(told.column.type, value)
                    assert made.isascii()
                    assert made.isprintable()
                    assert made.count("'") % 2 == 0
                    assert "\\" not in made
                    assert "{" not in re.sub(r"'[^']*'", "", made)


@pytest.mark.parametrize("value", ["it's", "back\\slash", "café", "a\nb"])
def test_a_text_that_could_end_its_literal_is_refused(value: str) -> None:
    with pytest.raises(CompileError, match="cannot stand in a text literal"):
        load("duckdb").literals.written(Other("interval"), value)


@pytest.mark.parametrize(
    ("kind", "value", "answer"),
    [
        (Integer(64), "-5", -5),
        (Decimal(5, 2), "-0.50", "-0.50"),
        (String(), "it's\0\\ é", "it's\0\\ é"),
        (String(length=3), "ab", "ab"),
        (Float(64), "0x1.999999999999ap-4", 0.1),
        (Timestamp(False), "-1", "1969-12-31 23:59:59.999999"),
        (Nested("list<string>"), [None, "a"], [None, "a"]),
        (Integer(8), None, None),
        (String(label=True), None, None),
        (Nested("struct<a: int64>"), None, None),
    ],
)
def test_duckdb_reads_the_value_back(kind: Any, value: object, answer: object) -> None:
    made = load("duckdb").literals.written(kind, value)
    (found,) = duckdb.connect().execute(f"SELECT {made}").fetchone() or ()
    same = found == answer or str(found) == str(answer)
    assert same, found


def test_a_char_is_a_text_where_there_is_no_char(tmp_path: Path) -> None:
    used = load(written(_literals("duckdb", {"char": "CAST({value} AS CHAR({length}))"}), tmp_path))
    assert used.literals.written(String(length=5), "a") == "CAST('61' AS CHAR(5))"
    assert load("duckdb").literals.written(String(length=5), "a") == "DECODE(FROM_HEX('61'))"
