"""How a command ends where the system stops it."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import pytest

from ods_fingerprint.console import State, ended


def _raising(error: Exception) -> Callable[[], object]:
    def run() -> object:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "error: the system gives no more memory or threads (out of memory): "),
        (RuntimeError("can't start new thread"), "(can't start new thread): raise its limit"),
        (
            duckdb.OutOfMemoryException(
                "Out of Memory Error: none left\n\nPossible solutions:\n* more"
            ),
            "(Out of Memory Error: none left): raise its limit",
        ),
        (RuntimeError("else"), "error: a fault of this tool: RuntimeError: else; --debug shows"),
    ],
    ids=str,
)
def test_a_limit_of_the_system_is_no_fault_of_ours(
    error: Exception, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(_raising(error), State()) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert said in shown.err
