"""The generated table: made to break naive round trips, the same for the same seed and rows.

Every column has a pool of values, its edge values first. Row n holds edge n while there are any;
the rows after that draw from the pool. `id` counts the rows, `email` is another one in every row.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from .contract import Contract

BATCH_ROWS = 16_384
POOL = 4_096
_Draw: TypeAlias = "Callable[[random.Random], object]"
_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Generated:
    """What makes the table: rows, seed and the contract that it keeps."""

    contract: Contract
    rows: int
    seed: int

    @property
    def marker(self) -> str:
        """Return the text that every confidential value holds, and nothing else does."""
        return marker(self.seed)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the table in batches of the declared schema."""
        schema, pools = self.contract.arrow(), _pools(self.contract, self.seed)
        for start in range(0, self.rows, BATCH_ROWS):
            count = min(BATCH_ROWS, self.rows - start)
            yield _batch(self, schema, pools, start, count)


def marker(seed: int) -> str:
    """Return the marker of a seed."""
    return "mk" + hashlib.sha256(f"ods-proof {seed}".encode()).hexdigest()[:14]


def _batch(
    made: Generated, schema: pa.Schema, pools: Mapping[str, _Pool], start: int, count: int
) -> pa.RecordBatch:
    ids = pa.array(range(start, start + count), pa.int64())
    arrays = []
    for field in schema:
        if field.name == "id":
            arrays.append(ids)
        elif field.name == "email":
            arrays.append(_emails(ids, made.marker))
        else:
            arrays.append(pools[field.name].take(made.seed, start, count))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _emails(ids: pa.Array, mark: str) -> pa.Array:
    whole = pc.binary_join_element_wise("c", ids.cast(pa.string()), f".{mark}@mail.example", "")
    seventh = pc.equal(pc.subtract(ids, pc.multiply(pc.divide(ids, 7), 7)), 5)
    return pc.if_else(seventh, pa.scalar(None, pa.string()), whole)


@dataclass(frozen=True, slots=True)
class _Pool:
    name: str
    values: pa.Array
    edges: int
    once: int

    def take(self, seed: int, start: int, count: int) -> pa.Array:
        """Return the values of `count` rows: edges while they last, then drawn ones."""
        drawn = random.Random(f"{seed} {self.name} {start}").randbytes(4 * count)
        numbers = pa.Array.from_buffers(pa.uint32(), count, [None, pa.py_buffer(drawn)])
        room = len(self.values) - self.once
        held = pc.multiply(pc.divide(numbers, pa.scalar(room, pa.uint32())), room)
        indices = pc.add(pc.subtract(numbers, held).cast(pa.int64()), self.once)
        if start < self.edges:
            last = min(self.edges, start + count)
            fixed = pa.array(range(start, last), pa.int64())
            indices = pa.concat_arrays([fixed, indices[len(fixed) :]])
        return self.values.take(indices)


def _pools(contract: Contract, seed: int) -> dict[str, _Pool]:
    found = {}
    for column in contract.columns:
        if column.name in ("id", "email"):
            continue
        once, edges, draw = _VALUES[column.name](marker(seed))
        chance = random.Random(f"{seed} {column.name}")
        drawn = [draw(chance) for _ in range(POOL - len(once) - len(edges))]
        values = pa.array([*once, *edges, *drawn], column.type)
        found[column.name] = _Pool(column.name, values, len(once) + len(edges), len(once))
    return found


_Recipe: TypeAlias = "tuple[Sequence[object], Sequence[object], _Draw]"


def _integers(bits: int) -> Callable[[str], _Recipe]:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    edges = [None, low, high, 0, -1, 1, low + 1, high - 1]
    return lambda _: ((), edges, lambda chance: chance.randint(low, high))


def _floats(largest: float, least: float) -> Callable[[str], _Recipe]:
    nan, inf = float("nan"), float("inf")
    # the largest ones only once: their sum would overflow
    once = [largest, -largest]
    edges = [None, nan, None, inf, -inf, -0.0, 0.0, least, -least, 0.1, 1e16, 16777217.0, 1.5]
    return lambda _: (once, edges, lambda chance: chance.uniform(-1e6, 1e6))


def _decimals(precision: int, scale: int) -> Callable[[str], _Recipe]:
    top = 10**precision - 1
    edges = [None, *map(_exact(scale), (top, -top, 0, 1, -1, 1230, 10**scale))]

    def draw(chance: random.Random) -> Decimal:
        return _exact(scale)(chance.randint(-(10 ** (precision - 3)), 10 ** (precision - 3)))

    return lambda _: ((), edges, draw)


def _exact(scale: int) -> Callable[[int], Decimal]:
    def made(digits: int) -> Decimal:
        sign = 1 if digits < 0 else 0
        return Decimal((sign, tuple(int(d) for d in str(abs(digits))), -scale))

    return made


_WORDS = [
    "",
    None,
    "caf\u00e9",
    "cafe\u0301",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c",
    "a\0b",
    "\0",
    " padded ",
    "line\nbreak\r\n",
    "NULL",
    "nan",
    "\u0130\u0131",
    "\U0010ffff",
    "'\"`\\",
    "\ufeffbom",
    "x" * 300,
]
_LETTERS = "abcdefghijklmnop \u00e4\u00df\u4e2d\u6587\u0416\u0639\U0001f600"


def _word(chance: random.Random) -> str | None:
    size = chance.randint(-1, 20)
    return None if size < 0 else "".join(chance.choice(_LETTERS) for _ in range(size))


_CITIES = [
    None,
    "",
    "Z\u00fcrich",
    "Zu\u0308rich",
    "\u6771\u4eac",
    "Reykjav\u00edk",
    "Lima",
    "Oslo",
]
_DAYS = [
    None,
    date(1, 1, 1),
    date(9999, 12, 31),
    date(1582, 10, 4),
    date(1582, 10, 5),
    date(1582, 10, 14),
    date(1582, 10, 15),
    date(1969, 12, 31),
    date(1970, 1, 1),
    date(1900, 2, 28),
    date(2000, 2, 29),
]
_CLOCKS = [
    None,
    datetime(1, 1, 1),
    datetime(9999, 12, 31, 23, 59, 59, 999999),
    datetime(1582, 10, 10, 12),
    datetime(1677, 9, 21, 0, 12, 43),
    datetime(2262, 4, 11, 23, 47, 16, 854776),
    datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime(1970, 1, 1),
    datetime(2021, 3, 14, 2, 30),
    datetime(2021, 11, 7, 1, 30),
    datetime(2021, 3, 28, 2, 30),
    datetime(1899, 12, 31, 23, 59, 59, 1),
]


def _day(chance: random.Random) -> date | None:
    return chance.choice((None, *(date(1, 1, 1) + timedelta(chance.randrange(3_652_059)),) * 9))


def _clock(chance: random.Random) -> datetime | None:
    moment = datetime(1, 1, 1) + timedelta(
        microseconds=chance.randrange(3_652_059 * 86_400_000_000)
    )
    return None if chance.random() < 0.1 else moment


def _instant(chance: random.Random) -> datetime | None:
    found = _clock(chance)
    return found and found.replace(tzinfo=timezone.utc)


def _numbers(chance: random.Random) -> list[int | None] | None:
    size = chance.randint(-1, 4)
    if size < 0:
        return None
    return [chance.choice((None, chance.randint(-(2**31), 2**31 - 1))) for _ in range(size)]


def _readings(chance: random.Random) -> list[object] | None:
    size = chance.randint(-1, 3)
    if size < 0:
        return None
    values = (None, float("nan"), float("-inf"), -0.0, chance.random())
    return [
        chance.choice((None, {"at": _instant(chance), "value": chance.choice(values)}))
        for _ in range(size)
    ]


def _addresses(mark: str) -> _Recipe:
    edges = [None, {"street": None, "zip": None}, {"street": f"{mark} 1", "zip": ""}]

    def draw(chance: random.Random) -> object:
        number = chance.randrange(10_000)
        street = chance.choice((None, f"{mark} street {number}"))
        return chance.choice((None, *({"street": street, "zip": f"{number:05}"},) * 9))

    return (), edges, draw


def _attributes(chance: random.Random) -> dict[str, int | None] | None:
    size = chance.randint(-1, 3)
    if size < 0:
        return None
    return {f"k{at}": chance.choice((None, chance.randint(-9, 9))) for at in range(size)}


_NAN = float("nan")
_VALUES: Mapping[str, Callable[[str], _Recipe]] = {
    "city": lambda _: ((), _CITIES, lambda chance: chance.choice(_CITIES)),
    "i8": _integers(8),
    "i16": _integers(16),
    "i32": _integers(32),
    "i64": _integers(64),
    "f32": _floats(3.4028234663852886e38, 1.401298464324817e-45),
    "f64": _floats(1.7976931348623157e308, 5e-324),
    "price": _decimals(18, 2),
    "ratio": _decimals(38, 18),
    "flag": lambda _: ((), [None, True, False], lambda chance: chance.choice((None, True, False))),
    "word": lambda _: ((), _WORDS, _word),
    "blob": lambda _: (
        (),
        [None, b"", b"\0", b"\xff\xfe\x80", bytes(range(256))],
        lambda chance: chance.randbytes(chance.randrange(16)),
    ),
    "day": lambda _: ((), _DAYS, _day),
    "moment": lambda _: (
        (),
        [found and found.replace(tzinfo=timezone.utc) for found in _CLOCKS],
        _instant,
    ),
    "clock": lambda _: ((), _CLOCKS, _clock),
    "numbers": lambda _: ((), [None, [], [None], [-(2**31), None, 2**31 - 1]], _numbers),
    "address": _addresses,
    "readings": lambda _: ((), [None, [], [None], [{"at": None, "value": _NAN}]], _readings),
    "nothing": lambda _: ((), [None], lambda _: None),
    "origin": lambda _: ((), ["ods"], lambda _: "ods"),
    "attributes": lambda _: ((), [None, {}, {"": None}, {"a": 2**63 - 1}], _attributes),
}
