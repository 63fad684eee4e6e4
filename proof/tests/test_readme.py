"""The example of the README, run and held against what the README shows; only seconds may differ."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _without_seconds(text: str) -> str:
    return re.sub(r" +\d+\.\d s ", " N s ", text)


def test_the_readme_shows_what_a_run_prints(tmp_path: Path) -> None:
    kind, body = _BLOCK.findall(README.read_text(encoding="utf-8"))[0]
    assert kind == "console"
    install, example = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    assert install.startswith("pip install . './proof[polars,duckdb]' ")
    command, _, shown = example.partition("\n")
    program, *arguments = command.split()
    assert program == "ods-proof"
    ran = subprocess.run(
        [sys.executable, "-m", "ods_proof", *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "ODS_PROOF_SANDBOX": str(tmp_path)},
        timeout=180,
    )
    assert ran.returncode == 0, ran.stderr
    assert _without_seconds(ran.stdout) == _without_seconds(shown)
