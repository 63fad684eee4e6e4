"""Random values of every type in the words of the spec: ends, small, and of every size between."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from random import Random

Draw = Callable[[Random], object]
# DuckDB keeps what lies past these ends for its infinities
_DAYS, _MICROS = 2**31 - 2, 9_223_372_022_400_000_000
_LETTERS = "abc 019-.,éßİſΣ\u0000\u0301\u200d\u3000\ufeff\n'\"\\日本🎉"
# around the blocks of md5
_LENGTHS = (0, 1, 2, 5, 15, 16, 55, 56, 63, 64, 65)
_EDGES = (0, 1, -1, 9, 10, -10, 86_399_999_999, 86_400_000_000, -86_400_000_001, 999_999, -999_999)


def whole(least: int, most: int) -> Draw:
    """Draw a whole number: an end, an edge, or one of any number of bits."""
    edges = [least, most, least + 1, most - 1, *(n for n in _EDGES if least <= n <= most)]

    def drawn(random: Random) -> object:
        if random.random() < 0.1:
            return str(random.choice(edges))
        size = random.getrandbits(random.randint(1, max(most.bit_length(), 1)))
        number = -size if least < 0 and random.random() < 0.5 else size
        return str(min(max(number, least), most))

    return drawn


def decimal(precision: int, scale: int) -> Draw:
    """Draw a decimal that fills all, some or none of its digits."""
    digits = whole(-(10**precision) + 1, 10**precision - 1)

    def drawn(random: Random) -> object:
        number = int(str(digits(random)))
        text = str(abs(number)).rjust(scale + 1, "0")
        cut = len(text) - scale
        return ("-" if number < 0 else "") + text[:cut] + ("." + text[cut:] if scale else "")

    return drawn


def string(random: Random) -> object:
    """Draw a text of any letters: empty, short, or of thousands."""
    length = random.choice(_LENGTHS) if random.random() < 0.999 else 5000
    return "".join(random.choices(_LETTERS, k=length))


def floating(width: str) -> Draw:
    """Draw a float of any bits, NaN and infinities among them, whose sums cannot overflow."""
    most = 1e300 if width == "d" else 3.4028234663852886e38

    def drawn(random: Random) -> object:
        kind = random.random()
        if kind < 0.05:
            return random.choice(("nan", "inf", "-inf", "-0x0.0p+0", "0x0.0p+0"))
        if kind < 0.5:
            number = random.randint(-(10**9), 10**9) / 100
        else:
            number = struct.unpack(width, random.randbytes(struct.calcsize(width)))[0]
        if math.isfinite(number) and abs(number) > most:
            number = 1.5
        return struct.unpack(width, struct.pack(width, number))[0].hex()

    return drawn


def boolean(random: Random) -> object:
    return random.random() < 0.5


_PLAIN: dict[str, Draw] = {
    **{f"int{n}": whole(-(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64)},
    **{f"uint{n}": whole(0, 2**n - 1) for n in (8, 16, 32, 64)},
    "string": string,
    "boolean": boolean,
    "date": whole(-_DAYS, _DAYS),
    "timestamp": whole(-_MICROS, _MICROS),
    "timestamp_ntz": whole(-_MICROS, _MICROS),
    "float": floating("<f"),
    "double": floating("<d"),
}
_SIZES = ((1, 0), (5, 0), (38, 0), (1, 1), (4, 4), (9, 9), (18, 18), (38, 38), (18, 2), (9, 6))
_SIZES += ((20, 10), (38, 1), (38, 6), (38, 7), (38, 18), (38, 37), (10, 7), (19, 8))
KINDS = (*_PLAIN, *(f"decimal({precision}, {scale})" for precision, scale in _SIZES))


def drawer(kind: str) -> Draw:
    """Return what draws a value of a type."""
    found = re.fullmatch(r"decimal\((\d+), (\d+)\)", kind)
    return decimal(int(found[1]), int(found[2])) if found else _PLAIN[kind]


def column(kind: str, rows: int, random: Random) -> list[object]:
    """Draw a column; a share of its values, none to all, is NULL."""
    share = random.choice((0.0, 0.0, 0.02, 0.5, 1.0))
    draw = drawer(kind)
    return [None if random.random() < share else draw(random) for _ in range(rows)]
