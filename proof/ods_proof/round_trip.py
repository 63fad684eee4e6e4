"""A proof from its start to its verdict, as a stream of events."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, TypeAlias

from . import checks, engines, sandbox, verdict
from .checks import Finding, Side
from .engines import About
from .errors import EngineMissing, ProofError
from .events import CheckDone, Event, Finished
from .proof import Proof
from .walk import Walk

Json: TypeAlias = "dict[str, Any]"


def run(proof: Proof, root: str | None = None) -> Generator[Event, None, None]:
    """Run a proof and yield what happens; the last event holds the verdict and the record.

    Raises ProofError, before anything is made, for engines that are not here or cannot be first.
    The sandbox is deleted at the end, and also where the caller stops in the middle. What breaks in
    the proof's own code is raised after the last event.
    """
    about = _engines(proof)
    where = sandbox.root(root)
    box = sandbox.open_sandbox(where, proof.id)
    walk = Walk(proof, about, box.folder)
    done: list[CheckDone] = []
    info: list[Json] = []
    broken: Exception | None = None
    try:
        yield from walk.steps()
        facts = walk.facts()
        for check in checks.EVERY:
            done.append(walk.shown(check.done(facts)))
            yield done[-1]
        info = walk.info(facts)
    except Exception as error:
        broken = error
    finally:
        walk.close()
        left = box.discard()
    for late in (*(check.told(None) for check in checks.EVERY[len(done) :]), _discarded(left)):
        done.append(late)
        yield late
    found = verdict.verdict(walk.found.values(), done)
    if broken and found == "passed":
        found = "broken"
    yield Finished(found, walk.record(found, done, info))
    if broken:
        raise broken


def _engines(proof: Proof) -> Mapping[Side, About]:
    """Return both engines' own words; raise for one that is not here or cannot do its part."""
    absent = []
    for name in dict.fromkeys((proof.first, proof.second)):
        reason = engines.find(name).missing()
        if reason:
            absent.append(f"{name} is not here: {reason}")
    if absent:
        raise EngineMissing("; ".join(absent))
    first, second = (engines.find(name).about() for name in (proof.first, proof.second))
    reason = first.cannot_write(proof.contract.arrow())
    if reason:
        raise ProofError(f"{reason}; take it as the second engine, or leave maps out")
    return {"first": first, "second": second}


def _discarded(left: sandbox.Discarded) -> CheckDone:
    names = list(left.left)
    summary = f"still there: {', '.join(names)}" if names else "the sandbox is deleted"
    return checks.SANDBOX.told(Finding(not names, summary, {"left": names}))
