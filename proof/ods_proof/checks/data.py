"""Whether the data came out as it went in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

import ods_fingerprint as ods

from ..delta_table import Log
from ..events import StepDone, StepName
from ..rows import plain_type
from .facts import Facts, Finding

_SHOWN = 20


def rows_match(facts: Facts) -> Finding | None:
    """Every step, and every log, counts the generated rows."""
    if not facts.whole():
        return None
    counts = {name: s.fingerprint.rows for name, s in facts.done().items() if s.fingerprint}
    logged = {side: _logged(log) for side, log in facts.logs.items()}
    wrong = [f"{name}: {count}" for name, count in counts.items() if count != facts.rows]
    wrong += [f"log of {s}: {n}" for s, n in logged.items() if n not in (None, facts.rows)]
    evidence = {"generated": facts.rows, "steps": counts, "logs": logged}
    if wrong:
        return Finding(False, f"{facts.rows} rows were generated; {', '.join(wrong)}", evidence)
    return Finding(True, f"{facts.rows} rows in every step", evidence)


def _logged(log: Log) -> int | None:
    """Return the rows that a log counts, or None where it does not say."""
    found = 0
    for action in log.files().values():
        stats = json.loads(action.get("stats") or "{}")
        if "numRecords" not in stats:
            return None
        found += stats["numRecords"] - (action.get("deletionVector") or {}).get("cardinality", 0)
    return found


def schema_match(facts: Facts) -> Finding | None:
    """Both logs hold the generated types; what each engine returned stands in the evidence."""
    if not all(side in facts.logs for side in facts.tables()):
        return None
    wanted = {c.name: str(plain_type(c.type)) for c in facts.contract.columns}
    changes = {side: list(_changes(facts, facts.logs[side].fields())) for side in facts.tables()}
    returned = {name: _returned(wanted, step) for name, step in facts.done().items() if step.schema}
    wrong = [f"{place}: {change}" for place, all_ in changes.items() for change in all_]
    wrong += [f"{place}: {change}" for place, all_ in returned.items() for change in all_]
    evidence = {"tables": changes, "returned": returned}
    if wrong:
        return Finding(False, "; ".join(wrong[:_SHOWN]), evidence)
    return Finding(True, f"{len(wanted)} columns as generated in both tables", evidence)


def _changes(facts: Facts, fields: list[dict[str, Any]]) -> Iterator[str]:
    wanted = {column.name: delta_type(column.type) for column in facts.contract.columns}
    found = {field["name"]: bare(field["type"]) for field in fields}
    for name in [name for name in wanted if name not in found]:
        yield f"{name} is missing"
    for name, kind in found.items():
        if name not in wanted:
            yield f"{name} was not generated"
        elif kind != wanted[name]:
            yield f"{name}: {_words(wanted[name])} → {_words(kind)}"


def _returned(wanted: dict[str, str], step: StepDone) -> list[str]:
    found = dict(step.schema)
    changed = [
        f"{name}: {kind} → {found.get(name, 'missing')}"
        for name, kind in wanted.items()
        if found.get(name) != kind
    ]
    return changed + [f"{name} was not generated" for name in found if name not in wanted]


def bare(kind: object) -> object:
    """Return a type of a Delta schema without nullability and metadata: those are other checks'."""
    if isinstance(kind, dict) and kind["type"] == "struct":
        return {"struct": [[f["name"], bare(f["type"])] for f in kind["fields"]]}
    if isinstance(kind, dict) and kind["type"] == "array":
        return {"array": bare(kind["elementType"])}
    if isinstance(kind, dict) and kind["type"] == "map":
        return {"map": [bare(kind["keyType"]), bare(kind["valueType"])]}
    return kind


def delta_type(kind: Any) -> object:
    """Return an Arrow type of the contract as `bare` gives it."""
    if pa.types.is_struct(kind):
        fields = (kind.field(at) for at in range(kind.num_fields))
        return {"struct": [[f.name, delta_type(f.type)] for f in fields]}
    if pa.types.is_map(kind):
        return {"map": [delta_type(kind.key_type), delta_type(kind.item_type)]}
    if pa.types.is_list(kind):
        return {"array": delta_type(kind.value_type)}
    if pa.types.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    if pa.types.is_timestamp(kind):
        return "timestamp" if kind.tz else "timestamp_ntz"
    words = {"int8": "byte", "int16": "short", "int32": "integer", "int64": "long"}
    words |= {"bool": "boolean", "date32[day]": "date"}
    return words.get(str(kind), str(kind))


def _words(kind: object) -> str:
    return kind if isinstance(kind, str) else json.dumps(kind)


def fingerprints_match(facts: Facts) -> Finding | None:
    """Hold every step's fingerprint, and an engine's own, against the generated data's."""
    start = facts.steps["generated"].fingerprint
    if start is None or not facts.whole():
        return None
    evidence: dict[str, Any] = {}
    wrong, covered = [], set[str]()
    for name, step in facts.done().items():
        for label, found in ((name, step.fingerprint), (f"{name} (own SQL)", step.own_fingerprint)):
            if name == "generated":
                continue
            if found is None:
                wrong += _figureless(facts, name, label)
                continue
            result = ods.compare(start, found)
            evidence[label] = json.loads(result.to_json())
            covered |= {remark.column for remark in result.uncovered if remark.column}
            if result.verdict == "different":
                wrong.append(f"{label}: {_named(result)}")
    if wrong:
        return Finding(False, "; ".join(wrong[:_SHOWN]), evidence)
    only = ", ".join(sorted(covered))
    rest = f"; only rows_identical sees into {only}" if covered else ""
    return Finding(True, f"equal in every step{rest}", evidence)


def _figureless(facts: Facts, name: StepName, label: str) -> list[str]:
    """Return that a step lacks the figures of the engine's own SQL, where it has one."""
    about = facts.engines["first" if name.startswith("first") else "second"]
    return [f"{label}: no figures, though {about.name} has SQL"] if about.dialect else []


def _named(result: ods.Comparison) -> str:
    found = [f"{d.column or 'table'} {d.figure}" for d in result.differences]
    return ", ".join(found[:_SHOWN])


def rows_identical(facts: Facts) -> Finding | None:
    """Say whether the last read holds each generated row once, and no other."""
    report = facts.compared
    if report is None or not facts.whole():
        return None
    where = "B's read of A's table" if facts.read_only else "A's read of B's table"
    evidence = {**report, "compared": where}
    if report["identical"]:
        return Finding(True, f"{where} equals the generated data, row by row", evidence)
    counts = [f"{report[key]} {key}" for key in ("missing", "extra", "duplicate") if report[key]]
    if report["differing"]:
        columns = ", ".join(report["columns"])
        counts.append(f"{report['differing']} rows differ, in {columns}")
    return Finding(False, f"{where}: {'; '.join(counts)}", evidence)
