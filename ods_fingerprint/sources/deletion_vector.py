"""The deletion vector of a Delta data file: the positions of its deleted rows."""

from __future__ import annotations

import base64
import string
import uuid
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from ods_fingerprint.delta_actions import DeletionVector, local_path
from ods_fingerprint.errors import SourceError

if TYPE_CHECKING:
    from pyroaring import BitMap64

MAGIC = (1681511377).to_bytes(4, "little")

_Z85 = string.digits + string.ascii_letters + ".-:+=^!/*?&<>()[]{}@%$#"
_B85 = string.digits + string.ascii_uppercase + string.ascii_lowercase + "!#$%&()*+-;<=>?@^_`{|}~"
_TO_B85 = str.maketrans(_Z85, _B85)
_UUID_CHARACTERS = 20


def load(vector: DeletionVector, root: Path, rows: int, where: str) -> BitMap64:
    """Return the deleted positions of a file of `rows` rows; `root` is the table's folder.

    Magic, size, checksum and cardinality must all be as the log says.
    """
    data = _inline(vector, where) if vector.storage == "i" else _stored(vector, root, where)
    if len(data) != vector.size:
        raise SourceError(f"{where} has {len(data)} bytes, not the {vector.size} that the log says")
    if data[:4] != MAGIC:
        raise SourceError(f"{where} does not start as a deletion vector does")
    bitmap = _bitmap(data[4:], where)
    if len(bitmap) != vector.cardinality:
        raise SourceError(
            f"{where} deletes {len(bitmap)} rows, not the {vector.cardinality} that the log says"
        )
    if bitmap and bitmap.max() >= rows:
        raise SourceError(f"{where} deletes row {bitmap.max()} of a file that has {rows}")
    return bitmap


def z85(text: str) -> bytes:
    """Return the bytes of a Z85 text (ZeroMQ RFC 32); a ValueError if it is not one."""
    if len(text) % 5 or set(text) - set(_Z85):
        raise ValueError(f"{text!r} is not Z85")
    return base64.b85decode(text.translate(_TO_B85))


def _bitmap(data: bytes, where: str) -> BitMap64:
    try:
        from pyroaring import BitMap64
    except ImportError as error:
        raise SourceError(
            f"{where} needs pyroaring: pip install 'ods-fingerprint[delta]'"
        ) from error
    try:
        return BitMap64.deserialize(data)
    except (ValueError, IndexError) as error:
        raise SourceError(f"{where} is not a 64-bit Roaring bitmap: {error}") from error


def _inline(vector: DeletionVector, where: str) -> bytes:
    return _decode(vector.location, where)[: vector.size]


def _decode(text: str, where: str) -> bytes:
    try:
        return z85(text)
    except ValueError as error:
        raise SourceError(f"{where}: {error}") from error


def _stored(vector: DeletionVector, root: Path, where: str) -> bytes:
    path = _path(vector, root, where)
    # Without an offset the vector is the only one, after the one byte of the file's version.
    start = 1 if vector.offset is None else vector.offset
    try:
        with path.open("rb") as file:
            version = file.read(1)
            file.seek(start)
            size = int.from_bytes(file.read(4), "big")
            data, checksum = file.read(vector.size), file.read(4)
    except OSError as error:
        raise SourceError(f"{where}: {path} cannot be read: {error}") from error
    if version != b"\1":
        raise SourceError(f"{where}: {path} is not of version 1 of the format")
    if size != vector.size:
        raise SourceError(f"{where}: {path} says {size} bytes, the log says {vector.size}")
    if checksum != zlib.crc32(data).to_bytes(4, "big"):
        raise SourceError(f"{where}: the checksum of {path} is wrong: the file is damaged")
    return data


def _path(vector: DeletionVector, root: Path, where: str) -> Path:
    if vector.storage == "p":
        return Path(local_path(vector.location, root, where))
    if vector.storage != "u":
        raise SourceError(f"{where}: the storage type {vector.storage!r} is not known here")
    prefix, name = vector.location[:-_UUID_CHARACTERS], vector.location[-_UUID_CHARACTERS:]
    decoded = _decode(name, where)
    if len(decoded) != 16:
        raise SourceError(f"{where}: {vector.location!r} does not end in a UUID")
    return root / prefix / f"deletion_vector_{uuid.UUID(bytes=decoded)}.bin"
