"""Every skip is listed in skips.txt with its reason, or the run fails: hooks for a conftest."""

from __future__ import annotations

from pathlib import Path

import pytest

_LISTED = [
    line.strip()
    for line in (Path(__file__).parent / "skips.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]
_skipped: list[tuple[str, str]] = []


def _unlisted() -> list[tuple[str, str]]:
    return [(test, why) for test, why in _skipped if not any(why.startswith(ok) for ok in _LISTED)]


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
