"""A proof: the table through two engines and back, as a stream of events."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

import ods_fingerprint as ods

from . import checks, contract, delta_table, engines, probes, process, sandbox, verdict
from .checks import Facts, Finding, Side
from .contract import Contract
from .delta_table import Commit
from .engines import About
from .errors import EngineMissing, ProofError
from .events import STEPS, CheckDone, Event, Finished, StepDone, StepName, StepStarted, StepStatus
from .process import Failure, Outcome, Worker
from .table import marker

Json: TypeAlias = "dict[str, Any]"
_LIMIT = 600.0
_LIMIT_PER_ROW = 0.002
_EXAMINE = "examine"
_CHOOSE = "choose"
_PROBES: Mapping[Side, str] = {"first": "probe_first", "second": "probe_second"}
_JOBS = (*STEPS, _EXAMINE, _CHOOSE, *_PROBES.values())


@dataclass(frozen=True, slots=True)
class Proof:
    """What is asked for: two engines, and the size and seed of the generated table."""

    first: str
    second: str
    rows: int = 1_000
    seed: int = 7
    maps: bool = False
    id: str = field(default_factory=lambda: uuid4().hex[:12])

    @property
    def contract(self) -> Contract:
        """Return the declared columns of the generated table."""
        found = contract.load()
        return found if self.maps else found.without_maps()

    @property
    def limit(self) -> float:
        """Return the seconds that a step may take."""
        return _LIMIT + self.rows * _LIMIT_PER_ROW


def run(proof: Proof, root: str | None = None) -> Generator[Event, None, None]:
    """Run a proof and yield what happens; the last event holds the verdict and the record.

    Raises ProofError, before anything is made, for engines that are not here or cannot be first.
    The sandbox is deleted at the end, and also where the caller stops in the middle.
    """
    about = _engines(proof)
    where = sandbox.root(root)
    box = sandbox.open_sandbox(where, proof.id)
    walk = _Walk(proof, about, box.folder)
    done: list[CheckDone] = []
    ended = False
    try:
        yield from walk.steps()
        facts = walk.facts()
        for check in checks.every():
            done.append(walk.shown(check.done(facts)))
            yield done[-1]
        info = walk.info(facts)
        ended = True
    finally:
        walk.close()
        left = box.discard()
        if ended:
            done.append(_discarded(left))
    yield done[-1]
    found = verdict.verdict(walk.found.values(), done)
    yield Finished(found, walk.record(found, done, info))


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


class _Walk:
    """The steps of one proof: what each left, and where it stopped."""

    def __init__(self, proof: Proof, about: Mapping[Side, About], folder: Path) -> None:
        self.proof = proof
        self.about = about
        self.folder = folder
        self.marker = marker(proof.seed)
        self.found: dict[StepName, StepDone] = {}
        self.versions: dict[Side, int] = {}
        self.examined: Json = {}
        self.ready: dict[str, Worker] = {}
        self.read_only = about["second"].cannot_write(proof.contract.arrow())
        self.tables: dict[Side, Path] = {
            "first": folder / "first",
            "second": folder / "second",
        }

    def steps(self) -> Iterator[Event]:
        """Run the steps in turn; after one that fails the rest is not reached."""
        for name in STEPS:
            engine = self._engine(name)
            if any(step.status != "done" for step in self.found.values()):
                self.found[name] = StepDone(name, engine, "not reached")
            elif name == "second_wrote" and self.read_only:
                self.found[name] = StepDone(name, engine, "refused", error=self.read_only)
            else:
                yield StepStarted(name, engine)
                self.found[name] = self._step(name, engine)
            yield self.found[name]
        self.examined = self._examine()

    def _run(self, name: str, job: str, arguments: Mapping[str, object]) -> Outcome:
        """Run a job in its own process, and have the next one's process get ready meanwhile."""
        try:
            worker = self.ready.pop(name, None) or self._start(name)
        except OSError as error:
            why = f"no process could be started in the sandbox: {error.strerror}"
            return Outcome(None, Failure(why), 0.0)
        later = _JOBS[_JOBS.index(name) + 1 :]
        if later and later[0] not in self.ready:
            with contextlib.suppress(OSError):  # it is tried again, and told, in its turn
                self.ready[later[0]] = self._start(later[0])
        return worker.run(job, arguments, self.proof.limit)

    def _start(self, name: str) -> Worker:
        return process.start(self._scratch(name))

    def _scratch(self, name: str) -> Path:
        return self.folder / f"{name}.scratch"

    def close(self) -> None:
        """End the processes that wait for a job."""
        while self.ready:
            self.ready.popitem()[1].end()

    def _engine(self, name: StepName) -> str:
        if name == "generated":
            return "platform"
        return self.about["first" if name.startswith("first") else "second"].name

    def _step(self, name: StepName, engine: str) -> StepDone:
        outcome = self._job(name)
        if outcome.failure is not None:
            status: StepStatus = "refused" if outcome.failure.refused else "failed"
            text = verdict.told(outcome.failure.text, self.marker)
            return StepDone(name, engine, status, outcome.seconds, error=text)
        result = outcome.result or {}
        if name == "first_wrote":
            self.versions["first"] = result["version"]
        if name == "second_wrote":
            self.versions["second"] = result["version"]
        own = result.get("own")
        return StepDone(
            name,
            engine,
            "done",
            outcome.seconds,
            ods.Fingerprint.from_json(result["fingerprint"]),
            own and ods.Fingerprint.from_json(own),
            None,
            result["schema"],
        )

    def _job(self, name: StepName) -> Outcome:
        proof, tables = self.proof, {s: str(path) for s, path in self.tables.items()}
        common = {"scratch": str(self._scratch(name))}
        made = {"maps": proof.maps}
        jobs: Mapping[StepName, tuple[str, Mapping[str, object]]] = {
            "generated": (
                "generate",
                {**made, "rows": proof.rows, "seed": proof.seed, "keep": str(self._generated)},
            ),
            "first_wrote": (
                "write",
                {
                    **common,
                    **made,
                    "engine": proof.first,
                    "source": str(self._generated),
                    "table": tables["first"],
                    "commit": self._commit("first", name),
                },
            ),
            "second_read": (
                "read",
                {
                    **common,
                    "engine": proof.second,
                    "table": tables["first"],
                    "version": self.versions.get("first"),
                    "keep": str(self._last) if self.read_only else None,
                },
            ),
            "second_wrote": (
                "copy",
                {
                    **common,
                    "engine": proof.second,
                    "table": tables["first"],
                    "version": self.versions.get("first"),
                    "target": tables["second"],
                    "commit": self._commit("second", name),
                },
            ),
            "first_read_back": (
                "read",
                {
                    **common,
                    "engine": proof.first,
                    "table": tables["second"],
                    "version": self.versions.get("second"),
                    "keep": str(self._last),
                },
            ),
        }
        job, arguments = jobs[name]
        return self._run(name, job, arguments)

    @property
    def _generated(self) -> Path:
        return self.folder / "generated.arrow"

    @property
    def _last(self) -> Path:
        return self.folder / "last_read.arrow"

    def _commit(self, side: Side, step: StepName) -> Json:
        commit = Commit(self.about[side].name, self.proof.id, step)
        return {"engine": commit.engine, "proof": commit.proof, "step": commit.step}

    def _written(self) -> tuple[Side, ...]:
        """Return the sides whose table was written to its end."""
        return tuple(self.versions)

    def _examine(self) -> Json:
        """Have the platform compare rows and look into the tables that are there."""
        sides = self._written()
        if not sides:
            return {}
        last = self._last if self._whole() else None
        hidden = (*self.proof.contract.confidential(), *self.proof.contract.quasi())
        outcome = self._run(
            _EXAMINE,
            "examine",
            {
                "generated": str(self._generated),
                "read": last and str(last),
                "tables": {side: str(self.tables[side]) for side in sides},
                "hidden": hidden,
                "mark": self.marker,
            },
        )
        if outcome.failure is not None:
            return {"failure": verdict.told(outcome.failure.text, self.marker)}
        return outcome.result or {}

    def _whole(self) -> bool:
        last: StepName = "second_read" if self.read_only else "first_read_back"
        return self.found[last].status == "done"

    def facts(self) -> Facts:
        """Return what the checks rest on."""
        sides = self._written()
        return Facts(
            self.proof.id,
            self.proof.rows,
            self.proof.contract,
            self.marker,
            self.about,
            self.found,
            self.read_only,
            {side: delta_table.log(self.tables[side]) for side in sides},
            self.examined.get("files", {}),
            self.examined.get("profiles", {}),
            self.examined.get("rows"),
        )

    def shown(self, check: CheckDone) -> CheckDone:
        """Return a check without any text that quotes a confidential value."""
        return CheckDone(
            check.name,
            check.kind,
            check.severity,
            check.status,
            verdict.withheld(check.summary, self.marker),
            verdict.withheld(check.evidence, self.marker),
        )

    def info(self, facts: Facts) -> list[Json]:
        """Return what a record says beside the checks."""
        found: list[Json] = verdict.withheld(list(checks.info(facts)), self.marker)
        found += self._probed(facts)
        if "failure" in self.examined:
            text = f"the tables could not be examined: {self.examined['failure']}"
            found.append({"name": "examination", "passed": False, "summary": text})
        return found

    def _probed(self, facts: Facts) -> list[Json]:
        """Have each engine that read the other's table look for values in it, by its own filter."""
        if not facts.whole():
            return []
        values = str(self.folder / "values.arrow")
        chosen = self._run(_CHOOSE, "choose", {"generated": str(self._generated), "keep": values})
        counts: dict[str, Json] = {}
        for table in facts.tables():
            side: Side = "second" if table == "first" else "first"
            name = _PROBES[table]
            asked = {
                "engine": self.proof.first if side == "first" else self.proof.second,
                "table": str(self.tables[table]),
                "version": self.versions[table],
                "values": values,
                "scratch": str(self._scratch(name)),
            }
            outcome = self._run(name, "probe", asked)
            counts[side] = (outcome.result or {"counts": {}})["counts"]
        expected = (chosen.result or {"counts": {}})["counts"]
        names: dict[str, str] = {side: about.name for side, about in self.about.items()}
        return [probes.entry(expected, counts, names)]

    def record(self, found: str, done: list[CheckDone], info: list[Json]) -> Json:
        """Return the record of the proof."""
        versions = {**self.about["first"].versions, **self.about["second"].versions}
        return {
            "proof": self.proof.id,
            "first": self.proof.first,
            "second": self.proof.second,
            "data": "generic",
            "rows": self.proof.rows,
            "seed": self.proof.seed,
            "verdict": found,
            "versions": dict(sorted(versions.items())),
            "steps": [verdict.step_json(self.found[name]) for name in STEPS],
            "checks": [verdict.check_json(check) for check in done],
            "info": info,
        }


def _discarded(left: sandbox.Discarded) -> CheckDone:
    check = checks.SANDBOX
    passed = not left.left
    summary = "the sandbox is deleted" if passed else f"still there: {', '.join(left.left)}"
    finding = Finding(passed, summary, {"left": list(left.left)})
    return CheckDone(
        check.name,
        check.kind,
        check.severity,
        "passed" if finding.passed else "failed",
        finding.summary,
        finding.evidence,
    )
