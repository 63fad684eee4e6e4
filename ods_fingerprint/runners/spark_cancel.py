"""Work in Spark under a tag of its own, so that Ctrl-C cancels it and nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TypeVar

from . import interruptible
from .spark_session import Context, Session, is_connect

T = TypeVar("T")
# pyspark's own way to hand these on, inheritable_thread_target, warns on stderr in Spark 4
_OF_THE_THREAD = (
    "spark.scheduler.pool",
    "spark.jobGroup.id",
    "spark.job.description",
    "spark.job.interruptOnCancel",
)


def cancellable(session: Session, work: Callable[[], T]) -> T:
    """Return what `work` returns; Ctrl-C cancels what it runs.

    It runs in a thread of its own: pyspark 4.1 answers the signal with a call into Java, and where
    the main thread waits for Java already, that fails and the query runs on.
    """
    tag = f"ods-fingerprint-{uuid.uuid4().hex}"
    if is_connect(session):
        inside = _under(tag, session.addTag, session.removeTag, work)
        return interruptible.run(inside, lambda: session.interruptTag(tag))
    context = session.sparkContext
    inside = _under(tag, _as_here(context), context.removeJobTag, work)
    return interruptible.run(inside, lambda: context.cancelJobsWithTag(tag))


def _as_here(context: Context) -> Callable[[str], None]:
    """Return what gives another thread a tag, and the pool and the job group of this one."""
    kept = {name: context.getLocalProperty(name) for name in _OF_THE_THREAD}

    def begin(tag: str) -> None:
        for name, value in kept.items():
            if value is not None:
                context.setLocalProperty(name, value)
        context.addJobTag(tag)

    return begin


def _under(
    tag: str, add: Callable[[str], None], remove: Callable[[str], None], work: Callable[[], T]
) -> Callable[[], T]:
    """Return `work` that tags what it runs: tags belong to the thread."""

    def tagged() -> T:
        add(tag)
        try:
            return work()
        finally:
            remove(tag)

    return tagged
