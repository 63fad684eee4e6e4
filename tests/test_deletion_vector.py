"""Deletion vectors against pyroaring, DataFusion and a vector of delta-kernel-rs."""

from __future__ import annotations

import base64
import subprocess
import sys
import uuid
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from delta_tables import add, commit, field, metadata, protocol, read

from ods_fingerprint.delta_actions import DeletionVector
from ods_fingerprint.errors import SourceError
from ods_fingerprint.sources.deletion_vector import load, z85

pyroaring = pytest.importorskip("pyroaring")

ROWS = 100_000
INLINE = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"
"""Rows 3, 4, 7, 11, 18, 29, from the tests of delta-kernel-rs; 44 bytes."""


def vector(storage: str, location: str, size: int, cardinality: int, offset: int | None = None):
    return DeletionVector(storage, location, offset, size, cardinality)


def payload(positions: list[int]) -> bytes:
    return (1681511377).to_bytes(4, "little") + pyroaring.BitMap64(positions).serialize()


def encoded(data: bytes) -> str:
    """Return Z85 text, through the standard library's other alphabet of 85."""
    theirs = base64._b85alphabet.decode()  # type: ignore[attr-defined]
    ours = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
    return base64.b85encode(data).decode().translate(str.maketrans(theirs, ours))


def stored(path: Path, *vectors: bytes) -> list[int]:
    """Write a deletion vector file and return the offset of each vector."""
    content, offsets = b"\1", []
    for data in vectors:
        offsets.append(len(content))
        content += len(data).to_bytes(4, "big") + data + zlib.crc32(data).to_bytes(4, "big")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return offsets


def table(root: Path, descriptor: dict[str, object]) -> None:
    """Write a table of rows 0 to 99,999 in several row groups, with one deletion vector."""
    root.mkdir(parents=True, exist_ok=True)
    numbers = pa.table({"n": pa.array(range(ROWS), pa.int64())})
    pq.write_table(numbers, root / "a.parquet", row_group_size=30_000)
    size = (root / "a.parquet").stat().st_size
    action = add(
        "a.parquet", size=size, stats=f'{{"numRecords": {ROWS}}}', deletionVector=descriptor
    )
    commit(root, 0, protocol(1, 2, "deletionVectors"), metadata(field("n", "long")), action)


def described(
    storage: str, location: str, data: bytes, count: int, **more: int
) -> dict[str, object]:
    words = {"storageType": storage, "pathOrInlineDv": location}
    return words | {"sizeInBytes": len(data), "cardinality": count} | more


def test_z85_is_that_of_rfc_32() -> None:
    assert z85("HelloWorld").hex() == "864fd26fb559f75b"
    for bad in ("Hell", "Hell~", "Hell_", "#####"):
        with pytest.raises(ValueError, match=r"Z85|overflow"):
            z85(bad)


def test_an_inline_vector_of_another_writer(tmp_path: Path) -> None:
    found = load(vector("i", INLINE, 44, 6), tmp_path, 30, "dv")
    assert list(found) == [3, 4, 7, 11, 18, 29]


POSITIONS = [0, 1, 32_767, 32_768, 65_535, 65_536, *range(70_000, 80_000), ROWS - 1]


@pytest.mark.parametrize("prefix", ["", "ab"])
def test_a_stored_vector_against_datafusion(tmp_path: Path, prefix: str) -> None:
    deltalake = pytest.importorskip("deltalake")
    name = uuid.UUID("d2c639aa-8816-431a-aaf6-d3fe2512ff61")
    data = payload(POSITIONS)
    path = tmp_path / prefix / f"deletion_vector_{name}.bin"
    offset = stored(path, payload([5]), data, payload([6]))[1]
    location = prefix + encoded(name.bytes)
    table(tmp_path, described("u", location, data, len(POSITIONS), offset=offset))
    found = read(tmp_path)["n"].to_pylist()
    assert found == sorted(set(range(ROWS)) - set(POSITIONS))
    builder = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(tmp_path))
    theirs = pa.table(builder.execute("select count(*) c, sum(n) s from t").read_all())
    assert theirs.to_pylist() == [{"c": len(found), "s": sum(found)}]


def test_the_name_of_the_protocols_own_example(tmp_path: Path) -> None:
    """PROTOCOL.md: `ab^-aqEH.-t@S}K{vb[*k^` lies in ab/deletion_vector_d2c639aa-….bin."""
    data = payload([1])
    path = tmp_path / "ab" / "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin"
    offset = stored(path, data)[0]
    found = load(vector("u", "ab^-aqEH.-t@S}K{vb[*k^", len(data), 1, offset), tmp_path, 2, "dv")
    assert list(found) == [1]


@pytest.mark.parametrize("columns", [None, []])
def test_inline_and_absolute_vectors(tmp_path: Path, columns: list[str] | None) -> None:
    data = payload([0, 99_998])
    path = tmp_path / "elsewhere" / "x y.bin"
    offset = stored(path, data)[0]
    absolute = described("p", f"file://{tmp_path}/elsewhere/x%20y.bin", data, 2, offset=offset)
    padded = data + bytes(-len(data) % 4)
    inline = described("i", encoded(padded), data, 2)
    for number, descriptor in enumerate((absolute, inline)):
        root = tmp_path / str(number)
        table(root, descriptor)
        assert read(root, columns).num_rows == ROWS - 2


def test_a_file_with_every_row_deleted(tmp_path: Path) -> None:
    data = payload(list(range(ROWS)))
    table(tmp_path, described("i", encoded(data + bytes(-len(data) % 4)), data, ROWS))
    assert read(tmp_path).num_rows == 0


def test_vectors_that_contradict_the_log(tmp_path: Path) -> None:
    data = payload([1, 5])
    path = tmp_path / "dv.bin"
    offset = stored(path, data)[0]
    good = path.read_bytes()

    def fails(message: str, found: DeletionVector, rows: int = 6) -> None:
        with pytest.raises(SourceError, match=message):
            load(found, tmp_path, rows, "dv")

    size = len(data)
    assert list(load(vector("p", str(path), size, 2, offset), tmp_path, 6, "dv")) == [1, 5]
    assert list(load(vector("p", str(path), size, 2), tmp_path, 6, "dv")) == [1, 5]
    fails("deletes 2 rows, not the 3", vector("p", str(path), size, 3, offset))
    fails("deletes row 5 of a file that has 5", vector("p", str(path), size, 2, offset), rows=5)
    fails("the log says", vector("p", str(path), size - 1, 2, offset))
    fails("the log says", vector("p", str(path), size, 2, offset + 1))
    fails("cannot be read", vector("p", str(tmp_path / "none"), size, 2, offset))
    fails("not on this machine", vector("p", "s3://b/dv.bin", size, 2, offset))
    fails("storage type 'x'", vector("x", "", size, 2))
    fails("does not end in a UUID", vector("u", "HelloWorld", size, 2))
    fails("is not Z85", vector("i", "Hell~", 4, 2))
    fails("has 44 bytes, not the 45", vector("i", INLINE, 45, 6))
    fails("does not start", vector("i", encoded(bytes(4) + data[4:]), size, 2))
    garbage = data[:4] + b"\xff" * 16
    fails("not a 64-bit Roaring bitmap", vector("i", encoded(garbage), 20, 2))
    fails("not a 64-bit Roaring bitmap", vector("i", encoded(data[:4]), 4, 0))
    path.write_bytes(b"\2" + good[1:])
    fails("version 1", vector("p", str(path), size, 2, offset))
    for place in range(5, len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        fails("checksum", vector("p", str(path), size, 2, offset))
    path.write_bytes(good[:-1])
    fails("checksum", vector("p", str(path), size, 2, offset))


def test_without_pyroaring_it_says_how_to_get_it(tmp_path: Path) -> None:
    data = payload([1])
    table(tmp_path, described("i", encoded(data + bytes(-len(data) % 4)), data, 1))
    script = f"""
import sys
sys.modules["pyroaring"] = None
sys.path.insert(0, {str(Path(__file__).resolve().parents[1])!r})
from ods_fingerprint.delta_log import snapshot
from ods_fingerprint.errors import SourceError
from ods_fingerprint.sources.delta import batches
try:
    list(batches(snapshot({str(tmp_path)!r}))[1])
except SourceError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pyroaring: pip install 'ods-fingerprint[delta]'" in ran.stdout
