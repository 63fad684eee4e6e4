"""Write every golden file anew, and remove those without a case: `python tests/golden_write.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from golden_cases import GOLDEN, cases, path, printed


def main() -> None:
    """Write the folder; its diff is for reading."""
    GOLDEN.mkdir(exist_ok=True)
    written: set[Path] = set()
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            for dialect in case.dialects:
                target = path(case, dialect)
                target.write_bytes(printed(case, dialect, Path(folder)).encode())
                written.add(target)
    for orphan in set(GOLDEN.glob("*.sql")) - written:
        orphan.unlink()
    print(f"{len(written)} golden files")


if __name__ == "__main__":
    main()
