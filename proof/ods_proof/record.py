"""The record of a proof in Dagster: an asset, the twelve checks on it, and a job.

`ods_proof.record:defs` loads beside an install's own definitions; `build_asset` and `build_job` are
for its own code location. Each step is an observation and each check an evaluation, stored as soon
as it is known. What was not reached has no evaluation.
"""

import re
import traceback
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import dagster as dg

from . import checks, engines, metadata, sandbox, settings, verdict
from .checks import Check
from .errors import ProofError
from .events import STEPS, CheckDone, Event, Finished, StepDone, StepName, StepStarted
from .proof import Proof
from .round_trip import run
from .table import marker

KEY = ("_system", "roundtrip_proof")
JOB = "roundtrip_proof"
POOL = "ods_proof"
PROOF_TAG, PAIR_TAG, USER_TAG = "ods/proof", "ods/pair", "ods/started_by"
KIND_TAG = "ods/kind"  # by which all runs of it are found, of the job or of the asset's page
RUNTIME_TAG = "dagster/max_runtime"
_RUNTIME = 900  # seconds; after that a run whose process was killed lets go of the queue
_RUNTIME_PER_ROW = 0.01
_ID = re.compile(r"[0-9a-f]{12}")
_MOST_ROWS = 1_000_000_000
_MOST_SEED = (1 << 53) - 1  # the largest that a browser shows as it is
_LONGEST_NAME = 200
_NONE = "no proof was made: "
_CONFIG = {
    "first": dg.Field(str, "polars", description="The engine that writes first and reads back."),
    "second": dg.Field(str, "duckdb", description="The engine that reads that and writes again."),
    "rows": dg.Field(int, is_required=False, description="Rows of the generated table."),
    "seed": dg.Field(int, 7, description="Seed of the generated table."),
    "started_by": dg.Field(str, "", description="Who started the proof."),
}
_ABOUT = (
    "A generated table through two engines and back, with its governance: what survived. "
    "The copies are deleted as soon as the results are recorded."
)


def build_asset(
    key: Sequence[str] = KEY,
    known: Sequence[str] = engines.NAMES,
    pool: str = POOL,
    group: str = "system",
) -> dg.AssetsDefinition:
    """Return the asset of the proof, under a key of the install; only `known` engines take part."""
    place = dg.AssetKey(list(key))

    def roundtrip_proof(context: dg.AssetExecutionContext) -> Iterator[object]:
        yield from _recorded(context, place, known)

    return dg.asset(
        key=place,
        check_specs=[_spec(one, place) for one in (*checks.EVERY, checks.SANDBOX)],
        output_required=False,
        config_schema=_CONFIG,
        pool=pool,
        group_name=group,
        description=_ABOUT,
        metadata={"ods/engines": dg.MetadataValue.json(engines.listed(known))},
        kinds={"delta"},
    )(roundtrip_proof)


def build_job(asset: dg.AssetsDefinition, name: str = JOB, max_runtime: int = _RUNTIME) -> object:
    """Return the job that makes a proof; its runs end after so many seconds, whatever happens."""
    return dg.define_asset_job(
        name,
        selection=dg.AssetSelection.assets(asset),
        executor_def=dg.in_process_executor,
        tags={RUNTIME_TAG: str(max_runtime), KIND_TAG: JOB},
        description=_ABOUT,
    )


def _spec(one: Check, asset: dg.AssetKey) -> dg.AssetCheckSpec:
    """Return a check as Dagster has it: an error that fails the run, or a warning."""
    word = "passes" if one.passes_when.startswith("never") else "passes when"
    return dg.AssetCheckSpec(
        one.name,
        asset=asset,
        description=f"{one.kind}: {word} {one.passes_when}",
        blocking=one.severity == "error",
    )


def _recorded(
    context: dg.AssetExecutionContext, asset: dg.AssetKey, known: Sequence[str]
) -> Iterator[object]:
    """Run the proof that a run asks for, and record what happens."""
    try:
        proof, given = _asked(context, known)
        root = sandbox.root(given.sandbox)
    except ProofError as error:
        raise _refused(error) from None
    with sandbox.turn(root, lambda: _waits(context)), closing(run(proof, str(root))) as events:
        problem = yield from _events(context, asset, proof, events)
    if problem:
        raise dg.Failure(problem, allow_retries=False)


def _waits(context: dg.AssetExecutionContext) -> None:
    context.log.info("waits: another proof has its turn in the sandbox")


def _refused(error: ProofError) -> dg.Failure:
    return dg.Failure(f"{_NONE}{metadata.plain(str(error))}", allow_retries=False)


def _asked(
    context: dg.AssetExecutionContext, known: Sequence[str]
) -> tuple[Proof, settings.Settings]:
    """Return the proof that a run asks for; raise ProofError for one that may not be made."""
    config, given = context.op_execution_context.op_config, settings.read()
    given.refuse()
    user = config["started_by"] or context.run.tags.get(USER_TAG, "")
    if not given.may_run(user or None):
        raise ProofError("you may not start a proof here: ODS_PROOF_AUTHORIZE says no")
    rows, seed = config.get("rows", given.rows), config["seed"]
    for name, value, least, most in (("rows", rows, 1, _MOST_ROWS), ("seed", seed, 0, _MOST_SEED)):
        if not least <= value <= most:
            raise ProofError(f"{name} is {value}; it is a whole number, {least} to {most}")
    for name in (config["first"], config["second"]):
        if name not in known:
            raise ProofError(f"no engine {name!r}; there are: {', '.join(known)}")
    proof = Proof(config["first"], config["second"], rows, seed, id=_id(context.run))
    _tag(context, proof, user)
    return proof, given


def _id(run_: dg.DagsterRun) -> str:
    """Return the id that a run brings, or a new one; who repeats a run does not bring its id."""
    given = run_.tags.get(PROOF_TAG)
    if given is None or "dagster/parent_run_id" in run_.tags:
        return str(run_.run_id).replace("-", "")[:12]
    if not _ID.fullmatch(given):
        raise ProofError(f"the tag {PROOF_TAG} is {given!r}; it is twelve hexadecimal digits")
    return str(given)


def _tag(context: dg.AssetExecutionContext, proof: Proof, user: str) -> None:
    """Put on a run what it lacks: one from an asset's page has no tag of the job."""
    runtime = context.run.tags.get(RUNTIME_TAG)
    if runtime in (None, str(_RUNTIME)):
        runtime = str(round(_RUNTIME + proof.rows * _RUNTIME_PER_ROW))
    tags = {
        KIND_TAG: JOB,
        PROOF_TAG: proof.id,
        PAIR_TAG: f"{proof.first}__{proof.second}",
        USER_TAG: user[:_LONGEST_NAME],
        RUNTIME_TAG: runtime,
    }
    context.instance.add_run_tags(context.run.run_id, tags)


def _events(
    context: dg.AssetExecutionContext, asset: dg.AssetKey, proof: Proof, events: Iterable[Event]
) -> Generator[object, None, str | None]:
    """Record each event, and return why the run fails where no check says so."""
    steps: dict[StepName, StepDone] = {}
    done: list[CheckDone] = []
    broken = None
    try:
        for event in events:
            _stop_if_cancelled(context)
            match event:
                case StepStarted():
                    context.log.info(f"{event.step} begins on {event.engine}")
                case StepDone():
                    steps[event.step] = event
                    yield from _step(context, asset, steps, event)
                case CheckDone():
                    done.append(event)
                    if event.status != "not reached":
                        yield _evaluation(asset, event, steps)
                case Finished():
                    context.log_event(_whole(asset, event))
    except Exception as error:
        # it is told, not chained: Dagster stores a cause, and its text may quote a value
        broken = _told(error, marker(proof.seed))
    if broken and not done:
        return f"{_NONE}{broken}"
    return _problem(steps.values(), done, broken)


def _stop_if_cancelled(context: dg.AssetExecutionContext) -> None:
    """Raise what Dagster raises into whatever runs, and Python drops in a weakref's callback."""
    run_ = context.instance.get_run_by_id(context.run.run_id)
    if run_ and run_.status == dg.DagsterRunStatus.CANCELING:
        raise dg.DagsterExecutionInterruptedError


def _told(error: Exception, mark: str) -> str:
    """Return an error without what is confidential; one that is ours with its place."""
    if isinstance(error, ProofError):
        return verdict.told(str(error), mark)
    place = traceback.extract_tb(error.__traceback__)[-1]
    told = verdict.told(f"{type(error).__name__}: {error}", mark)
    return f"{told}, at {Path(place.filename).name}:{place.lineno}"


def _step(
    context: dg.AssetExecutionContext,
    asset: dg.AssetKey,
    steps: Mapping[StepName, StepDone],
    step: StepDone,
) -> Iterator[object]:
    """Record the end of a step; the end of the last is what makes the asset."""
    if step.status == "not reached":
        return
    rows = {"rows": step.fingerprint.rows} if step.fingerprint else {}
    found = {"engine": step.engine, "seconds": round(step.seconds, 3), **rows}
    if step.error:
        found["error"] = step.error
    said = f"{step.step} on {step.engine}: {step.status}"
    stored = {**metadata.plain(found), "ods/step": dg.MetadataValue.json(metadata.step(step))}
    context.log_event(dg.AssetObservation(asset, description=said, metadata=stored))
    if step.step == STEPS[-1] and step.status == "done":
        yield dg.MaterializeResult(
            asset_key=asset,
            metadata={**metadata.plain(rows), "dagster/row_count": rows["rows"], **_table(steps)},
        )


def _evaluation(
    asset: dg.AssetKey, check: CheckDone, steps: Mapping[StepName, StepDone]
) -> dg.AssetCheckResult:
    table = _table(steps) if check.name == "fingerprints_match" else {}
    stored = metadata.check(check)
    return dg.AssetCheckResult(
        passed=check.status == "passed",
        asset_key=asset,
        check_name=check.name,
        severity=dg.AssetCheckSeverity.ERROR
        if check.severity == "error"
        else dg.AssetCheckSeverity.WARN,
        description=stored["summary"],
        metadata={"kind": check.kind, **table, "ods/check": dg.MetadataValue.json(stored)},
    )


def _table(steps: Mapping[StepName, StepDone]) -> Mapping[str, object]:
    """Return the fingerprints of the steps as a table: a line a figure, a column a step."""
    lines = metadata.figures(steps)
    if not lines:
        return {}
    columns = [dg.TableColumn(name, "string") for name in lines[0]]
    records = [dg.TableRecord(line) for line in lines]
    return {"fingerprints": dg.MetadataValue.table(records, dg.TableSchema(columns))}


def _whole(asset: dg.AssetKey, finished: Finished) -> dg.AssetObservation:
    stored = dg.MetadataValue.json(metadata.record(finished))
    said = {"verdict": finished.verdict, "ods/record": stored}
    return dg.AssetObservation(asset, description=f"proof {finished.verdict}", metadata=said)


def _problem(
    steps: Iterable[StepDone], checks_: Sequence[CheckDone], broken: str | None
) -> str | None:
    """Return what kept checks from being reached, or None where each has its result."""
    unreached = [check.name for check in checks_ if check.status == "not reached"]
    if not unreached and broken is None:
        return None
    found = [f"{s.step} on {s.engine} {s.status}: {s.error}" for s in steps if s.error]
    if broken:
        found.append(f"the proof's own code broke: {broken}")
    wrong = [c.name for c in checks_ if c.status == "failed" and c.severity == "error"]
    for said, names in (("failed", wrong), ("not reached", unreached)):
        if names:
            found.append(f"{said}: {', '.join(names)}")
    return "; ".join(found)


_ASSET = build_asset()
defs = dg.Definitions(assets=[_ASSET], jobs=[build_job(_ASSET)], executor=dg.in_process_executor)
