"""The cases of single values: (clause, type, value, text expected, the bug it hunts, further keys).

Append to a topic, never insert: the ids count from its top.
"""

# fmt: off


def value(clause, kind, given, text, hunts, **more):
    case = {"kind": "value", "clause": clause, "hunts": hunts, "type": kind, **more}
    return case | {"value": given, "expect": {"text": text}}


def same(clause, kind, given, hunts, **more):
    return value(clause, kind, given, given, hunts, **more)


INTEGER = [
    same("3.2", "int8", "-128", "negating the smallest value overflows"),
    same("3.2", "int8", "127", "one-byte type read as text or boolean"),
    same("3.2", "int8", "0", "zero printed as an empty text or as false"),
    same("4.1", "int8", "-1", "hash kept in a signed type"),
    same("3.2", "int16", "-32768", "negating the smallest value overflows"),
    same("3.2", "int16", "32767", "widening through a wrong type"),
    same("4.1", "int32", "-2147483648", "md5 that starts with 0: a leading zero is lost"),
    same("3.2", "int32", "2147483647", "thousands separators"),
    same("3.2", "int64", "-9223372036854775808", "abs() of the smallest value overflows"),
    same("3.2", "int64", "9223372036854775807", "passed through a double, which prints …808 or 9.2e18"),
    same("3.2", "int64", "-9007199254740993", "passed through a double: 2^53 + 1 is lost"),
    same("3.2", "int64", "9007199254740993", "passed through a double: 2^53 + 1 is lost"),
    same("3.2", "int64", "100000", "printed as 1e5 or 1E+5"),
    same("3.2", "int64", "1", "printed as 1.0 after a column with nulls became a float"),
    same("2.2", "uint8", "255", "unsigned byte read as signed: -1"),
    same("2.2", "uint8", "200", "unsigned byte cast to int8 on the way through Delta"),
    same("2.2", "uint16", "65535", "unsigned read as signed: -1"),
    same("2.2", "uint32", "4294967295", "unsigned read as signed: -1"),
    same("2.2", "uint64", "9223372036854775808", "unsigned read as signed: -9223372036854775808"),
    same("2.2", "uint64", "18446744073709551615", "unsigned read as signed: -1"),
    same("2.2", "int128", "-170141183460469231731687303715884105728", "128 bits cut to 64 or made a double"),
    same("2.2", "int128", "170141183460469231731687303715884105727", "128 bits cut to 64 or made a double"),
    same("2.2", "uint128", "340282366920938463463374607431768211455", "128 bits cut to 64 or made a double"),
    same("2.4", "decimal(5, 0)", "5", "scale 0 printed with a point: 5. or 5.0"),
    same("2.4", "decimal(5, 0)", "-99999", "scale 0 printed in another form than an integer"),
    same("2.4", "decimal(38, 0)", "99999999999999999999999999999999999999", "38 digits through a double: 1E+38"),
    same("2.4", "decimal(38, 0)", "-99999999999999999999999999999999999999", "38 digits through a double"),
    same("2.4", "decimal(20, 0)", "18446744073709551615", "uint64 stored as decimal(20, 0) differs from uint64"),
    same("2.4", "decimal(10, 0)", "1000000", "BigDecimal prints 1E+6"),
    value("3.3", "decimal(5, 0)", "-0", "0", "negative zero at scale 0"),
    value("3.2", "int64", "007", "7", "leading zeros kept from a text source"),
    value("3.2", "int64", "-0", "0", "negative zero kept from a text source"),
]

DECIMAL = [
    same("3.3", "decimal(18, 2)", "12.30", "trailing zero dropped: 12.3"),
    same("3.3", "decimal(18, 2)", "0.50", "leading zero or trailing zero dropped: .5"),
    same("3.3", "decimal(18, 2)", "-0.01", "sign lost with an integer part of 0"),
    same("3.3", "decimal(18, 2)", "0.00", "zero printed as 0 or 0E-2"),
    same("3.3", "decimal(18, 2)", "-12.30", "sign or trailing zero lost"),
    same("3.3", "decimal(18, 2)", "9999999999999999.99", "18 digits through a double: …00.00"),
    same("3.3", "decimal(18, 2)", "1000000.00", "thousands separators: 1,000,000.00"),
    value("3.3", "decimal(18, 2)", "5", "5.00", "text of the value, not of the column: scale lost"),
    value("3.3", "decimal(18, 2)", "12.3", "12.30", "text of the value, not of the column: scale lost"),
    value("3.3", "decimal(10, 2)", "-0.00", "0.00", "negative zero of a decimal object kept: -0.00"),
    value("3.3", "decimal(38, 6)", "5", "5.000000", "a literal's scale used in place of the column's"),
    same("3.3", "decimal(38, 6)", "0.000000", "zero printed as 0E-6"),
    same("3.3", "decimal(38, 6)", "0.000001", "printed as 1E-6"),
    same("3.3", "decimal(38, 6)", "-0.000001", "printed as -1E-6"),
    same("3.3", "decimal(38, 7)", "0.0000000", "Spark, ANSI off, prints 0E-7"),
    same("3.3", "decimal(38, 7)", "0.0000001", "Spark, ANSI off, prints 1E-7"),
    same("3.3", "decimal(38, 7)", "0.0000010", "Spark, ANSI off, prints 0.0000010 but 1E-7 beside it"),
    same("3.3", "decimal(38, 7)", "-0.0000001", "Spark, ANSI off, prints -1E-7"),
    same("3.3", "decimal(38, 18)", "0.000000000000000000", "Spark, ANSI off, prints 0E-18"),
    same("3.3", "decimal(38, 18)", "0.000000000000000001", "Spark, ANSI off, prints 1E-18"),
    same("3.3", "decimal(38, 18)", "-0.000000000000000001", "Spark, ANSI off, prints -1E-18"),
    same("3.3", "decimal(38, 18)", "99999999999999999999.999999999999999999", "format_number through a double"),
    same("3.3", "decimal(38, 18)", "-99999999999999999999.999999999999999999", "format_number through a double"),
    same("3.3", "decimal(38, 18)", "1.500000000000000000", "trailing zeros dropped"),
    same("3.3", "decimal(38, 37)", "0.0000000000000000000000000000000000001", "scientific form at a large scale"),
    same("3.3", "decimal(38, 37)", "-1.0000000000000000000000000000000000000", "trailing zeros at a large scale"),
    same("3.3", "decimal(38, 38)", "0." + "0" * 38, "precision = scale: DuckDB drops the leading zero"),
    same("3.3", "decimal(38, 38)", "0." + "0" * 37 + "1", "precision = scale: leading zero, scientific form"),
    same("3.3", "decimal(38, 38)", "-0." + "0" * 37 + "1", "precision = scale: sign and leading zero"),
    same("3.3", "decimal(38, 38)", "0." + "9" * 38, "38 nines rounded to 1"),
    same("3.3", "decimal(38, 38)", "-0.5" + "0" * 37, "precision = scale: DuckDB prints -.5"),
    same("3.3", "decimal(18, 18)", "0.000000000000000000", "precision = scale: DuckDB prints .000"),
    same("3.3", "decimal(18, 18)", "-0.000000000000000001", "precision = scale and scientific form at once"),
    same("3.3", "decimal(18, 18)", "0.500000000000000000", "precision = scale: DuckDB prints .5"),
    same("3.3", "decimal(9, 9)", "-0.500000000", "precision = scale: DuckDB prints -.5"),
    same("3.3", "decimal(4, 4)", "0.5000", "precision = scale: DuckDB prints .5"),
    same("3.3", "decimal(1, 1)", "0.5", "precision = scale: DuckDB prints .5"),
    same("3.3", "decimal(1, 1)", "-0.5", "precision = scale: DuckDB prints -.5"),
    same("3.3", "decimal(1, 1)", "0.0", "precision = scale: DuckDB prints .0"),
    same("3.3", "decimal(3, 2)", "1.20", "value re-inferred with scale 1: 1.2"),
    same("3.3", "decimal(38, 1)", "1234567890123456789012345678901234567.8", "a 64-bit integer part"),
]

STRING = [
    same("3.4", "string", "", "empty text taken for NULL"),
    same("3.4", "string", "a", "another hash than md5, or hex in upper case"),
    same("4.1", "string", "abc", "md5 read little-endian"),
    same("3.4", "string", "a ", "trailing space trimmed"),
    same("3.4", "string", " a", "leading space trimmed"),
    same("3.4", "string", "  ", "blank text taken for empty"),
    same("3.4", "string", "\u3000x\u00a0", "Unicode spaces trimmed"),
    same("3.4", "string", "NULL", "the word NULL taken for a NULL"),
    same("3.4", "string", "null", "the JSON word null taken for a NULL"),
    same("3.4", "string", "A", "folded to lower case"),
    same("3.4", "string", "12.30", "text that looks like a number is read as one"),
    same("3.4", "string", "007", "text that looks like a number loses its zeros"),
    same("3.4", "string", "true", "text read as a boolean"),
    same("3.4", "string", "caf\u00e9", "composed letter decomposed, or Latin-1 bytes hashed"),
    same("3.4", "string", "cafe\u0301", "decomposed letter composed (NFC)"),
    same("3.4", "string", "\u00e9", "composed letter decomposed (NFD)"),
    same("3.4", "string", "e\u0301", "decomposed letter composed (NFC)"),
    same("3.4", "string", "a\u200b", "zero-width space removed"),
    same("3.4", "string", "\u00df", "sharp s folded to ss"),
    same("3.4", "string", "\u0130i\u0131", "Turkish i folded by a locale"),
    same("3.4", "string", "\u03a3\u03c3\u03c2", "Greek sigma folded"),
    same("3.4", "string", "\ufb01", "ligature folded by NFKC"),
    same("3.4", "string", "\U0001f600", "UTF-16 surrogates hashed as two three-byte characters"),
    same("3.4", "string", "\u202eabc", "direction mark removed"),
    same("3.4", "string", "\ufeffx", "byte order mark removed"),
    same("3.4", "string", "line\nbreak\r\n", "line ends made one kind"),
    same("3.4", "string", "tab\tquote'\"back\\slash`", "quotes or backslashes escaped on the way"),
    same("3.4", "string", "a\u0000b", "text cut at a NUL byte"),
    same("3.4", "string", "\u0000", "text cut at a NUL byte"),
    same("3.4", "string", "\u4f60\u597d", "three-byte characters"),
    same("3.4", "string", "\uffff", "noncharacter refused or replaced"),
    same("3.4", "string", "\ufffd", "replacement character taken for damage"),
    same("3.4", "string", "x" * 10000, "long text cut"),
    same("4.1", "string", "\u00e9" * 500, "length counted in characters, bytes cut"),
    same("3.13", "string", "ab   ", "CHAR(5) as Spark presents it: padding trimmed", length=5),
    same("3.13", "string", "ab", "CHAR(5) as DuckDB presents it: padding added", length=5),
    same("2.5", "string", "b", "an enum hashed by its number, not its label", label=True),
    same("3.4", "string", "STRASSE", "a collation folds the case before hashing", collation="UTF8_LCASE"),
    same("3.4", "string", "x" * 1000, "text of more than one page or buffer cut"),
]

BOOLEAN = [
    value("3.6", "boolean", True, "true", "printed as 1, t, TRUE or True"),
    value("3.6", "boolean", False, "false", "printed as 0, f, FALSE or False, or taken for a NULL"),
]

DATE = [
    value("3.7", "date", "0", "1970-01-01", "wrong epoch"),
    value("3.7", "date", "-1", "1969-12-31", "rounding toward zero before the epoch"),
    value("3.7", "date", "19782", "2024-02-29", "leap day lost"),
    value("3.7", "date", "11016", "2000-02-29", "a century year divisible by 400 is a leap year"),
    value("3.8", "date", "-25509", "1900-02-28", "1900 taken for a leap year"),
    value("3.8", "date", "-25508", "1900-03-01", "1900 taken for a leap year"),
    value("3.8", "date", "-141428", "1582-10-14", "Julian calendar before 1582-10-15"),
    value("3.8", "date", "-141427", "1582-10-15", "off by one at the reform"),
    value("3.8", "date", "-141438", "1582-10-04", "Julian calendar before 1582-10-15: 1582-09-24"),
    value("3.8", "date", "-354000", "1000-10-13", "legacy rebase moves old days"),
    value("3.8", "date", "-171596", "1500-03-10", "Spark's LEGACY rebase moves the day"),
    value("3.8", "date", "-719162", "0001-01-01", "year without four digits: 1-01-01"),
    value("3.7", "date", "-676080", "0118-12-16", "year without four digits: 118-12-16"),
    value("3.7", "date", "2932896", "9999-12-31", "latest day of four digits"),
    value("3.8", "date", "2932897", "10000-01-01", "Spark writes +10000-01-01"),
    value("3.8", "date", "-719163", "0000-12-31", "DuckDB writes 0001-12-31 (BC)"),
    value("3.8", "date", "-719528", "0000-01-01", "DuckDB writes 0001-01-01 (BC)"),
    value("3.8", "date", "-719469", "0000-02-29", "astronomical year 0 is a leap year"),
    value("3.8", "date", "-719529", "-0001-12-31", "strftime writes -1-12-31"),
    value("3.8", "date", "-735160", "-0043-03-15", "strftime writes -43-03-15, unpadded"),
    value("3.8", "date", "2147483647", "5881580-07-11", "largest 32-bit day"),
    value("3.8", "date", "-2147483648", "-5877641-06-23", "smallest 32-bit day"),
    value("3.7", "date", "15338", "2011-12-30", "a day that a local zone skipped (Apia), moved by one"),
    value("3.7", "date", "17833", "2018-10-29", "a date taken through a local midnight"),
]


def stamp(clause, kind, given, text, hunts, **more):
    return value(clause, kind, given, text, hunts, **more)


TIMESTAMP = [
    *(
        same(clause, kind, given, hunts)
        for kind in ("timestamp_ntz", "timestamp")
        for clause, given, hunts in [
            ("3.10", "0", "session zone added to the epoch"),
            ("3.10", "1", "fraction lost"),
            ("3.11", "-1", "seconds and fraction rounded toward zero before 1970"),
            ("3.11", "-1000001", "negative seconds with a fraction"),
            ("3.10", "1717243200123456", "fraction cut to milliseconds"),
            ("3.12", "1710037800000000", "zone-less 02:30 in a New York DST gap moves an hour"),
            ("3.12", "1615689000000000", "zone-less 02:30 in a DST gap read in the session zone"),
            ("3.12", "-2717640000000000", "local mean time before 1883 added"),
            ("3.10", "-14831769600000000", "Julian rebase moves 1500-01-01"),
            ("3.10", "-62135596800000000", "smallest four-digit year"),
            ("3.10", "-62135596799999999", "passed through a double: the last digit is lost"),
            ("3.10", "253402300799999999", "passed through a double: the last digit is lost"),
            ("3.10", "2160000000000", "minute · 60000000 overflows 32 bits from minute 36"),
        ]
    ),
    same("3.10", "timestamp", "-9223372036854775807", "an infinity of DuckDB's, or an overflow"),
    same("3.10", "timestamp", "9223372036854775806", "conversion through nanoseconds overflows"),
    stamp("3.10", "timestamp_ntz", "-1", "-1000000", "unit of the column ignored", unit="s"),
    stamp("3.10", "timestamp_ntz", "253402300799", "253402300799000000", "conversion through ns overflows", unit="s"),
    stamp("3.10", "timestamp_ntz", "1577836801", "1577836801000000", "unit of the column ignored", unit="s"),
    stamp("3.10", "timestamp", "1577836801", "1577836801000000", "unit of the column ignored", unit="s"),
    stamp("3.10", "timestamp_ntz", "-1", "-1000", "unit of the column ignored", unit="ms"),
    stamp("3.10", "timestamp_ntz", "253402300799999", "253402300799999000", "conversion through ns overflows", unit="ms"),
    stamp("3.10", "timestamp", "1577836801000", "1577836801000000", "unit of the column ignored", unit="ms"),
    *(
        stamp("3.11", kind, given, text, hunts, unit="ns")
        for kind in ("timestamp_ntz", "timestamp")
        for given, text, hunts in [
            ("-1", "-1", "truncated toward zero: 0"),
            ("-999", "-1", "rounded or truncated"),
            ("-1000", "-1", "floor by subtracting one too often: -2"),
            ("-1001", "-2", "truncated toward zero: -1"),
            ("999", "0", "rounded to nearest: 1"),
            ("1500", "1", "rounded to nearest: 2"),
            ("1999", "1", "rounded to nearest: 2"),
            ("1577836801000000000", "1577836801000000", "unit of the column ignored"),
            ("-9223372036854775000", "-9223372036854775", "overflow at the far end"),
        ]
    ),
    stamp("3.12", "timestamp", "0", "0", "a named zone added to an instant", zone="Europe/Rome"),
    stamp("3.12", "timestamp", "1720000000000000", "1720000000000000", "a named zone added to an instant", zone="Europe/Rome"),
    *(
        same("3.10", "timestamp_ntz", given, hunts)
        for given, hunts in [
            ("1000000000000000000", "a DECIMAL(18, …) of microseconds overflows from 10^18 on"),
            ("-1000000000000000000", "a DECIMAL(18, …) of microseconds overflows from 10^18 on"),
            ("999999999999999999", "passed through a double: the last digits are lost"),
            ("-999999999999999999", "passed through a double: the last digits are lost"),
            ("9223372036854775807", "largest of 64 bits: conversion overflows, or an infinity of DuckDB's"),
            ("-9223372036854775808", "smallest of 64 bits: a difference or an absolute value overflows"),
            ("9223372022400000000", "hours past 32 bits, at the end of what DuckDB holds"),
            ("-9223372022400000000", "hours past 32 bits, at the end of what DuckDB holds"),
        ]
    ),
]


def refused_value(clause, kind, given, reason, hunts, **more):
    case = {"kind": "refuse", "what": "value", "clause": clause, "hunts": hunts, "type": kind, **more}
    return case | {"value": given, "expect": {"reason": reason}}


def refused_bytes(given, hunts):
    case = {"kind": "refuse", "what": "value", "clause": "3.5", "hunts": hunts, "type": "string"}
    return case | {"bytes": given, "expect": {"reason": "utf-8"}}


REFUSE_VALUE = [
    refused_bytes("ff", "byte that is never UTF-8 replaced by U+FFFD and hashed"),
    refused_bytes("61ff62", "bad byte between good ones dropped"),
    refused_bytes("e9", "Latin-1 letter taken for UTF-8"),
    refused_bytes("c3", "character cut at the end"),
    refused_bytes("80", "continuation byte alone"),
    refused_bytes("c080", "overlong NUL (modified UTF-8 of Java)"),
    refused_bytes("eda080", "lone surrogate in three bytes"),
    refused_bytes("eda0bdedb880", "CESU-8: a pair of surrogates in six bytes"),
    refused_bytes("f4908080", "above U+10FFFF"),
    refused_value("3.9", "date", "infinity", "infinite", "DuckDB: an infinite date adds nothing, silently"),
    refused_value("3.9", "date", "-infinity", "infinite", "DuckDB: an infinite date adds nothing, silently"),
    refused_value("3.9", "timestamp_ntz", "infinity", "infinite", "DuckDB: epoch_us('infinity') is NULL"),
    refused_value("3.9", "timestamp_ntz", "-infinity", "infinite", "DuckDB: epoch_us('-infinity') is NULL"),
    refused_value("3.9", "timestamp", "infinity", "infinite", "DuckDB: epoch_us('infinity') is NULL"),
    refused_value("3.9", "timestamp", "-infinity", "infinite", "PostgreSQL: extract(epoch) is -Infinity"),
    refused_value("3.9", "timestamp_ntz", "infinity", "infinite", "DuckDB: epoch_ns('infinity')", unit="ns"),
    refused_value("3.14", "decimal(18, 2)", "12.345", "scale", "rounded to the scale: 12.35 or 12.34"),
    refused_value("3.14", "decimal(5, 2)", "1000.00", "range", "more digits than the precision"),
    refused_value("3.14", "decimal(18, 2)", "NaN", "value", "PostgreSQL's numeric NaN hashed as the text NaN"),
    refused_value("3.14", "int8", "128", "range", "wrapped to -128"),
    refused_value("3.14", "uint8", "-1", "range", "wrapped to 255"),
    refused_value("3.14", "int64", "9223372036854775808", "range", "wrapped to the smallest value"),
    refused_value("3.14", "int64", "1.5", "value", "a float cut to an integer"),
    refused_value("3.1", "binary", "00", "type", "a type without a canonical text hashed by its print"),
    refused_value("3.1", "list<string>", "['a']", "type", "a nested value hashed by its print"),
    refused_value("3.1", "double", "1.5", "type", "a float hashed by its print"),
]

TOPICS = {
    "integer": INTEGER,
    "decimal": DECIMAL,
    "string": STRING,
    "boolean": BOOLEAN,
    "date": DATE,
    "timestamp": TIMESTAMP,
    "refuse_value": REFUSE_VALUE,
}
