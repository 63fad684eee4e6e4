"""A schema: the columns of a table, each with its type of the spec (clause 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import _data, arrow_schema, delta_log, delta_types, type_words, typetext
from .errors import SchemaError
from .types import Nested, Other, String, Timestamp, Type, Unit, family, text

SPEC = "ods-fingerprint/1"
_NESTED = ("list<", "struct<", "map<", "union<")


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
        columns: list[Column] = []
        faults: list[str] = []
        for name, words_of_type in types.items():
            try:
                columns.append(_sql_column(name, words_of_type, words, noted))
            except SchemaError as fault:
                faults.append(f"column {name}: {words_of_type!r} is no type of {dialect}: {fault}")
        if faults:
            raise SchemaError("\n".join(faults))
        return cls(tuple(columns), origin)

    @classmethod
    def from_json(cls, source: str) -> Schema:
        """Read what `to_json` wrote."""
        try:
            found = json.loads(source)
        except ValueError as error:
            raise SchemaError(f"a schema is JSON; this is not: {error}") from None
        return schema_from(found)

    def to_json(self) -> str:
        """Return the schema as JSON, one column a line; the same text for the same schema."""
        lines = [json.dumps(column_to_json(column)) for column in self.columns]
        origin = f' "origin": {json.dumps(self.origin)},\n' if self.origin else ""
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
    columns = found.get("columns") if isinstance(found, dict) else None
    if not isinstance(columns, list):
        raise SchemaError('a schema as JSON has "columns": a list of {"name", "type", "family"}')
    origin = found.get("origin") if isinstance(found, dict) else None
    return Schema(tuple(column_from_json(item) for item in columns), _maybe_text(origin, "origin"))


def known_spec(found: object, what: str) -> None:
    """Refuse JSON of a version of the spec that is not known here (R26)."""
    spec = found.get("spec") if isinstance(found, dict) else None
    if spec is None:
        raise SchemaError(f'{what} as JSON is an object with "spec": "{SPEC}"; this is not')
    if spec != SPEC:
        raise SchemaError(f"{what} of version {spec!r} is not known here; known: {SPEC}")


def column_to_json(column: Column) -> dict[str, object]:
    """Return the JSON form of a column: name, type, family, and the keys that a note needs."""
    form: dict[str, object] = {
        "name": column.name,
        "type": text(column.type),
        "family": family(column.type),
    }
    match column.type:
        case Timestamp(_, unit, zone):
            form |= ({} if unit == "us" else {"unit": unit}) | ({"zone": zone} if zone else {})
        case String(length, collation, label):
            form |= {} if length is None else {"length": length}
            form |= {} if collation is None else {"collation": collation}
            form |= {"label": True} if label else {}
        case _:
            pass
    return form | ({"note": column.note} if column.note else {})


def column_from_json(item: object) -> Column:
    """Return the column that `column_to_json` wrote; further keys are left to the caller."""
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        raise SchemaError(
            f'a column is {{"name": text, "type": text, "family": text}}, not {item!r}'
        )
    name, words, stated = item["name"], item.get("type"), item.get("family")
    if not isinstance(words, str):
        raise SchemaError(f"column {name}: its type is a text, not {words!r}")
    try:
        kind = _type_from_json(words, stated, item)
    except SchemaError as fault:
        raise SchemaError(f"column {name}: {words!r} is no type of {SPEC}: {fault}") from None
    if stated != family(kind):
        raise SchemaError(f"column {name}: {words} is of family {family(kind)}, not {stated!r}")
    return Column(name, kind, _maybe_text(item.get("note"), f"the note of column {name}"))


def _type_from_json(words: str, stated: object, item: Mapping[str, object]) -> Type:
    if stated in ("nested", "other"):
        return _unhashed(words, nested=stated == "nested")
    kind = typetext.parse(words, typetext.SPEC_WORDS)
    if isinstance(kind, Timestamp):
        return Timestamp(kind.zoned, _unit(item.get("unit")), _maybe_text(item.get("zone"), "zone"))
    if isinstance(kind, String):
        length = item.get("length")
        if length is not None and type(length) is not int:
            raise SchemaError(f"length is a whole number, not {length!r}")
        collation = _maybe_text(item.get("collation"), "collation")
        return String(length, collation, item.get("label") is True)
    return kind


def _unhashed(words: str, *, nested: bool) -> Type:
    """Return a type that has no hash; refuse one that has, whose figures would go unseen (8.10)."""
    if words.startswith(_NESTED) != nested or not words:
        raise SchemaError(f"a nested type, and no other, begins with {' or '.join(_NESTED)}")
    plain = words.lower().startswith("decimal") or words.upper() in typetext.SPEC_WORDS
    if plain and not nested:
        raise SchemaError(f"{words.lower()} has a family of its own")
    return Nested(words) if nested else Other(words)


def _unit(found: object) -> Unit:
    match found:
        case "s" | "ms" | "us" | "ns":
            return found
        case None:
            return "us"
        case _:
            raise SchemaError(f"unit is s, ms, us or ns, not {found!r}")


def _maybe_text(found: object, what: str) -> str | None:
    if found is not None and not isinstance(found, str):
        raise SchemaError(f"{what} is a text, not {found!r}")
    return found


def _sql_column(
    name: str, words_of_type: str, words: Mapping[str, str], noted: Mapping[str, tuple[str, str]]
) -> Column:
    if not isinstance(words_of_type, str):
        raise SchemaError("a type is a text")
    head = words_of_type.strip().partition("(")[0].strip().upper()
    meaning, note = noted.get(head, (None, None))
    kind = typetext.parse(words_of_type, words if meaning is None else {**words, head: meaning})
    return Column(name, kind, note)
