"""docs/no-install.md by its own words: each file that it shows, each command, what it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from command import parquet, shell

PAGE = Path(__file__).resolve().parents[1] / "docs" / "no-install.md"
_BLOCK = re.compile(r"(<!-- only on [^\n]*-->\n)?```(\w+)(?: file=(\S+))?\n(.*?)```", re.DOTALL)
# the example has a column of lists, which version 1 does not cover
_CODES = {"compare": 3}


def test_the_page_works_from_top_to_bottom(tmp_path: Path) -> None:
    parquet(tmp_path)
    printed, commands = "", 0
    for elsewhere, kind, file, body in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if elsewhere:
            assert kind == "sql"
        elif file:
            (tmp_path / file).write_text(body, encoding="utf-8")
        elif kind == "text":
            assert body in printed
        else:
            for line in body.splitlines():
                name, *arguments = shlex.split(line)
                ran = shell(*arguments, cwd=tmp_path)
                assert (name, ran.code) == ("ods-fingerprint", _CODES.get(arguments[0], 0)), ran.err
                printed += ran.out
                commands += 1
    assert commands == 4
    assert (tmp_path / "orders.sql").read_text(encoding="utf-8").count('"SALES"."PUBLIC"."ORDERS"')
