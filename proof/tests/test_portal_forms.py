"""The forms of the portal, and attacks on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from portal_here import XSS, Here, form, portal, refuse_injected, start

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
    refuse_injected(answer.text)


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
