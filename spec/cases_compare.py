"""The cases of two fingerprints compared, and of fingerprints that are refused.

`expect` is what the author worked out by hand; the reference must agree with it.
Append to a topic, never insert: the ids count from its top.
"""

# fmt: off
import copy

SPEC = "ods-fingerprint/1"
LARGEST = 2**60 - 1


def fp(rows, *columns, **more):
    return {"spec": SPEC, "rows": rows, "columns": list(columns), **more}


def col(name, kind, family, figures, **more):
    return {"name": name, "type": kind, **more, "family": family, "figures": figures}


def num(name="x", total="5", nulls=0, kind="int64", **more):
    return col(name, kind, "integer", {"nulls": nulls, "hash": total}, **more)


def dec(name="x", total="5", kind="decimal(18, 2)", nulls=0):
    return col(name, kind, "decimal", {"nulls": nulls, "hash": total})


def text(name="x", total="5", nulls=0, **more):
    return col(name, "string", "string", {"nulls": nulls, "hash": total}, **more)


def when(name="t", kind="timestamp", total="5", **more):
    return col(name, kind, "timestamp", {"nulls": 0, "hash": total}, **more)


def flt(low, high, total, name="x", kind="double", nulls=0, nan=0, posinf=0, neginf=0):
    counts = {"nulls": nulls, "nan": nan, "posinf": posinf, "neginf": neginf}
    return col(name, kind, "float", counts | {"min": low, "max": high, "sum": total})


def bare(name, kind, family, nulls=0):
    return col(name, kind, family, {"nulls": nulls})


def compare(clause, hunts, a, b, verdict, differences=(), uncovered=(), notes=(), **options):
    """A case; differences are (column, figure), uncovered and notes are (column, what the text says)."""
    case = {"kind": "compare", "clause": clause, "hunts": hunts, **options, "a": a, "b": b}
    expect = {"verdict": verdict, "uncovered": [{"column": c, "why": w} for c, w in uncovered]}
    expect["notes"] = [{"column": c, "contains": w} for c, w in notes]
    return case | {"expect": expect, "expect_differences": [list(d) for d in differences]}


def error(clause, hunts, a, b, reason, **options):
    case = {"kind": "compare", "clause": clause, "hunts": hunts, **options, "a": a, "b": b}
    return case | {"expect": {"error": True, "exit": 2, "reason": reason}}


EQUAL, PARTIAL, DIFFERENT = "equal", "equal, partial", "different"
OVERFLOWED = "sum overflowed: undetermined"
NESTED = "nested: only nulls are counted in version 1"
EMPTY = flt(None, None, None)
LEDGER = (-4999.0, 4999.0)  # the bounds of a ledger of 10^6 amounts that sums to 0 (R17)


def ledger(total, rows=10**6):
    return fp(rows, flt(*LEDGER, total))


EXACT = [
    compare("9.7", "a fingerprint differs from itself", fp(4, num()), fp(4, num()), EQUAL),
    compare("9.7", "a changed value is not seen", fp(4, num(total="5")), fp(4, num(total="6")), DIFFERENT, [("x", "hash")]),
    compare("9.7", "hashes compared as doubles: the last digit is lost", fp(4, num(total="57446577476672362")),
            fp(4, num(total="57446577476672363")), DIFFERENT, [("x", "hash")]),
    compare("9.7", "hashes over 64 bits wrapped before comparing", fp(40, num(total=str(2**64 + 5))), fp(40, num(total="5")),
            DIFFERENT, [("x", "hash")]),
    compare("9.7", "nulls not compared", fp(4, num(nulls=1)), fp(4, num(nulls=2)), DIFFERENT, [("x", "nulls")]),
    compare("9.7", "only the first difference of a column is told", fp(4, num(nulls=1, total="5")), fp(4, num(nulls=2, total="6")),
            DIFFERENT, [("x", "nulls"), ("x", "hash")]),
    compare("9.4", "rows not compared where all figures agree", fp(4, num(total="0")), fp(5, num(total="0")), DIFFERENT, [(None, "rows")]),
    compare("9.4", "tables without columns: rows not compared", fp(4), fp(5), DIFFERENT, [(None, "rows")]),
    compare("10.1", "tables without columns cannot be equal", fp(4), fp(4), EQUAL),
    compare("4.4", "10^12 rows at the largest hash: capacity", fp(10**12, num(total=str(10**12 * LARGEST))),
            fp(10**12, num(total=str(10**12 * LARGEST))), EQUAL),
    compare("9.7", "10^12 rows: last digit of 31", fp(10**12, num(total=str(10**12 * LARGEST))),
            fp(10**12, num(total=str(10**12 * LARGEST - 1))), DIFFERENT, [("x", "hash")]),
    compare("9.7", "an empty table equal to a table of one NULL", fp(0, num(total="0")), fp(1, num(total="0", nulls=1)),
            DIFFERENT, [(None, "rows"), ("x", "nulls")]),
    compare("9.13", "the column is not named, or others are", fp(3, num("x", "10"), num("y", "7", 1)),
            fp(3, num("x", "11"), num("y", "7", 1)), DIFFERENT, [("x", "hash")]),
    compare("9.13", "differences in another order than A's columns, then B's", fp(3, num("z", "1"), num("a", "1")),
            fp(4, num("q", "1"), num("a", "2"), num("z", "2"), num("b", "1")), DIFFERENT,
            [(None, "rows"), ("z", "hash"), ("a", "hash"), ("q", "missing"), ("b", "missing")]),
    compare("7.5", "a note or made_by takes part", fp(4, num(note="odd"), notes=["one"], made_by={"engine": "duckdb"}),
            fp(4, num(), notes=["two"], made_by={"engine": "spark", "rows": 5}), EQUAL, notes=[("x", "odd")]),
]

FLOATS = [
    compare("9.7", "null is not equal to null", fp(0, EMPTY), fp(0, EMPTY), EQUAL),
    compare("9.7", "NaN counts not compared", fp(2, flt(1.0, 1.0, 1.0, nan=1)), fp(2, flt(1.0, 1.0, 1.0, posinf=1)),
            DIFFERENT, [("x", "nan"), ("x", "posinf")]),
    compare("9.7", "negative infinities not compared", fp(2, flt(1.0, 1.0, 1.0, neginf=1)), fp(2, flt(1.0, 1.0, 1.0, nulls=1)),
            DIFFERENT, [("x", "nulls"), ("x", "neginf")]),
    compare("9.7", "min compared with a tolerance", fp(3, flt(0.1, 1.0, 1.5)), fp(3, flt(0.10000000000000002, 1.0, 1.5)),
            DIFFERENT, [("x", "min")]),
    compare("9.7", "max compared with a tolerance", fp(3, flt(0.1, 1.0, 1.5)), fp(3, flt(0.1, 1.0000000000000002, 1.5)),
            DIFFERENT, [("x", "max")]),
    compare("9.7", "max not compared", fp(3, flt(0.0, 1.0, 1.5)), fp(3, flt(0.0, 2.0, 1.5)), DIFFERENT, [("x", "max")]),
    compare("9.7", "null compared as 0", fp(1, flt(None, None, None, nan=1)), fp(1, flt(0.0, 0.0, 0.0)), DIFFERENT,
            [("x", "nan"), ("x", "min"), ("x", "max"), ("x", "sum")]),
    compare("5.7", "-0.0 differs from 0.0", fp(2, flt(-0.0, -0.0, -0.0)), fp(2, flt(0.0, 0.0, 0.0)), EQUAL),
    compare("5.7", "sign of zero in min alone", fp(2, flt(-0.0, 1.0, 1.0)), fp(2, flt(0.0, 1.0, 1.0)), EQUAL),
    compare("7.3", "1 and 1.0 are one JSON number", fp(1, flt(1, 1, 1)), fp(1, flt(1.0, 1.0, 1.0)), EQUAL),
    compare("9.6", "float and double are one family", fp(1, flt(0.5, 0.5, 0.5, kind="float")), fp(1, flt(0.5, 0.5, 0.5)), EQUAL),
    compare("9.8", "an overflowed sum is a difference", fp(4, flt(-1e308, 1e308, "inf")), fp(4, flt(-1e308, 1e308, 0.0)),
            PARTIAL, uncovered=[("x", OVERFLOWED)]),
    compare("9.8", "two overflowed sums are equal", fp(2, flt(1e308, 1e308, "inf")), fp(2, flt(1e308, 1e308, "inf")),
            PARTIAL, uncovered=[("x", OVERFLOWED)]),
    compare("9.8", "the sign of an overflow is a difference", fp(4, flt(-1e308, 1e308, "inf")), fp(4, flt(-1e308, 1e308, "-inf")),
            PARTIAL, uncovered=[("x", OVERFLOWED)]),
    compare("9.8", "a NaN sum is not equal to itself", fp(4, flt(-1e308, 1e308, "nan")), fp(4, flt(-1e308, 1e308, "nan")),
            PARTIAL, uncovered=[("x", OVERFLOWED)]),
    compare("9.8", "an overflowed sum on the right side only", fp(4, flt(-1e308, 1e308, 0.0)), fp(4, flt(-1e308, 1e308, "nan")),
            PARTIAL, uncovered=[("x", OVERFLOWED)]),
    compare("9.8", "an overflowed sum hides a changed max", fp(4, flt(-1e308, 1e308, "inf")), fp(4, flt(-1e308, 1.5e308, "inf")),
            DIFFERENT, [("x", "max")], [("x", OVERFLOWED)]),
    compare("9.9", "sums compared bit by bit", fp(3, flt(0.1, 0.3, 0.6)), fp(3, flt(0.1, 0.3, 0.6000000000000001)),
            EQUAL, notes=[("x", "1e-9")]),
    compare("9.9", "equal sums have a note", fp(3, flt(0.1, 0.3, 0.6)), fp(3, flt(0.1, 0.3, 0.6)), EQUAL),
    compare("9.9", "1e-9 taken as absolute: small sums", fp(3, flt(1e-12, 2e-12, 4e-12)), fp(3, flt(1e-12, 2e-12, 5e-12)),
            DIFFERENT, [("x", "sum")]),
    compare("9.9", "1e-9 taken as absolute: large sums", fp(3, flt(1e12, 2e12, 4e12)), fp(3, flt(1e12, 2e12, 4e12 + 1000.0)),
            EQUAL, notes=[("x", "1e-9")]),
    compare("9.9", "just inside 1e-9", fp(3, flt(0.0, 1.0, 1.0)), fp(3, flt(0.0, 1.0, 1.0 - 9.9e-10)), EQUAL, notes=[("x", "1e-9")]),
    compare("9.9", "just outside 1e-9", fp(3, flt(0.0, 1.0, 1.0)), fp(3, flt(0.0, 1.0, 1.0 - 1.01e-9)), DIFFERENT, [("x", "sum")]),
    compare("9.9", "1e-9 of the smaller sum", fp(3, flt(-1.0, 1.0, -1.0)), fp(3, flt(-1.0, 1.0, 1.0)), DIFFERENT, [("x", "sum")]),
    compare("9.9", "the ledger: amounts that sum to 0, shuffled", ledger(1.1641532182693481e-10), ledger(-5.8207660913467407e-11),
            EQUAL, notes=[("x", "order")]),
    compare("9.9", "the ledger against an exact 0.0", ledger(0.0), ledger(2.3e-7), EQUAL, notes=[("x", "order")]),
    compare("9.9", "a cent in the ledger goes unseen", ledger(0.0), ledger(0.01), DIFFERENT, [("x", "sum")]),
    compare("9.9", "just inside n^1.5·2^-53·max", ledger(0.0), ledger(5.54e-4), EQUAL, notes=[("x", "order")]),
    compare("9.9", "just outside: n^2 in place of n^1.5", ledger(0.0), ledger(5.56e-4), DIFFERENT, [("x", "sum")]),
    compare("9.9", "2^-52 in place of 2^-53", ledger(0.0), ledger(1.0e-3), DIFFERENT, [("x", "sum")]),
    compare("9.9", "n counts rows, not finite values", fp(10**6, flt(*LEDGER, 0.0, nulls=990000)),
            fp(10**6, flt(*LEDGER, 1e-5, nulls=990000)), DIFFERENT, [("x", "sum")]),
    compare("9.9", "1e16 + 1 - 1e16: an engine's 0.0 against the exact 1.0", fp(3, flt(-1e16, 1e16, 1.0)), fp(3, flt(-1e16, 1e16, 0.0)),
            EQUAL, notes=[("x", "order")]),
    compare("9.9", "the larger bound is max alone: |min| is larger", fp(3, flt(-1e16, 1.0, 1.0)), fp(3, flt(-1e16, 1.0, 0.0)),
            EQUAL, notes=[("x", "order")]),
    compare("9.9", "denormal sums: the tolerance rounds up to a whole step", fp(2, flt(0.0, 5e-324, 5e-324)), fp(2, flt(0.0, 5e-324, 1e-323)),
            DIFFERENT, [("x", "sum")]),
    compare("9.9", "the difference of two sums overflows", fp(3, flt(-1.7e308, 1.7e308, 1.7e308)), fp(3, flt(-1.7e308, 1.7e308, -1.7e308)),
            DIFFERENT, [("x", "sum")]),
    compare("9.9", "inf ≤ inf: difference and bound both overflow a double", fp(5 * 10**10, flt(-1.7e308, 1.7e308, 1.7e308)),
            fp(5 * 10**10, flt(-1.7e308, 1.7e308, -1.7e308)), DIFFERENT, [("x", "sum")]),
    compare("9.9", "0.1 + 0.2 - 0.3 in two orders: sums near 0 are far apart by 1e-9", fp(3, flt(-0.3, 0.2, 2.7755575615628914e-17)),
            fp(3, flt(-0.3, 0.2, 5.551115123125783e-17)), EQUAL, notes=[("x", "order")]),
    compare("7.3", "an integer of 2^53 + 1 kept as an integer: it is read to the nearest double", fp(1, flt(0.0, 9007199254740993, 1.0)),
            fp(1, flt(0.0, 9007199254740992.0, 1.0)), EQUAL),
    compare("5.7", "-0.0 against another number is told as -0.0", fp(2, flt(-0.0, 1.0, 1.0)), fp(2, flt(0.5, 1.0, 1.0)), DIFFERENT, [("x", "min")]),
    compare("9.9", "a note stands in place of a difference of min", fp(3, flt(0.1, 0.3, 0.6)), fp(3, flt(0.2, 0.3, 0.6000000000000001)),
            DIFFERENT, [("x", "min")], notes=[("x", "1e-9")]),
]

TYPES = [
    compare("9.6", "1 and '1' hash alike", fp(2, num(total="1787519262322087214")), fp(2, text(total="1787519262322087214")),
            DIFFERENT, [("x", "type")]),
    compare("9.6", "true and 'true' hash alike", fp(1, col("x", "boolean", "boolean", {"nulls": 0, "hash": "5"})), fp(1, text()),
            DIFFERENT, [("x", "type")]),
    compare("9.6", "timestamp 0 and integer 0 hash alike", fp(1, when("x")), fp(1, num()), DIFFERENT, [("x", "type")]),
    compare("9.6", "a date and its text hash alike", fp(1, col("x", "date", "date", {"nulls": 0, "hash": "5"})), fp(1, text()),
            DIFFERENT, [("x", "type")]),
    compare("9.6", "decimals of two scales", fp(1, dec()), fp(1, dec(kind="decimal(18, 3)")), DIFFERENT, [("x", "type")]),
    compare("9.6", "all null: scales still differ", fp(1, dec(total="0", nulls=1)), fp(1, dec(total="0", nulls=1, kind="decimal(18, 3)")),
            DIFFERENT, [("x", "type")]),
    compare("9.6", "after a type difference the hashes are compared too", fp(1, num(total="5")), fp(1, text(total="6")),
            DIFFERENT, [("x", "type")]),
    compare("9.6", "after a type difference nulls are not compared", fp(2, num(nulls=1)), fp(2, text(nulls=0)),
            DIFFERENT, [("x", "type"), ("x", "nulls")]),
    compare("9.6", "integer against double: figures of one side missing", fp(1, num()), fp(1, flt(1.0, 1.0, 1.0)), DIFFERENT, [("x", "type")]),
    compare("9.6", "nested against hashed", fp(1, bare("x", "list<string>", "nested")), fp(1, text()), DIFFERENT, [("x", "type")]),
    compare("9.6", "precision alone is a difference", fp(1, dec()), fp(1, dec(kind="decimal(38, 2)")), EQUAL),
    compare("2.4", "int64 and decimal(20, 0) are two families", fp(1, num()), fp(1, num(kind="decimal(20, 0)")), EQUAL),
    compare("2.2", "uint64 and int64 are two families", fp(1, num()), fp(1, num(kind="uint64")), EQUAL),
    compare("2.2", "int8 and int128 are two families", fp(1, num(kind="int8")), fp(1, num(kind="int128")), EQUAL),
    compare("2.4", "decimal(18, 0) and decimal(18, 2) are one family", fp(1, num(kind="decimal(18, 0)")), fp(1, dec()), DIFFERENT, [("x", "type")]),
    compare("2.5", "an enum and a string are two families", fp(1, text(label=True)), fp(1, text()), EQUAL),
    compare("9.11", "zoned and zone-less are a difference, or go without a note", fp(1, when()), fp(1, when(kind="timestamp_ntz")),
            EQUAL, notes=[("t", "timestamp_ntz")]),
    compare("9.11", "two zone names are a difference, or go without a note", fp(1, when(zone="Europe/Rome")), fp(1, when(zone="UTC")),
            EQUAL, notes=[("t", "zone")]),
    compare("9.11", "one zone name has a note", fp(1, when(zone="UTC")), fp(1, when(zone="UTC")), EQUAL),
    compare("9.11", "nanoseconds go without a note", fp(1, when(unit="ns")), fp(1, when()), EQUAL, notes=[("t", "microsecond")]),
    compare("9.11", "nanoseconds on both sides go without a note", fp(1, when(unit="ns")), fp(1, when(unit="ns")),
            EQUAL, notes=[("t", "microsecond")]),
    compare("9.11", "seconds against microseconds are a difference", fp(1, when(unit="s")), fp(1, when(unit="ms")), EQUAL),
    compare("9.11", "CHAR goes without a note", fp(1, text(length=5)), fp(1, text()), EQUAL, notes=[("x", "CHAR")]),
    compare("9.11", "a collation goes without a note", fp(1, text()), fp(1, text(collation="UTF8_LCASE")), EQUAL, notes=[("x", "collation")]),
    compare("9.11", "a note makes the verdict partial", fp(1, when(zone="Europe/Rome", unit="ns")), fp(1, when(kind="timestamp_ntz")),
            EQUAL, notes=[("t", "timestamp_ntz"), ("t", "microsecond")]),
    compare("9.11", "notes vanish where the column differs", fp(1, when(total="5")), fp(1, when(total="6", kind="timestamp_ntz")),
            DIFFERENT, [("t", "hash")], notes=[("t", "timestamp_ntz")]),
    compare("9.10", "a nested column counts as covered", fp(4, bare("tags", "list<string>", "nested")), fp(4, bare("tags", "list<string>", "nested")),
            PARTIAL, uncovered=[("tags", NESTED)]),
    compare("9.10", "nulls of a nested column not compared", fp(4, bare("tags", "list<string>", "nested")),
            fp(4, bare("tags", "list<string>", "nested", 1)), DIFFERENT, [("tags", "nulls")], [("tags", NESTED)]),
    compare("9.10", "a binary column counts as covered", fp(4, bare("b", "binary", "other")), fp(4, bare("b", "binary", "other")),
            PARTIAL, uncovered=[("b", "binary: only nulls are counted in version 1")]),
    compare("9.10", "void on both sides counts as covered", fp(4, bare("v", "void", "other", 4)), fp(4, bare("v", "void", "other", 4)),
            PARTIAL, uncovered=[("v", "void: only nulls are counted in version 1")]),
    compare("9.10", "nulls of another type not compared", fp(4, bare("u", "uuid", "other", 1)), fp(4, bare("u", "uuid", "other", 2)),
            DIFFERENT, [("u", "nulls")], [("u", "uuid: only nulls are counted in version 1")]),
    compare("9.6", "uuid stored as text", fp(1, bare("u", "uuid", "other")), fp(1, text("u")), DIFFERENT, [("u", "type")]),
    compare("10.1", "one uncovered column among many is lost", fp(4, num("a"), bare("tags", "list<string>", "nested"), num("b")),
            fp(4, num("a"), bare("tags", "list<string>", "nested"), num("b")), PARTIAL, uncovered=[("tags", NESTED)]),
    compare("10.1", "partial hides a difference", fp(4, num("a", "1"), bare("tags", "list<string>", "nested")),
            fp(4, num("a", "2"), bare("tags", "list<string>", "nested")), DIFFERENT, [("a", "hash")], [("tags", NESTED)]),
    compare("9.11", "a zone against no zone has a note: noise at every other engine", fp(1, when(zone="UTC")), fp(1, when()), EQUAL),
    compare("9.11", "a column's own note is lost, or told twice", fp(1, num(note="a bare TIMESTAMP")), fp(1, num(note="a bare TIMESTAMP")),
            EQUAL, notes=[("x", "a bare TIMESTAMP")]),
    compare("10.3", "--allow-partial changes the verdict", fp(4, bare("t", "map<string, int64>", "nested")),
            fp(4, bare("t", "map<string, int64>", "nested")), PARTIAL, uncovered=[("t", NESTED)], allow_partial=True),
    compare("10.3", "--allow-partial hides a difference", fp(4, bare("t", "map<string, int64>", "nested", 1)),
            fp(4, bare("t", "map<string, int64>", "nested")), DIFFERENT, [("t", "nulls")], [("t", NESTED)], allow_partial=True),
]

MATCHING = [
    compare("9.2", "order of columns is a difference", fp(4, num("a", "1"), num("b", "2")), fp(4, num("b", "2"), num("a", "1")), EQUAL),
    compare("9.2", "columns matched by place", fp(4, num("a", "1"), num("b", "2")), fp(4, num("b", "1"), num("a", "2")), DIFFERENT,
            [("a", "hash"), ("b", "hash")]),
    compare("9.2", "Snowflake's upper case is a difference", fp(4, num("id")), fp(4, num("ID")), EQUAL),
    compare("9.2", "case is ignored for ASCII only", fp(4, num("Größe")), fp(4, num("GRÖßE")), EQUAL),
    compare("6.1", "Turkish locale: I lowers to ı", fp(4, num("ID")), fp(4, num("ıd")), DIFFERENT, [("ID", "missing"), ("ıd", "missing")]),
    compare("6.1", "final sigma", fp(4, num("ΟΔΟΣ")), fp(4, num("οδος")), EQUAL),
    compare("6.1", "names matched after NFC", fp(4, num("\u00e9")), fp(4, num("e\u0301")), DIFFERENT,
            [("\u00e9", "missing"), ("e\u0301", "missing")]),
    compare("6.1", "names trimmed", fp(4, num("a")), fp(4, num("a ")), DIFFERENT, [("a", "missing"), ("a ", "missing")]),
    compare("9.5", "a column of A alone is passed over", fp(4, num("a"), num("b")), fp(4, num("a")), DIFFERENT, [("b", "missing")]),
    compare("9.5", "a column of B alone is passed over", fp(4, num("a")), fp(4, num("a"), num("b")), DIFFERENT, [("b", "missing")]),
    compare("9.5", "a missing nested column counts as uncovered only", fp(4, num("a"), bare("t", "list<string>", "nested")), fp(4, num("a")),
            DIFFERENT, [("t", "missing")]),
    compare("9.5", "a column that B left out is a difference", fp(4, num("a"), num("b")), fp(4, num("a"), skipped=["b"]),
            PARTIAL, uncovered=[("b", "left out of B")]),
    compare("9.5", "a column that A left out is a difference", fp(4, num("a"), skipped=["b"]), fp(4, num("a"), num("b")),
            PARTIAL, uncovered=[("b", "left out of A")]),
    compare("9.5", "a column that both left out counts as covered", fp(4, num("a"), skipped=["b"]), fp(4, num("a"), skipped=["B"]),
            PARTIAL, uncovered=[("b", "left out of both")]),
    compare("9.5", "a column that A left out and B never had counts as covered", fp(4, num("a"), skipped=["b"]), fp(4, num("a")),
            PARTIAL, uncovered=[("b", "left out of A")]),
    compare("9.5", "a column that B left out and A never had counts as covered", fp(4, num("a")), fp(4, num("a"), skipped=["b"]),
            PARTIAL, uncovered=[("b", "left out of B")]),
    compare("9.5", "a name left out is matched by its exact case", fp(4, num("a"), num("B")), fp(4, num("a"), skipped=["b"]),
            PARTIAL, uncovered=[("B", "left out of B")]),
    compare("9.3", "a renamed column is missing", fp(4, num("a")), fp(4, num("b")), EQUAL, rename={"a": "b"}),
    compare("9.3", "the old name is told", fp(4, num("a", "1")), fp(4, num("b", "2")), DIFFERENT, [("b", "hash")], rename={"a": "b"}),
    compare("9.3", "renames applied one after the other: a swap collides", fp(4, num("a", "1"), num("b", "2")),
            fp(4, num("a", "2"), num("b", "1")), EQUAL, rename={"a": "b", "b": "a"}),
    compare("9.3", "the old name is matched by its exact case", fp(4, num("A")), fp(4, num("b")), EQUAL, rename={"a": "b"}),
    error("9.3", "a rename of no column is passed over", fp(4, num("a")), fp(4, num("a")), "rename", rename={"c": "d"}),
    error("9.3", "a rename makes two columns one", fp(4, num("a"), num("b")), fp(4, num("b")), "name", rename={"a": "B"}),
    compare("9.12", "--skip makes the verdict partial", fp(4, num("a"), num("b", "1")), fp(4, num("a"), num("b", "2")), EQUAL, skip=["b"]),
    compare("9.12", "--skip of a nested column makes the verdict partial", fp(4, num("a"), bare("t", "list<string>", "nested")),
            fp(4, num("a"), bare("t", "list<string>", "nested")), EQUAL, skip=["t"]),
    compare("9.12", "--skip matched by its exact case", fp(4, num("a"), num("B", "1")), fp(4, num("a")), EQUAL, skip=["b"]),
    compare("9.12", "--skip hides rows", fp(4, num("a"), num("b")), fp(5, num("a"), num("b")), DIFFERENT, [(None, "rows")], skip=["b"]),
    compare("9.12", "--columns compares the others too", fp(4, num("a"), num("b", "1")), fp(4, num("a"), num("b", "2"), num("c")), EQUAL, columns=["A"]),
    compare("9.12", "what a stored fingerprint leaves out stays partial though skipped now", fp(4, num("a"), skipped=["b"]), fp(4, num("a"), num("b")),
            EQUAL, skip=["b"]),
    error("9.12", "--columns of an unknown name compares nothing and is equal", fp(4, num("a")), fp(4, num("a")), "name", columns=["z"]),
    error("9.12", "--skip of a mistyped name is passed over", fp(4, num("a")), fp(4, num("a")), "name", skip=["z"]),
    error("9.12", "nothing is left to compare, and nothing is equal", fp(4, num("a", "1")), fp(4, num("a", "2")), "name", skip=["a"]),
    error("9.12", "--columns of no name compares nothing and is equal", fp(4, num("a", "1")), fp(4, num("a", "2")), "name", columns=[]),
    error("9.3", "two renames of one column: the last one wins", fp(4, num("a")), fp(4, num("b")), "rename", rename={"a": "c", "A": "b"}),
    compare("9.3", "what A leaves out keeps its old name", fp(4, num("a"), skipped=["x"]), fp(4, num("a"), num("y")),
            PARTIAL, uncovered=[("y", "left out of A")], rename={"x": "y"}),
    error("9.3", "a rename onto a name that A leaves out", fp(4, num("a"), skipped=["b"]), fp(4, num("b")), "name", rename={"a": "b"}),
    compare("9.13", "uncovered columns in another order than A's columns, A's left out, then B's", fp(4, bare("t", "list<string>", "nested"), skipped=["c", "d"]),
            fp(4, num("b"), num("D"), bare("T", "list<string>", "nested"), skipped=["C", "a"]), DIFFERENT, [("b", "missing")],
            [("t", NESTED), ("c", "left out of both"), ("d", "left out of A"), ("a", "left out of B")]),
]

WHOLE = fp(4, num("id", "5"), flt(-2.5, 1.0, -1.5, "score", nan=1), bare("tags", "list<string>", "nested"))


def damaged(path, value):
    """WHOLE with one place changed."""
    whole = copy.deepcopy(WHOLE)
    place = whole
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return whole


def refuse(clause, hunts, path, value, reason="invalid"):
    case = {"kind": "refuse", "what": "fingerprint", "clause": clause, "hunts": hunts}
    return case | {"fingerprint": damaged(path, value), "expect": {"reason": reason}}


def refuse_text(clause, hunts, old, new, reason="invalid"):
    text = '{"spec": "ods-fingerprint/1", "rows": 1, "columns": [{"name": "x", "type": "double", "family": "float", '
    text += '"figures": {"nulls": 0, "nan": 0, "posinf": 0, "neginf": 0, "min": 1.0, "max": 2.0, "sum": 3.0}}]}'
    case = {"kind": "refuse", "what": "fingerprint", "clause": clause, "hunts": hunts}
    return case | {"text": text.replace(old, new), "expect": {"reason": reason}}


HASH = ("columns", 0, "figures", "hash")
SCORE = ("columns", 1, "figures")

REFUSE_FINGERPRINT = [
    refuse("8.1", "an unknown version compared", ("spec",), "ods-fingerprint/2", "version"),
    refuse("8.1", "a version matched by its beginning", ("spec",), "ods-fingerprint/10", "version"),
    refuse("8.1", "no version taken for version 1", ("spec",), None, "version"),
    refuse("8.2", "negative rows", ("rows",), -1),
    refuse("8.2", "rows as text", ("rows",), "4"),
    refuse("8.2", "rows with a fraction", ("rows",), 4.5),
    refuse("8.2", "true taken for 1", ("rows",), True),
    refuse("8.2", "no rows", ("rows",), None),
    refuse("8.2", "negative nulls", ("columns", 0, "figures", "nulls"), -1),
    refuse("8.2", "nulls as null", ("columns", 0, "figures", "nulls"), None),
    refuse("8.2", "false taken for 0", ("columns", 0, "figures", "nulls"), False),
    refuse("8.2", "negative count of NaN", (*SCORE, "nan"), -1),
    refuse("8.3", "more nulls than rows", ("columns", 0, "figures", "nulls"), 5),
    refuse("8.3", "more nulls than rows in a nested column", ("columns", 2, "figures", "nulls"), 5),
    refuse("8.4", "a hash over what 4 values can sum to", HASH, str(4 * LARGEST + 1)),
    refuse("8.4", "a hash as a JSON number: digits lost in readers", HASH, 57446577476672362),
    refuse("8.4", "a hash as a float", HASH, 5.744657747667236e16),
    refuse("8.4", "a hash in scientific form", HASH, "5.744657747667236E16"),
    refuse("8.4", "a hash with a fraction", HASH, "5.0"),
    refuse("8.4", "a negative hash: a wrapped sum", HASH, "-5"),
    refuse("8.4", "a NULL hash taken for 0", HASH, None),
    refuse("8.4", "an empty hash taken for 0", HASH, ""),
    refuse("8.4", "a hash with a sign", HASH, "+5"),
    refuse("8.4", "a hash with a space", HASH, " 5"),
    refuse("8.4", "a hash with a line end", HASH, "5\n"),
    refuse("8.4", "a hash with an underscore", HASH, "5_0"),
    refuse("8.4", "a hash with leading zeros: unequal as text", HASH, "005"),
    refuse("8.4", "a hash in digits outside ASCII", HASH, "\u0665"),
    refuse("8.4", "a hash in hex", HASH, "cc175b9c0f1b6a8"),
    refuse("8.5", "more NaN than values", (*SCORE, "nan"), 5),
    refuse("8.5", "counts that add up to more than the rows", (*SCORE, "posinf"), 4),
    refuse("8.6", "no finite value, but a min", SCORE, {"nulls": 0, "nan": 4, "posinf": 0, "neginf": 0, "min": 1.0, "max": None, "sum": None}),
    refuse("8.6", "no finite value, but a sum of 0", SCORE, {"nulls": 4, "nan": 0, "posinf": 0, "neginf": 0, "min": None, "max": None, "sum": 0.0}),
    refuse("8.6", "finite values, but no min", (*SCORE, "min"), None),
    refuse("8.6", "finite values, but no sum", (*SCORE, "sum"), None),
    refuse("8.7", "min over max", (*SCORE, "min"), 1.5),
    refuse("8.7", "min is an infinity", (*SCORE, "min"), "-inf"),
    refuse("8.7", "max is NaN: NaN was not left out", (*SCORE, "max"), "nan"),
    refuse("8.7", "max as text", (*SCORE, "max"), "1.0"),
    refuse("8.7", "max as a boolean", (*SCORE, "max"), True),
    refuse_text("8.7", "a max over the largest double", "2.0", "1e400"),
    refuse_text("8.7", "a max of 400 digits", "2.0", "9" * 400),
    refuse("8.8", "an unknown word for a sum", (*SCORE, "sum"), "Infinity"),
    refuse("8.8", "a sum as text", (*SCORE, "sum"), "-1.5"),
    refuse_text("8.8", "a sum over the largest double", "3.0", "1e400"),
    refuse_text("7.3", "a bare NaN", "3.0", "NaN"),
    refuse_text("7.3", "a bare Infinity", "3.0", "Infinity"),
    refuse("8.9", "two columns of one name", ("columns", 2, "name"), "ID", "name"),
    refuse("8.9", "a column that is left out as well", ("skipped",), ["SCORE"], "name"),
    refuse("8.9", "a name left out twice", ("skipped",), ["z", "Z"], "name"),
    refuse("8.10", "a family that is not the type's", ("columns", 0, "family"), "string"),
    refuse("8.10", "a decimal of scale 0 called a decimal", ("columns", 0, "type"), "decimal(18, 2)"),
    refuse("8.10", "a type in another spelling taken for other", ("columns", 0, "type"), "INT64"),
    refuse("8.10", "a column without a family", ("columns", 0, "family"), None),
    refuse("2.3", "a precision over 38 in a stored fingerprint", ("columns", 0, "type"), "decimal(39, 0)", "precision"),
    refuse("8.11", "a nested column with a hash", ("columns", 2, "figures"), {"nulls": 0, "hash": "5"}),
    refuse("8.11", "a column without its hash", ("columns", 0, "figures"), {"nulls": 0}),
    refuse("8.11", "a float column without its sum", SCORE, {"nulls": 4, "nan": 0, "posinf": 0, "neginf": 0, "min": None, "max": None}),
    refuse("8.11", "a figure of a later version passed over", ("columns", 0, "figures"), {"nulls": 0, "hash": "5", "hash2": "6"}),
    refuse("8.10", "a hashed column called other: its hash is dropped unseen", ("columns", 0), bare("id", "int64", "other")),
    refuse("8.10", "a float column called nested: its figures are dropped unseen", ("columns", 1), bare("score", "double", "nested")),
    refuse("8.10", "a nested column called other", ("columns", 2), bare("tags", "list<string>", "other")),
    refuse("8.10", "another type called nested", ("columns", 2), bare("tags", "binary", "nested")),
]

REFUSED_COMPARISONS = [
    error("9.1", "an unknown version on side A", WHOLE | {"spec": "ods-fingerprint/2"}, WHOLE, "version"),
    error("9.1", "an unknown version on side B", WHOLE, WHOLE | {"spec": "ods-fingerprint/2"}, "version"),
    error("9.1", "one unknown version on both sides is equal to itself", WHOLE | {"spec": "ods-fingerprint/2"},
          WHOLE | {"spec": "ods-fingerprint/2"}, "version"),
    error("9.1", "a damaged fingerprint is equal to itself", damaged((*SCORE, "max"), "nan"), damaged((*SCORE, "max"), "nan"), "invalid"),
    error("9.1", "a damaged fingerprint on side B", WHOLE, damaged(HASH, "-5"), "invalid"),
    error("9.1", "names equal but for case on side B", fp(4, num("a")), fp(4, num("a"), num("A")), "name"),
]

TOPICS = {
    "compare_exact": EXACT,
    "compare_float": FLOATS,
    "compare_type": TYPES,
    "compare_match": MATCHING,
    "compare_error": REFUSED_COMPARISONS,
    "refuse_fingerprint": REFUSE_FINGERPRINT,
}
