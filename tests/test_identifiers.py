"""Names that try to break out of their quotes: SQL holds each exactly as it is given."""

from __future__ import annotations

import hashlib
import re

import duckdb
import pyarrow as pa
import pytest
import sqlglot
from golden_cases import HOSTILE, TYPES, of_types
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

import ods_fingerprint as ods
from ods_fingerprint.compiler import statements
from ods_fingerprint.errors import CompileError, SchemaError
from ods_fingerprint.types import Integer, String

DIALECTS = ("duckdb", "postgres", "snowflake", "spark")
# sqlglot 26.33 prints a backslash in a name as it is, but reads it as the start of an escape
ESCAPES = ("snowflake", "spark") if sqlglot.__version__.startswith("26.") else ()
NAMES = (
    *("a\\", "\\n", "a\\`", 'a\\"'),
    *HOSTILE,
    "${x}",
    ":p",
    "?",
    "%s",
    "%(a)s",
    "&v",
    "é",
    "e\u0301",
    "\u202e",
    "\x01",
    "n" * 300,
)


# one of each way that a name goes into templates
KINDS = [TYPES[key] for key in ("int64", "decimal_fine", "date", "double", "nested")]


def digest(text: str) -> int:
    return int(hashlib.md5(text.encode()).hexdigest()[:15], 16)


def quoted(name: str, dialect: str) -> str:
    return exp.to_identifier(name, quoted=True).sql(dialect=dialect)


def ints(*names: str) -> ods.Schema:
    return ods.Schema(tuple(ods.Column(name, Integer(64)) for name in names))


def only_select(sql: str, dialect: str) -> exp.Select:
    readable = sql.replace("\\", "\\\\") if dialect in ESCAPES else sql
    (parsed,) = sqlglot.parse(readable, dialect=dialect)
    assert isinstance(parsed, exp.Select)
    return parsed


@pytest.mark.parametrize("dialect", DIALECTS)
def test_id_04_hostile_names_stand_in_one_select_as_given(dialect: str) -> None:
    (made,) = statements(('d"b', "t`x"), ints(*NAMES), dialect, exact=True)
    select = only_select(made.text, dialect)
    columns = {column.name for column in select.find_all(exp.Column)}
    aliases = {f"{letter}{at}" for letter in "ch" for at in range(len(NAMES))}
    assert set(NAMES) <= columns
    # where the columns of a wide table become rows, the statement's own names stand around the
    # SELECTs that read the table, and those hold the table's alone
    own = {"p", "v", "h", "g", "rows", "nulls", "hash"} if dialect == "spark" else set[str]()
    others = columns - set(NAMES) - own
    assert {name for name in others if name.rstrip("_") not in aliases} == set()
    for table in select.find_all(exp.Table):
        reads = table.find_ancestor(exp.Select)
        assert reads is not None
        assert {column.name for column in reads.find_all(exp.Column)} <= set(NAMES)
    assert tuple(select.named_selects) == made.row_names
    tables = {tuple(part.name for part in table.parts) for table in select.find_all(exp.Table)}
    assert tables == {('d"b', "t`x")}
    assert all(found.quoted for found in select.find_all(exp.Identifier) if found.name in NAMES)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_splice_is_what_printing_the_whole_tree_gives(name: str, dialect: str) -> None:
    for kind in KINDS:
        ours = ods.sql("u", ods.Schema((ods.Column(name, kind),)), dialect, exact=True)
        plain = only_select(ods.sql("u", of_types(kind), dialect, exact=True), dialect)
        for found in plain.find_all(exp.Identifier):
            given_name = re.sub(r"^x0(?=$|__)", lambda _: name, found.name)
            found.replace(exp.to_identifier(given_name, quoted=True))
        assert row_heads_as_given(only_select(ours, dialect), name) == plain
        assert ours.count(quoted(name, dialect)) >= 1


def row_heads_as_given(select: exp.Select, name: str) -> exp.Select:
    """Return a tree whose short row names (R25) and spare names are the plain ones again."""
    for found in select.find_all(exp.Identifier):
        if len(name) > 255 and re.match(r"c0_*__\w+$", found.name):
            found.replace(
                exp.to_identifier(name + found.name[found.name.rindex("__") :], quoted=True)
            )
        elif name != found.name and re.fullmatch(r"[ch]0_+", found.name):
            found.replace(exp.to_identifier(found.name.rstrip("_"), quoted=True))
    return select


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    st.lists(
        st.text(alphabet="ab\"`'\\{}x.;-/* \n_É", min_size=1, max_size=8), min_size=1, max_size=5
    ),
    st.sampled_from(DIALECTS),
)
def test_any_names_stand_in_one_select_or_are_refused(names: list[str], dialect: str) -> None:
    try:
        (made,) = statements(names, ints(*names), dialect, exact=True)
    except SchemaError:
        assert len({name.lower() for name in names}) < len(names)
        return
    select = only_select(made.text, dialect)
    heads = [name.rpartition("__")[0] for name in select.named_selects[1:]]
    assert heads == [name for name in names for _ in range(2)]
    assert set(names) <= {column.name for column in select.find_all(exp.Column)}


def test_id_04_each_hostile_column_has_its_own_hash_on_duckdb() -> None:
    names = [name for name in NAMES if name]
    with duckdb.connect() as connection:
        columns = ", ".join(f"{at} AS {quoted(name, 'duckdb')}" for at, name in enumerate(names))
        connection.sql(f"CREATE TABLE t AS SELECT {columns}")
        connection.sql("INSERT INTO t SELECT * FROM t")
        found = connection.execute(ods.sql("t", ints(*names), "duckdb"))
        titles = [title[0] for title in found.description or ()]
        row = found.fetchone()
        fingerprint = ods.compute(connection, "t")
        left = connection.execute("SELECT count(*) FROM t").fetchone()
    assert row == (2, *(v for at in range(len(names)) for v in (0, str(2 * digest(str(at))))))
    assert titles == ["rows", *(f"{name}__{f}" for name in names for f in ("nulls", "hash"))]
    assert [(c.column.name, c.figures["hash"]) for c in fingerprint.columns] == [
        (name, 2 * digest(str(at))) for at, name in enumerate(names)
    ]
    assert left == (2,)


def test_se_03_a_hostile_table_name_is_one_identifier() -> None:
    hostile = 't"; DROP TABLE t; --'
    for dialect in DIALECTS:
        for typed in (hostile.replace('"', ""), f'"{hostile.replace(chr(34), chr(34) * 2)}"'):
            (table,) = only_select(ods.sql(typed, ints("a"), dialect), dialect).find_all(exp.Table)
            assert table.name == typed.strip('"').replace('""', '"')
    with duckdb.connect() as connection:
        connection.sql("CREATE TABLE t AS SELECT 1 AS a")
        connection.sql(f"CREATE TABLE {quoted(hostile, 'duckdb')} AS SELECT 2 AS a")
        made = ods.sql((hostile,), {"a": "int"}, "duckdb")
        assert connection.execute(made).fetchone() == (1, 0, str(digest("2")))


def test_id_05_a_dotted_name_is_one_column_and_not_a_field() -> None:
    made = ods.sql("v", {"s.x": "int", "s": "struct<x:int>"}, "spark")
    names = [column.name for column in only_select(made, "spark").find_all(exp.Column)]
    assert "s.x" in names
    assert all(len(c.parts) == 1 for c in only_select(made, "spark").find_all(exp.Column))
    with duckdb.connect() as connection:
        connection.sql("""CREATE TABLE v AS SELECT 1 AS "s.x", {'x': 2} AS s""")
        types = {"s.x": "int", "s": "struct(x int)"}
        row = connection.execute(ods.sql("v", types, "duckdb")).fetchone()
    assert row == (1, 0, "886263699231969848", 0)


def test_id_07_names_that_look_like_figures_keep_their_own() -> None:
    names = ("month", "month_num", "a", "a__nulls", "A__hash", "rows")
    with duckdb.connect() as connection:
        listed = ", ".join(f"{at} AS {quoted(name, 'duckdb')}" for at, name in enumerate(names))
        connection.sql(f"CREATE TABLE t AS SELECT {listed}")
        found = connection.execute(ods.sql("t", dict.fromkeys(names, "int"), "duckdb"))
        titles = [title[0].lower() for title in found.description or ()]
        row = found.fetchone()
    assert len(titles) == len(set(titles)) == 13
    assert row == (1, *(v for at in range(len(names)) for v in (0, str(digest(str(at))))))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.lists(
        st.text(alphabet="aA_ch0", min_size=1, max_size=9)
        | st.sampled_from(
            ["rows", "a__nulls", "a__hash", "c0__hash", "n" * 300, "N" * 299, "c0", "h1"]
        ),
        min_size=1,
        max_size=6,
        unique_by=str.lower,
    ),
    st.sampled_from(DIALECTS),
)
def test_r25_row_names_are_unique_whatever_the_case(names: list[str], dialect: str) -> None:
    kinds = [String() if at % 2 else Integer(8) for at in range(len(names))]
    schema = ods.Schema(tuple(map(ods.Column, names, kinds)))
    (made,) = statements("t", schema, dialect)
    assert len({name.lower() for name in made.row_names}) == len(made.row_names)
    inner = list(only_select(made.text, dialect).find_all(exp.Select))[-1]
    if dialect == "spark":
        aliases = {name.lower() for name in inner.named_selects}
        assert not aliases & {name.lower() for name in names}


@pytest.mark.parametrize(
    ("length", "kept"), [(247, True), (248, False), (255, False), (5000, False)]
)
def test_r25_row_names_stay_within_the_limit_of_the_engine(length: int, kept: bool) -> None:
    name = "n" * length
    (made,) = statements("t", ints(name, "c0"), "snowflake", exact=True)
    assert all(len(row_name.encode()) <= 255 for row_name in made.row_names)
    assert made.row_names[1] == (f"{name}__nulls" if kept else "c0___nulls")
    (free,) = statements("t", ints(name, "c0"), "duckdb")
    assert free.row_names[1] == f"{name}__nulls"


def test_id_01_names_equal_but_for_case_are_refused() -> None:
    """R22. DuckDB would answer for the first column twice."""
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "A"])
    with pytest.raises(SchemaError, match="differ at most by case: a and A"):
        ods.compute(table)
    for dialect in DIALECTS:
        with pytest.raises(SchemaError, match="a and A"):
            ods.sql("t", {"a": "int", "b": "int", "A": "int"}, dialect)


def test_r22_names_stay_apart_after_folding() -> None:
    """Only plain ASCII words are folded, so that no two names become one."""
    names = ["straße", "STRASSE", "ı", "i x", "I_X", "ſ", "s"]
    (made,) = statements("t", ints(*names), "snowflake")
    columns = {c.name for c in only_select(made.text, "snowflake").find_all(exp.Column)}
    assert columns == {"straße", "STRASSE", "ı", "i x", "I_X", "ſ", "S"}


def test_what_someone_gets_on_snowflake_who_never_quotes() -> None:
    made = ods.sql("sales.orders", {"id": "int", "orderDate": "date", "x$y_1": "int"}, "snowflake")
    assert made.endswith('FROM "SALES"."ORDERS"\n')
    for name in ("ID", "ORDERDATE", "X$Y_1"):
        assert f'COUNT("{name}") AS "{name}__nulls"' in made
    kept = ods.sql("sales.orders", {"id": "int"}, "snowflake", exact=True)
    assert 'COUNT("id") AS "id__nulls"' in kept
    assert kept.endswith('FROM "sales"."orders"\n')


def test_names_of_the_engines_own_catalogue_are_exact() -> None:
    schema = ods.Schema.from_sql(
        {"id": "NUMBER(38,0)", "Ab": "DATE"}, "snowflake", origin="snowflake"
    )
    made = ods.sql("sales.orders", schema, "snowflake")
    assert 'COUNT("id")' in made
    assert 'COUNT("Ab")' in made
    assert made.endswith('FROM "SALES"."ORDERS"\n')
    other = ods.Schema.from_sql({"id": "INT"}, "duckdb", origin="duckdb")
    assert 'COUNT("ID")' in ods.sql("t", other, "snowflake")


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_name_that_no_sql_can_hold_is_refused(name: str, dialect: str) -> None:
    with pytest.raises(CompileError, match="cannot be a name in SQL"):
        ods.sql("t", ints("a", name), dialect)


@pytest.mark.parametrize("missing", ["rows", "a__nulls", "a__hash", "c0", "h0", "c1"])
def test_a_column_that_the_table_has_not_is_no_alias_of_ours(missing: str) -> None:
    """An engine may read an alias of the same SELECT in its place, and would hash our own numbers."""
    types = {"a": "int", missing: "int"}
    with duckdb.connect() as connection:
        connection.sql("CREATE TABLE t AS SELECT 1 AS a")
        with pytest.raises(duckdb.Error):
            connection.sql(ods.sql("t", types, "duckdb")).fetchall()
    inner = list(only_select(ods.sql("t", types, "spark"), "spark").find_all(exp.Select))[-1]
    assert missing not in inner.named_selects


@pytest.mark.parametrize(
    "types", [{"a": "int", "T": "int[]"}, {"t": "int"}, {"t": "int", "t_": "date"}]
)
def test_a_column_that_the_table_has_not_is_no_row_of_the_table(types: dict[str, str]) -> None:
    """DuckDB and PostgreSQL read the name of the table as its whole row, which is never null."""
    made = ods.sql("t", types, "duckdb")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
        with pytest.raises(duckdb.BinderException, match="not found"):
            connection.execute(made)
        connection.execute("DROP TABLE t")
        columns = ", ".join(f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in types.items())
        connection.execute(f"CREATE TABLE t AS SELECT {columns}")
        row = connection.execute(made).fetchone()
    assert row is not None
    assert row[:2] == (1, 1)
