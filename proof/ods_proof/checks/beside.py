"""What a record says beside the checks, and what no check fails on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from .facts import Facts
from .governance import quoted_in_log

Json: TypeAlias = "dict[str, Any]"


def every(facts: Facts) -> Iterator[Json]:
    """Yield the entries in order."""
    yield _same_implementation(facts)
    yield from _stats(facts)
    yield from _leaks(facts)


def _same_implementation(facts: Facts) -> Json:
    first, second = facts.engines["first"], facts.engines["second"]
    if first.implementation == second.implementation:
        proves = f"both are on {first.implementation}: it checks the engines more than the format"
    else:
        proves = f"{first.implementation} and {second.implementation} read each other"
    return {"name": "pair", "summary": proves}


def _stats(facts: Facts) -> Iterator[Json]:
    if facts.files:
        untrue = {
            side: sorted({text for file in files for text in file["untrue"]})
            for side, files in facts.files.items()
        }
        wrong = {side: texts for side, texts in untrue.items() if texts}
        said = "; ".join(f"{side}: {', '.join(texts)}" for side, texts in wrong.items())
        yield {
            "name": "stats_truthful",
            "passed": not wrong,
            "summary": said or "the logs' statistics are true of their files",
            "evidence": wrong,
        }


def _leaks(facts: Facts) -> Iterator[Json]:
    for side in facts.logs:
        about = facts.engines[side]
        quoted = quoted_in_log(facts, side)
        if quoted and not about.honours_stats:
            yield {
                "name": "stats_leak",
                "summary": f"{about.name} writes the ends of {', '.join(quoted)} into the log, and "
                "cannot be told not to: whoever reads the log sees two values of each",
                "evidence": {"table": side, "columns": quoted},
            }
