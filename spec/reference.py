"""Fingerprint version 1 in plain Python: the second voice of v1.md, and the only writer of vectors/v1.

    python spec/reference.py            writes spec/vectors/v1/*.json from spec/cases_*.py
    python spec/reference.py --check    writes nothing, exits 1 if a file would change

Numbers in brackets are clauses of v1.md. Written to be read, not to be fast.
"""

import hashlib
import json
import math
import re
import struct
import sys
from fractions import Fraction

SPEC = "ods-fingerprint/1"
LARGEST = 2**60 - 1  # the hash of one value, at most [4.1]
UNITS = {"s": Fraction(10**6), "ms": Fraction(1000), "us": Fraction(1), "ns": Fraction(1, 1000)}
INTEGERS = {f"int{n}": (-(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64, 128)} | {
    f"uint{n}": (0, 2**n - 1) for n in (8, 16, 32, 64, 128)
}
WORDS = {
    "string": "string", "boolean": "boolean", "date": "date", "timestamp": "timestamp",
    "timestamp_ntz": "timestamp", "half": "float", "float": "float", "double": "float",
}  # fmt: skip
NESTED = ("list<", "struct<", "map<", "union<")
PACKED = {"half": "<e", "float": "<f", "double": "<d"}
COUNTS = ("nulls", "nan", "posinf", "neginf")
FIGURES = {
    "float": ("nulls", "nan", "posinf", "neginf", "min", "max", "sum"),
    "nested": ("nulls",), "other": ("nulls",),
}  # fmt: skip
COLUMN_KEYS = ("name", "type", "unit", "zone", "collation", "length", "label", "note")
EXITS = {"equal": 0, "different": 1, "equal, partial": 3}


class Refused(Exception):
    """What version 1 refuses; `reason` is the one word that the vectors carry."""

    def __init__(self, reason, text):
        super().__init__(text)
        self.reason = reason


# ---- types [2] ---------------------------------------------------------------------------------


def family(kind):
    """The family of a type text [2.2]."""
    if kind in INTEGERS:
        return "integer"
    if kind.startswith("decimal"):
        return "decimal" if decimal_scale(kind) else "integer"
    if kind.startswith(NESTED):
        return "nested"
    return WORDS.get(kind, "other")


def decimal_scale(kind):
    """The scale of a decimal type, refused outside 1 ≤ precision ≤ 38, 0 ≤ scale ≤ precision [2.3]."""
    precision, scale = decimal_parts(kind)
    if not 1 <= precision <= 38:
        raise Refused("precision", f"{kind}: 1 to 38 digits")
    if not 0 <= scale <= precision:
        raise Refused("scale", f"{kind}: a scale of 0 to the precision")
    return scale


def decimal_parts(kind):
    found = re.fullmatch(r"decimal\((-?[0-9]+), (-?[0-9]+)\)", kind)
    if not found:
        raise Refused("type", f"not a type: {kind}")
    return int(found[1]), int(found[2])


def fold(name):
    """What two names must share to be the same column: Unicode lowercase, no locale [6.1]."""
    return name.lower()


def check_names(names):
    """Refuse names that are equal but for case [6.2]."""
    seen = {}
    for name in names:
        if fold(name) in seen:
            raise Refused("name", f"{seen[fold(name)]!r} and {name!r} are one name")
        seen[fold(name)] = name


def check_schema(columns):
    check_names([column["name"] for column in columns])
    for column in columns:
        family(column["type"])
        if column.get("unit", "us") not in UNITS:
            raise Refused("unit", f"{column['unit']!r}: s, ms, us or ns")


# ---- canonical text [3] ------------------------------------------------------------------------


def canonical_text(kind, value, unit="us"):
    """The text of one value that is not NULL [3.1]."""
    texts = {
        "integer": integer_text, "decimal": decimal_text, "string": string_text,
        "boolean": boolean_text, "date": date_text, "timestamp": timestamp_text,
    }  # fmt: skip
    group = family(kind)
    if group not in texts:
        raise Refused("type", f"{kind} has no canonical text in version 1")
    return texts[group](kind, value, unit)


def whole(value):
    """An integer from its digits; the values of version 1 have no infinity [3.9]."""
    if "inf" in value.lower():
        raise Refused("infinite", f"{value} has no canonical text")
    if not re.fullmatch(r"-?[0-9]+", value, re.ASCII):
        raise Refused("value", f"not a whole number: {value}")
    return int(value)


def integer_text(kind, value, unit):
    """Digits, with `-` if negative [3.2]."""
    if kind.startswith("decimal"):
        return decimal_text(kind, value, unit)
    low, high = INTEGERS[kind]
    if not low <= whole(value) <= high:
        raise Refused("range", f"{value} is not in {kind}")
    return str(whole(value))


def decimal_text(kind, value, unit):
    """Exactly `scale` digits after the point, at least one before it, no negative zero [3.3]."""
    precision, scale = decimal_parts(kind)
    number = scaled(value, scale)
    if abs(number) >= 10**precision:
        raise Refused("range", f"{value} is not in {kind}")
    digits = str(abs(number)).rjust(scale + 1, "0")
    point = len(digits) - scale
    sign = "-" if number < 0 else ""
    return sign + digits[:point] + ("." + digits[point:] if scale else "")


def scaled(value, scale):
    """The stored integer of a decimal: value · 10^scale, never rounded."""
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value, re.ASCII):
        raise Refused("value", f"not a decimal: {value}")
    number = Fraction(value) * 10**scale
    if number.denominator != 1:
        raise Refused("scale", f"{value} has more than {scale} digits after the point")
    return number.numerator


def string_text(kind, value, unit):
    """The bytes as they are, which must be UTF-8 [3.4, 3.5]."""
    try:
        return value.decode("utf-8") if isinstance(value, bytes) else value
    except UnicodeDecodeError as error:
        raise Refused("utf-8", str(error)) from error


def boolean_text(kind, value, unit):
    """`true` or `false` [3.6]."""
    return "true" if value else "false"


def date_text(kind, value, unit):
    """`YYYY-MM-DD`, proleptic Gregorian, astronomical years [3.7, 3.8]."""
    year, month, day = civil(whole(value))
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}"


def civil(days):
    """Year, month, day of a count of days since 1970-01-01, by eras of 400 years from 1 March."""
    era, day_of_era = divmod(days + 719468, 146097)
    year = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def timestamp_text(kind, value, unit):
    """Microseconds since 1970-01-01T00:00:00 UTC, floored toward −∞ [3.10, 3.11]."""
    return str(math.floor(whole(value) * UNITS[unit]))


# ---- figures [4, 5] ----------------------------------------------------------------------------


def hash_of(text):
    """The first 15 hex digits of the md5 of the UTF-8 bytes, as a number [4.1]."""
    return int(hashlib.md5(text.encode("utf-8")).hexdigest()[:15], 16)


def figures(kind, values, unit="us"):
    """The figures of one column, in the JSON form [5.2]."""
    present = [value for value in values if value is not None]
    nulls = {"nulls": len(values) - len(present)}
    group = family(kind)
    if group == "float":
        return nulls | float_figures(kind, present)
    if group in ("nested", "other"):
        return nulls
    return nulls | {"hash": str(sum(hash_of(canonical_text(kind, v, unit)) for v in present))}


def float_figures(kind, texts):
    """Three counts, and min, max and sum over the finite values [5.5 to 5.9]."""
    numbers = [widened(kind, text) for text in texts]
    finite = [x for x in numbers if math.isfinite(x)]
    return {
        "nan": sum(math.isnan(x) for x in numbers),
        "posinf": sum(x == math.inf for x in numbers),
        "neginf": sum(x == -math.inf for x in numbers),
        "min": unsigned_zero(min(finite)) if finite else None,
        "max": unsigned_zero(max(finite)) if finite else None,
        "sum": nearest(sum(map(Fraction, finite))) if finite else None,
    }


def widened(kind, text):
    """A float of any width as the double of the same value [5.4]."""
    number = float.fromhex(text)
    if (
        not math.isnan(number)
        and struct.unpack(PACKED[kind], struct.pack(PACKED[kind], number))[0] != number
    ):
        raise Refused("range", f"{text} is not a {kind}")
    return number


def unsigned_zero(number):
    """−0.0 is reported as 0.0 [5.7]."""
    return number + 0.0


def nearest(exact):
    """The double nearest to an exact sum, or "inf", "-inf" where there is none [5.9, 5.10]."""
    try:
        return float(exact)
    except OverflowError:
        return "inf" if exact > 0 else "-inf"


def fingerprint(columns, rows):
    """The fingerprint of columns of values, in the JSON form [7.1]."""
    check_schema(columns)
    return {"spec": SPEC, "rows": rows, "columns": [fingerprint_column(c) for c in columns]}


def fingerprint_column(column):
    kept = {key: column[key] for key in COLUMN_KEYS if key in column}
    found = figures(column["type"], column["values"], column.get("unit", "us"))
    return kept | {"family": family(column["type"]), "figures": found}


def row_names(columns):
    """The names of the one row, in order [6.3]."""
    check_schema(columns)
    return ["rows"] + [
        f"{c['name']}__{f}" for c in columns for f in figure_names(family(c["type"]))
    ]


def figure_names(group):
    return FIGURES.get(group, ("nulls", "hash"))


# ---- a valid fingerprint [8] -------------------------------------------------------------------


def read(text):
    """A fingerprint from its JSON text, checked [7.3, 8]."""
    fp = json.loads(text, parse_constant=lambda word: invalid(f"a bare {word}"))
    validate(fp)
    return fp


def invalid(text):
    raise Refused("invalid", text)


def validate(fp):
    """Refuse a fingerprint of an unknown version, or one that contradicts itself [8.1 to 8.11]."""
    if not isinstance(fp, dict) or fp.get("spec") != SPEC:
        raise Refused("version", f"spec is not {SPEC}")
    if not is_count(fp.get("rows")) or not isinstance(fp.get("columns"), list):
        invalid("rows or columns")
    check_names(known_names(fp))
    for column in fp["columns"]:
        validate_column(column, fp["rows"])


def validate_column(column, rows):
    found, group = column["figures"], family(column["type"])
    if column.get("family") != group:
        invalid(f"the family of {column['type']} is {group}, not {column.get('family')}")
    if set(found) != set(figure_names(group)):
        invalid(f"the figures of {group} are {figure_names(group)}")
    if not all(is_count(found[c]) for c in COUNTS if c in found) or found["nulls"] > rows:
        invalid(f"counts of {column['name']}")
    if "hash" in found and not is_hash(found["hash"], rows - found["nulls"]):
        invalid(f"hash of {column['name']}")
    if group == "float":
        validate_floats(found, finite_rows(found, rows))


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_hash(value, present):
    """ASCII digits without leading zeros, at most what `present` values can sum to [8.4]."""
    digits = isinstance(value, str) and re.fullmatch(r"0|[1-9][0-9]*", value, re.ASCII)
    return bool(digits) and int(value) <= present * LARGEST


def finite_rows(found, rows):
    return rows - sum(found[count] for count in COUNTS)


def validate_floats(found, finite):
    low, high, total = found["min"], found["max"], found["sum"]
    if finite < 0:
        invalid("more NaN, infinities and nulls than rows")
    if finite == 0 and (low, high, total) != (None, None, None):
        invalid("min, max and sum without a finite value")
    if finite > 0 and not (is_finite(low) and is_finite(high) and low <= high):
        invalid("min and max of finite values")
    if finite > 0 and not is_finite(total) and total not in ("inf", "-inf", "nan"):
        invalid("sum")


def is_finite(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


# ---- comparison [9] ----------------------------------------------------------------------------


def compare(a, b, rename=None, skip=(), columns=None):
    """The comparison of two fingerprints, in the JSON form [9.1]; a note is (column, what it contains)."""
    validate(a)
    validate(b)
    a, b = as_read(renamed(a, rename or {})), as_read(b)
    result = {"differences": [], "uncovered": [], "skipped": [], "notes": []}
    if a["rows"] != b["rows"]:
        result["differences"].append(difference(None, "rows", a["rows"], b["rows"]))
    skipped = skip_test(a, b, skip, columns)
    for name in all_names(a, b):
        if skipped(name):
            result["skipped"].append(name)
        else:
            compare_name(result, name, a, b)
    return result | {"verdict": verdict(result)}


def as_read(fp):
    """Float figures as doubles, however JSON wrote them, and −0.0 as 0.0 [5.7, 7.3]."""
    return fp | {"columns": [c | {"figures": doubles(c["figures"])} for c in fp["columns"]]}


def doubles(found):
    numbers = {f: found[f] for f in ("min", "max", "sum") if isinstance(found.get(f), (int, float))}
    return found | {figure: unsigned_zero(float(number)) for figure, number in numbers.items()}


def verdict(result):
    """The one word of a comparison [10.1]."""
    if result["differences"]:
        return "different"
    return "equal, partial" if result["uncovered"] else "equal"


def exit_code(word, allow_partial=False):
    """The exit code of a verdict [10.2, 10.3]."""
    return 0 if allow_partial and word == "equal, partial" else EXITS[word]


def renamed(fp, rename):
    """Rename columns of A, and what it leaves out, all at once [9.3]."""
    wanted = {fold(old): new for old, new in rename.items()}
    unknown = set(wanted) - {fold(name) for name in known_names(fp)}
    if unknown or len(wanted) < len(rename):
        raise Refused("rename", f"A has no such column, or two renames of one: {sorted(rename)}")
    columns = [c | {"name": wanted.get(fold(c["name"]), c["name"])} for c in fp["columns"]]
    skipped = [wanted.get(fold(name), name) for name in fp.get("skipped", [])]
    found = fp | {"columns": columns, "skipped": skipped}
    check_names(known_names(found))
    return found


def skip_test(a, b, skip, columns):
    """Which columns the command leaves out of both sides [9.12]."""
    known = {fold(name) for name in all_names(a, b)}
    asked = {fold(name) for name in [*skip, *(columns or [])]}
    if asked - known:
        raise Refused("name", f"neither side has {sorted(asked - known)}")
    out = {fold(name) for name in skip}
    kept = known if columns is None else {fold(name) for name in columns}
    if known and not kept - out:
        raise Refused("name", "no column is left to compare")
    return lambda name: fold(name) in out or fold(name) not in kept


def all_names(a, b):
    """A's columns, what A leaves out, then the same of B: each name once, in order [9.13]."""
    names = {}
    for name in known_names(a) + known_names(b):
        names.setdefault(fold(name), name)
    return list(names.values())


def known_names(fp):
    return [column["name"] for column in fp["columns"]] + fp.get("skipped", [])


def column_of(fp, name):
    return next((c for c in fp["columns"] if fold(c["name"]) == fold(name)), None)


def leaves_out(fp, name):
    return any(fold(skipped) == fold(name) for skipped in fp.get("skipped", []))


def compare_name(result, name, a, b):
    left, right = column_of(a, name), column_of(b, name)
    out = [side for side, fp in (("A", a), ("B", b)) if leaves_out(fp, name)]
    if out:
        result["uncovered"].append(
            {"column": name, "why": f"left out of {'both' if out == ['A', 'B'] else out[0]}"}
        )
    elif left is None or right is None:
        types = [column and column["type"] for column in (left, right)]
        result["differences"].append(difference(name, "missing", *types))
    else:
        compare_column(result, name, left, right, (a["rows"], b["rows"]))


def compare_column(result, name, left, right, both_rows):
    if same_type(left, right):
        compare_figures(result, name, left, right, both_rows)
        uncover(result, name, left)
        result["notes"] += [(name, keyword) for keyword in type_notes(left, right)]
        result["notes"] += [(name, note) for note in own_notes(left, right)]
    else:
        result["differences"].append(difference(name, "type", left["type"], right["type"]))
        compare_exact(result, name, left, right, ["nulls"])


def same_type(left, right):
    """The same family, and for decimals the same scale [9.6]."""
    if left["family"] != right["family"]:
        return False
    if left["family"] != "decimal":
        return True
    return decimal_scale(left["type"]) == decimal_scale(right["type"])


def compare_figures(result, name, left, right, both_rows):
    names = figure_names(left["family"])
    compare_exact(result, name, left, right, [figure for figure in names if figure != "sum"])
    if "sum" in names:
        compare_sums(result, name, left["figures"], right["figures"], both_rows)


def compare_exact(result, name, left, right, names):
    """Numbers and null as they are; 0.0 equals −0.0 [9.7]."""
    for figure in names:
        one, two = left["figures"][figure], right["figures"][figure]
        if one != two:
            result["differences"].append(difference(name, figure, one, two))


def compare_sums(result, name, left, right, both_rows):
    """Sums by tolerance [9.8, 9.9]."""
    one, two = left["sum"], right["sum"]
    if isinstance(one, str) or isinstance(two, str):
        result["uncovered"].append({"column": name, "why": "sum overflowed: undetermined"})
    elif one != two:
        rule = sum_rule(left, right, both_rows)
        if rule:
            result["notes"].append((name, rule))
        else:
            result["differences"].append(difference(name, "sum", one, two))


def sum_rule(left, right, both_rows):
    """The rule that makes two unequal sums equal, or None; in exact arithmetic [9.9]."""
    if left["sum"] is None or right["sum"] is None:
        return None
    one, two = Fraction(left["sum"]), Fraction(right["sum"])
    if abs(one - two) <= max(abs(one), abs(two)) / 10**9:
        return "1e-9"
    largest = max(abs(Fraction(side[end])) for side in (left, right) for end in ("min", "max"))
    count = max(finite_rows(side, rows) for side, rows in zip((left, right), both_rows))
    if (one - two) ** 2 * 2**106 <= count**3 * largest**2:
        return "order"
    return None


def uncover(result, name, column):
    """Nested and other columns are compared by their nulls alone [9.10]."""
    words = {"nested": "nested", "other": column["type"]}
    if column["family"] in words:
        why = f"{words[column['family']]}: only nulls are counted in version 1"
        result["uncovered"].append({"column": name, "why": why})


def type_notes(left, right):
    """What two columns of one family may differ in without a difference [9.11]."""
    pairs = [
        (left.get(key), right.get(key)) for key in ("type", "zone", "unit", "length", "collation")
    ]
    kinds, zones, units, lengths, collations = pairs
    if left["family"] == "timestamp" and kinds[0] != kinds[1]:
        yield "timestamp_ntz"
    elif None not in zones and zones[0] != zones[1]:
        yield "zone"
    if "ns" in units:
        yield "microsecond"
    if lengths != (None, None):
        yield "CHAR"
    if collations != (None, None):
        yield "collation"


def own_notes(left, right):
    """The notes that the columns brought with them, each once [9.11]."""
    return dict.fromkeys(side["note"] for side in (left, right) if "note" in side)


def difference(column, figure, a, b):
    return {"column": column, "figure": figure, "a": a, "b": b}


if __name__ == "__main__":
    import writer

    sys.exit(writer.main(sys.argv[1:]))
