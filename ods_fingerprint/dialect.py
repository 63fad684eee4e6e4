"""A dialect: one engine's SQL, read from its data file and checked when it is loaded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from . import _data, literals
from .dialect_file import DialectFile, check
from .errors import first_line
from .literals import Literals
from .types import Boolean, Date, Decimal, Float, Integer, Nested, Other, String, Timestamp, Type

if TYPE_CHECKING:
    from sqlglot import exp

Fold: TypeAlias = Literal["exact", "upper", "lower"]

# a cast to text stays free of an exponent up to this scale in every engine met
_PLAIN_SCALE = 6
_HOLE = "{{{}}}"
# placeholders in whose place a column can stand
_COLUMNS = ("x", "text", "h", "figures", "cells", "list")
# stands behind a template when it is checked: a comment in it would swallow this
_END = "end of template"
_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


@dataclass(frozen=True, slots=True)
class Unpivot:
    """How more than `past` columns become rows of one aggregation, `columns` in each SELECT."""

    past: int
    columns: int
    cells: str
    text: str
    float: str
    there: str
    list: str
    item: str


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """One engine's templates and limits; `text` to `catalog`, and `literals`, are SQL."""

    name: str
    title: str
    sqlglot: str
    quote: str
    fold: Fold
    longest: int | None
    text: Mapping[str, str]
    row: Mapping[str, str]
    figure: Mapping[str, str]
    table: Mapping[str, str]
    catalog: Mapping[str, str]
    most_bytes: int | None
    most_columns: int | None
    most_figures: int | None
    unpivot: Unpivot | None
    literals: Literals
    evidence: tuple[str, ...]
    version_sql: str | None

    def quoted(self, name: str) -> str:
        """Return a name as one quoted identifier."""
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def folded(self, name: str) -> str:
        """Return a hand-typed name as the engine stores it unquoted, if it is a plain word."""
        if self.fold == "exact" or not _PLAIN_WORD.fullmatch(name):
            return name
        return name.upper() if self.fold == "upper" else name.lower()


def load(name: str) -> Dialect:
    """Return the dialect of that name, or of the file at that path (*.toml), checked."""
    return _load(name, _data.dialect_text(name))


@lru_cache(maxsize=64)
def _load(name: str, text: str) -> Dialect:
    """Read a file once for each text that it has had."""
    file = DialectFile(name, _data.parsed(name, text))
    check(file)
    found = Dialect(
        name=name,
        title=file.title("title"),
        sqlglot=file.title("sqlglot"),
        quote=_quote(file),
        fold=_fold(file),
        longest=file.number("names", "longest"),
        text=file.templates("text"),
        row=file.templates("row"),
        figure=file.templates("figure"),
        table=file.templates("table"),
        catalog=file.templates("catalog"),
        most_bytes=file.number("limits", "bytes"),
        most_columns=file.number("limits", "columns"),
        most_figures=file.number("limits", "figures"),
        unpivot=_unpivot(file),
        literals=literals.read(file),
        # what one engine passed says nothing of another that shares its file
        evidence=() if name in _data.ALIASES else file.texts("evidence", "versions"),
        version_sql=file.optional("evidence", "version_sql", frozenset()),
    )
    _check_sql(file, found)
    return found


def _quote(file: DialectFile) -> str:
    found = file.text("names", "quote")
    if found not in ('"', "`"):
        raise file.fault("names.quote", f"is a double quote or a backtick, not {found!r}")
    return found


def _fold(file: DialectFile) -> Fold:
    match file.text("names", "fold"):
        case "exact":
            return "exact"
        case "upper":
            return "upper"
        case "lower":
            return "lower"
        case found:
            raise file.fault("names.fold", f"is exact, upper or lower, not {found!r}")


def _unpivot(file: DialectFile) -> Unpivot | None:
    past, columns = (file.number("unpivot", key) for key in ("past", "columns"))
    if past is None or columns is None:
        return None
    return Unpivot(past, columns, **file.templates("unpivot"))


def _check_sql(file: DialectFile, found: Dialect) -> None:
    """Refuse a template that sqlglot does not read as what it must be, whatever is spliced in.

    sqlglot only reads. What it would print is never used, because it rewrites: UNIX_DATE in every
    version, EPOCH_MICROSECOND to whole seconds in 26.33.
    """
    import sqlglot

    if sqlglot.Dialect.get(found.sqlglot) is None:
        raise file.fault("sqlglot", f"is no dialect of sqlglot: {found.sqlglot!r}")
    if _expression_fault("{x}", found):
        raise file.fault("names.quote", f"quotes no name in sqlglot's {found.sqlglot}")
    expressions: Mapping[str, Mapping[str, str]] = {
        "text": found.text,
        "row": found.row,
        "figure": found.figure,
        "literals": found.literals.templates,
        "unpivot": file.templates("unpivot"),
        "evidence": {"version_sql": found.version_sql} if found.version_sql else {},
    }
    for part, templates in expressions.items():
        for key, template in templates.items():
            fault_of = _cells_fault if key == "cells" else _expression_fault
            if fault := fault_of(template, found):
                raise file.fault(f"{part}.{key}", f"{fault}: {template}")
    for key, template in found.table.items():
        if fault := _table_fault(template, found):
            raise file.fault(f"table.{key}", f"{fault}: {template}")
    for key, template in found.catalog.items():
        if fault := _query_fault(template, found):
            raise file.fault(f"catalog.{key}", f"{fault}: {template}")


def _expression_fault(template: str, found: Dialect) -> str | None:
    """Say why a template is not one expression over its placeholders and nothing else."""
    from sqlglot import exp

    names = {name: found.quoted(_HOLE.format(name)) for name in _COLUMNS}
    given = {
        "precision": "18",
        "scale": "9",
        "zeros": "0" * 9,
        "length": "5",
        "value": "'1'",
        "at": "0",
    }
    select = _read("SELECT ({}) AS {}", _filled(template, names | given), found)
    if not isinstance(select, exp.Select):
        return f"is not one SQL expression{select}"
    if len(list(select.find_all(exp.Query, exp.From))) > 1:
        return "may not read a table"
    made = [alias for alias in select.find_all(exp.Alias) if alias.alias == _END]
    if len(select.expressions) != 1 or not made or not isinstance(made[0].this, exp.Paren):
        return "is not one SQL expression"
    if len(list(select.find_all(exp.Alias))) > 1:
        return "is not one SQL expression: it names itself"
    columns = [column.name for column in select.find_all(exp.Column) if len(column.parts) == 1]
    if any(columns.count(_HOLE.format(n)) != template.count(_HOLE.format(n)) for n in names):
        return "holds a placeholder where no column can stand"
    return None


def _cells_fault(template: str, found: Dialect) -> str | None:
    """Say why a template is not what stands between SELECT and FROM, and makes rows of cells."""
    from sqlglot import exp

    filled = _filled(template, {"cells": found.quoted(_HOLE.format("cells"))})
    select = _read("SELECT {} FROM {}", filled, found)
    if not isinstance(select, exp.Select):
        return f"is not one item of a SELECT{select}"
    whole = [table.name for table in select.find_all(exp.Table)] == [_END]
    if len(select.expressions) != 1 or not whole or len(list(select.find_all(exp.Query))) > 1:
        return "is not one item of a SELECT"
    given = [column.name for column in select.find_all(exp.Column)]
    if given.count(_HOLE.format("cells")) != 1:
        return "holds a placeholder where no column can stand"
    return None


def _table_fault(template: str, found: Dialect) -> str | None:
    """Say why a template is not one table, read in full at the moment or version that it names."""
    from sqlglot import exp

    values = {"version": "7", "timestamp": "'2026-11-30 12:00:00'"}
    filled = _filled(template, values | {"table": found.quoted(_END)})
    select = _read("SELECT 1 FROM {} AS {}", filled, found)
    # sqlglot 30 reads CAST without its closing bracket, unless one more has to follow at once
    if isinstance(select, exp.Select):
        closed = _read("SELECT (SELECT 1 FROM {})", filled, found)
        select = select if isinstance(closed, exp.Select) else closed
    if not isinstance(select, exp.Select):
        return f"is not one table{select}"
    tables = [(table.db, table.name, table.alias) for table in select.find_all(exp.Table)]
    if tables != [("", _END, _END)]:
        return "is not one table"
    literals = [literal.name for literal in select.find_all(exp.Literal)]
    held = [value.strip("'") for name, value in values.items() if _HOLE.format(name) in template]
    return None if set(held) <= set(literals) else "holds a placeholder where no value can stand"


def _query_fault(template: str, found: Dialect) -> str | None:
    """Say why a template is not one statement that asks for the columns of one table."""
    import sqlglot
    from sqlglot import errors, exp

    table = found.quoted(_END)
    filled = _filled(template, {"table": table, "name": f"'{table}'", "source": table})
    if filled == template:
        return "must hold {table} or {name}"
    try:
        parsed = sqlglot.parse(filled, dialect=found.sqlglot)
    except errors.SqlglotError as error:
        return f"is not one query ({first_line(error)})"
    asks = len(parsed) == 1 and isinstance(parsed[0], exp.Query | exp.Describe)
    return None if asks else "is not one query: SELECT or DESCRIBE"


def _filled(template: str, given: Mapping[str, str]) -> str:
    for name, value in given.items():
        template = template.replace(_HOLE.format(name), value)
    return template


def _read(frame: str, sql: str, found: Dialect) -> exp.Select | str:
    """Return one SELECT and nothing that would end it early, or what sqlglot says against it."""
    import sqlglot
    from sqlglot import errors, exp

    try:
        parsed = sqlglot.parse(frame.format(sql, found.quoted(_END)), dialect=found.sqlglot)
    except errors.SqlglotError as error:
        return f" ({first_line(error)})"
    select = parsed[0] if len(parsed) == 1 else None
    if not isinstance(select, exp.Select):
        return ""
    clauses = {clause for clause, value in select.args.items() if value}
    return select if clauses <= {"expressions", "from", "from_"} else ""


def text_key(kind: Type) -> str | None:
    """Return the key of `[text]` that holds the canonical text of this type, if it has one."""
    match kind:
        case Integer():
            return "integer"
        case Decimal(precision, scale):
            return _decimal_key(precision, scale)
        case String(label=label):
            return "enum" if label else "string"
        case Boolean():
            return "boolean"
        case Date():
            return "date"
        case Timestamp(zoned, unit):
            return _timestamp_key(zoned, unit)
        case Float() | Nested() | Other():
            return None


def _decimal_key(precision: int, scale: int) -> str:
    if scale == 0:
        return "integer"
    if scale == precision:
        return "decimal_fraction"
    return "decimal_fine" if scale > _PLAIN_SCALE else "decimal"


def _timestamp_key(zoned: bool, unit: str) -> str:
    if unit == "ns":
        return "timestamp_ns_zoned" if zoned else "timestamp_ns"
    if zoned:
        return "timestamp_zoned"
    return "timestamp" if unit == "us" else "timestamp_coarse"
