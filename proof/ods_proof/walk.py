"""The steps of a proof, each a job in a process of its own, and what they leave for the checks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import ods_fingerprint as ods

from . import checks, delta_table, probes, process, verdict
from .checks import Facts, Side
from .delta_table import Commit
from .engines import About
from .events import STEPS, CheckDone, Event, StepDone, StepName, StepStarted, StepStatus
from .process import Failure, Outcome, Waiting, Worker
from .proof import Proof
from .table import marker

Json: TypeAlias = "dict[str, Any]"
_OURS = "the proof's own code broke"
_EXAMINE = "examine"
# rows up to which all processes may be there at once: what they hold is small
_AT_ONCE = 100_000
_READ_ONLY: tuple[StepName, ...] = ("generated", "first_wrote", "second_read")


class Walk:
    """The steps of one proof: what each left, and where it stopped."""

    def __init__(self, proof: Proof, about: Mapping[Side, About], folder: Path) -> None:
        self.proof = proof
        self.about = about
        self.folder = folder
        self.marker = marker(proof.seed)
        self.found: dict[StepName, StepDone] = {}
        self.versions: dict[Side, int] = {}
        self.examined: Json = {}
        self.expected: dict[str, int] = {}
        self.counts: dict[Side, Json] = {}
        self.workers: dict[str, Worker] = {}
        self.asked: dict[StepName, Waiting] = {}
        self.probing: dict[Side, Waiting] = {}
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
                self.found[name] = StepDone(name, engine, "failed", error=_OURS)  # until it is told
                self.found[name] = self._step(name, engine)
            yield self.found[name]
            if not self._probe(name):
                self._end(name)
        examining = self._examine()
        for side, probing in self.probing.items():
            self._count(side, probing)
        examined = examining()
        self.examined = examined.result or {}
        if examined.failure is not None:
            self.examined = {"failure": verdict.told(examined.failure.text, self.marker)}

    def _ask(self, name: str, job: str, arguments: Mapping[str, object]) -> Waiting:
        """Hand a job to the process of its step; those of the later steps get ready meanwhile."""
        try:
            worker = self.workers.get(name) or self._start(name)
        except OSError as error:
            why = f"no process could be started in the sandbox: {error.strerror}"
            return partial(Outcome, None, Failure(why), 0.0)
        self._foresee()
        return worker.ask(job, arguments, self.proof.limit)

    def _foresee(self) -> None:
        places = (*(_READ_ONLY if self.read_only else STEPS), _EXAMINE)
        later = [name for name in places if name not in self.found]
        for name in later if self._small else later[:1]:
            if name not in self.workers:
                with contextlib.suppress(OSError):  # it is tried again, and told, in its turn
                    self._start(name)

    @property
    def _small(self) -> bool:
        return self.proof.rows <= _AT_ONCE

    def _start(self, name: str) -> Worker:
        alone = name in ("generated", _EXAMINE)  # the platform's own part
        engine = None if alone else self._given(_side(name))
        self.workers[name] = process.start(self._scratch(name), engine)
        return self.workers[name]

    def _given(self, side: Side) -> str:
        return self.proof.first if side == "first" else self.proof.second

    def _end(self, name: str) -> None:
        if name in self.workers:
            self.workers.pop(name).end()

    def close(self) -> None:
        """End every process that is still there."""
        for name in list(self.workers):
            self._end(name)

    def _scratch(self, name: str) -> Path:
        return self.folder / f"{name}.scratch"

    def _engine(self, name: StepName) -> str:
        if name == "generated":
            return "platform"
        return self.about[_side(name)].name

    def _step(self, name: StepName, engine: str) -> StepDone:
        waiting = self.asked.pop(name, None) or self._job(name)
        if name == "second_read" and self._small and not self.read_only:
            # it needs no more than this one does: two JVMs start at the same time
            self.asked["second_wrote"] = self._job("second_wrote")
        outcome = waiting()
        if outcome.failure is not None:
            status: StepStatus = "refused" if outcome.failure.refused else "failed"
            text = verdict.told(outcome.failure.text, self.marker)
            return StepDone(name, engine, status, outcome.seconds, error=text)
        result = outcome.result or {}
        self.expected |= result.get("counts", {})
        if name in ("first_wrote", "second_wrote"):
            self.versions[_side(name)] = result["version"]
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

    def _job(self, name: StepName) -> Waiting:
        """Ask for the job of a step; B's get neither the contract nor the generated data."""
        arguments: dict[str, object] = {"scratch": str(self._scratch(name))}
        if name == "generated":
            made = {"rows": self.proof.rows, "seed": self.proof.seed, "maps": self.proof.maps}
            kept = {"keep": str(self._generated), "values": str(self._values)}
            return self._ask(name, "generate", {**made, **kept})
        side = _side(name)
        arguments["engine"] = self._given(side)
        if name == "first_wrote":
            arguments |= {"table": str(self.tables["first"]), "commit": self._commit(side, name)}
            arguments |= {"source": str(self._generated), "maps": self.proof.maps}
            return self._ask(name, "write", arguments)
        other = _other(side)
        arguments |= {"table": str(self.tables[other]), "version": self.versions[other]}
        if name == "second_wrote":
            arguments |= {"target": str(self.tables["second"]), "commit": self._commit(side, name)}
            return self._ask(name, "copy", arguments)
        keep = name == "first_read_back" or self.read_only
        return self._ask(name, "read", {**arguments, "keep": str(self._last) if keep else None})

    @property
    def _generated(self) -> Path:
        return self.folder / "generated.arrow"

    @property
    def _values(self) -> Path:
        return self.folder / "values.arrow"

    @property
    def _last(self) -> Path:
        return self.folder / "last_read.arrow"

    def _probe(self, name: StepName) -> bool:
        """Have an engine, after its last step, look for values in the other's table by its filter.

        It is the first time that B is told any of the generated data: its copy is done. Return
        whether it still looks: its process is needed to the end.
        """
        side = _side(name)
        last = {"first": "first_read_back", "second": self._second_last}[side]
        if name != last or self.found[name].status != "done":
            return False
        asked = {
            "engine": self._given(side),
            "table": str(self.tables[_other(side)]),
            "version": self.versions[_other(side)],
            "values": str(self._values),
            "scratch": str(self._scratch(name)),
        }
        probing = self._ask(name, "probe", asked)
        if self._small:
            self.probing[side] = probing
        else:
            self._count(side, probing)
        return self._small

    def _count(self, side: Side, probing: Waiting) -> None:
        self.counts[side] = (probing().result or {"counts": {}})["counts"]

    @property
    def _second_last(self) -> StepName:
        return "second_read" if self.read_only else "second_wrote"

    def _commit(self, side: Side, step: StepName) -> Json:
        return asdict(Commit(self.about[side].name, self.proof.id, step))

    def _written(self) -> tuple[Side, ...]:
        """Return the sides whose table was written to its end."""
        return tuple(self.versions)

    def _examine(self) -> Waiting:
        """Have the platform compare rows and look into the tables that are there."""
        sides = self._written()
        if not sides:
            return partial(Outcome, {}, None, 0.0)
        last = self._last if self._whole() else None
        hidden = (*self.proof.contract.confidential(), *self.proof.contract.quasi())
        return self._ask(
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
        summary, evidence = check.summary, check.evidence
        return replace(
            check,
            summary=verdict.withheld(summary, self.marker),
            evidence=verdict.withheld(evidence, self.marker),
        )

    def _found(self, name: StepName) -> StepDone:
        return self.found.get(name) or StepDone(name, self._engine(name), "not reached")

    def info(self, facts: Facts) -> list[Json]:
        """Return what a record says beside the checks."""
        found: list[Json] = verdict.withheld(list(checks.info(facts)), self.marker)
        found += self._probed(facts)
        if "failure" in self.examined:
            text = f"the tables could not be examined: {self.examined['failure']}"
            found.append({"name": "examination", "passed": False, "summary": text})
        return found

    def _probed(self, facts: Facts) -> list[Json]:
        if not facts.whole():
            return []
        names: dict[str, str] = {side: about.name for side, about in self.about.items()}
        counts: dict[str, Json] = dict(self.counts.items())
        return [probes.entry(self.expected, counts, names)]

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
            "steps": [verdict.step_json(self._found(name)) for name in STEPS],
            "checks": [verdict.check_json(check) for check in done],
            "info": info,
        }


def _side(name: str) -> Side:
    """Return whose a step is."""
    return "first" if name.startswith("first") else "second"


def _other(side: Side) -> Side:
    return "second" if side == "first" else "first"
