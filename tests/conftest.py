"""Every skip is listed in skips.txt with its reason, or the run fails."""

from __future__ import annotations

from pathlib import Path

import pytest

_LISTED = [
    line.strip()
    for line in (Path(__file__).parent / "skips.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]
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
    ]
)
_skipped: list[tuple[str, str]] = []


def _unlisted() -> list[tuple[str, str]]:
    return [(test, why) for test, why in _skipped if not any(why.startswith(ok) for ok in _LISTED)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.stem in _SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skipped.append((report.nodeid, why.removeprefix("Skipped: ")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(
        f"{len(_skipped)} skipped, {len(_unlisted())} of them not in skips.txt"
    )
    for test, why in _unlisted():
        terminalreporter.write_line(f"NOT LISTED: {test}: {why}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _unlisted() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
