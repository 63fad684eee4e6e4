"""How a table is stored never shows, and any changed value does: random tables of every type."""

from __future__ import annotations

import importlib.util
import json
import tempfile
from pathlib import Path
from types import ModuleType

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import vector_columns
from hypothesis import given, settings
from hypothesis import strategies as st

import ods_fingerprint as ods

INTEGERS = {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)}
INTEGERS |= {f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DAYS = st.integers(-100_000_000, 100_000_000)
MOMENTS = st.integers(-(2**62), 2**62)


def _decimal(precision: int, scale: int) -> st.SearchStrategy[str]:
    most = 10**precision - 1

    def text(number: int) -> str:
        digits = str(abs(number)).rjust(scale + 1, "0")
        sign = "-" if number < 0 else ""
        return f"{sign}{digits[: len(digits) - scale]}.{digits[len(digits) - scale :]}"

    return st.integers(-most, most).map(text)


def _hex(width: int) -> st.SearchStrategy[str]:
    return st.floats(width=width).map(float.hex)  # type: ignore[arg-type]


VALUES: dict[str, st.SearchStrategy[object]] = {
    **{kind: st.integers(*ends).map(str) for kind, ends in INTEGERS.items()},
    "decimal(18, 2)": _decimal(18, 2),
    "decimal(38, 38)": _decimal(38, 38),
    "decimal(4, 4)": _decimal(4, 4),
    "string": TEXT,
    "boolean": st.booleans(),
    "date": DAYS.map(str),
    "timestamp": MOMENTS.map(str),
    "timestamp_ntz": MOMENTS.map(str),
    "double": _hex(64),
    "float": _hex(32),
    "half": _hex(16),
}
COVERED = [kind for kind in VALUES if kind not in ("double", "float", "half")]
NAMES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=9
)
often = settings(derandomize=True, max_examples=25, deadline=None)


@st.composite
def tables(draw: st.DrawFn, kinds: tuple[str, ...] = tuple(VALUES)) -> list[dict[str, object]]:
    """Draw the columns of a table, in the words of the spec."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower))
    rows = draw(st.integers(0, 8))
    columns: list[dict[str, object]] = []
    for name in names:
        kind = draw(st.sampled_from(kinds))
        values = st.lists(st.one_of(st.none(), VALUES[kind]), min_size=rows, max_size=rows)
        columns.append({"name": name, "type": kind, "values": draw(values)})
    return columns


def _arrow(columns: list[dict[str, object]]) -> pa.Table:
    arrays = [vector_columns.arrow(str(c["type"]), c["values"]) for c in columns]  # type: ignore[arg-type]
    return pa.table(arrays, names=[str(c["name"]) for c in columns])


def _written(fingerprint: ods.Fingerprint) -> str:
    return fingerprint.to_json()


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    path = Path(__file__).parents[1] / "spec" / "reference.py"
    spec = importlib.util.spec_from_file_location("spec_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@given(columns=tables())
@often
def test_duckdb_the_local_calculator_and_the_spec_agree(
    columns: list[dict[str, object]], reference: ModuleType
) -> None:
    table = _arrow(columns)
    expected = reference.fingerprint(columns, table.num_rows)
    local = json.loads(ods.compute(table).to_json())
    assert (local["rows"], len(local["columns"])) == (table.num_rows, len(columns))
    for found, wanted in zip(local["columns"], expected["columns"]):
        assert (found["name"], found["figures"]) == (wanted["name"], wanted["figures"])
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'America/New_York'")
        connection.register("t", table)
        there = json.loads(ods.compute(connection, "t").to_json())
    shown = {"timestamp", "half"}  # DuckDB says UTC is its zone, and has no half
    compared = reference.compare(_as(expected, shown), _as(there, shown))
    assert compared["differences"] == []


def _as(fingerprint: dict[str, object], kinds: set[str]) -> dict[str, object]:
    kept = [{k: v for k, v in c.items() if k in ("name", "type", "family", "figures")}
            for c in fingerprint["columns"]]  # type: ignore[attr-defined]  # fmt: skip
    return {"spec": fingerprint["spec"], "rows": fingerprint["rows"], "columns": kept}


@given(columns=tables(), seed=st.randoms(use_true_random=False), size=st.integers(1, 9))
@often
def test_order_and_batches_never_show(
    columns: list[dict[str, object]], seed: object, size: int
) -> None:  # R26
    table = _arrow(columns)
    order = list(range(table.num_rows))
    seed.shuffle(order)  # type: ignore[attr-defined]
    expected = _written(ods.compute(table))
    assert _written(ods.compute(table.take(pa.array(order, pa.int64())))) == expected
    assert _written(ods.compute(table.to_reader(max_chunksize=size))) == expected


@given(
    columns=tables(),
    group=st.integers(1, 9),
    compression=st.sampled_from(["none", "snappy", "zstd", "gzip"]),
    dictionary=st.booleans(),
)
@often
def test_how_parquet_stores_it_never_shows(
    columns: list[dict[str, object]], group: int, compression: str, dictionary: bool
) -> None:  # R26
    table = _arrow(columns)
    with tempfile.TemporaryDirectory() as folder:
        for name, start, stop in (("a", 0, group), ("sub/b", group, None)):
            path = Path(folder) / f"{name}.parquet"
            path.parent.mkdir(exist_ok=True)
            pq.write_table(
                table.slice(start, None if stop is None else stop - start),
                path,
                row_group_size=group,
                compression=compression,
                use_dictionary=dictionary,
            )
        assert _written(ods.compute(folder)) == _written(ods.compute(table))


@given(columns=tables(tuple(COVERED)), cut=st.integers(0, 8))
@often
def test_the_hashes_of_parts_add_up(columns: list[dict[str, object]], cut: int) -> None:
    table = _arrow(columns)
    whole, head, tail = (
        [c.figures for c in ods.compute(part).columns]
        for part in (table, table.slice(0, cut), table.slice(cut))
    )
    for name in ("nulls", "hash"):
        assert [c[name] for c in whole] == [a[name] + b[name] for a, b in zip(head, tail)]  # type: ignore[operator]


@given(columns=tables(tuple(COVERED)), data=st.data())
@often
def test_any_one_changed_value_is_seen_and_named(
    columns: list[dict[str, object]], data: st.DataObject
) -> None:
    column = data.draw(st.sampled_from(columns))
    values = list(column["values"])  # type: ignore[call-overload]
    if not values:
        return
    at = data.draw(st.integers(0, len(values) - 1))
    other = st.one_of(st.none(), VALUES[str(column["type"])]).filter(lambda v: v != values[at])
    values[at] = data.draw(other)
    changed = [{**c, "values": values} if c is column else c for c in columns]
    a, b = (
        vector_columns.arrow(str(column["type"]), column["values"]),
        vector_columns.arrow(  # type: ignore[arg-type]
            str(column["type"]), values
        ),
    )
    if a.equals(b):
        return
    result = ods.compare(ods.compute(_arrow(columns)), ods.compute(_arrow(changed)))
    assert result.verdict == "different"
    assert {difference.column for difference in result.differences} == {column["name"]}
