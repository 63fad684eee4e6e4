"""What an import of the library loads: nothing but itself (the installed size is a promise)."""

from __future__ import annotations

import subprocess
import sys

_HEAVY = ("sqlglot", "click", "duckdb", "pyarrow", "pandas", "polars", "numpy", "pyspark")
_PROBE = """
import sys
import ods_fingerprint as ods
{work}
print(*sorted(set({heavy}) & set(sys.modules)))
"""


def _loaded(work: str) -> list[str]:
    code = _PROBE.format(work=work, heavy=_HEAVY)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_the_import_loads_no_engine_and_no_compiler() -> None:
    assert _loaded("") == []


def test_sql_loads_sqlglot_alone() -> None:
    assert _loaded("ods.sql('t', {'x': 'BIGINT'}, 'duckdb')") == ["sqlglot"]


def test_stored_fingerprints_are_compared_without_any_engine() -> None:
    stored = '\'{"spec": "ods-fingerprint/1", "rows": 0, "columns": []}\''
    work = f"a = ods.Fingerprint.from_json({stored}); assert ods.compare(a, a).verdict == 'equal'"
    assert _loaded(work) == []


def test_a_missing_engine_is_named_with_the_extra_that_brings_it() -> None:
    work = """
sys.modules["pyarrow"] = None
try:
    ods.compute("x.parquet")
except ods.SourceError as error:
    assert "pip install 'ods-fingerprint[duckdb]'" in str(error), error
else:
    raise SystemExit("computed without pyarrow")
"""
    assert "pandas" not in _loaded(work)
