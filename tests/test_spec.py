"""The spec against itself and the outside: reference, vectors, mutants, schemas, clauses."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from spec_mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "spec"
SHARED = ROOT.parent / "shared"
SOURCE = (SPEC / "reference.py").read_text(encoding="utf-8")
FILES = {
    path.name: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((SPEC / "vectors" / "v1").glob("*.json"))
}
VECTORS = [vector for file in FILES.values() for vector in file["vectors"]]
CLAUSES = dict(
    re.findall(
        r"^\*\*(\d+\.\d+)\*\* (.*?)(?=^\*\*\d|^#|\Z)",
        (SPEC / "v1.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
ANSWERS = {
    "value": ("text", "hash"),
    "column": ("figures",),
    "table": ("row", "fingerprint"),
    "refuse": ("reason",),
}
VERDICT = ("verdict", "differences", "uncovered", "skipped", "notes", "error", "reason", "exit")

# Clauses with a MUST that no vector can show, and where each is held instead.
NOT_BY_VECTORS = {
    "1.2": "about this text's own choices",
    "2.5": "values arrive by label already: the readers' and runners' tests, with real enums",
    "5.11": "about how an engine is asked: golden SQL has no WHERE, runners' tests use lying statistics",
    "6.4": "about an engine's name limit: the compiler's tests",
    "6.5": "about reading a result row: the tests of `read`",
    "6.6": "about statements and snapshots: the runners' tests",
    "7.6": "about bytes of two runs of one implementation: the fingerprint's tests",
    "7.7": "about the form of a schema: schemas/schema.json, held below",
    "10.5": "about what is printed: the command line's tests",
}

sys.path.insert(0, str(SPEC))
writer = importlib.import_module("writer")
reference = importlib.import_module("reference")


def shared(name: str) -> Any:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/{name}, which is not beside this checkout")
    return json.loads(path.read_text(encoding="utf-8"))


def exact(found: object) -> str:
    """JSON text that keeps 1 apart from 1.0, -0.0 from 0.0, and the order of keys."""
    return json.dumps(found)


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    return {key: vector[key] for key in ANSWERS.get(vector["kind"], VERDICT) if key in vector}


def question(vector: dict[str, Any]) -> dict[str, Any]:
    answers = ANSWERS.get(vector["kind"], VERDICT)
    return {key: value for key, value in vector.items() if key not in answers}


def holds(vector: dict[str, Any]) -> bool:
    """Whether the reference that the writer has now gives a vector's answer."""
    found = writer.answer(question(vector))
    return exact({key: found.get(key) for key in expected(vector)}) == exact(expected(vector))


def changed(old: str, new: str, folder: Path) -> ModuleType:
    """Return the reference with one text in it replaced."""
    assert SOURCE.count(old) == 1, f"{old!r} stands {SOURCE.count(old)} times in the reference"
    path = folder / "reference.py"
    path.write_text(SOURCE.replace(old, new), encoding="utf-8")
    found = importlib.util.spec_from_file_location("changed_reference", path)
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def first_failing(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Return the first vector that a changed reference answers wrongly, or breaks on."""
    monkeypatch.setattr(writer, "reference", module)
    broken = (module.Refused, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
    for vector in VECTORS:
        try:
            if not holds(vector):
                return str(vector["id"])
        except broken:
            return str(vector["id"])
    return None


def test_the_reference_gives_every_answer() -> None:
    assert [vector["id"] for vector in VECTORS if not holds(vector)] == []


@pytest.mark.parametrize("given", MUTANTS, ids=[f"{m[0]} {m[1]}" for m in MUTANTS])
def test_a_vector_notices_the_mutant(
    given: tuple[str, str, str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, name, old, new = given
    assert first_failing(changed(old, new, tmp_path), monkeypatch), f"no vector notices: {name}"


def test_the_unchanged_reference_is_no_mutant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = 'SPEC = "ods-fingerprint/1"'
    assert first_failing(changed(line, line, tmp_path), monkeypatch) is None


def test_every_clause_with_a_must_has_a_mutant_or_a_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    musts = {number for number, text in CLAUSES.items() if "MUST" in text}
    uncovered = musts - {clause for clause, *_ in MUTANTS}
    with capsys.disabled():
        print(
            f"\n{len(musts)} clauses with MUST, {len(musts - uncovered)} shown by mutants, others: {sorted(uncovered)}"
        )
    assert uncovered == set(NOT_BY_VECTORS)


def test_mutants_and_vectors_name_clauses_that_exist() -> None:
    named = {vector["clause"] for vector in VECTORS} | {clause for clause, *_ in MUTANTS}
    assert named <= set(CLAUSES)
    assert len({mutant[:2] for mutant in MUTANTS}) == len(MUTANTS)


def test_the_reference_names_clauses_that_exist() -> None:
    in_brackets = re.findall(r"\[(\d[\d., to]*)\]\.?\"\"\"", SOURCE)
    named = {number for group in in_brackets for number in re.findall(r"\d+\.\d+", group)}
    assert len(named) > 30
    assert named <= set(CLAUSES)


def test_every_ruling_has_a_clause_and_a_vector() -> None:
    table = (SPEC / "v1.md").read_text(encoding="utf-8").split("## Appendix")[1]
    found = {
        ruling: set(re.findall(r"\d+\.\d+", rest))
        for ruling, rest in re.findall(r"(R\d+) ([\d., ]+)", table)
    }
    assert list(found) == [f"R{n}" for n in range(1, 27)]
    shown = {vector["clause"] for vector in VECTORS}
    assert set().union(*found.values()) <= set(CLAUSES)
    assert {ruling for ruling, clauses in found.items() if not clauses & shown} == {
        "R23"
    }  # 6.6: several statements


def test_ids_are_unique_and_there_are_enough() -> None:
    ids = [vector["id"] for vector in VECTORS]
    assert len(set(ids)) == len(ids) >= 250
    questions = [
        exact({k: v for k, v in question(vector).items() if k not in ("id", "clause", "hunts")})
        for vector in VECTORS
    ]
    assert [q for q in set(questions) if questions.count(q) > 1] == []


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_files_are_what_the_writer_writes(seed: str) -> None:
    environment = {
        "PYTHONHASHSEED": seed,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    ran = subprocess.run(
        [sys.executable, str(SPEC / "reference.py"), "--check"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "all vector files are as written\n"), (
        ran.stdout + ran.stderr
    )


def test_hashes_of_value_vectors_by_hashlib() -> None:
    for vector in (v for v in VECTORS if v["kind"] == "value"):
        digest = hashlib.md5(vector["text"].encode("utf-8")).hexdigest()
        assert vector["hash"] == str(int(digest[:15], 16)), vector["id"]


SHARED_TYPES = {
    "bool": ("boolean", "us"), "timestamp": ("timestamp_ntz", "us"), "timestamptz": ("timestamp", "us"),
    "timestamp_s": ("timestamp_ntz", "s"), "timestamp_ms": ("timestamp_ntz", "ms"), "timestamp_ns": ("timestamp_ntz", "ns"),
}  # fmt: skip


def ours(kind: str) -> tuple[str, str]:
    return SHARED_TYPES.get(kind, (kind.replace(",", ", "), "us"))


def test_the_independent_values() -> None:
    given = shared("vectors.json")["vectors"]
    assert len(given) == 124
    for vector in given:
        kind, unit = ours(vector["type"])
        value = vector["value"] == "true" if kind == "boolean" else vector["value"]
        text = reference.canonical_text(kind, value, unit)
        assert (text, str(reference.hash_of(text))) == (vector["canonical"], vector["hash"]), (
            vector["id"]
        )


def test_the_independent_values_are_all_vectors_here() -> None:
    here = {(v["type"], v.get("unit", "us"), v["text"]) for v in VECTORS if v["kind"] == "value"}
    there = {(*ours(v["type"]), v["canonical"]) for v in shared("vectors.json")["vectors"]}
    assert there - here == set()


def test_the_independent_columns() -> None:
    given = shared("vectors.json")
    for column in given["float_columns"]:
        expect = {key: column[key] for key in ("nulls", "nan", "posinf", "neginf")}
        for end in ("min", "max", "sum"):
            number = column[end] and float.fromhex(column[end])
            expect[end] = column[end] if number in (math.inf, -math.inf) else number
        assert exact(reference.figures(column["type"], column["values"])) == exact(expect), column[
            "id"
        ]
    for column in given["hash_columns"]:
        values = [str(v) if type(v) is int else v for v in column["values"]]
        found = reference.figures(ours(column["type"])[0], values)
        assert found == {"nulls": column["nulls"], "hash": column["hash"]}, column["id"]


def test_the_example_of_the_interface() -> None:
    """The figures are those that the description shows, not computed here."""
    columns = [
        {"name": "id", "type": "int64", "values": ["1", "2", "3", "4"]},
        {"name": "price", "type": "decimal(18, 2)", "values": ["12.30", "0.50", None, "-0.01"]},
        {
            "name": "score",
            "type": "double",
            "values": [(1.0).hex(), "nan", (-2.5).hex(), (0.0).hex()],
        },
        {"name": "tags", "type": "list<string>", "values": [[], ["a"], ["b"], [None]]},
    ]
    found = reference.fingerprint(columns, 4)
    assert json.dumps(found).replace(" ", "") == (
        '{"spec":"ods-fingerprint/1","rows":4,"columns":['
        '{"name":"id","type":"int64","family":"integer","figures":{"nulls":0,"hash":"3612809648614498766"}},'
        '{"name":"price","type":"decimal(18,2)","family":"decimal","figures":{"nulls":1,"hash":"1769094790098313096"}},'
        '{"name":"score","type":"double","family":"float","figures":{"nulls":0,"nan":1,"posinf":0,"neginf":0,"min":-2.5,"max":1.0,"sum":-1.5}},'
        '{"name":"tags","type":"list<string>","family":"nested","figures":{"nulls":0}}]}'
    )
    reference.validate(found)


def test_the_example_of_the_text_is_valid() -> None:
    block = re.search(
        r"```json\n(\{\"spec\".*?)```", (SPEC / "v1.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert block
    reference.validate(json.loads(block[1]))
    schema_of("fingerprint").validate(json.loads(block[1]))


def schema_of(name: str) -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    referencing = pytest.importorskip("referencing")
    texts = [
        json.loads(path.read_text(encoding="utf-8")) for path in (SPEC / "schemas").glob("*.json")
    ]
    registry = referencing.Registry().with_resources(
        [(t["$id"], referencing.Resource.from_contents(t)) for t in texts]
    )
    for text in texts:
        jsonschema.Draft202012Validator.check_schema(text)
    return jsonschema.Draft202012Validator({"$ref": f"{name}.json"}, registry=registry)


@pytest.mark.parametrize("name", FILES)
def test_the_vectors_fit_their_schema(name: str) -> None:
    schema_of("vectors").validate(FILES[name])


# What needs arithmetic or another document's names: no JSON Schema can say it.
BEYOND_SCHEMAS = {"8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "8.9", "7.3"}


def refused_fingerprints() -> Iterator[dict[str, Any]]:
    return (v for v in VECTORS if v["kind"] == "refuse" and v["what"] == "fingerprint")


def test_the_schema_refuses_what_a_schema_can() -> None:
    validator = schema_of("fingerprint")
    passed = [
        v
        for v in refused_fingerprints()
        if validator.is_valid(v.get("fingerprint") or json.loads(v["text"]))
    ]
    assert {v["clause"] for v in passed} <= BEYOND_SCHEMAS
    assert len(list(refused_fingerprints())) - len(passed) >= 40


def comparisons() -> Iterator[tuple[str, dict[str, Any]]]:
    """Comparisons in the form of 7.8, made from the vectors of them."""
    for vector in VECTORS:
        if vector["kind"] == "compare" and "error" not in vector:
            notes = [{"column": n["column"], "note": n["contains"]} for n in vector["notes"]]
            kept = {key: vector[key] for key in ("verdict", "differences", "uncovered", "skipped")}
            yield vector["id"], {"spec": "ods-fingerprint/1", **kept, "notes": notes}


def test_the_schema_of_comparisons() -> None:
    validator = schema_of("comparison")
    for name, found in comparisons():
        assert validator.is_valid(found), name
        assert not validator.is_valid(found | {"verdict": "same"}), name
        assert not validator.is_valid({k: v for k, v in found.items() if k != "uncovered"}), name


def test_the_schema_of_schemas() -> None:
    validator = schema_of("schema")
    columns = [
        {key: value for key, value in column.items() if key != "figures"}
        for v in VECTORS if v["kind"] == "table" for column in v["fingerprint"]["columns"]
    ]  # fmt: skip
    assert len(columns) > 30
    validator.validate({"spec": "ods-fingerprint/1", "columns": columns})
    for wrong in (
        {"name": "x", "type": "int64"},
        {"name": "x", "type": "int64", "family": "other"},
        {"name": "x", "type": "decimal(39, 2)", "family": "decimal"},
        {"name": "x", "type": "int64", "family": "integer", "zone": "UTC"},
        {"name": "x", "type": "int64", "family": "integer", "figures": {"nulls": 0}},
    ):
        assert not validator.is_valid({"spec": "ods-fingerprint/1", "columns": [wrong]}), wrong


def test_comparing_is_symmetric_but_for_the_sides() -> None:
    """A against B and B against A have one verdict; a fingerprint never differs from itself."""
    for vector in VECTORS:
        if vector["kind"] == "compare" and "error" not in vector and "rename" not in vector:
            back = writer.answer(question(vector) | {"a": vector["b"], "b": vector["a"]})
            assert back["verdict"] == vector["verdict"], vector["id"]
            assert reference.compare(vector["a"], vector["a"])["verdict"] != "different", vector[
                "id"
            ]


def test_the_limits_in_the_text() -> None:
    text = (SPEC / "v1.md").read_text(encoding="utf-8")
    largest = 2**60 - 1
    for limit in (
        largest,
        (2**127 - 1) // largest,
        (10**38 - 1) // largest,
        (2**63 - 1) // (2**20 - 1),
    ):
        assert f"{limit:,}" in text
    assert (2**63 - 1) // largest == 8
