"""The cases of whole columns, of tables with their row names, and of schemas that are refused.

`expect` holds figures worked out without the reference: by other engines, or by hand.
Append to a topic, never insert: the ids count from its top.
"""

# fmt: off
INF, NINF, NAN = "inf", "-inf", "nan"
TENTH32, FIFTH32 = "0x1.99999a0000000p-4", "0x1.99999a0000000p-3"
E308 = "0x1.1ccf385ebc8a0p+1023"
MAX64 = "0x1.fffffffffffffp+1023"
TINY = "0x0.0000000000001p-1022"


def column(clause, kind, values, hunts, expect=None, **more):
    case = {"kind": "column", "clause": clause, "hunts": hunts, "type": kind, **more}
    return case | {"values": values, "expect": {"figures": expect} if expect else {}}


def hashed(nulls, total):
    return {"nulls": nulls, "hash": total}


def floats(nulls, nan, posinf, neginf, low, high, total):
    return {"nulls": nulls, "nan": nan, "posinf": posinf, "neginf": neginf, "min": low, "max": high, "sum": total}


COLUMNS = [
    column("4.3", "string", ["a", "a", None, "", "caf\u00e9", "b\u0000c"], "NULL hashed, or duplicates counted once",
           hashed(1, "1658796360494746522")),
    column("4.3", "int64", ["1", "2", "2", None, "-5"], "NULL hashed, or duplicates counted once",
           hashed(1, "3011937795684345549")),
    column("4.3", "string", [], "SUM over no rows is NULL", hashed(0, "0")),
    column("4.3", "string", [None, None, None], "SUM over nulls is NULL", hashed(3, "0")),
    column("4.3", "boolean", [True, False, None, True], "COUNT of true values in place of a hash",
           hashed(1, "2084616067135258995")),
    column("4.2", "string", ["a"] * 200, "sum kept in 64 bits wraps after 8 rows", hashed(0, "11489315495334472400")),
    column("4.2", "string", ["a", "a"], "hashes joined by XOR: pairs vanish"),
    column("4.2", "string", ["b", "a"], "order of the rows shows (first half)"),
    column("4.2", "string", ["a", "b"], "order of the rows shows (second half: same hash as the first)"),
    column("4.1", "string", ["v685086"], "md5 8000001d…: a 64-bit signed read turns negative"),
    column("4.1", "string", ["v10513040"], "md5 0000000f…: leading zeros shift the digits taken"),
    column("4.1", "string", ["v20321515"], "md5 7fffff8f…: a 60-bit number cut to 52 bits"),
    column("4.1", "decimal(18, 2)", ["12.30"], "the low 60 bits taken in place of the first 15 digits",
           hashed(0, "707420959341253616")),
    column("4.2", "string", ["v685086", "v685086", "v10513040", "v20321515", None], "sum in a double loses digits"),
    column("3.3", "decimal(18, 2)", ["12.30", "0.50", None, "-0.01"], "price of the example", hashed(1, "1769094790098313096")),
    column("3.2", "int64", ["1", "2", "3", "4"], "id of the example", hashed(0, "3612809648614498766")),
    column("3.3", "decimal(10, 2)", ["-0.00", "0.00"], "negative zero of a decimal object", hashed(0, "2232583173120806986")),
    column("3.3", "decimal(1, 1)", ["0.5"], "precision = scale: DuckDB drops the leading zero", hashed(0, "950554961032877051")),
    column("3.11", "timestamp_ntz", ["-1", "-1001", "1999"], "three roundings in use: only floor gives this",
           hashed(0, "1792361961055992052"), unit="ns"),
    column("3.12", "timestamp_ntz", ["1615689000000000"], "session zone applied", hashed(0, "922595963800571477")),
    column("3.12", "timestamp", ["0", "1720000000000000"], "zone name applied",
           hashed(0, "1829771634580986841"), zone="Europe/Rome"),
    *(
        column("3.10", kind, [given], "unit of storage shows", hashed(0, "702998330479279495"), unit=unit)
        for kind in ("timestamp_ntz", "timestamp")
        for unit, given in [("s", "1577836801"), ("ms", "1577836801000"), ("us", "1577836801000000"), ("ns", "1577836801000000000")]
    ),
    column("3.4", "string", ["\u00e9", "a", "x"], "NFC applied (first half)", hashed(0, "1231526119886671400")),
    column("3.4", "string", ["e\u0301", "a\u200b", "x"], "NFC applied or zero-width space removed (second half)",
           hashed(0, "2073451461495888512")),
    column("3.4", "string", ["a\u0000b", "a"], "text cut at NUL", hashed(0, "562783178206144929")),
    column("2.5", "string", ["a", None, None, "b"], "nulls inside a dictionary not counted",
           hashed(2, "719112883567984232"), label=True),
    column("2.2", "uint8", ["7", "200"], "200 cast to int8", hashed(0, "888784375851224054")),
    column("2.2", "uint64", ["1", "18446744073709551615"], "unsigned read as signed", hashed(0, "1455830901208455903")),
    column("2.2", "int64", ["1", "2"], "1 and '1' hash alike: only the family tells them apart", hashed(0, "1787519262322087214")),
    column("2.2", "string", ["1", "2"], "1 and '1' hash alike: only the family tells them apart", hashed(0, "1787519262322087214")),
    column("3.2", "int64", ["1", "2", "3"], "SUM of the values in place of the hashes", hashed(0, "2853953765945779037")),
    column("5.3", "string", ["", "NULL", None], "'' or 'NULL' counted as NULL"),
    column("5.3", "boolean", [False, None], "false counted as NULL"),
    column("5.3", "int64", ["0", None], "0 counted as NULL"),
    column("3.8", "date", ["-719529", "-141438", None, "2932897"], "years outside 0001 to 9999 left out"),
    column("3.13", "string", ["ab   ", "ab"], "CHAR padded or trimmed by the calculator", length=5),
    column("4.1", "string", ["v6995068"] * 9, "md5 ffffff82…: nine of them pass a signed 64-bit sum"),
    column("4.2", "string", ["v6995068"] * 20, "sum kept in unsigned 64 bits: 20 rows pass 2^64"),
    column("4.1", "string", ["v6995068"], "md5 ffffff82…: 16 digits taken overflow a signed 64-bit read"),
]

FLOAT = [
    column("5.5", "double", ["0x1.8p+0", "-0x1.2p+1", None, NAN, INF, NINF, NAN, "0x0.0p+0"], "NaN or infinities reach min, max or sum",
           floats(1, 2, 1, 1, -2.25, 1.5, -0.75)),
    column("5.8", "double", [], "COUNT_IF over no rows is NULL; sum 0 in place of null", floats(0, 0, 0, 0, None, None, None)),
    column("5.8", "double", [None, None], "sum 0 in place of null", floats(2, 0, 0, 0, None, None, None)),
    column("5.8", "double", [NAN, INF, NINF, None], "min is NaN, sum is NaN", floats(1, 1, 1, 1, None, None, None)),
    column("5.7", "double", ["0x0.0p+0", "-0x0.0p+0", "-0x0.0p+0"], "min -0.0 by row order", floats(0, 0, 0, 0, 0.0, 0.0, 0.0)),
    column("5.7", "double", ["-0x0.0p+0"], "-0.0 reported as -0.0", floats(0, 0, 0, 0, 0.0, 0.0, 0.0)),
    column("5.6", "double", [TINY, TINY, "0x1.0p-1022"], "denormals flushed to zero",
           floats(0, 0, 0, 0, 5e-324, 2.2250738585072014e-308, 2.2250738585072024e-308)),
    column("5.6", "double", ["-" + TINY, TINY], "denormals flushed to zero", floats(0, 0, 0, 0, -5e-324, 5e-324, 0.0)),
    column("5.10", "double", [E308, E308], "an overflowed sum is NULL, an error, or a bare Infinity in JSON", floats(0, 0, 0, 0, 1e308, 1e308, "inf")),
    column("5.10", "double", ["-" + E308, "-" + E308], "sign of the overflow lost", floats(0, 0, 0, 0, -1e308, -1e308, "-inf")),
    column("5.9", "double", [E308, E308, "-" + E308, "-" + E308], "running sum overflows where the exact sum is 0", floats(0, 0, 0, 0, -1e308, 1e308, 0.0)),
    column("5.9", "double", [E308, "-" + E308, E308, "-" + E308], "the same values in an order that never overflows", floats(0, 0, 0, 0, -1e308, 1e308, 0.0)),
    column("5.9", "double", ["0x1.1c37937e08000p+53", "0x1.0p+0", "-0x1.1c37937e08000p+53"], "1e16 + 1 - 1e16: engines say 0.0, the exact sum is 1",
           floats(0, 0, 0, 0, -1e16, 1e16, 1.0)),
    column("5.9", "double", [MAX64, "-" + MAX64], "largest values cancel", floats(0, 0, 0, 0, -1.7976931348623157e308, 1.7976931348623157e308, 0.0)),
    column("5.10", "double", [MAX64, "0x1.0p+969"], "rounds to the largest double, not to infinity",
           floats(0, 0, 0, 0, 4.9896007738368e+291, 1.7976931348623157e308, 1.7976931348623157e308)),
    column("5.10", "double", [MAX64, "0x1.0p+970"], "half a step above the largest double rounds to infinity",
           floats(0, 0, 0, 0, 9.9792015476736e+291, 1.7976931348623157e308, "inf")),
    column("5.4", "float", [TENTH32, FIFTH32], "float32 shown as 0.1, 0.2, 0.3, or summed as float32",
           floats(0, 0, 0, 0, 0.10000000149011612, 0.20000000298023224, 0.30000000447034836)),
    column("5.4", "float", [TENTH32, "0x1.0p+24", None, "0x1.fffffe0000000p+127"], "summed as float32",
           floats(1, 0, 0, 0, 0.10000000149011612, 3.4028234663852886e38, 3.4028234663852886e38)),
    column("5.4", "float", ["0x1.0p-149", NAN, NINF], "float32 denormal flushed to zero",
           floats(0, 1, 0, 1, 1.401298464324817e-45, 1.401298464324817e-45, 1.401298464324817e-45)),
    column("5.4", "float", ["0x1.fffffe0000000p+127", "0x1.fffffe0000000p+127"], "float32 sum overflows: it must be a double sum",
           floats(0, 0, 0, 0, 3.4028234663852886e38, 3.4028234663852886e38, 6.805646932770577e38)),
    column("5.4", "float", ["0x1.0p+24", "0x1.0p+0"], "16777216 + 1 in float32 is 16777216", floats(0, 0, 0, 0, 1.0, 16777216.0, 16777217.0)),
    column("5.4", "half", ["0x1.998p-4", "0x1.998p-3", None], "half shown by its short decimal",
           floats(1, 0, 0, 0, 0.0999755859375, 0.199951171875, 0.2999267578125)),
    column("5.4", "half", ["0x1.ffcp+15", "0x1.ffcp+15"], "half sum overflows: it must be a double sum", floats(0, 0, 0, 0, 65504.0, 65504.0, 131008.0)),
    column("5.4", "half", ["0x1.0p-24", INF, NAN], "half denormal flushed to zero",
           floats(0, 1, 1, 0, 5.960464477539063e-08, 5.960464477539063e-08, 5.960464477539063e-08)),
    column("5.5", "double", [NAN, "0x1.0p+0", None, INF, NINF, "-0x1.4p+1"], "min ignores NaN, max returns it", floats(1, 1, 1, 1, -2.5, 1.0, -1.5)),
    column("5.5", "double", ["0x1.0p+0", NAN, "-0x1.4p+1", "0x0.0p+0"], "score of the example", floats(0, 1, 0, 0, -2.5, 1.0, -1.5)),
    column("5.5", "double", [NAN, NAN, NAN], "NaN counted as NULL, or not equal to itself", floats(0, 3, 0, 0, None, None, None)),
    column("5.5", "double", [INF, INF, NINF], "both infinities counted as one figure", floats(0, 0, 2, 1, None, None, None)),
    column("5.5", "double", ["0x1.0p+0", NAN, INF, None], "file statistics leave NaN and infinities out", floats(1, 1, 1, 0, 1.0, 1.0, 1.0)),
    column("7.3", "double", ["0x1.999999999999ap-4"], "0.1 printed with 17 digits: 0.10000000000000001", floats(0, 0, 0, 0, 0.1, 0.1, 0.1)),
    column("7.3", "double", ["0x1.3333333333333p-2"], "0.3 by 15 digits: the last bit is lost", floats(0, 0, 0, 0, 0.3, 0.3, 0.3)),
    column("7.3", "double", ["0x1.3333333333334p-2"], "0.30000000000000004 printed as 0.3", floats(0, 0, 0, 0, 0.30000000000000004, 0.30000000000000004, 0.30000000000000004)),
    column("7.3", "double", ["0x1.0p+53", "0x1.0000000000001p+53"], "whole numbers cut after 15 digits", floats(0, 0, 0, 0, 9007199254740992.0, 9007199254740994.0, 1.8014398509481986e16)),
    column("5.6", "double", ["-0x1.0p+0", "-0x1.0p+1"], "max starts from 0", floats(0, 0, 0, 0, -2.0, -1.0, -3.0)),
    column("5.6", "double", ["0x1.0p+0", "0x1.0p+1"], "min starts from 0", floats(0, 0, 0, 0, 1.0, 2.0, 3.0)),
    column("5.9", "double", ["0x1.999999999999ap-4", "0x1.999999999999ap-3", "-0x1.3333333333333p-2"],
           "0.1 + 0.2 - 0.3: three orders give three sums, none of them exact", floats(0, 0, 0, 0, -0.3, 0.2, 2.7755575615628914e-17)),
    column("5.9", "double", ["0x1.999999999999ap-4"] * 10, "ten times 0.1: exact sum to the nearest double", floats(0, 0, 0, 0, 0.1, 0.1, 1.0)),
]

NESTED_OTHER = [
    column("5.3", "list<string>", [["a"], [], None, [None]], "[NULL] or [] counted as NULL", {"nulls": 1}),
    column("5.3", "struct<a: int64>", [{"a": None}, None, {"a": "1"}], "a struct of nulls counted as NULL", {"nulls": 1}),
    column("5.3", "map<string, int64>", [{}, {"k": None}, None], "an empty map counted as NULL", {"nulls": 1}),
    column("5.3", "list<list<int64>>", [[[None]], None, [None]], "nulls below the top counted", {"nulls": 1}),
    column("2.6", "list<double>", [["nan"], None], "float figures of a list's elements", {"nulls": 1}),
    column("2.6", "struct<x: decimal(18, 2)>", [], "nested column of no rows has a hash", {"nulls": 0}),
    column("2.7", "binary", ["00ff", None, ""], "binary hashed, or empty counted as NULL", {"nulls": 1}),
    column("2.7", "time", ["0", None], "a time hashed by its print", {"nulls": 1}),
    column("2.7", "interval", ["1 day", None], "an interval hashed by its print: engines differ", {"nulls": 1}),
    column("2.7", "uuid", ["00000000-0000-0000-0000-000000000000", None], "a uuid hashed by its print", {"nulls": 1}),
    column("5.3", "json", ["null", "{}", None], "JSON null counted as NULL, or hashed by its print", {"nulls": 1}),
    column("5.3", "variant", ["null", None], "a variant's JSON null counted as NULL", {"nulls": 1}),
    column("2.7", "geography", ["POINT(0 0)"], "a geography hashed by its print", {"nulls": 0}),
    column("2.7", "bit", ["101", None], "a bit string taken for a boolean", {"nulls": 1}),
    column("2.7", "bignum", ["1", None], "an unbounded integer taken for an integer", {"nulls": 1}),
    column("2.7", "void", [None, None, None], "a column without a type breaks the statement", {"nulls": 3}),
    column("2.7", "void", [], "a column without a type and without rows", {"nulls": 0}),
    column("2.6", "union<int64, string>", ["1", None], "a union hashed by its print", {"nulls": 1}),
]


def table(clause, hunts, rows, columns, row=None):
    case = {"kind": "table", "clause": clause, "hunts": hunts, "rows": rows, "columns": columns}
    return case | {"expect": {"row": row} if row else {}}


def of(name, kind="int64", values=(), **more):
    return {"name": name, "type": kind, **more, "values": list(values)}


NAMES = [
    table("6.3", "the example: names, order and form", 4, [
        of("id", values=["1", "2", "3", "4"]), of("price", "decimal(18, 2)", ["12.30", "0.50", None, "-0.01"]),
        of("score", "double", ["0x1.0p+0", "nan", "-0x1.4p+1", "0x0.0p+0"]),
        of("tags", "list<string>", [["a"], [], ["b", None], ["c"]])],
        ["rows", "id__nulls", "id__hash", "price__nulls", "price__hash", "score__nulls", "score__nan", "score__posinf",
         "score__neginf", "score__min", "score__max", "score__sum", "tags__nulls"]),
    table("6.3", "columns that look like figures of others", 0,
          [of("month"), of("month_num"), of("a"), of("a__nulls"), of("A__hash"), of("rows")],
          ["rows", "month__nulls", "month__hash", "month_num__nulls", "month_num__hash", "a__nulls", "a__hash",
           "a__nulls__nulls", "a__nulls__hash", "A__hash__nulls", "A__hash__hash", "rows__nulls", "rows__hash"]),
    table("6.3", "quotes, dots, templates and comments in names", 1,
          [of(n, values=["1"]) for n in ["cust#", 'a"b', "a`b", "a'b", "a\\b", "select", "$1", "{{x}}", "a;--", "s.x", "a b", "\n"]]),
    table("6.3", "a dotted name beside a struct of the same path", 1,
          [of("s.x", "int32", ["1"]), of("s", "struct<x: int32>", [{"x": "2"}])], ["rows", "s.x__nulls", "s.x__hash", "s__nulls"]),
    table("6.3", "names outside ASCII", 1, [of("größe", values=["1"]), of("数量", values=["2"]), of("😀", values=["3"])]),
    table("6.1", "I and dotless ı are two names in every locale", 1, [of("I", values=["1"]), of("ı", values=["2"])]),
    table("6.1", "İ lowers to two characters: not the name i", 1, [of("İ", values=["1"]), of("i", values=["2"])]),
    table("6.1", "lowercase, not case folding: ß and SS are two names", 1, [of("ß", values=["1"]), of("SS", values=["2"])]),
    table("6.1", "no normalization of names: é composed and decomposed are two names", 1,
          [of("\u00e9", values=["1"]), of("e\u0301", values=["2"])]),
    table("7.2", "columns sorted by name, not kept in the table's order", 1, [of("b", values=["1"]), of("a", values=["2"])],
          ["rows", "b__nulls", "b__hash", "a__nulls", "a__hash"]),
    table("5.1", "rows taken from the first column's COUNT", 2, [of("x", values=[None, None]), of("y", values=["1", None])]),
    table("5.1", "a table of no rows has one fingerprint row", 0, [of("i"), of("x", "double"), of("t", "list<int64>")],
          ["rows", "i__nulls", "i__hash", "x__nulls", "x__nan", "x__posinf", "x__neginf", "x__min", "x__max", "x__sum", "t__nulls"]),
    table("2.9", "zone, unit, length, collation and label lost from the JSON", 1,
          [of("t", "timestamp", ["0"], unit="ns", zone="Europe/Rome"), of("c", "string", ["ab   "], length=5),
           of("l", "string", ["a"], collation="UTF8_LCASE"), of("e", "string", ["b"], label=True)]),
    table("11.1", "values swapped between rows: the same fingerprint (first half)", 2,
          [of("id", values=["1", "2"]), of("email", "string", ["p@x.test", "q@x.test"])]),
    table("11.1", "values swapped between rows: the same fingerprint (second half)", 2,
          [of("id", values=["1", "2"]), of("email", "string", ["q@x.test", "p@x.test"])]),
]


def refused_schema(clause, reason, hunts, *columns):
    return {"kind": "refuse", "what": "schema", "clause": clause, "hunts": hunts,
            "columns": [dict(c) for c in columns], "expect": {"reason": reason}}


def typed(name, kind="int64", **more):
    return {"name": name, "type": kind, **more}


REFUSE_SCHEMA = [
    refused_schema("6.2", "name", "a and A: DuckDB answers A with a's values", typed("a"), typed("A")),
    refused_schema("6.2", "name", "one name twice: the second is silently renamed", typed("a"), typed("b"), typed("a")),
    refused_schema("6.2", "name", "names outside ASCII equal but for case", typed("É"), typed("é")),
    refused_schema("6.1", "name", "the Kelvin sign lowers to k", typed("\u212a"), typed("k")),
    refused_schema("6.1", "name", "final sigma lowers by its place in the word", typed("ΟΔΟΣ"), typed("οδος")),
    refused_schema("6.2", "name", "nested and hashed column of one name", typed("Tags", "list<string>"), typed("tags", "string")),
    refused_schema("2.3", "precision", "precision over 38 cut to 38", typed("x", "decimal(39, 2)")),
    refused_schema("2.3", "precision", "decimal256 read through a double", typed("x", "decimal(76, 10)")),
    refused_schema("2.3", "precision", "precision 0", typed("x", "decimal(0, 0)")),
    refused_schema("2.3", "scale", "negative scale printed with an exponent", typed("x", "decimal(10, -2)")),
    refused_schema("2.3", "scale", "scale over the precision (PostgreSQL 15)", typed("x", "decimal(3, 5)")),
    refused_schema("2.3", "type", "a decimal without its scale taken for scale 0", typed("x", "decimal")),
    refused_schema("2.9", "unit", "an unknown unit taken for microseconds", typed("t", "timestamp", unit="ps")),
]

TOPICS = {
    "columns": COLUMNS,
    "float": FLOAT,
    "nested_other": NESTED_OTHER,
    "names": NAMES,
    "refuse_schema": REFUSE_SCHEMA,
}
