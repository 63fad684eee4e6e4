"""Which tests are slow, or need run once; a skip that is not listed fails the run (skips.py)."""

from __future__ import annotations

import pytest
import signals
import skips

pytest_runtest_logreport = skips.pytest_runtest_logreport
pytest_sessionfinish = skips.pytest_sessionfinish
pytest_terminal_summary = skips.pytest_terminal_summary
signals.restore()

# files that take more than a few seconds: `make quick` leaves them out
_SLOW = frozenset(
    [
        "test_vectors",
        "test_verdicts",
        "test_streaming",
        "test_cli_terminal",
        "test_dialect_templates",
        "test_properties",
        "test_spec",
        "test_typetext_fuzz",
        "test_identifiers",
        "test_compare",
        "test_cli_sources",
        "test_runners_duckdb",
        "test_typetext_duckdb",
        "test_cli_compare",
        "test_progress",
        "test_cli_sql",
        "test_cli",
        "test_fingerprint_json",
        "test_sources_files",
        "test_whole_file",
        "test_compiler",
        "test_conform",
        "test_postgres",
        "test_docs",
    ]
)

# files that say the same whatever lies below the library: the newest versions run them
_ONE_VERSION = frozenset(
    [
        "test_docs",
        "test_postgres",
        "test_progress",
        "test_spec",
        "test_typetext_fuzz",
    ]
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.stem in _SLOW:
            item.add_marker(pytest.mark.slow)
        if item.path.stem in _ONE_VERSION:
            item.add_marker(pytest.mark.one_version)
