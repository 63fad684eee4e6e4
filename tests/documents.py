"""The code blocks of a Markdown page, and a folder in which they are run from top to bottom."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(
    r"(?:^<!-- only (?P<only>[^\n]*?) -->\n)?^```(?P<kind>\w*)(?: file=(?P<file>\S+))?\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
# what `compare` prints first → its exit code
_CODES = {"different": 1, "equal": 0, "equal, partial": 3}


@dataclass(frozen=True)
class Block:
    """A fenced block; `only` says where it can be run, if not here."""

    only: str
    kind: str
    file: str
    body: str


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page; one that the pattern does not see is an error."""
    text = page.read_text(encoding="utf-8")
    found = [
        Block(*(match.group(k) or "" for k in ("only", "kind", "file", "body")))
        for match in _BLOCK.finditer(text)
    ]
    assert len(found) * 2 == len(re.findall(r"^\s*```", text, re.MULTILINE)), page
    assert all(block.kind for block in found), f"{page}: a block without its language"
    return found


@dataclass
class Place:
    """A folder, the names that its Python blocks know, and what was printed so far."""

    folder: Path
    names: dict[str, object] = field(default_factory=dict)
    printed: str = ""
    ran: int = 0

    def run(self, block: Block) -> None:
        """Run a block, or hold what it shows against what was printed."""
        run: dict[str, Callable[[str], None]] = {
            "console": self._console,
            "sh": self._shell,
            "python": self._python,
            "text": self._shown,
            "json": json.loads,
        }
        if block.file:
            (self.folder / block.file).write_text(block.body, encoding="utf-8")
        else:
            run[block.kind](block.body)

    def _console(self, body: str) -> None:
        for command, shown in commands(body):
            printed = self._command(command)
            assert not shown or printed == shown, command

    def _shell(self, body: str) -> None:
        for line in body.splitlines():
            self._command(line)

    def _command(self, line: str) -> str:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            env=self._env(),
        )
        expected = _code(done.stdout) if _compares(line) else 0
        assert done.returncode == expected, f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        self.printed += done.stdout
        self.ran += 1
        return done.stdout

    def _env(self) -> dict[str, str]:
        """Return the environment with `ods-fingerprint` and `python` of this interpreter first."""
        programs = self.folder / ".bin"
        programs.mkdir(exist_ok=True)
        for name, rest in (("ods-fingerprint", "-m ods_fingerprint "), ("python", "")):
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {rest}"$@"\n')
            (programs / name).chmod(0o755)
        return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def _python(self, body: str) -> None:
        before, printed = Path.cwd(), io.StringIO()
        os.chdir(self.folder)
        try:
            with redirect_stdout(printed):
                exec(compile(body, "a page", "exec"), self.names)
        finally:
            os.chdir(before)
        self.printed += printed.getvalue()
        self.ran += 1

    def _shown(self, body: str) -> None:
        assert body in self.printed, body


def commands(body: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block and the output that the page shows for it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def _compares(line: str) -> bool:
    """Return whether the exit code of a line is the verdict of `compare`."""
    return line.startswith("ods-fingerprint compare ") and ";" not in line


def _code(printed: str) -> int:
    first = printed.partition("\n")[0]
    return _CODES[json.loads(printed)["verdict"] if first == "{" else first]
