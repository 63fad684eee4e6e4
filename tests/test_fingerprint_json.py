"""A fingerprint as JSON: one text for one table, on every machine, and back (R26, clause 7)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pytest
from forms import EXAMPLE, Form, form, forms, hashed, read
from hypothesis import given, settings
from shared import spec_vectors

import ods_fingerprint as ods
from ods_fingerprint._data import dialect_table
from ods_fingerprint.figures import plan
from ods_fingerprint.fingerprint import from_values

SCHEMAS = Path(__file__).resolve().parents[1] / "spec" / "schemas"
CHECK = jsonschema.Draft202012Validator(
    json.loads((SCHEMAS / "fingerprint.json").read_text(encoding="utf-8"))
)

TEXT = """\
{"spec": "ods-fingerprint/1", "rows": 4,
 "columns": [
  {"name": "id", "type": "int64", "family": "integer", "figures": {"nulls": 0, "hash": "3612809648614498766"}},
  {"name": "price", "type": "decimal(18, 2)", "family": "decimal", "figures": {"nulls": 1, "hash": "1769094790098313096"}},
  {"name": "score", "type": "double", "family": "float", "figures": {"nulls": 0, "nan": 1, "posinf": 0, "neginf": 0, "min": -2.5, "max": 1.0, "sum": -1.5}},
  {"name": "tags", "type": "list<string>", "family": "nested", "figures": {"nulls": 0}}]}
"""

PROGRAM = """
import pyarrow as pa
import ods_fingerprint as ods
from datetime import date
names = ["z", "İ", "größe", "a b", "x", "tags"]
values = [[1, 2, None], ["i", "I", "ı"], [date(1, 1, 1), None, date(9999, 12, 31)],
          [True, False, None], [0.1, 0.2, float("nan")], [["a"], None, []]]
table = pa.table(dict(zip(names, values)))
a, b = ods.compute(table), ods.compute(table.slice(1), skip=["x"])
print(a.to_json(), b.to_json(), a, ods.compare(a, b).to_json(), ods.compare(a, b), sep="")
"""


def a_table() -> pa.Table:
    return pa.table(
        {
            "id": [1, 2, 3, 4],
            "price": pa.array(["12.30", "0.50", None, "-0.01"]).cast(pa.decimal128(18, 2)),
            "score": [1.0, float("nan"), -2.5, 0.0],
            "tags": [["a"], [], ["b"], ["c"]],
        }
    )


def test_the_text_of_the_front_door_s_example() -> None:
    assert read(EXAMPLE).to_json() == TEXT
    made = ods.compute(a_table())
    assert made.to_json().startswith(TEXT[:-2])
    assert json.loads(made.to_json())["made_by"]["engine"] == "local calculator"
    assert {**json.loads(made.to_json()), "made_by": None} == {**EXAMPLE, "made_by": None}


def test_rest_of_the_form_stands_behind_the_columns_only_where_there_is_some() -> None:
    more: Form = {"skipped": ["a", "b"], "notes": ["one"], "made_by": {"engine": "duckdb"}}
    text = read(form(1, hashed("x"), **more)).to_json()
    assert text.splitlines()[3:] == [
        ' "skipped": ["a", "b"],',
        ' "notes": ["one"],',
        ' "made_by": {"engine": "duckdb"}}',
    ]
    assert (
        read(form(0)).to_json() == '{"spec": "ods-fingerprint/1", "rows": 0,\n "columns": [\n  ]}\n'
    )


@settings(derandomize=True, max_examples=200, deadline=None)
@given(forms())
def test_to_json_and_back_is_the_same_bytes_and_fits_the_schema(found: Form) -> None:
    made = read(found)
    text = made.to_json()
    again = ods.Fingerprint.from_json(text)
    assert again.to_json() == text
    assert text.isascii()
    assert json.loads(text) == found
    CHECK.validate(json.loads(text))


@pytest.mark.parametrize("vector", spec_vectors("compare"), ids=lambda v: v["id"])
def test_the_spec_s_fingerprints_read_back_whatever_the_white_space(vector: Form) -> None:
    for side in (vector["a"], vector["b"]):
        if "error" in vector:
            continue
        packed = ods.Fingerprint.from_json(json.dumps(side, separators=(",", ":")))
        spread = ods.Fingerprint.from_json(json.dumps(side, indent=4, sort_keys=True))
        assert packed.to_json() == spread.to_json()


def test_the_order_of_keys_is_ours_and_not_the_file_s() -> None:
    found: Any = {key: EXAMPLE[key] for key in reversed(EXAMPLE)}
    found["columns"] = [{key: c[key] for key in reversed(c)} for c in found["columns"]]
    assert read(found).to_json() == TEXT


def test_r26_the_bytes_know_no_hash_seed_and_no_locale() -> None:
    outputs = set()
    locales = ["C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8", "POSIX"]
    settings = [
        {"PYTHONHASHSEED": str(seed), "LC_ALL": locale, "PYTHONUTF8": "1", "TZ": "Asia/Kathmandu"}
        for seed, locale in enumerate(locales, 1)
    ]
    for more in settings:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **more},
            capture_output=True,
            check=True,
        )
        outputs.add(done.stdout)
    (output,) = outputs
    assert b'"verdict": "different"' in output


def test_r26_the_bytes_know_no_batches_and_no_order_of_rows() -> None:
    table = a_table()
    one = pa.Table.from_batches(table.to_batches(max_chunksize=1))
    turned = table.take([3, 1, 0, 2])
    assert len({ods.compute(side).to_json() for side in (table, one, turned)}) == 1


@pytest.mark.parametrize("dialect", ["duckdb", "spark", "snowflake"])
def test_a_column_of_every_type_word_reads_back(dialect: str) -> None:
    types = dialect_table(dialect)["types"]
    assert isinstance(types, dict)
    noted = types.get("noted", {})
    assert isinstance(noted, dict)
    for word in [*types.keys() - {"noted"}, *noted]:
        try:
            schema = ods.Schema.from_sql({"x": word}, dialect)
        except ods.SchemaError:
            schema = ods.Schema.from_sql({"x": f"{word}('a', 'b')"}, dialect)  # an enum
        figures = plan(schema)
        empty = [None if f.name in ("min", "max", "sum") else 0 for f in figures]
        found = from_values(figures, empty)
        again = ods.Fingerprint.from_json(found.to_json())
        assert again == found, word
        assert again.columns[0].column.type == schema.columns[0].type, word
        CHECK.validate(json.loads(found.to_json()))


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.int64()),
        pa.large_list(pa.string()),
        pa.list_(pa.int8(), 3),
        pa.map_(pa.string(), pa.list_(pa.decimal256(76, 2))),
        pa.struct([]),
        pa.struct([pa.field("a b", pa.binary()), pa.field("", pa.null())]),
        pa.dense_union([pa.field("a", pa.int64())]),
        pa.binary(4),
        pa.null(),
        pa.duration("ns"),
        pa.month_day_nano_interval(),
        pa.time32("s"),
        pa.timestamp("ns", "Europe/Rome"),
        pa.dictionary(pa.int8(), pa.string()),
    ],
    ids=str,
)
def test_a_column_of_every_arrow_type_reads_back(kind: pa.DataType) -> None:
    schema = ods.Schema.from_arrow(pa.schema([("x", kind)]))
    figures = plan(schema)
    found = from_values(figures, [0] * len(figures))
    assert ods.Fingerprint.from_json(found.to_json()) == found
    CHECK.validate(json.loads(found.to_json()))
