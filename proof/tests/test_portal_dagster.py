"""The portal over a real Dagster: down and up again, started, followed, cancelled, its record."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from ods_proof import settings as proof_settings
from ods_proof.portal import dagster, settings
from ods_proof.portal.app import make
from ods_proof.portal.dagster import Dagster
from portal_here import LOGIN, Here, form, served, start
from test_dagster_install import Install, install, stored

__all__ = ["install"]  # a fixture
pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="needs /proc")


def _portal(install: Install) -> Here:
    url = f"http://127.0.0.1:{install.port}"
    place = settings.read({**LOGIN, "ODS_PROOF_DAGSTER_URL": url})
    backend = Dagster(url)
    app, streams = make(proof_settings.read({}), place, backend)
    return Here(app, backend, streams)


def _recovered(here: Here) -> None:
    end = time.monotonic() + 120
    while here.client("ada").get("/").status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.3)


def _down(here: Here) -> None:
    for path in ("/", "/p/0123456789ab", "/p/0123456789ab/record.json", "/p/0123456789ab/events"):
        answer = here.client("ada").get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "Dagster does not answer" in answer.text
    assert here.client().get("/healthz").status_code == 200


def test_the_portal_over_dagster(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    here = _portal(install)
    _down(here)
    install.start()
    _recovered(here)
    ada, bob = here.client("ada"), here.client("bob")
    page = ada.get("/").text
    assert "pyarrow " in page  # the versions of the code location
    given = form(page, rows="1000000")
    places = {ada.post("/start", data=given).headers["location"] for _ in range(2)}
    (long,) = (place.rpartition("/")[2] for place in places)
    quick = start(bob)
    assert bob.post("/start", data=form(bob.get("/").text)).status_code == 409
    assert "Queued: 1 proof is ahead of it" in bob.get(f"/p/{quick}").text
    here.until(long, "running", seconds=120)
    page = bob.get(f"/p/{long}").text
    assert "started by ada" in page
    assert bob.post(f"/p/{long}/cancel", data={"token": form(page)["token"]}).status_code == 303
    assert here.until(long, "cancelled", seconds=120)
    with served(here) as port:
        _watched(port, quick)
    page = ada.get(f"/p/{quick}").text
    assert "Passed: all 11 checks that can fail a proof passed" in page
    run = here.backend._run_of(quick)
    assert f'href="http://127.0.0.1:{install.port}/runs/{run}"' in page
    (record,) = stored(install.run(run), "ods/record")
    assert json.loads(ada.get(f"/p/{quick}/record.json").text) == record
    assert record["proof"] == quick
    tags = {tag["key"]: tag["value"] for tag in install.run(run)["tags"]}
    assert (tags["ods/started_by"], tags["ods/pair"]) == ("bob", "pyarrow__pyarrow")
    home = ada.get("/").text
    assert home.count('class="state passed"') == 2  # in the matrix and in the list
    assert "Cancelled" in home
    materialized = install.launch("__ASSET_JOB")
    install.until_status(materialized, "SUCCESS")
    assert f"/p/{materialized.replace('-', '')[:12]}" in ada.get("/").text
    assert ada.get("/p/0123456789ab").status_code == 404
    stuck = start(ada, rows="1000000")
    here.until(stuck, "running", seconds=120)
    assert "Cancel this proof" in ada.get(f"/p/{stuck}").text
    install.kill()
    _down(here)
    install.start()
    _recovered(here)
    assert "Passed" in ada.get(f"/p/{quick}").text
    # its process is dead, and Dagster does not know
    assert here.state(stuck) == "running"
    monkeypatch.setattr(dagster, "_patience", lambda order: 1.0)
    page = ada.get(f"/p/{stuck}").text
    assert "Worker lost: its run says nothing any more" in page
    ada.post(f"/p/{stuck}/cancel", data={"token": form(page)["token"]})
    assert here.until(stuck, "cancelled") == "cancelled"


def _watched(port: int, proof: str) -> None:
    """Follow the stream of a proof to its end."""
    import httpx2

    url = f"http://localhost:{port}/proof/p/{proof}/events"
    seen = []
    with httpx2.stream("GET", url, headers={"X-Forwarded-User": "ada"}, timeout=120) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line[6:]))
    assert seen[-1]["ended"]
    assert "Passed" in seen[-1]["parts"]["status"]
    assert any("Running: step" in message["parts"].get("status", "") for message in seen)


def test_a_run_that_is_refused_says_why(install: Install) -> None:
    install.environment["ODS_PROOF"] = "off"
    install.start()
    here = _portal(install)
    _recovered(here)
    proof = start(here.client("ada"))
    assert here.until(proof, "broken", "lost", seconds=120) == "broken"
    page = here.client("ada").get(f"/p/{proof}").text
    assert "Broken: no proof was made: proofs are switched off here" in page
    home = here.client("ada").get("/").text
    assert "Broken" in home
