"""A schema: the columns of a table, each with its type of the spec (clause 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import _data, arrow_schema, delta_log, delta_types, json_text, type_words, typetext
from .errors import SchemaError, brief
from .json_value import is_list, is_object
from .types import String, Timestamp, Type, Unit, family, from_text, text

SPEC = "ods-fingerprint/1"

_UNITS: Mapping[str, Unit] = {"s": "s", "ms": "ms", "us": "us", "ns": "ns"}
_KEYS = ("unit", "zone", "collation", "length", "label")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name exactly as given, its type, and what a reader must know about it."""

    name: str
    type: Type
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """Columns in the table's order. `origin` is the dialect whose own catalogue named them."""

    columns: tuple[Column, ...]
    origin: str | None = None

    def __post_init__(self) -> None:
        refuse_doubles(column.name for column in self.columns)

    @classmethod
    def from_arrow(cls, schema: object) -> Schema:
        """Read anything with `__arrow_c_schema__`: a pyarrow, arro3, nanoarrow or Polars schema."""
        return cls(tuple(Column(name, kind) for name, kind in arrow_schema.fields(schema)))

    @classmethod
    def from_delta(cls, path: str | Path, version: int | None = None) -> Schema:
        """Read the log of the Delta table at `path`; no engine is needed."""
        log = delta_log.schema_of(path, version)
        return cls(tuple(Column(name, kind) for name, kind in delta_types.fields(log)))

    @classmethod
    def from_sql(
        cls, types: Mapping[str, str], dialect: str, *, origin: str | None = None
    ) -> Schema:
        """Read type texts in the words of `dialect` (a name, or the path of a dialect file)."""
        words, noted = type_words.read(dialect, _data.dialect_table(dialect).get("types"))
        words |= {word: meaning for word, (meaning, _) in noted.items()}
        columns: list[Column] = []
        faults: list[str] = []
        for name, words_of_type in types.items():
            try:
                columns.append(_sql_column(name, words_of_type, words, noted))
            except SchemaError as fault:
                given = brief(words_of_type)
                faults.append(f"column {name}: {given} is no type of {dialect}: {fault}")
        if faults:
            raise SchemaError("\n".join(faults))
        return cls(tuple(columns), origin)

    @classmethod
    def from_json(cls, source: str) -> Schema:
        """Read what `to_json` wrote."""
        try:
            found = json_text.parse(source)
        except ValueError as error:
            raise SchemaError(f"a schema is JSON; this is not: {error}") from None
        return schema_from(found)

    def to_json(self) -> str:
        """Return the schema as JSON, one column a line; the same text for the same schema."""
        lines = [json.dumps(column_to_json(column)) for column in self.columns]
        origin = f' "dialect": {json.dumps(self.origin)},\n' if self.origin is not None else ""
        body = ",\n  ".join(lines)
        return f'{{"spec": "{SPEC}",\n{origin} "columns": [\n  {body}]}}\n'

    def chosen(self, columns: Iterable[str] | None, skip: Iterable[str] = ()) -> Schema:
        """Return the schema of `columns` (all where None) without `skip`, in the table's order."""
        left_out = self._known(skip)
        wanted = (
            self._known(columns) if columns is not None else {c.name.lower() for c in self.columns}
        )
        kept = tuple(c for c in self.columns if c.name.lower() in wanted - left_out)
        if self.columns and not kept:
            raise SchemaError("no column is left: leave fewer out")
        return Schema(kept, self.origin)

    def _known(self, names: Iterable[str]) -> set[str]:
        wanted = list(names)
        known = {column.name.lower() for column in self.columns}
        unknown = [name for name in wanted if name.lower() not in known]
        if unknown:
            there = ", ".join(column.name for column in self.columns)
            raise SchemaError(f"no column {', '.join(unknown)}; there are: {there}")
        return {name.lower() for name in wanted}


def refuse_doubles(names: Iterable[str]) -> None:
    """Refuse column names that are equal but for case (R22)."""
    seen: dict[str, str] = {}
    clashes: list[str] = []
    for name in names:
        if name.lower() in seen:
            clashes.append(f"{seen[name.lower()]} and {name}")
        seen[name.lower()] = name
    if clashes:
        raise SchemaError(
            f"columns that differ at most by case: {', '.join(clashes)}; "
            "engines cannot tell them apart: rename one of each"
        )


def schema_from(found: object) -> Schema:
    """Return the schema that parsed JSON holds; refuse anything else by name."""
    known_spec(found, "a schema")
    columns = found.get("columns") if is_object(found) else None
    if not is_list(columns):
        raise SchemaError('a schema as JSON has "columns": a list of {"name", "type", "family"}')
    origin = found.get("dialect") if is_object(found) else None
    return Schema(tuple(column_from_json(item) for item in columns), _maybe_text(origin, "dialect"))


def known_spec(found: object, what: str) -> None:
    """Refuse JSON of a version of the spec that is not known here (R26)."""
    spec = found.get("spec") if is_object(found) else None
    if spec is None:
        raise SchemaError(f'{what} as JSON is an object with "spec": "{SPEC}"; this is not')
    if spec != SPEC:
        raise SchemaError(f"{what} of version {brief(spec)} is not known here; known: {SPEC}")


def column_to_json(column: Column) -> dict[str, object]:
    """Return the JSON form of a column: name, type, family, and the keys that a note needs."""
    form: dict[str, object] = {
        "name": column.name,
        "type": text(column.type),
        "family": family(column.type),
    }
    match column.type:
        case Timestamp(_, unit, zone):
            form |= {} if unit == "us" else {"unit": unit}
            form |= {} if zone is None else {"zone": zone}
        case String(length, collation, label):
            form |= {} if length is None else {"length": length}
            form |= {} if collation is None else {"collation": collation}
            form |= {"label": True} if label else {}
        case _:
            pass
    return form | ({} if column.note is None else {"note": column.note})


def column_from_json(item: object) -> Column:
    """Return the column that `column_to_json` wrote; further keys are left to the caller."""
    name = item.get("name") if is_object(item) else None
    if not is_object(item) or not isinstance(name, str):
        raise SchemaError(
            f'a column is {{"name": text, "type": text, "family": text}}, not {brief(item)}'
        )
    words, stated = item.get("type"), item.get("family")
    if not isinstance(words, str):
        raise SchemaError(f"column {name}: its type is a text, not {brief(words)}")
    try:
        kind = _with_keys(from_text(words), item)
    except SchemaError as fault:
        raise SchemaError(f"column {name}: {brief(words)} is no type of {SPEC}: {fault}") from None
    if stated != family(kind):
        raise SchemaError(
            f"column {name}: {brief(words)} is of family {family(kind)}, not {brief(stated)}"
        )
    return Column(name, kind, _maybe_text(item.get("note"), f"the note of column {name}"))


def _with_keys(kind: Type, item: Mapping[str, object]) -> Type:
    """Return a type with what the keys beside it say; refuse a key that it cannot have (2.9)."""
    own: tuple[str, ...] = ()
    match kind:
        case Timestamp(zoned):
            own = ("unit", "zone") if zoned else ("unit",)
            kind = Timestamp(zoned, _unit(item.get("unit")), _maybe_text(item.get("zone"), "zone"))
        case String():
            own = ("length", "collation", "label")
            collation = _maybe_text(item.get("collation"), "collation")
            kind = String(_length(item.get("length")), collation, _label(item.get("label")))
        case _:
            pass
    strays = [key for key in _KEYS if key not in own and item.get(key) is not None]
    if strays:
        raise SchemaError(f"it has no {', '.join(strays)}")
    return kind


def _length(found: object) -> int | None:
    if found is None or (isinstance(found, int) and not isinstance(found, bool) and found > 0):
        return found
    raise SchemaError(f"length is a whole number above 0, not {brief(found)}")


def _label(found: object) -> bool:
    if found is None or found is True:
        return found is True
    raise SchemaError(f"label is true or absent, not {brief(found)}")


def _unit(found: object) -> Unit:
    if found is None:
        return "us"
    unit = _UNITS.get(found) if isinstance(found, str) else None
    if unit is None:
        raise SchemaError(f"unit is {', '.join(_UNITS)}, not {brief(found)}")
    return unit


def _maybe_text(found: object, what: str) -> str | None:
    if found is not None and not isinstance(found, str):
        raise SchemaError(f"{what} is a text, not {brief(found)}")
    return found


def _sql_column(
    name: str, words_of_type: object, words: Mapping[str, str], noted: Mapping[str, tuple[str, str]]
) -> Column:
    if not isinstance(words_of_type, str):
        raise SchemaError("a type is a text")
    kind = typetext.parse(words_of_type, words)
    _, note = noted.get(typetext.phrase(words_of_type), ("", None))
    return Column(name, kind, note)
