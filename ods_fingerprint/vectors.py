"""The vectors of the spec that an engine can answer: values, columns and tables (clause 14)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from . import _data, figure_value
from .figures import FigureName, names
from .json_value import is_list, is_object
from .schema import Column, column_from_json
from .types import family, from_text


@dataclass(frozen=True, slots=True)
class Told:
    """A column of a vector: its values, one per row, as the vectors write them, and its figures."""

    column: Column
    values: Sequence[object]
    figures: Mapping[FigureName, int | float | None]


@dataclass(frozen=True, slots=True)
class Vector:
    """A table of `rows` rows with the answer that the spec gives, and the bug that it `hunts`."""

    id: str
    clause: str
    hunts: str
    rows: int
    table: bool
    columns: tuple[Told, ...]


@lru_cache(maxsize=1)
def engine_vectors() -> tuple[Vector, ...]:
    """Return every vector that asks for the figures of values; the others ask no engine."""
    folder = _data.folder("spec").joinpath("vectors").joinpath("v1")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    found: list[Vector] = []
    for file in files:
        topic = json.loads(file.read_text(encoding="utf-8"))
        found += [made for form in topic["vectors"] if (made := _vector(form)) is not None]
    return tuple(found)


def _vector(form: dict[str, object]) -> Vector | None:
    match form["kind"]:
        case "value":
            figures = {"nulls": 0, "hash": form["hash"]}
            return _made(form, 1, [_told(form, [form["value"]], figures)])
        case "column":
            told = _told(form, _list(form["values"]), _object(form["figures"]))
            return _made(form, len(told.values), [told])
        case "table":
            answers = _list(_object(form["fingerprint"])["columns"])
            pairs = zip(map(_object, _list(form["columns"])), map(_object, answers))
            return _made(
                form,
                int(str(form["rows"])),
                [
                    _told(column, _list(column["values"]), _object(answer["figures"]))
                    for column, answer in pairs
                ],
            )
        case _:
            return None


def _made(form: Mapping[str, object], rows: int, columns: Sequence[Told]) -> Vector:
    called, clause, hunts = (str(form[key]) for key in ("id", "clause", "hunts"))
    return Vector(called, clause, hunts, rows, form["kind"] == "table", tuple(columns))


def _told(
    form: Mapping[str, object], values: Sequence[object], figures: Mapping[str, object]
) -> Told:
    name = form["name"] if "name" in form else form["id"]
    item = {**form, "name": name, "family": family(from_text(str(form["type"])))}
    column = column_from_json(item)
    return Told(
        column,
        tuple(values),
        {
            figure: figure_value.from_json(figure, figures[figure], str(name))
            for figure in names(column.type)
        },
    )


def _list(value: object) -> list[object]:
    if not is_list(value):
        raise TypeError(f"the vectors hold a list here, not {value!r}")
    return value


def _object(value: object) -> dict[str, object]:
    if not is_object(value):
        raise TypeError(f"the vectors hold an object here, not {value!r}")
    return value
