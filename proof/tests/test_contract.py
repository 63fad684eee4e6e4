"""The declared schema: what the standard allows, and what cannot be read."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pyarrow as pa
import pytest
import yaml
from ods_proof import contract
from ods_proof.errors import ContractError

TYPES = {
    "id": pa.int64(),
    "email": pa.string(),
    "i8": pa.int8(),
    "price": pa.decimal128(18, 2),
    "ratio": pa.decimal128(38, 18),
    "moment": pa.timestamp("us", "UTC"),
    "clock": pa.timestamp("us"),
    "address": pa.struct([("street", pa.string()), ("zip", pa.string())]),
    "attributes": pa.map_(pa.string(), pa.int64()),
}


def test_it_is_a_contract_of_the_standard() -> None:
    schema = json.loads(files("open_data_contract_standard").joinpath("schema.json").read_text())
    found = yaml.safe_load(contract.DEFAULT.read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in validator.iter_errors(found)] == []
    found["schema"][0]["properties"][0]["no such key"] = 1
    assert list(validator.iter_errors(found))


def test_the_columns_are_what_it_says() -> None:
    found = contract.load()
    columns = {column.name: column for column in found.columns}
    assert {name: columns[name].type for name in TYPES} == TYPES
    assert [name for name, column in columns.items() if not column.nullable] == ["id", "origin"]
    assert found.confidential() == ("email", "address")
    assert found.quasi() == ("city",)
    assert "attributes" not in {column.name for column in found.without_maps().columns}
    assert len({column.path for column in found.fields()}) == len(list(found.fields()))
    assert all(column.description for column in found.columns)


def test_tags_are_field_metadata_nested_ones_too() -> None:
    schema = contract.load().arrow()
    assert schema.field("email").metadata == {
        b"comment": b"E-mail address of the customer",
        b"ods.classification": b"confidential",
        b"ods.tags": b'["direct_identifier", "pii"]',
    }
    street = schema.field("address").type.field("street")
    assert street.metadata[b"ods.classification"] == b"confidential"
    value = schema.field("readings").type.value_type.field("value")
    assert value.metadata[b"comment"] == b"What was read, NaN too"


def _with(tmp_path: Path, column: str) -> Path:
    path = tmp_path / "contract.yaml"
    path.write_text(f"schema:\n  - name: t\n    properties:\n      - {column}\n", encoding="utf-8")
    return path


def test_an_undeclared_level_is_internal(tmp_path: Path) -> None:
    found = contract.load(_with(tmp_path, "{name: a, physicalType: long}"))
    assert found.columns[0].classification == "internal"


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (
            "{name: a, physicalType: long, classification: secret}",
            "a is 'secret', which is no level",
        ),
        ("{name: a, physicalType: int8}", "a: 'int8' is no Delta type"),
        ("{name: a}", "physicalType"),
        ("{name: a, physicalType: array}", "a: 'array' is no Delta type"),
        ("{name: a, physicalType: long, tags: pii}", "tags is no list"),
        ("[]", "properties is no list of objects"),
        ("{", "is no contract"),
    ],
)
def test_a_contract_that_cannot_be_read(column: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=reason):
        contract.load(_with(tmp_path, column))


def test_levels_are_there_once(tmp_path: Path) -> None:
    path = _with(tmp_path, "{name: a, physicalType: long, classification: low}")
    levels = "customProperties:\n  - {property: classificationLevels, value: [low, high, low]}\n"
    path.write_text(path.read_text() + levels, encoding="utf-8")
    with pytest.raises(ContractError, match="a level is there twice"):
        contract.load(path)
