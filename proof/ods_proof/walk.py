"""The steps of a proof, each a job in a process of its own, and what they leave for the checks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

import ods_fingerprint as ods

from . import checks, delta_table, probes, process, verdict
from .checks import Facts, Side
from .delta_table import Commit
from .engines import About
from .events import STEPS, CheckDone, Event, StepDone, StepName, StepStarted, StepStatus
from .process import Failure, Outcome, Worker
from .proof import Proof
from .table import marker

Json: TypeAlias = "dict[str, Any]"
_OURS = "the proof's own code broke"
_EXAMINE = "examine"
_CHOOSE = "choose"
_PROBES: Mapping[Side, str] = {"first": "probe_first", "second": "probe_second"}
_JOBS = (*STEPS, _EXAMINE, _CHOOSE, *_PROBES.values())


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
                self.found[name] = StepDone(name, engine, "failed", error=_OURS)  # until it is told
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
        """Run the job of a step; B's get neither the contract nor the generated data."""
        arguments: dict[str, object] = {"scratch": str(self._scratch(name))}
        if name == "generated":
            made = {"rows": self.proof.rows, "seed": self.proof.seed, "maps": self.proof.maps}
            return self._run(name, "generate", {**made, "keep": str(self._generated)})
        side: Side = "first" if name.startswith("first") else "second"
        arguments["engine"] = self.proof.first if side == "first" else self.proof.second
        if name == "first_wrote":
            arguments |= {"table": str(self.tables["first"]), "commit": self._commit(side, name)}
            arguments |= {"source": str(self._generated), "maps": self.proof.maps}
            return self._run(name, "write", arguments)
        other: Side = "second" if side == "first" else "first"
        arguments |= {"table": str(self.tables[other]), "version": self.versions[other]}
        if name == "second_wrote":
            arguments |= {"target": str(self.tables["second"]), "commit": self._commit(side, name)}
            return self._run(name, "copy", arguments)
        keep = name == "first_read_back" or self.read_only
        return self._run(name, "read", {**arguments, "keep": str(self._last) if keep else None})

    @property
    def _generated(self) -> Path:
        return self.folder / "generated.arrow"

    @property
    def _last(self) -> Path:
        return self.folder / "last_read.arrow"

    def _commit(self, side: Side, step: StepName) -> Json:
        return asdict(Commit(self.about[side].name, self.proof.id, step))

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
            "steps": [verdict.step_json(self._found(name)) for name in STEPS],
            "checks": [verdict.check_json(check) for check in done],
            "info": info,
        }
