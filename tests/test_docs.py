"""Every code block of README and docs, run by its own words in a folder of sample data."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from command import database, parquet
from documents import Block, Place, blocks, commands

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# what a page takes for granted: where its block is run, or why it is not
MARKED = re.compile(r"on |with |from a checkout")
_EXTRAS = re.compile(r"\[([\w,]+)\]")


def _sample(page: Path, folder: Path) -> Place:
    """Return a folder with the tables that the pages speak of: an example of four rows."""
    place = Place(folder)
    if page.name in ("verdict.md", "equal.md"):  # these make their own
        return place
    parquet(folder)
    database(folder)
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA sales")
    connection.execute(f"CREATE TABLE sales.orders AS FROM '{folder}/orders.parquet'")
    place.names["connection"] = connection
    if page.name == "README.md":
        subprocess.run([sys.executable, ROOT / "demo" / "orders.py"], cwd=folder, check=True)
        (row,) = (
            block for block in blocks(ROOT / "docs" / "no-install.md") if block.file == "row.csv"
        )
        place.run(row)
    if page.name == "databricks.md":
        place.run(Block("", "sh", "", "ods-fingerprint compute orders.parquet\n"))
    return place


def _installs(body: str) -> bool:
    """Check the lines of a console block that install: what they name is there."""
    lines = [command for command, _ in commands(body) if command.startswith("pip install ")]
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for line in lines:
        for extra in _EXTRAS.findall(line):
            assert re.search(rf"^{extra} = \[", declared, re.MULTILINE), line
    return bool(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_works(page: Path, tmp_path: Path) -> None:
    place = _sample(page, tmp_path)
    for block in blocks(page):
        if block.only:
            assert MARKED.match(block.only), block
            if block.kind == "python" and not block.body.startswith("%"):
                ast.parse(block.body)
            _installs(block.body)
        else:
            place.run(block)
    assert place.ran >= {
        "README.md": 8,
        "no-install.md": 4,
        "verdict.md": 7,
        "equal.md": 4,
        "files.md": 4,
    }.get(page.name, 0)
    if page.name == "no-install.md":
        assert '"SALES"."PUBLIC"."ORDERS"' in (tmp_path / "orders.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "body",
    [
        "```console\n$ ods-fingerprint compute orders.parquet\nrows: 5\n```\n",
        "```sh\nods-fingerprint compute missing.parquet\n```\n",
        "```python\nassert False\n```\n",
        "```text\nnever printed\n```\n",
        "```\nno language\n```\n",
        "  ```sh\nnot seen\n  ```\n",
    ],
)
def test_a_block_that_is_wrong_fails(body: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(body, encoding="utf-8")
    place = _sample(page, tmp_path)
    with pytest.raises(AssertionError):
        _run(page, place)


def _run(page: Path, place: Place) -> None:
    for block in blocks(page):
        place.run(block)


_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


LINKED = [
    *PAGES,
    *(
        ROOT / name
        for name in (
            "CONTRIBUTING.md",
            "SECURITY.md",
            "dialects/README.md",
            "proof/README.md",
            "spec/v1.md",
        )
    ),
]


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for name, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / name if name else page
        assert target.exists(), name
        assert not anchor or anchor in _anchors(target), anchor


def test_equal_is_explained_wherever_it_is_said() -> None:
    """R21: what version 1 does not see is a link away on each page that speaks of the verdict."""
    saying = [
        page
        for page in PAGES
        if re.search(r"`equal`|\bequal\b.*\bverdict", page.read_text(encoding="utf-8"))
    ]
    assert {"README.md", "databricks.md", "verdict.md"} <= {page.name for page in saying}
    silent = [
        page.name
        for page in saying
        if page.name != "equal.md" and "equal.md" not in page.read_text(encoding="utf-8")
    ]
    assert not silent


def test_the_readme_is_one_screen() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 75
