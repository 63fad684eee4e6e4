"""The rules of the portal, and attacks on them."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from ods_proof.errors import SettingError
from ods_proof.portal import door, settings
from portal_here import LOGIN, PEER, Here, form, hostile, portal, start
from starlette.exceptions import HTTPException

XSS = """"><script>alert(1)</script><img src=x onerror=alert(1)>'{{7*7}}&lt;"""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    with portal(tmp_path) as found:
        yield found


@pytest.fixture
def behind_login(tmp_path: Path) -> Iterator[Here]:
    with portal(tmp_path, **LOGIN) as found:
        yield found


class Tags(HTMLParser):
    """The tags of a page and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def _refuse_injected(page: str) -> None:
    for tag, attributes in Tags(page).found:
        assert tag != "img"
        assert tag != "style"
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        if tag == "script":
            assert str(attributes["src"]).startswith("/proof/static/")
    assert "49" not in re.findall(r"\{\{.*?\}\}|'(\d+)&", page)


# --- who comes in


def test_without_a_login_only_the_own_machine_is_answered(here: Here) -> None:
    assert here.client().get("/").status_code == 200
    assert here.client(host="127.0.0.1:8765").get("/").status_code == 200
    assert here.client(host="[::1]:8765").get("/").status_code == 200


@pytest.mark.parametrize("host", ["evil.test", "localhost.evil.test", "127.0.0.1.evil.test:80", ""])
def test_a_name_that_another_site_gave_this_machine_is_refused(here: Here, host: str) -> None:
    """DNS rebinding: the browser takes the scripts of evil.test for this portal's."""
    answer = here.client(host=host).get("/")
    assert (answer.status_code, "token" in answer.text) == (403, False)


def test_a_login_header_counts_from_trusted_proxies_only(behind_login: Here) -> None:
    assert "as ada" in behind_login.client("ada").get("/").text
    assert "as ada" in behind_login.client("ada", ("10.1.2.3", 1)).get("/").text
    for peer in ("10.2.0.1", "192.0.2.7", "::1"):
        forged = behind_login.client("ada", (peer, 1))
        assert forged.get("/").status_code == 403
        assert forged.post("/start", data={}).status_code == 403


def test_a_forwarded_address_does_not_make_a_proxy(behind_login: Here) -> None:
    more = {"x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1", "x-real-ip": "127.0.0.1"}
    assert behind_login.client("ada", ("192.0.2.7", 1), **more).get("/").status_code == 403


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], 401),
        ([b""], 401),
        ([b"ada", b"root"], 400),
        ([b"   "], 400),
        ([b"x" * 129], 400),
        ([b"a\x00b"], 400),
        (["a\u202eb".encode()], 400),
        ([b"\xff\xfe"], 400),
        (["Zoë".encode()], "Zoë"),
    ],
)
def test_a_login_names_one_user(names: list[bytes], found: object) -> None:
    headers = [(b"host", b"any.test"), *((b"x-forwarded-user", name) for name in names)]
    scope = {"type": "http", "client": PEER, "headers": headers}
    if isinstance(found, str):
        assert door.visitor(scope, settings.read(LOGIN)) == found
        return
    with pytest.raises(HTTPException) as refused:
        door.visitor(scope, settings.read(LOGIN))
    assert refused.value.status_code == found


def test_a_name_is_shown_as_text(behind_login: Here) -> None:
    page = behind_login.client(XSS).get("/").text
    _refuse_injected(page)
    assert "as &#34;&gt;&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"ODS_PROOF_BIND": "0.0.0.0"}, "without a login"),
        ({"ODS_PROOF_BIND": "192.168.1.4:80"}, "without a login"),
        ({"ODS_PROOF_USER_HEADER": "X-User"}, "anyone can send a header"),
        (
            {"ODS_PROOF_USER_HEADER": "X User", "ODS_PROOF_TRUSTED_PROXIES": "::1"},
            "no name of a header",
        ),
        ({"ODS_PROOF_TRUSTED_PROXIES": "proxy.test"}, "list of addresses"),
        ({"ODS_PROOF_PREFIX": "proof"}, "a path such as /proof"),
        ({"ODS_PROOF_PREFIX": "/a/../b"}, "a path such as /proof"),
        ({"ODS_PROOF_PREFIX": '/"><script>'}, "a path such as /proof"),
        ({"ODS_PROOF_BIND": "127.0.0.1:99999"}, "an address"),
        ({"ODS_PROOF_DAGSTER_URL": "file:///etc/passwd"}, "it is like http://"),
    ],
)
def test_unsafe_settings_are_refused(
    environment: dict[str, str], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingError, match=re.escape(reason)), portal(tmp_path, **environment):
        pass


# --- forms


def test_a_form_without_its_token_starts_nothing(here: Here) -> None:
    client = here.client()
    given = form(client.get("/").text)
    for token in ("", "0" * 64, "ä"):
        answer = client.post("/start", data={**given, "token": token})
        assert answer.status_code == 403
        assert "Press the button again" in answer.text  # and the form is there with its new token
    assert here.backend.latest() == []


def test_a_token_is_of_one_user(behind_login: Here) -> None:
    given = form(behind_login.client("ada").get("/").text)
    assert behind_login.client("bob").post("/start", data=given).status_code == 403
    assert behind_login.client("user ada").post("/start", data=given).status_code == 403
    assert behind_login.client("ada").post("/start", data=given).status_code == 303


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "same-origin"}, 303),
        ({"sec-fetch-site": "same-origin", "origin": "https://outside.test"}, 303),
        ({"origin": "http://localhost"}, 303),
        ({}, 303),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site", "origin": "http://localhost"}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({"origin": "https://evil.test"}, 403),
        ({"origin": "http://localhost.evil.test"}, 403),
        ({"origin": "http://localhost:81"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://evil.test", "x-forwarded-host": "evil.test"}, 403),
    ],
)
def test_a_form_of_another_site_is_refused(
    here: Here, headers: dict[str, str], status: int
) -> None:
    client = here.client()
    given = form(client.get("/").text)
    assert client.post("/start", data=given, headers=headers).status_code == status
    assert len(here.backend.latest()) == (status == 303)


def test_behind_a_proxy_the_origin_is_held_against_the_name_outside(behind_login: Here) -> None:
    client = behind_login.client("ada", **{"x-forwarded-host": "proofs.example"})
    given = form(client.get("/").text)
    assert (
        client.post("/start", data=given, headers={"origin": "https://evil.test"}).status_code
        == 403
    )
    assert (
        client.post("/start", data=given, headers={"origin": "https://proofs.example"}).status_code
        == 303
    )


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"a=" + b"x" * 5_000, "application/x-www-form-urlencoded", 413),
        (b"&".join(b"a%d=1" % n for n in range(100)), "application/x-www-form-urlencoded", 400),
        (b"first=polars&first=duckdb", "application/x-www-form-urlencoded", 400),
        (b"first=\xff", "application/x-www-form-urlencoded", 400),
        (b"first=%ff", "application/x-www-form-urlencoded", 400),
        (b"nothing", "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json", 415),
        (
            b'--x\r\nContent-Disposition: form-data; name="first"\r\n\r\npolars\r\n--x--',
            "multipart/form-data; boundary=x",
            415,
        ),
        (b"first=polars", "text/plain", 415),
        (b"", "", 415),
    ],
    ids=[
        "large",
        "many",
        "twice",
        "bytes",
        "not UTF-8",
        "no pairs",
        "JSON",
        "multipart",
        "text",
        "none",
    ],
)
def test_a_form_of_another_kind(here: Here, body: bytes, kind: str, status: int) -> None:
    answer = here.client().post("/start", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert here.backend.latest() == []


def test_a_large_form_is_not_read_to_its_end(here: Here) -> None:
    sent = 0

    def body() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(10_000):
            sent += 1
            yield b"x" * 1_000

    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert here.client().post("/start", content=body(), headers=kind).status_code == 413


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"first": "mysql"}, "choose the first engine"),
        ({"first": "os.path"}, "choose the first engine"),
        ({"second": "sabotage.crashes"}, "choose the second engine"),
        ({"second": ""}, "choose the second engine"),
        ({"second": "sabotage.absent"}, "sabotage.absent is not here"),
        ({"rows": "0"}, "rows are a number from 1 to 1000000"),
        ({"rows": "1000001"}, "rows are a number"),
        ({"rows": "-1"}, "rows are a number"),
        ({"rows": "1e3"}, "rows are a number"),
        ({"rows": "٣"}, "rows are a number"),
        ({"rows": "9" * 400}, "rows are a number"),
        ({"key": "x"}, "open the page again"),
        ({"key": "../../../etc"}, "open the page again"),
    ],
)
def test_a_form_with_a_fault_says_so(here: Here, fields: dict[str, str], reason: str) -> None:
    client = here.client()
    answer = client.post("/start", data=form(client.get("/").text, **fields))
    assert (answer.status_code, reason in answer.text) == (400, True)
    assert here.backend.latest() == []


def test_what_was_typed_comes_back_as_text(here: Here) -> None:
    client = here.client()
    answer = client.post("/start", data=form(client.get("/").text, first=XSS, rows=XSS))
    assert answer.status_code == 400
    _refuse_injected(answer.text)


def test_the_permission_is_asked_on_post(tmp_path: Path) -> None:
    with portal(tmp_path, ODS_PROOF_AUTHORIZE="refusing:nobody") as here:
        client = here.client()
        page = client.get("/")
        assert page.status_code == 200
        answer = client.post("/start", data=form(page.text))
        assert (answer.status_code, "proof:run" in answer.text) == (403, True)
        assert here.backend.latest() == []


def test_proofs_that_are_off_explain_themselves(tmp_path: Path) -> None:
    with portal(tmp_path, ODS_PROOF="off") as here:
        client = here.client()
        page = client.get("/").text
        assert "<code>ODS_PROOF</code> is <code>off</code>" in page
        assert "<form" not in page
        token = here.client().post("/start", data={"token": "x"})
        assert token.status_code == 403
        assert here.backend.latest() == []


# --- one press, one proof


def test_one_form_sent_twice_is_one_proof(here: Here) -> None:
    client = here.client()
    given = form(client.get("/").text)
    first, second = (client.post("/start", data=given) for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    assert len(here.backend.latest()) == 1


def test_a_form_that_was_changed_is_another_proof(here: Here) -> None:
    """Back to the form, another engine, and start: not the proof of before."""
    client = here.client()
    given = form(client.get("/").text)
    places = []
    for second in ("pyarrow", "duckdb"):
        places.append(client.post("/start", data={**given, "second": second}).headers["location"])
        # a user has one proof in the queue
        here.until(places[-1].rpartition("/")[2], "running", "passed", "failed", "broken")
    assert len(set(places)) == 2


def test_a_user_has_one_proof_in_the_queue(behind_login: Here) -> None:
    ada, bob = behind_login.client("ada"), behind_login.client("bob")
    runs = start(ada, second="sabotage.hangs")
    behind_login.until(runs, "running")
    waits = start(ada)
    page = ada.get("/").text
    answer = ada.post("/start", data=form(page))
    assert answer.status_code == 409
    assert f'href="/proof/p/{waits}"' in answer.text
    other = start(bob)
    assert "Queued: 1 proof is ahead of it" in ada.get(f"/p/{waits}").text
    assert "Queued: 2 proofs are ahead of it" in bob.get(f"/p/{other}").text
    # any user with the permission may cancel: there is one queue
    page = bob.get(f"/p/{runs}").text
    token = form(page)["token"]
    assert ada.post(f"/p/{runs}/cancel", data={"token": token}).status_code == 403
    assert bob.post(f"/p/{runs}/cancel", data={"token": token}).status_code == 303
    assert behind_login.until(runs, "cancelled") == "cancelled"
    assert "cancelled by bob" in ada.get(f"/p/{runs}").text
    assert behind_login.until(waits, "running") == "running"
    assert "started by ada" in ada.get(f"/p/{waits}").text


# --- paths


@pytest.mark.parametrize(
    "path",
    [
        "/p/0123456789ab",
        "/p/..%2f..%2fetc%2fpasswd",
        "/p/%2e%2e",
        "/p/0123456789AB",
        "/p/0123456789ab%00",
        "/p/" + "a" * 5_000,
        "/p/0123456789ab/record.json",
        "/p/../settings",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/templates/base.html",
        "/nothing",
    ],
)
def test_a_path_that_leads_nowhere(here: Here, path: str) -> None:
    answer = here.client().get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text
    assert "def " not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_an_id_cannot_split_a_header(here: Here) -> None:
    client = here.client()
    token = form(client.get("/").text)["token"]
    answer = client.post("/p/x%0d%0aSet-Cookie:%20a=b/cancel", data={"token": token})
    assert answer.status_code == 404
    assert "set-cookie" not in answer.headers
    key = client.post("/start", data=form(client.get("/").text, key="a\r\nSet-Cookie: a=b"))
    assert key.status_code == 400
    assert "set-cookie" not in key.headers


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/start"), ("POST", "/"), ("DELETE", "/"), ("PUT", "/p/0123456789ab")],
)
def test_another_method_is_refused(here: Here, method: str, path: str) -> None:
    assert here.client().request(method, path).status_code == 405


@pytest.mark.parametrize("prefix", ["/proof", "/tools/proof", "", "/"])
def test_the_prefix_may_come_or_be_taken_off(prefix: str, tmp_path: Path) -> None:
    with portal(tmp_path, ODS_PROOF_PREFIX=prefix) as here:
        outside, inside = here.client(), here.client()
        inside.base_url = "http://localhost"
        root = prefix.rstrip("/")
        for client in (outside, inside):
            page = client.get("/")
            assert page.status_code == 200
            links = set(re.findall(r'(?:href|src|action)="([^"#]+)"', page.text))
            assert all(link.startswith(f"{root}/") and not link.startswith("//") for link in links)
            assert client.get("/static/portal.css").status_code == 200
            assert client.get("/healthz").text == "ok\n"
        proof = start(inside)
        assert inside.base_url != outside.base_url or not root
        assert outside.get(f"/p/{proof}").status_code == 200
        assert f'data-events="{root}/p/{proof}/events"' in inside.get(f"/p/{proof}").text


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
        _refuse_injected(text)


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
