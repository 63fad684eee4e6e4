"""What fakesnow lacks of Snowflake, taught to it here and nowhere else.

A rewrite replaces one function of Snowflake by a DuckDB macro that does what Snowflake's
documentation says; a table stands for a result that fakesnow cannot give, as the documentation
shows it. What is left is in gaps.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

# the catalogue's name is filled in: fakesnow makes its macros for each database
MACROS = """
CREATE OR REPLACE MACRO {catalog}._taught_hex(x) AS CAST('0x' || x AS BIGINT);
CREATE OR REPLACE MACRO {catalog}._taught_sum(x) AS CAST(SUM(x) AS DECIMAL(38, 0));
CREATE OR REPLACE MACRO {catalog}._taught_tm9(x) AS
    CASE WHEN x < 0 THEN REPLACE(CAST(x AS VARCHAR), '-.', '-0.')
    WHEN STARTS_WITH(CAST(x AS VARCHAR), '.') THEN '0' || CAST(x AS VARCHAR)
    ELSE CAST(x AS VARCHAR) END;
CREATE OR REPLACE MACRO {catalog}._taught_thousandth(x) AS
    x // 1000 - CASE WHEN x % 1000 < 0 THEN 1 ELSE 0 END;
CREATE OR REPLACE MACRO {catalog}._taught_micros(x) AS EPOCH_US(x);
CREATE OR REPLACE MACRO {catalog}._taught_nanos(x) AS
    CASE WHEN TYPEOF(x) = 'TIMESTAMP_NS' THEN CAST(EPOCH_NS(x) AS HUGEINT)
    ELSE CAST(EPOCH_US(x) AS HUGEINT) * 1000 END;
CREATE OR REPLACE MACRO {catalog}._taught_now() AS STRFTIME(NOW() AT TIME ZONE 'UTC', '%Y-%m-%d %H:%M:%S.%f');
"""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`of`: what of Snowflake. `made`: the node in its place, or None for any other node."""

    of: str
    made: Callable[[exp.Expression], exp.Expression | None]


def _macro(name: str, *arguments: exp.Expression) -> exp.Expression:
    return exp.Anonymous(this=f"_taught_{name}", expressions=list(arguments))


def _text(node: object) -> str:
    return node.name if isinstance(node, exp.Literal) else ""


def _hex(node: exp.Expression) -> exp.Expression | None:
    found = isinstance(node, exp.ToNumber) and set(_text(node.args.get("format"))) == {"X"}
    return _macro("hex", node.this) if found else None


def _sum(node: exp.Expression) -> exp.Expression | None:
    inside = node.this if isinstance(node, exp.Sum) else None
    found = isinstance(inside, exp.Anonymous) and inside.name == "_taught_hex"
    return _macro("sum", inside) if found and inside else None


def _tm9(node: exp.Expression) -> exp.Expression | None:
    found = isinstance(node, exp.ToChar) and _text(node.args.get("format")) == "TM9"
    return _macro("tm9", node.this) if found else None


def _epoch(node: exp.Expression) -> exp.Expression | None:
    if not isinstance(node, exp.Extract):
        return None
    name = {"EPOCH_MICROSECOND": "micros", "EPOCH_NANOSECOND": "nanos"}.get(node.name.upper())
    return _macro(name, node.expression) if name else None


def _thousandth(node: exp.Expression) -> exp.Expression | None:
    inside = node.this if isinstance(node, exp.Floor) else None
    found = isinstance(inside, exp.Div) and _text(inside.expression) == "1000"
    return _macro("thousandth", inside.this) if found and inside else None


def _now(node: exp.Expression) -> exp.Expression | None:
    found = isinstance(node, exp.ToChar) and isinstance(node.this, exp.ConvertTimezone)
    return _macro("now") if found else None


def _at(node: exp.Expression) -> exp.Expression | None:
    """Read the table as it is: nothing changes it in these tests."""
    if isinstance(node, exp.Table) and node.args.get("when"):
        node = node.copy()
        node.set("when", None)
        return node
    return None


REWRITES = (
    Rewrite("TO_NUMBER(x, 'XXX…')", _hex),
    Rewrite("SUM of NUMBER(38, 0), which stays that", _sum),
    Rewrite("TO_CHAR(x, 'TM9')", _tm9),
    Rewrite("DATE_PART(EPOCH_MICROSECOND, x), DATE_PART(EPOCH_NANOSECOND, x)", _epoch),
    Rewrite("FLOOR(x / 1000): its division keeps every digit", _thousandth),
    Rewrite("TO_CHAR(CONVERT_TIMEZONE('UTC', CURRENT_TIMESTAMP()), …)", _now),
    Rewrite("AT (TIMESTAMP => x)", _at),
)
# a statement that holds the words is answered by a table that the tests fill
TABLES = {
    # a view is refused by the name of a table
    """'"DB"."S"."A_VIEW"', REF_ENTITY_DOMAIN => 'TABLE'""": 'SELECT * FROM "DB"."S"."A_VIEW!"',
    'DESCRIBE TABLE "DB"."S"."ODD"': 'SELECT * FROM "DB"."S"."DESCRIBED"',
    'DESCRIBE TABLE "ODD"': 'SELECT * FROM "DB"."S"."DESCRIBED"',
    'FROM TABLE("DB".INFORMATION_SCHEMA.POLICY_REFERENCES(': 'SELECT * FROM "DB"."S"."POLICIES"',
}


def taught(sql: str) -> str:
    """Return the statement that is run in the place of one that fakesnow cannot answer."""
    return next((instead for words, instead in TABLES.items() if words in sql), sql)


def rewritten(tree: exp.Expression) -> exp.Expression:
    """Return a statement with every rewrite made, from the inside out."""
    for node in reversed(list(tree.walk())):
        found = next((made for one in REWRITES if (made := one.made(node))), None)
        if found is not None:
            node.replace(found)
    return tree
