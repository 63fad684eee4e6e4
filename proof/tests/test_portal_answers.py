"""What the portal answers, whatever its records hold, and what it takes to run."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest
from portal_here import XSS, Here, hostile, refuse_injected

# --- answers


def test_every_answer_has_the_headers(here: Here) -> None:
    client = here.client()
    answers = [
        client.get(p)
        for p in ("/", "/nothing", "/static/portal.css", "/healthz", "/p/0123456789ab")
    ]
    answers += [client.post("/start", data={}), here.client(host="evil.test").get("/")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "server" not in answer.headers
        assert "set-cookie" not in answer.headers
    assert answers[0].headers["cache-control"] == "no-store"


def test_a_fault_of_the_portal_shows_no_more_than_that(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(here.backend, "latest", broken)
    client = here.client()
    client._transport.raise_server_exceptions = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert "a secret" not in answer.text
    assert "its log says which" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def _keep(here: Here, record: Mapping[str, object], proof: str = "0123456789ab") -> str:
    path = here.backend.records.folder / f"{proof}.json"
    path.write_text(json.dumps({**record, "proof": proof}))
    return f"/p/{proof}"


def test_hostile_records_are_shown_as_text(here: Here, record: dict[str, Any]) -> None:
    path = _keep(here, {**hostile(record, XSS, count()), "versions": {XSS: XSS}})
    client = here.client()
    page = client.get(path).text
    assert page.count("&lt;script&gt;") > 100
    assert "of the figures differ" in page
    for text in (page, client.get("/").text):
        refuse_injected(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"proof": 1}',
        "\xff",
        '{"first": "a", "second": "b", "rows": 1, "seed": 1, "verdict": "good"}',
    ],
)
def test_a_file_that_is_no_record_is_told(here: Here, text: str) -> None:
    path = here.backend.records.folder / "0123456789ab.json"
    path.write_bytes(text.encode("latin-1"))
    client = here.client()
    assert "its record cannot be read" in client.get("/p/0123456789ab").text
    assert client.get("/").status_code == 200
    assert client.get("/p/0123456789ab/record.json").status_code == 404


def test_fingerprints_that_cannot_be_read_are_told(here: Here, record: dict[str, Any]) -> None:
    record = copy.deepcopy(record)
    record["steps"][0]["fingerprint"]["spec"] = "ods-fingerprint/9"
    page = here.client().get(_keep(here, record))
    assert (page.status_code, "cannot be read" in page.text) == (200, True)


def test_a_record_of_the_command_line_is_shown(here: Here, record: dict[str, Any]) -> None:
    client = here.client()
    path = _keep(here, record)
    page = client.get(path).text
    assert "Passed: all 11 checks that can fail a proof passed" in page
    assert page.count('class="word">passed') == 11
    assert page.count("Passes when") == 12
    assert "known gap" in page
    home = client.get("/").text
    assert f'class="state passed" href="/proof{path}"' in home
    assert json.loads(client.get(f"{path}/record.json").text) == {**record, "proof": "0123456789ab"}


def test_the_matrix_has_the_latest_verdict_of_a_pair(here: Here, record: dict[str, Any]) -> None:
    for number, verdict in enumerate(("passed", "failed", "passed", "broken")):
        path = _keep(here, {**record, "verdict": verdict}, f"00000000000{number}")
        os.utime(here.backend.records.folder / f"00000000000{number}.json", (number, number))
    matrix = re.search(r'<table class="matrix">.*?</table>', here.client().get("/").text, re.DOTALL)
    assert matrix is not None
    assert re.findall(r'class="state (\w+)" href="([^"]+)"', matrix[0]) == [
        ("broken", f"/proof{path}")
    ]
    assert matrix[0].count("not tried") == 35


def test_a_journal_without_its_order_hides_nothing(here: Here, record: dict[str, Any]) -> None:
    """As a crash leaves it, right at the start."""
    (here.backend.records.folder / "00000000000a.journal").write_bytes(b'{"at": 1, "ord')
    _keep(here, record)
    client = here.client()
    assert client.get("/").text.count('class="state passed"') == 2
    assert client.get("/p/00000000000a").status_code == 404


# --- what it takes


def _python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_the_portal_imports_no_dagster_and_the_command_line_no_portal() -> None:
    code = (
        "import sys, {}; print(*sorted({{'dagster', 'starlette', 'uvicorn'}} & set(sys.modules)))"
    )
    assert _python(code.format("ods_proof.portal.server")).stdout.split() == [
        "starlette",
        "uvicorn",
    ]
    assert _python(code.format("ods_proof.cli")).stdout.split() == []


@pytest.mark.parametrize("name", ["starlette", "uvicorn", "jinja2"])
def test_a_portal_without_its_extra_says_how_to_get_it(name: str) -> None:
    code = (
        f"import sys; sys.modules['{name}'] = None; from ods_proof.cli import main; main(['serve'])"
    )
    found = _python(code)
    assert found.returncode == 2
    assert found.stderr.startswith(f"error: the portal needs {name}")
    assert "pip install 'ods-proof[portal]'" in found.stderr
