"""The portal in a real browser: every page and state, in both schemes, wide and narrow."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browser_here import Window, browser, needs_chromium, window
from ods_proof.portal import settings
from ods_proof.portal.app import make
from ods_proof.portal.dagster import Dagster
from ods_proof.portal.sheet import Order
from ods_proof.settings import Settings
from portal_here import Here, hostile, portal, served

pytestmark = [needs_chromium, pytest.mark.xdist_group("chromium")]
XSS = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
WIDE = {"viewport": {"width": 1200, "height": 900}}
NARROW = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture
def url(here: Here) -> Iterator[str]:
    with served(here) as port:
        yield f"http://localhost:{port}/proof/"


def _start(window: Window, url: str, first: str, second: str) -> None:
    window.page.goto(url)
    window.page.check(f"#first-{first}")
    window.page.check(f"[id='second-{second}']")
    window.page.click("button[type=submit]")
    window.page.wait_for_url("**/p/*")


def _ended(window: Window, *states: str) -> None:
    window.page.wait_for_selector(", ".join(f".status.{state}" for state in states))


def test_from_start_to_result(chromium: Any, url: str) -> None:
    with window(chromium, **WIDE) as shown:
        shown.page.goto(url)
        shown.page.check("#first-polars")
        shown.page.check("#second-pyarrow")
        assert "Both are on delta-rs" in shown.page.inner_text(".proves")
        shown.page.check("#second-duckdb")
        assert "delta-rs and delta-kernel read each other" in shown.page.inner_text(".proves")
        shown.page.click("button[type=submit]")
        shown.page.wait_for_selector(".trip .done")
        assert not shown.page.query_selector(".status.passed")
        assert shown.axe() == []
        shown.page.click("#unseen summary")  # stays open, and keeps the focus, as the page goes on
        shown.page.evaluate("window.same = true")
        _ended(shown, "passed")
        assert shown.page.evaluate("window.same && document.getElementById('unseen').open")
        assert shown.page.evaluate("document.activeElement.closest('#unseen') !== null")
        assert shown.page.title() == "Passed · Polars → DuckDB → Polars"
        assert shown.page.locator(".trip .done").count() == 5
        assert shown.page.locator(".checks .passed").count() == 11
        assert "access_d11 known gap" in shown.page.inner_text("#checks .warning p")
        assert shown.page.locator("td.differs").count() == 0
        assert shown.page.locator("td.same").count() > 200
        assert shown.page.locator("form.cancel").count() == 0
        text = shown.page.inner_html("#live")
        shown.page.reload()  # what was put together live is what the server makes of the whole
        assert shown.page.locator("#checks").inner_html() in text
        assert shown.page.locator("#figures").inner_html().replace(" open", "") in text.replace(
            ' open=""', ""
        )
        assert shown.said == []
        assert {u.split("/")[2] for u in shown.asked} == {url.split("/")[2]}


def test_a_sabotaged_proof_is_red(chromium: Any, url: str, here: Here) -> None:
    with window(chromium, **WIDE) as shown:
        _start(shown, url, "pyarrow", "sabotage.swapped")
        _ended(shown, "failed")
        assert "Failed: rows_identical failed" in shown.page.inner_text("#status")
        assert shown.page.inner_text("#checks .failed strong") == "rows_identical"
        assert shown.page.title().startswith("Failed")
        assert shown.axe() == []


def test_without_javascript(chromium: Any, url: str) -> None:
    with window(chromium, java_script_enabled=False, **WIDE) as shown:
        _start(shown, url, "pyarrow", "pyarrow")
        assert "asks again every three seconds" in shown.page.inner_text("form.cancel")
        _ended(shown, "passed")  # the page has asked again by itself
        assert shown.page.locator(".checks .passed").count() == 11
        shown.page.click("text=Evidence >> nth=0")
        assert '"generated"' in shown.page.inner_text("#evidence-rows_match pre")


def test_a_double_click_starts_one(chromium: Any, url: str, here: Here) -> None:
    with window(chromium, **WIDE) as shown:
        shown.page.goto(url)
        shown.page.check("[id='second-sabotage.hangs']")
        shown.page.dblclick("button[type=submit]", no_wait_after=True)
        shown.page.wait_for_url("**/p/*")
        time.sleep(0.5)
        assert len(here.backend.latest()) == 1


def test_by_keyboard_alone(chromium: Any, url: str) -> None:
    with window(chromium, **WIDE) as shown:
        keys = shown.page.keyboard
        shown.page.goto(url)
        keys.press("Tab")
        assert shown.page.evaluate("document.activeElement.className") == "skip"
        keys.press("Enter")
        for _ in range(2):
            keys.press("Tab")
        keys.press("ArrowDown")
        assert shown.page.evaluate("document.activeElement.name") in ("first", "second")
        while shown.page.evaluate("document.activeElement.type") != "submit":
            keys.press("Tab")
        keys.press("Enter")
        shown.page.wait_for_url("**/p/*")
        shown.page.wait_for_selector(".status.running")
        while shown.page.evaluate("document.activeElement.className") != "quiet":
            keys.press("Tab")
        keys.press("Enter")
        _ended(shown, "cancelled")


def _keep(here: Here, number: int, record: dict[str, Any]) -> str:
    proof = f"{number:012x}"
    (here.backend.records.folder / f"{proof}.json").write_text(
        json.dumps({**record, "proof": proof})
    )
    return f"p/{proof}"


def _journal(here: Here, number: int, record: dict[str, Any], *lines: tuple[str, Any]) -> str:
    """Leave a proof as a worker would have that came so far."""
    proof = f"{number:012x}"
    journal = here.backend.records.journal(proof)
    journal.begin(Order(proof, "polars", "spark", 1_000, 7, "ada lovelace", time.time()))
    journal.append("launched", {})
    journal.append("began", {"process": 1})
    for step in record["steps"][:1]:
        journal.append("step", step)
    for word, values in lines:
        journal.append(word, values)
    return f"p/{proof}"


def _differing(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose last read lost a column, doubled a row, and changed a type and figures."""
    changed = copy.deepcopy(record)
    last = changed["steps"][-1]["fingerprint"]
    last["rows"] += 1
    del last["columns"][3]
    last["columns"][0]["figures"]["hash"] = "1"
    last["columns"][-1].update(type="int64", family="integer")
    changed["checks"][2].update(status="failed", summary="first_read_back: many figures")
    changed["verdict"] = "failed"
    return changed


@pytest.fixture
def states(here: Here, record: dict[str, Any]) -> dict[str, str]:
    """Return the path of a proof in each state that ends, and of pages that are none."""
    hostile_one = {**hostile(record, XSS, count()), "versions": {XSS: XSS}}
    broken = copy.deepcopy(record)
    broken["verdict"] = "broken"
    broken["steps"][3].update(
        status="failed", fingerprint=None, own_fingerprint=None, error="ArrowInvalid: no"
    )
    for check in broken["checks"][:4]:
        check.update(status="not reached", summary="the proof did not come so far")
    return {
        "home": "",
        "passed": _keep(here, 1, record),
        "failed": _keep(here, 2, _differing(record)),
        "broken": _keep(here, 3, broken),
        "hostile": _keep(here, 4, hostile_one),
        "cancelled": _journal(here, 5, record, ("stopped", {"why": "cancelled by ada"})),
        "lost": _journal(here, 6, record, ("lost", {"why": "its process ended by SIGKILL"})),
        "refused": _journal(here, 7, record, ("broke", {"why": "no sandbox can be made"})),
        "unreadable": _keep(here, 8, {}),
        "nowhere": "p/0123456789ab",
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits(
    chromium: Any, url: str, states: dict[str, str], scheme: str
) -> None:
    for options, judged in ((WIDE, states), (NARROW, ("home", "failed"))):
        with window(chromium, color_scheme=scheme, **options) as shown:
            for name, path in states.items():
                shown.page.goto(url + path)
                assert (name, shown.too_wide()) == (name, 0)
                if name in judged:
                    assert (name, shown.axe()) == (name, [])
            told = [text for text in shown.said if "404" not in text]
            assert told == []  # no script of a hostile record ran, and no policy was broken


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_portal_that_cannot_are_accessible(
    chromium: Any, tmp_path: Path, scheme: str
) -> None:
    """Switched off, and over a Dagster that is not there."""
    place = settings.read({"ODS_PROOF_DAGSTER_URL": "http://127.0.0.1:9"})
    backend = Dagster("http://127.0.0.1:9")
    down = Here(*_swapped(make(Settings(), place, backend), backend))
    with portal(tmp_path, ODS_PROOF="off") as off:
        for here, text in ((off, "switched off here"), (down, "Dagster does not answer")):
            with served(here) as port, window(chromium, color_scheme=scheme, **NARROW) as shown:
                shown.page.goto(f"http://localhost:{port}/proof/")
                assert text in shown.page.inner_text("main")
                assert (text, shown.axe(), shown.too_wide()) == (text, [], 0)


def _swapped(made: tuple[Any, Any], backend: Dagster) -> tuple[Any, Any, Any]:
    return made[0], backend, made[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_live_states_are_accessible(chromium: Any, url: str, here: Here, scheme: str) -> None:
    with window(chromium, color_scheme=scheme, **NARROW) as shown:
        for state in ("running", "queued"):
            _start(shown, url, "pyarrow", "sabotage.hangs")
            shown.page.wait_for_selector(f".status.{state}")
            assert (state, shown.axe(), shown.too_wide()) == (state, [], 0)
        shown.page.goto(url)
        shown.page.click("button[type=submit]")
        assert "waits in the queue already" in shown.page.inner_text("[role=alert]")
        assert shown.axe() == []
        shown.page.click("text=See the one that waits")
        shown.page.click("text=Cancel this proof")
        _ended(shown, "cancelled")


def test_only_differences(chromium: Any, url: str, states: dict[str, str]) -> None:
    with window(chromium, java_script_enabled=False, **WIDE) as shown:
        shown.page.goto(url + states["failed"])
        names = shown.page.locator(".figures tbody:visible th[scope=rowgroup]").all_inner_texts()
        assert [name.split()[0] for name in names] == ["the", "id", "i8", "origin"]
        assert "missing" in shown.page.inner_text(".figures tbody:visible >> nth=2")
        shown.page.uncheck("#only")
        assert shown.page.locator(".figures tbody:visible").count() == 23


def test_on_paper(chromium: Any, url: str, states: dict[str, str]) -> None:
    with window(chromium, **WIDE) as shown:
        shown.page.goto(url + states["passed"])
        shown.page.emulate_media(media="print")
        assert not shown.page.is_visible("nav")
        assert shown.page.is_visible("text=rows_identical")
        assert len(shown.page.pdf(format="A4")) > 20_000
        assert (
            shown.page.evaluate("getComputedStyle(document.querySelector('.wide')).overflow")
            == "visible"
        )


def test_times_are_told_to_machines(chromium: Any, url: str, states: dict[str, str]) -> None:
    with window(chromium, **WIDE) as shown:
        shown.page.goto(url)
        stamp = shown.page.get_attribute(".history time", "datetime")
        assert stamp is not None
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", stamp)
        assert shown.page.get_attribute("link[rel=icon]", "href") == "/proof/static/icon.svg"
