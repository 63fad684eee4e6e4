"""The governance checks on real logs that no proof would write: each cause is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from deltalake.exceptions import SchemaMismatchError
from ods_proof.checks import Facts, Finding, data, governance
from ods_proof.contract import Column, Contract
from ods_proof.delta_table import STATS_COLUMNS, Commit, create, log
from ods_proof.engines import pyarrow

PROOF, MARK = "0123456789ab", "mk0123456789abcd"
MAIL = f"ann.{MARK}@mail.example"
OURS, PLATFORM = (Commit(name, PROOF, "first_wrote") for name in ("pyarrow", "platform"))
ADDRESS = pa.struct([pa.field("street", pa.string())])
STREET = Column("address.street", pa.string(), True, "Street", "confidential", ("pii",))
TAGGED = pa.struct([pa.field("street", pa.string(), metadata=STREET.carried())])
CONTRACT = Contract(
    (
        Column("email", pa.string(), True, "Mail", "confidential", ("pii",)),
        Column("address", TAGGED, True, "Where", "internal", (), (STREET,)),
    )
)


def _facts(table: Path, **more: object) -> Facts:
    """Return the facts of a proof whose first table is this, and whose second engine only reads."""
    about = pyarrow.about()
    return Facts(
        PROOF, 1, CONTRACT, MARK, {"first": about, "second": about}, {}, "it only reads",
        {"first": log(table)}, profiles={"first": []}, **more,
    )  # fmt: skip


def _rows(schema: pa.Schema) -> pa.Table:
    return pa.table({"email": [MAIL], "address": [{"street": "a"}]}, schema=schema)


def _append(table: Path, **more: object) -> None:
    write_deltalake(
        table, _rows(CONTRACT.arrow()), mode="append", commit_properties=OURS.properties(), **more
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a table as a proof makes it."""
    made = tmp_path / "table"
    create(made, CONTRACT.arrow(), CONTRACT.confidential(), PLATFORM)
    _append(made)
    return made


def _wrong(check: Callable[[Facts], Finding | None], facts: Facts) -> list[str]:
    found = check(facts)
    assert found is not None
    assert found.passed == (not found.evidence["wrong"])
    return list(found.evidence["wrong"].get("first", []))


def _passed(found: Finding | None) -> bool:
    return found is not None and found.passed


CHECKS = (
    governance.declared_schema,
    governance.tags_carried,
    governance.sensitivity_floor,
    governance.profile_no_leak,
    governance.one_writer,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nothing_is_wrong_with_it(check: object, table: Path) -> None:
    assert _wrong(check, _facts(table)) == []


def test_gv_01_an_overwritten_schema_loses_its_tags(table: Path) -> None:
    bare = pa.schema([("email", pa.string()), ("address", ADDRESS)])
    write_deltalake(table, _rows(bare), mode="overwrite", schema_mode="overwrite")
    assert "email lacks ods.classification" in _wrong(governance.tags_carried, _facts(table))
    floor = _wrong(governance.sensitivity_floor, _facts(table))
    assert "email at version 3 has no level, the weakest: confidential is declared" in floor


@pytest.mark.parametrize("mode", [None, "merge"])
def test_gv_03_a_weaker_tag_never_wins(mode: str | None, table: Path) -> None:
    weaker = {b"ods.classification": b"public"}
    field = CONTRACT.arrow().field("email")
    schema = CONTRACT.arrow().set(0, field.with_metadata({**field.metadata, **weaker}))
    with pytest.raises(SchemaMismatchError, match="different values for key"):
        write_deltalake(table, _rows(schema), mode="append", schema_mode=mode)
    assert _wrong(governance.sensitivity_floor, _facts(table)) == []
    assert _wrong(governance.tags_carried, _facts(table)) == []


def test_gv_05_a_nested_tag_is_no_matter_of_the_schema(tmp_path: Path) -> None:
    fields = list(CONTRACT.arrow())
    fields[1] = pa.field("address", ADDRESS, metadata=fields[1].metadata)
    create(tmp_path / "table", pa.schema(fields), (), PLATFORM)
    facts = _facts(tmp_path / "table")
    assert _passed(data.schema_match(facts))
    assert _wrong(governance.declared_schema, facts) == []
    lost = _wrong(governance.tags_carried, facts)
    assert "address.street lacks ods.classification" in lost
    assert all(text.startswith("address.street ") for text in lost)


def test_gv_07_statistics_quote_a_mail(tmp_path: Path) -> None:
    schema = CONTRACT.arrow()
    for name, columns in (("told", ()), ("silent", CONTRACT.confidential())):
        create(tmp_path / name, schema, columns, PLATFORM)
        _append(tmp_path / name)
    assert _wrong(governance.profile_no_leak, _facts(tmp_path / "told")) == [
        "the log's statistics quote email"
    ]
    assert MAIL in (tmp_path / "told/_delta_log/00000000000000000002.json").read_text()
    assert _wrong(governance.profile_no_leak, _facts(tmp_path / "silent")) == []


def _edit(table: Path, version: int, kind: str, **changes: object) -> None:
    """Change an action of a commit, as a writer might have left it."""
    commit = table / "_delta_log" / f"{version:020}.json"
    actions = [json.loads(line) for line in commit.read_text().splitlines()]
    for action in actions:
        if kind in action:
            action[kind] |= changes
    commit.write_text("".join(json.dumps(action) + "\n" for action in actions))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("commitInfo", {"operationParameters": {"predicate": f"email = '{MAIL}'"}}),
        ("add", {"partitionValues": {"email": MAIL}}),
        ("add", {"path": f"email={MAIL.upper()}/part.parquet"}),
    ],
    ids=["predicate", "partition", "path"],
)
def test_a_log_quotes_a_mail_beside_its_statistics(
    kind: str, change: dict[str, object], table: Path
) -> None:
    _edit(table, 2, kind, **change)
    assert _wrong(governance.profile_no_leak, _facts(table)) == [
        "version 2 of the log quotes a confidential value"
    ]


@pytest.mark.parametrize(
    "signature", ["made by hand", "[1]", 7, '{"ods.engine": "pyarrow"}', None], ids=str
)
def test_a_signature_that_is_none(signature: object, table: Path) -> None:
    _edit(table, 2, "commitInfo", userMetadata=signature)
    (said,) = _wrong(governance.one_writer, _facts(table))
    assert said.endswith("is not signed by pyarrow in this proof")


@pytest.mark.parametrize("author", ["not delta-rs:py-1", "DuckDB", "", None])
def test_an_author_who_was_not_expected(author: object, table: Path) -> None:
    _edit(table, 2, "commitInfo", engineInfo=author)
    assert _wrong(governance.one_writer, _facts(table)) == [
        f"version 2 (WRITE by {author}) is not by pyarrow"
    ]


def test_the_platform_adds_no_data(table: Path) -> None:
    _edit(table, 2, "commitInfo", operation="CREATE TABLE", **PLATFORM.tags())
    (said,) = _wrong(governance.one_writer, _facts(table))
    assert said.endswith("is not the platform's own")


@pytest.mark.parametrize("version", [0, 1])
def test_a_version_that_is_gone(version: int, table: Path) -> None:
    (table / "_delta_log" / f"{version:020}.json").unlink()
    said = f"version {version} is not in the log"
    assert said in _wrong(governance.one_writer, _facts(table))
    assert said in _wrong(governance.sensitivity_floor, _facts(table))


@pytest.mark.parametrize("tags", ["no JSON", 5, ["other"], '{"pii": 1}', "5"], ids=str)
def test_tags_of_another_form_carry_nothing(tags: object, table: Path) -> None:
    commit = table / "_delta_log" / f"{0:020}.json"
    text = json.loads(next(x for x in commit.read_text().splitlines() if "metaData" in x))
    schema = json.loads(text["metaData"]["schemaString"])
    schema["fields"][0]["metadata"]["ods.tags"] = tags
    _edit(table, 0, "metaData", schemaString=json.dumps(schema))
    assert _wrong(governance.tags_carried, _facts(table)) == ["email has another ods.tags"]
    assert _wrong(governance.sensitivity_floor, _facts(table)) == [
        "email at version 0 has lost tags of pii"
    ]


def test_a_list_of_tags_is_one_in_any_form(table: Path) -> None:
    assert governance._tag_set(["pii"]) == governance._tag_set('["pii"]') == frozenset({"pii"})


@pytest.mark.parametrize("named", ["readerFeatures", "writerFeatures"])
def test_features_stand_in_order_however_they_were_written(named: str, table: Path) -> None:
    """A writer keeps them as a set: two tables alike may have them in any order."""
    features = ["appendOnly", "invariants", "timestampNtz"]
    found = []
    for order in permutations(features):
        _edit(table, 1, "protocol", **{named: list(order)})
        found.append(json.dumps(log(table).protocol))
    assert json.loads(found[0])[named] == features
    assert len(set(found)) == 1


def test_what_a_reader_must_know(tmp_path: Path) -> None:
    mapped, split = tmp_path / "mapped", tmp_path / "split"
    rows = pa.table({"id": [1], "part": ["a"]})
    by_name = {"delta.columnMapping.mode": "name"}
    write_deltalake(mapped, rows, configuration=by_name)
    write_deltalake(split, rows, configuration=by_name, partition_by=["part"])
    assert governance.features(log(mapped)) == {"columnMapping"}
    assert governance.features(log(split)) == {"columnMapping", "columnMapping of partitions"}
    assert DeltaTable(split).protocol().min_reader_version == 2
    assert STATS_COLUMNS not in log(split).metadata["configuration"]
