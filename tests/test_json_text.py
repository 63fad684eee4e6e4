"""JSON read strictly: no key twice, no NaN, no nesting without end (spec clause 7.3)."""

from __future__ import annotations

import json

import pytest

from ods_fingerprint.json_text import parse


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('{"a": 1, "a": 1}', "twice"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "twice among b, c, b"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ("[Infinity]", "Infinity is no JSON number"),
        ("-Infinity", "-Infinity is no JSON number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' * 100_000, "nested too deeply"),
        ("9" * 5000, "digits"),
        ("\ufeff{}", "BOM"),
        ("", "Expecting value"),
        ("{} {}", "Extra data"),
    ],
)
def test_what_json_would_let_through_is_refused(source: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse(source)


@pytest.mark.parametrize("source", ['{"a": [1, -2.5e3, null, true, "\\ud83d\\ude00"]}', "0", "[]"])
def test_valid_json_is_what_json_says(source: str) -> None:
    assert parse(source) == json.loads(source)
