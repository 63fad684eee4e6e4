"""The declared schema: an Open Data Contract Standard v3.1 contract, as columns and as Arrow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import yaml

from .errors import ContractError

DEFAULT = Path(__file__).with_name("contract.yaml")
LEVELS = ("public", "internal", "confidential", "restricted")
UNDECLARED = "internal"
CLASSIFICATION, TAGS, COMMENT = "ods.classification", "ods.tags", "comment"
QUASI = "quasi_identifier"
# of libyaml where the wheel has it: ten times as fast
_SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Node: TypeAlias = Mapping[str, object]
_DECIMAL = re.compile(r"decimal\((\d+), ?(\d+)\)")
_MAP = re.compile(r"map<(\w+), ?(\w+)>")
_PLAIN = {
    "byte": pa.int8(),
    "short": pa.int16(),
    "integer": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A declared column, or a field inside one; `path` is its dotted name."""

    path: str
    type: pa.DataType
    nullable: bool
    description: str
    classification: str
    tags: tuple[str, ...]
    children: tuple[Column, ...] = ()
    optional: bool = False

    @property
    def name(self) -> str:
        """Return the last part of the path."""
        return self.path.rpartition(".")[2]

    def tree(self) -> Iterator[Column]:
        """Yield the column and every field inside it."""
        yield self
        for child in self.children:
            yield from child.tree()

    def carried(self) -> dict[str, str]:
        """Return what a Delta schema must say of it: its tags and description."""
        return {
            COMMENT: self.description,
            CLASSIFICATION: self.classification,
            TAGS: json.dumps(sorted(self.tags)),
        }


@dataclass(frozen=True, slots=True)
class Contract:
    """The declared columns, and the levels of sensitivity, weakest first."""

    columns: tuple[Column, ...]
    levels: tuple[str, ...] = LEVELS

    def without_maps(self) -> Contract:
        """Return the contract without its optional columns."""
        return replace(self, columns=tuple(c for c in self.columns if not c.optional))

    def fields(self) -> Iterator[Column]:
        """Yield every declared column and nested field."""
        for column in self.columns:
            yield from column.tree()

    def is_confidential(self, column: Column) -> bool:
        """Return whether a column, or a field inside it, is confidential or above."""
        floor = self.levels.index("confidential")
        return any(self.levels.index(part.classification) >= floor for part in column.tree())

    def confidential(self) -> tuple[str, ...]:
        """Return the names of the columns of which no value may be shown."""
        return tuple(c.name for c in self.columns if self.is_confidential(c))

    def quasi(self) -> tuple[str, ...]:
        """Return the names of the quasi-identifiers that are not confidential."""
        return tuple(
            c.name
            for c in self.columns
            if not self.is_confidential(c) and any(QUASI in part.tags for part in c.tree())
        )

    def arrow(self) -> pa.Schema:
        """Return the declared schema with tags and descriptions as field metadata."""
        return pa.schema([_field(column) for column in self.columns])


def load(path: Path = DEFAULT) -> Contract:
    """Read a contract of one table; raise ContractError."""
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), _SAFE)
        tables = _list(found, "schema")
        levels = _levels(found)
        columns = tuple(_column(node, "", levels) for node in _list(tables[0], "properties"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, KeyError, IndexError, TypeError) as error:
        raise ContractError(f"{path} is no contract: {type(error).__name__} {error}") from error
    if not columns:
        raise ContractError(f"{path} declares no column")
    return Contract(columns, levels)


def _levels(found: _Node) -> tuple[str, ...]:
    for node in _list(found, "customProperties", ()):
        if node["property"] == "classificationLevels":
            levels = tuple(str(level) for level in _texts(node, "value"))
            if len(set(levels)) < len(levels):
                raise ContractError(f"a level is there twice in {', '.join(levels)}")
            return levels
    return LEVELS


def _column(node: _Node, parent: str, levels: Sequence[str]) -> Column:
    name = str(node["name"])
    path = f"{parent}.{name}" if parent else name
    classification = str(node.get("classification", UNDECLARED))
    if classification not in levels:
        raise ContractError(
            f"{path} is {classification!r}, which is no level; there are: {', '.join(levels)}"
        )
    children = _children(node, path, levels)
    optional = any(n["property"] == "optional" for n in _list(node, "customProperties", ()))
    return Column(
        path,
        _type(str(node["physicalType"]), path, children),
        not node.get("required", False),
        str(node.get("description", "")),
        classification,
        tuple(str(tag) for tag in _texts(node, "tags", ())),
        children,
        optional,
    )


def _children(node: _Node, path: str, levels: Sequence[str]) -> tuple[Column, ...]:
    if "items" in node:
        item = node["items"]
        if not isinstance(item, Mapping):
            raise ContractError(f"{path}: items is no object")
        return (_column({"name": "element", **item}, path, levels),)
    return tuple(_column(child, path, levels) for child in _list(node, "properties", ()))


def _type(text: str, path: str, children: Sequence[Column]) -> pa.DataType:
    if text in _PLAIN:
        return _PLAIN[text]
    if text == "array" and len(children) == 1:
        return pa.list_(_field(children[0]))
    if text == "struct" and children:
        return pa.struct([_field(child) for child in children])
    if found := _DECIMAL.fullmatch(text):
        return pa.decimal128(int(found[1]), int(found[2]))
    if found := _MAP.fullmatch(text):
        return pa.map_(_PLAIN[found[1]], _PLAIN[found[2]])
    raise ContractError(f"{path}: {text!r} is no Delta type of a contract")


def _field(column: Column) -> pa.Field:
    # a list's element has no field metadata of its own in a Delta schema
    metadata = None if column.name == "element" else column.carried()
    return pa.field(column.name, column.type, column.nullable, metadata)


def _list(node: _Node, key: str, default: Sequence[_Node] | None = None) -> Sequence[_Node]:
    found = node[key] if default is None else node.get(key, default)
    if not isinstance(found, (list, tuple)) or not all(isinstance(n, Mapping) for n in found):
        raise ContractError(f"{key} is no list of objects")
    return found


def _texts(node: _Node, key: str, default: Sequence[str] = ()) -> Sequence[object]:
    found = node.get(key, default)
    if not isinstance(found, (list, tuple)):
        raise ContractError(f"{key} is no list")
    return found
