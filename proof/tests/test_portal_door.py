"""Who the portal lets in, and what it makes of a path."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ods_proof.errors import SettingError
from ods_proof.portal import door, settings
from portal_here import LOGIN, PEER, XSS, Here, form, portal, refuse_injected, start
from starlette.exceptions import HTTPException

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
    refuse_injected(page)
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
