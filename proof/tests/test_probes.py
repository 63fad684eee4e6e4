"""What filters find: told where it is wrong, never a reason to fail."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import Proved
from deltalake import write_deltalake
from ods_proof import engines, jobs, probes
from ods_proof.contract import load
from ods_proof.engines import Place
from ods_proof.table import Generated

READERS = ("polars", "pandas", "pyarrow", "duckdb")


def _counted(engine: str, table: Path, value: pa.Scalar, scratch: Path) -> int:
    used = engines.find(engine)
    try:
        return used.count_equal(table, 0, "v", value, Place(scratch))
    finally:
        used.close()


@pytest.mark.parametrize("engine", READERS)
def test_t3_decimal_statistics_hide_a_row(engine: str, tmp_path: Path) -> None:
    """deltalake 1.6.6 writes them through a double; a proof's tables have none."""
    value = pa.scalar(Decimal("3333333333.3333333333"), pa.decimal128(20, 10))
    write_deltalake(tmp_path, pa.table({"v": pa.array([value], value.type)}))
    assert _counted(engine, tmp_path, value, tmp_path) == 0


def test_er_17_t4_an_infinity_hides_a_row_from_pyarrow(tmp_path: Path) -> None:
    write_deltalake(tmp_path, pa.table({"v": [0.5, float("inf")]}))
    found = {name: _counted(name, tmp_path, pa.scalar(0.5), tmp_path) for name in READERS}
    assert found == {"polars": 1, "pandas": 0, "pyarrow": 0, "duckdb": 1}


def test_each_comparable_column_has_a_value_and_its_count(tmp_path: Path) -> None:
    kept, chosen = (str(tmp_path / f"{name}.arrow") for name in ("generated", "values"))
    counts = jobs.generate(300, 7, True, kept, chosen)["counts"]
    values = probes.load(tmp_path / "values.arrow")
    table = pa.Table.from_batches(Generated(load(), 300, 7).batches())
    flat = {c.name for c in load().columns if not pa.types.is_nested(c.type)}
    assert set(counts) == set(values) == flat - {"nothing"}
    for name, value in values.items():
        assert counts[name] == table.column(name).to_pylist().count(value.as_py()) > 0


@pytest.mark.usefixtures("in_process")
def test_a_filter_that_is_wrong_is_told_and_fails_nothing(
    prove: Callable[..., Proved],
) -> None:
    found = prove("sabotage.filters_wrongly", "duckdb")
    (told,) = found.info("pushdown_safe")
    assert (found.verdict, found.failed(), told["passed"]) == ("passed", set(), False)
    assert told["evidence"].keys() == {"first"}
    texts = told["evidence"]["first"]
    assert texts.keys() == {"price", "city"}
    assert texts["price"].startswith("0 of ")
    assert texts["city"].startswith("ValueError of ")
