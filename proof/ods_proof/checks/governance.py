"""Whether the rules that are attached to the data came out as they went in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..contract import CLASSIFICATION, COMMENT, TAGS, Column
from ..delta_table import Log, Version, fields_of
from ..engines import About
from ..events import StepDone
from ..profiles import COUNTS, children
from .data import bare, delta_type
from .facts import Facts, Finding, Side

Json: TypeAlias = "dict[str, Any]"
_SHOWN = 20
_ANSWERED = ("done", "refused")
_MADE_BY_PLATFORM = ("CREATE TABLE", "ADD FEATURE")


def _ready(facts: Facts) -> bool:
    return all(side in facts.logs for side in facts.tables())


def _finding(wrong: Mapping[str, list[str]], good: str, evidence: Json | None = None) -> Finding:
    """Return a finding that fails on anything that is wrong on either side."""
    said = [f"{side}: {text}" for side, texts in wrong.items() for text in texts]
    shown = {"wrong": {side: texts for side, texts in wrong.items() if texts}} | (evidence or {})
    return Finding(not said, "; ".join(said[:_SHOWN]) or good, shown)


def fields_by_path(fields: list[Json], parent: str = "") -> dict[str, Json]:
    """Return every field of a Delta schema and those inside, by dotted path."""
    found: dict[str, Json] = {}
    for field in fields:
        path = f"{parent}.{field['name']}" if parent else field["name"]
        found[path] = field
        inside = f"{path}.element" if _is_list(field["type"]) else path
        found |= fields_by_path(children(field["type"]), inside)
    return found


def _is_list(kind: object) -> bool:
    return isinstance(kind, dict) and kind["type"] == "array"


def declared_schema(facts: Facts) -> Finding | None:
    """Names, types, NOT NULL, order and descriptions are as declared."""
    if not _ready(facts):
        return None
    wrong: dict[str, list[str]] = {
        side: list(_undeclared(facts, facts.logs[side])) for side in facts.tables()
    }
    return _finding(wrong, f"{len(facts.contract.columns)} columns as declared")


def _undeclared(facts: Facts, log: Log) -> Iterator[str]:
    declared = [column.name for column in facts.contract.columns]
    fields = {field["name"]: field for field in log.fields()}
    if list(fields) != declared:
        yield f"the columns are {', '.join(fields)}; declared are {', '.join(declared)}"
    for column in facts.contract.columns:
        field = fields.get(column.name)
        if field is None:
            continue
        if bare(field["type"]) != delta_type(column.type):
            yield f"{column.name} has another type"
        if field["nullable"] != column.nullable:
            yield f"{column.name} is {'NULL' if field['nullable'] else 'NOT NULL'}"
        if field["metadata"].get(COMMENT, "") != column.description:
            yield f"{column.name} has another description"


def _tagged(facts: Facts) -> list[Column]:
    """Return the declared columns and fields that carry tags: a list's element has none."""
    return [column for column in facts.contract.fields() if column.name != "element"]


def tags_carried(facts: Facts) -> Finding | None:
    """Every declared tag and description is in the log's schema, nested ones too."""
    if not _ready(facts):
        return None
    wrong: dict[str, list[str]] = {
        side: list(_lost(facts, fields_by_path(facts.logs[side].fields())))
        for side in facts.tables()
    }
    return _finding(wrong, f"all tags of {len(_tagged(facts))} columns and fields are carried")


def _lost(facts: Facts, fields: dict[str, Json]) -> Iterator[str]:
    for column in _tagged(facts):
        carried = fields.get(column.path, {}).get("metadata", {})
        for key, value in column.carried().items():
            if key not in carried:
                yield f"{column.path} lacks {key}"
            elif _content(key, carried[key]) != _content(key, value):
                yield f"{column.path} has another {key}"


def _content(key: str, value: object) -> object:
    if key != TAGS:
        return value
    return _tag_set(value)


def _tag_set(value: object) -> object:
    try:
        found: object = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
    return frozenset(map(str, found)) if isinstance(found, list) else value


def sensitivity_floor(facts: Facts) -> Finding | None:
    """At every version of a log, no level is below the declared one and no tag is gone."""
    if not _ready(facts):
        return None
    wrong: dict[str, list[str]] = {}
    versions: dict[str, list[int]] = {}
    for side in facts.tables():
        changed = [v for v in facts.logs[side].versions if v.metadata is not None]
        versions[side] = [version.number for version in changed]
        wrong[side] = [f"version {at} is not in the log" for at in facts.logs[side].gaps()]
        wrong[side] += [text for version in changed for text in _weaker(facts, version)]
    return _finding(wrong, "no tag is weaker than declared", {"versions": versions})


def _weaker(facts: Facts, version: Version) -> Iterator[str]:
    levels = facts.contract.levels
    fields = fields_by_path(fields_of(version.metadata or {}))
    for column in _tagged(facts):
        carried = fields.get(column.path, {}).get("metadata", {})
        level = carried.get(CLASSIFICATION)
        at = f"{column.path} at version {version.number}"
        if level is None:
            if levels.index(column.classification) > 0:
                yield f"{at} has no level, the weakest: {column.classification} is declared"
        elif level not in levels:
            yield f"{at} is {level!r}, which is no level"
        elif levels.index(level) < levels.index(column.classification):
            yield f"{at} is {level}: {column.classification} is declared"
        tags = _tag_set(carried.get(TAGS, "[]"))
        if not (isinstance(tags, frozenset) and tags >= set(column.tags)):
            yield f"{at} has lost tags of {', '.join(column.tags)}"


def profile_no_leak(facts: Facts) -> Finding | None:
    """No profile, and no log of a writer that can be told, holds a confidential value."""
    if not _ready(facts) or not facts.profiles:
        return None
    wrong: dict[str, list[str]] = {side: list(_leaks(facts, side)) for side in facts.tables()}
    keys = {
        side: {row["column"]: sorted(row) for row in facts.profiles[side]}
        for side in facts.tables()
    }
    return _finding(wrong, "profiles of confidential columns hold counts only", {"keys": keys})


def _leaks(facts: Facts, side: Side) -> Iterator[str]:
    confidential, quasi = facts.contract.confidential(), facts.contract.quasi()
    for row in facts.profiles[side]:
        more = sorted(set(row) - set(COUNTS))
        if more and row["column"] in (*confidential, *quasi):
            yield f"the profile of {row['column']} holds {', '.join(more)}"
        elif facts.marker in json.dumps(row, ensure_ascii=False):
            yield f"the profile of {row['column']} quotes a confidential value"
    if facts.engines[side].honours_stats and (quoted := quoted_in_log(facts, side)):
        yield f"the log's statistics quote {', '.join(quoted)}"
    for version in facts.logs[side].versions:
        if facts.marker in version.beside_stats().lower():
            yield f"version {version.number} of the log quotes a confidential value"


def quoted_in_log(facts: Facts, side: Side) -> list[str]:
    """Return the confidential columns whose values stand in a log's statistics."""
    found: set[str] = set()
    for version in facts.logs[side].versions:
        for action in version.adds:
            stats = json.loads(action.get("stats") or "{}")
            for ends in (stats.get("minValues", {}), stats.get("maxValues", {})):
                found |= {name for name, end in ends.items() if facts.marker in json.dumps(end)}
    return sorted(found)


def delta_protocol(facts: Facts) -> Finding | None:
    """Each engine read the other's table, and nothing in it is what that engine misreads."""
    read = facts.steps.get("second_read")
    if "first" not in facts.logs or read is None or read.status not in _ANSWERED:
        return None
    readers: dict[Side, tuple[StepDone, About]] = {"first": (read, facts.engines["second"])}
    back = facts.steps.get("first_read_back")
    if not facts.read_only and "second" in facts.logs and back and back.status in _ANSWERED:
        readers["second"] = (back, facts.engines["first"])
    wrong: dict[str, list[str]] = {
        side: list(_unread(facts, side, step, about)) for side, (step, about) in readers.items()
    }
    evidence = {
        "protocols": {side: facts.logs[side].protocol for side in readers},
        "int96": {side: _int96(facts, side) for side in readers},
    }
    return _finding(wrong, "each engine read the other's protocol", evidence)


def _unread(facts: Facts, side: Side, step: StepDone, about: About) -> Iterator[str]:
    log = facts.logs[side]
    if step.status != "done":
        yield f"{about.name} did not read it: {step.error}"
        return
    needs = features(log)
    unknown = sorted(needs - about.reads)
    if unknown:
        yield f"{about.name} was never seen to read {', '.join(unknown)} rightly"
    old = _int96(facts, side)
    if old and not about.int96:
        yield f"{', '.join(old)} stored as INT96, which {about.name} misreads"
    yield from _null_counts(log, step)


def _int96(facts: Facts, side: Side) -> list[str]:
    """Return the columns that a table's files hold as INT96."""
    return sorted({name for file in facts.files.get(side, []) for name in file["int96"]})


def features(log: Log) -> set[str]:
    """Return what a reader of a table must know, whether by feature or by version."""
    found: set[str] = set(log.protocol.get("readerFeatures") or [])
    mode = log.metadata.get("configuration", {}).get("delta.columnMapping.mode", "none")
    if log.protocol["minReaderVersion"] == 2 or mode != "none":
        found.add("columnMapping")
        if log.metadata.get("partitionColumns"):
            # DuckDB 1.5 reads them as NULL, and no file statistics say otherwise
            found.add("columnMapping of partitions")
    if log.protocol["minReaderVersion"] > 3:
        found.add(f"reader version {log.protocol['minReaderVersion']}")
    return found


def _null_counts(log: Log, step: StepDone) -> Iterator[str]:
    """Hold the NULLs that were read against those that the log counted."""
    logged: dict[str, int] = {}
    files = list(log.files().values())
    if any(action.get("deletionVector") for action in files):
        return
    logs = [json.loads(action.get("stats") or "{}") for action in files]
    numbers = [found.get("numRecords", 0) for found in logs]
    stats = [found.get("nullCount", {}) for found in logs]
    for name in set.intersection(*(set(found) for found in stats)) if stats else ():
        counts = [found[name] for found in stats]
        if all(isinstance(count, int) for count in counts):
            logged[name] = sum(counts)
    if step.fingerprint is None or step.fingerprint.rows != sum(numbers):
        return
    for column in step.fingerprint.columns:
        nulls = dict(column.figures)["nulls"]
        wanted = logged.get(column.column.name, nulls)
        if nulls != wanted:
            yield f"{column.column.name} was read with {nulls} NULLs where the log counts {wanted}"


def one_writer(facts: Facts) -> Finding | None:
    """Say whether data is committed by the expected engine, in this proof, and by nobody else."""
    if not _ready(facts):
        return None
    wrong: dict[str, list[str]] = {side: list(_foreign(facts, side)) for side in facts.tables()}
    commits = {
        side: [
            {
                "version": version.number,
                "operation": version.info.get("operation"),
                "engineInfo": version.info.get("engineInfo"),
                "files": len(version.adds),
            }
            for version in facts.logs[side].versions
        ]
        for side in facts.tables()
    }
    return _finding(wrong, "every commit is by the expected engine", {"commits": commits})


def _foreign(facts: Facts, side: Side) -> Iterator[str]:
    about = facts.engines[side]
    for gap in facts.logs[side].gaps():
        yield f"version {gap} is not in the log"
    for version in facts.logs[side].versions:
        operation = str(version.info.get("operation"))
        author = str(version.info.get("engineInfo"))
        at = f"version {version.number} ({operation} by {author})"
        signed = _signature(version)
        if operation in _MADE_BY_PLATFORM:
            if version.adds or version.removes or signed != ("platform", facts.proof):
                yield f"{at} is not the platform's own"
        elif not about.commits.match(author):
            yield f"{at} is not by {about.name}"
        elif about.signs and signed != (about.name, facts.proof):
            yield f"{at} is not signed by {about.name} in this proof"
    for file in facts.files.get(side, []):
        if not about.files.match(str(file["created_by"])):
            yield f"a data file is by {file['created_by']}"


def _signature(version: Version) -> tuple[object, object]:
    signed: object = version.info
    if "userMetadata" in version.info:
        try:
            signed = json.loads(version.info["userMetadata"])
        except (TypeError, ValueError):
            signed = None
    if not isinstance(signed, dict):
        return None, None
    return signed.get("ods.engine"), signed.get("ods.proof")


def access_d11(facts: Facts) -> Finding:
    """Say the gap: whoever can read the files can read every column."""
    return Finding(
        False,
        "access enforcement on-prem (D11) is deferred: who can read the files reads all columns",
        {"confidential": list(facts.contract.confidential())},
    )
