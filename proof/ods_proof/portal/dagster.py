"""Proofs that Dagster runs: started, followed and stopped through its webserver."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from .. import engines
from ..proof import Proof
from . import graphql, shape
from .backend import QUEUE, Down, Engine, Full, Queued, Unknown, engine_list
from .graphql import GraphQL, of_type
from .journal import ID
from .sheet import Order, Sheet, State, of_record

Json: TypeAlias = "dict[str, Any]"
JOB = "roundtrip_proof"
KEY = ("_system", "roundtrip_proof")
PROOF_TAG, PAIR_TAG, USER_TAG = "ods/proof", "ods/pair", "ods/started_by"
_OURS = {"tags": [{"key": "ods/kind", "value": JOB}]}
_LISTED = 40
_FOLLOWED = 64
_SLACK = 300.0  # seconds that a run may say nothing beyond what a step may take
_WAITING = ("QUEUED", "NOT_STARTED")
_LIVE = (*_WAITING, "STARTING", "STARTED", "CANCELING")
_STATES: Mapping[str, State] = {
    "QUEUED": "queued",
    "NOT_STARTED": "queued",
    "STARTING": "starting",
    "STARTED": "running",
    "CANCELING": "running",
    "CANCELED": "cancelled",
}
_FAILURE = "dagster._core.definitions.events.Failure:"


@dataclass(slots=True)
class _Log:
    """What is known of a run by its events, up to a cursor."""

    run: str
    cursor: str | None = None
    steps: list[Json] = field(default_factory=list)
    checks: list[Json] = field(default_factory=list)
    record: Json | None = None
    failure: str | None = None
    end: str | None = None
    moved: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, event: Json) -> None:
        """Take in one event."""
        self.moved = float(event.get("timestamp") or 0) / 1_000
        entries = event.get("metadataEntries") or (event.get("evaluation") or {}).get(
            "metadataEntries", []
        )
        step, check = graphql.entry(entries, "ods/step"), graphql.entry(entries, "ods/check")
        if step is not None:
            shape.step(step)
            self.steps.append(step)
        if check is not None:
            shape.check(check)
            self.checks.append(check)
        record = graphql.entry(entries, "ods/record")
        if record is not None:
            shape.refuse(record)
            self.record = record
        if event["__typename"] == "ExecutionStepFailureEvent":
            self.failure = _plain((event.get("error") or {}).get("message") or "")
        if event["__typename"] == "RunFailureEvent":
            self.end = event.get("message")


class Dagster:
    """A backend that keeps nothing of its own: what it remembers it can ask for again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._graphql = GraphQL(url)
        self._lock = threading.Lock()
        self._logs: OrderedDict[str, _Log] = OrderedDict()
        self._known: dict[str, str] = {}  # proof to run
        self._ended: OrderedDict[str, Sheet] = OrderedDict()

    def open(self) -> None:
        """Do nothing: Dagster may come later."""

    def close(self) -> None:
        """Do nothing: what runs is Dagster's."""

    def engines(self) -> Sequence[Engine]:
        """Return the engines as the code location says; where it does not, all that are known."""
        found = self._graphql.ask(graphql.ENGINES, key={"path": list(KEY)})["assetNodeOrError"]
        told = graphql.entry(found.get("metadataEntries") or [], "ods/engines")
        if told:
            return engine_list(told)
        abouts = [engines.find(name).about() for name in engines.NAMES]
        return [Engine(about.name, about.implementation, ()) for about in abouts]

    def start(self, order: Order) -> None:
        """Launch a run, unless there is one with this id."""
        with self._lock:
            if self._runs({"tags": [{"key": PROOF_TAG, "value": order.id}]}, 1):
                return
            waiting = self._runs({"pipelineName": JOB, "statuses": list(_WAITING)}, QUEUE)
            for run in waiting:
                if _order(run).started_by == order.started_by:
                    raise Queued(_order(run).id)
            if len(waiting) >= QUEUE:
                raise Full(f"{QUEUE} proofs wait already: try again in a few minutes")
            self._launch(order)

    def _launch(self, order: Order) -> None:
        place = self._place()
        found = self._graphql.ask(graphql.OPS, job={**place, "pipelineName": JOB})
        (op,) = of_type(found["pipelineOrError"], "Pipeline")["solids"]
        config = {
            "first": order.first,
            "second": order.second,
            "rows": order.rows,
            "seed": order.seed,
            "started_by": order.started_by or "",
        }
        tags = {
            PROOF_TAG: order.id,
            PAIR_TAG: f"{order.first}__{order.second}",
            USER_TAG: order.started_by or "",
        }
        given = {
            "selector": {**place, "jobName": JOB},
            "runConfigData": {"ops": {op["name"]: {"config": config}}},
            "executionMetadata": {"tags": [{"key": k, "value": v} for k, v in tags.items()]},
        }
        of_type(self._graphql.ask(graphql.LAUNCH, given=given)["launchRun"], "LaunchRunSuccess")

    def _place(self) -> dict[str, str]:
        """Return where the job of a proof is."""
        found = self._graphql.ask(graphql.WHERE)["repositoriesOrError"]
        for node in of_type(found, "RepositoryConnection")["nodes"]:
            if any(job["name"] == JOB for job in node["jobs"]):
                location = node["location"]["name"]
                return {"repositoryName": node["name"], "repositoryLocationName": location}
        raise Down(f"Dagster has no job {JOB}: its code location ods_proof.record is not loaded")

    def latest(self) -> Sequence[Sheet]:
        """Return the newest runs, also those that were started from the asset's page."""
        return [self._brief(run) for run in self._runs(_OURS, _LISTED)]

    def _brief(self, run: Json) -> Sheet:
        if run["status"] in _LIVE:
            return Sheet(_order(run), _STATES[run["status"]])
        known = self._ended.get(run["runId"])
        if known is None:
            known = self._ended[run["runId"]] = self._sheet(run["runId"]).brief()
            if len(self._ended) > 10 * _LISTED:
                self._ended.popitem(last=False)
        return known

    def look(self, proof: str) -> Sheet:
        """Return a proof by the run that bears its id."""
        return self._sheet(self._run_of(proof))

    def cancel(self, proof: str, user: str | None) -> None:
        """Have a run ended; one that is silent for long is only marked, as nobody listens."""
        sheet = self.look(proof)
        if sheet.ended and not sheet.stuck:
            return
        how = "MARK_AS_CANCELED_IMMEDIATELY" if sheet.stuck else "SAFE_TERMINATE"
        run = self._run_of(proof)
        found = self._graphql.ask(graphql.TERMINATE, id=run, how=how)["terminateRun"]
        of_type(found, "TerminateRunSuccess")

    def _run_of(self, proof: str) -> str:
        if not ID.fullmatch(proof):
            raise Unknown(f"no proof {proof!r}: an id is twelve hexadecimal digits")
        if proof in self._known:
            return self._known[proof]
        found = self._runs({"tags": [{"key": PROOF_TAG, "value": proof}]}, 1)
        if not found:
            raise Unknown(f"no proof {proof} is known to Dagster")
        if len(self._known) >= 10 * _FOLLOWED:
            self._known.clear()
        run: str = self._known.setdefault(proof, found[0]["runId"])
        return run

    def _runs(self, wanted: Json, limit: int) -> list[Json]:
        found = self._graphql.ask(graphql.RUNS, filter=wanted, limit=limit)["runsOrError"]
        runs: list[Json] = of_type(found, "Runs")["results"]
        return runs

    def _sheet(self, run: str) -> Sheet:
        log = self._log(run)
        with log.lock:
            try:
                found = self._caught_up(log)
            except shape.Unreadable as error:
                raise Down(f"what Dagster holds of this proof cannot be read: {error}") from error
            sheet = _sheet(found, log)
        sheet = replace(sheet, link=f"{self.url}/runs/{run}")
        return replace(sheet, ahead=self._ahead(found)) if sheet.state == "queued" else sheet

    def _log(self, run: str) -> _Log:
        with self._lock:
            log = self._logs.setdefault(run, _Log(run))
            self._logs.move_to_end(run)
            if len(self._logs) > _FOLLOWED:
                self._logs.popitem(last=False)
            return log

    def _caught_up(self, log: _Log) -> Json:
        """Take in the events since the last look and return the run as it stands."""
        while True:
            found = self._graphql.ask(graphql.RUN, id=log.run, after=log.cursor)
            run = of_type(found["runOrError"], "Run")
            events = of_type(found["logsForRun"], "EventConnection")
            for event in events["events"]:
                log.add(event)
            log.cursor = events["cursor"]
            if not events["hasMore"]:
                return run

    def _ahead(self, run: Json) -> int:
        live = self._runs({**_OURS, "statuses": list(_LIVE)}, 10 * QUEUE)
        return sum(other["creationTime"] < run["creationTime"] for other in live)


def _order(run: Json) -> Order:
    """Return what was asked for, by the tags of a run; its rows are in the config or the record."""
    tags = {tag["key"]: tag["value"] for tag in run["tags"]}
    first, _, second = tags.get(PAIR_TAG, "?__?").partition("__")
    proof = tags.get(PROOF_TAG) or run["runId"].replace("-", "")[:12]
    config = _numbers(run["runConfigYaml"])
    at = run["creationTime"]
    rows, seed = config.get("rows", 0), config.get("seed", 7)
    return Order(proof, first, second, rows, seed, tags.get(USER_TAG) or None, at)


def _numbers(config: str) -> dict[str, int]:
    """Return the whole numbers of a run's config, by name."""
    found = {}
    for line in config.splitlines():
        name, _, value = line.strip().partition(": ")
        if value.isdecimal():
            found[name] = int(value)
    return found


def _sheet(run: Json, log: _Log) -> Sheet:
    order, seconds = _order(run), None
    if run["startTime"] and run["endTime"]:
        seconds = run["endTime"] - run["startTime"]
    if log.record is not None and run["status"] not in _LIVE:
        rows = replace(order, rows=log.record["rows"], seed=log.record["seed"])
        return of_record(rows, log.record, seconds)
    steps, done = tuple(log.steps), tuple(log.checks)
    if run["status"] in ("STARTED", "CANCELING") and time.time() - log.moved > _patience(order):
        silent = "its run says nothing any more, and holds up the queue until it is cancelled"
        return Sheet(order, "lost", steps, done, why=silent, stuck=True)
    state, why = _state(run["status"], log)
    return Sheet(order, state, steps, done, why=why, seconds=seconds)


def _patience(order: Order) -> float:
    """Return the seconds after which a run that says nothing is taken for dead."""
    return Proof(order.first, order.second, max(order.rows, 1)).limit + _SLACK


def _state(status: str, log: _Log) -> tuple[State, str | None]:
    if status in _STATES:
        return _STATES[status], None
    if log.failure:
        return "broken", log.failure
    return "lost", log.end or "its run ended and left no record"


def _plain(message: str) -> str:
    """Return why a run failed in the words of the proof, without Dagster's own."""
    return message.strip().partition(_FAILURE)[2].strip() or message.strip().partition("\n")[0]
