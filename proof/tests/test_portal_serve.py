"""`ods-proof serve` as it is used: one command, restarts, a stop with open pages, a proxy in front."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browser_here import browser, needs_chromium, window
from conftest import ask_here
from ods_proof.portal import worker
from ods_proof.portal.journal import Journal
from ods_proof.portal.sheet import Order
from ods_proof.process import Waiting
from ods_proof.walk import Walk
from portal_here import form

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="needs nginx")


@dataclass
class Serving:
    """A portal of the command line."""

    process: subprocess.Popen[str]
    url: str


def _environment(folder: Path, **settings: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ODS_PROOF")}
    paths = os.pathsep.join(str(Path(path).absolute()) for path in sys.path)
    return {
        **kept,
        "PYTHONPATH": paths,
        "ODS_PROOF_SANDBOX": str(folder / "sandbox"),
        "ODS_PROOF_RECORDS": str(folder / "records"),
        "ODS_PROOF_ROWS": "50",
        **settings,
    }


@contextmanager
def serving(folder: Path, port: int = 0, **settings: str) -> Iterator[Serving]:
    """Run `ods-proof serve` until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ods_proof", "serve", "--port", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        env=_environment(folder, **settings),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield Serving(process, found[0].replace("127.0.0.1", "localhost"))
    finally:
        process.terminate()
        process.wait(30)


def _get(url: str, **headers: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=headers), timeout=30
        ) as found:
            return found.status, found.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _start(url: str, **fields: str) -> str:
    """Start a proof and return the address of its page."""
    page = _get(url)[1]
    body = "&".join(f"{name}={value}" for name, value in form(page, **fields).items()).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{url}start", body), timeout=30) as found:
        return str(found.url)


def _until(url: str, text: str, seconds: float = 180.0) -> str:
    end = time.monotonic() + seconds
    while text not in (page := _get(url)[1]):
        assert time.monotonic() < end, page
        time.sleep(0.1)
    return page


def _left(folder: Path) -> list[str]:
    """Return the processes that bear the settings of a test, and what is left of its copies."""
    mark = f"ODS_PROOF_SANDBOX={folder / 'sandbox'}\0".encode()
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in place.read_bytes():
                found.append((place.parent / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found + [path.name for path in (folder / "sandbox").glob("*")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_waits_for_no_open_page(number: int, tmp_path: Path) -> None:
    """It ends within seconds, its proof is cancelled and its queue too, and nothing is left."""
    with serving(tmp_path) as portal:
        runs = _start(portal.url, rows="1000000")
        _until(runs, "Running")
        waits = _start(portal.url)
        streams = [urllib.request.urlopen(f"{runs}/events", timeout=30) for _ in range(20)]
        assert streams[0].readline() == b"retry: 1000\n"
        portal.process.send_signal(number)
        began = time.monotonic()
        for stream in streams:
            stream.read()  # to its end
        ended = time.monotonic() - began
        assert portal.process.wait(30) == 0
    assert ended < 10
    until = time.monotonic() + 15
    while _left(tmp_path) and time.monotonic() < until:
        time.sleep(0.1)
    assert _left(tmp_path) == []
    with serving(tmp_path) as portal:
        for page in (runs, waits):
            text = _get(portal.url + page.partition("/proof/")[2])[1]
            assert "Cancelled: the portal was stopped" in text


@needs_chromium
@pytest.mark.xdist_group("chromium")
def test_a_page_goes_on_after_the_portal_was_killed(tmp_path: Path) -> None:
    with browser() as chromium, window(chromium) as shown:
        with serving(tmp_path) as portal:
            port = int(portal.url.split(":")[2].split("/")[0])
            shown.page.goto(_start(portal.url))
            shown.page.wait_for_selector(".trip .done")
            shown.page.evaluate("window.same = true")
            waits = _start(portal.url, second="duckdb")
            portal.process.kill()
            portal.process.wait()
        with serving(tmp_path, port):
            shown.page.wait_for_selector(".status.passed")
            assert shown.page.evaluate("window.same")
            assert shown.page.locator(".checks .passed").count() == 11
            _until(waits, "Passed")  # what was in the queue of the dead one


def test_a_worker_that_is_killed_is_told(tmp_path: Path) -> None:
    with serving(tmp_path) as portal:
        page = _start(portal.url, rows="1000000")
        _until(page, "Running")
        workers = [c for c in _left(tmp_path) if "ods_proof.portal.worker" in c]
        assert len(workers) == 1
        pid = subprocess.check_output(["pgrep", "-f", re.escape(workers[0].strip())], text=True)
        os.kill(int(pid.split()[0]), signal.SIGKILL)
        _until(page, "Worker lost: its process ended by SIGKILL")
        _until(_start(portal.url), "Passed")


def test_a_proof_ends_where_the_signal_to_stop_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python drops what a handler raises into a callback of the garbage collector."""
    journal = Journal(tmp_path / "0123456789ab.journal")
    journal.begin(Order("0123456789ab", "pyarrow", "pyarrow", 50, 7, None, 0.0))

    def cancelled(walk: Walk, name: str, job: str, arguments: dict[str, Any]) -> Waiting:
        if name == "first_wrote":
            journal.append("cancel", {"why": None})
        return ask_here(walk, name, job, arguments)

    monkeypatch.setattr(Walk, "_ask", cancelled)
    before = signal.getsignal(signal.SIGTERM)
    try:
        worker.main(str(journal.path), str(tmp_path / "sandbox"))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert [line.word for line in journal.lines()] == [
        "order",
        "began",
        "step",
        "cancel",
        "stopped",
    ]
    assert list((tmp_path / "sandbox").iterdir()) == []


def test_two_portals_do_not_share_a_folder(tmp_path: Path) -> None:
    with serving(tmp_path):
        other = subprocess.run(
            [sys.executable, "-m", "ods_proof", "serve", "--port", "0"],
            capture_output=True, text=True, env=_environment(tmp_path), check=False,
        )  # fmt: skip
    assert (other.returncode, other.stdout) == (2, "")
    assert other.stderr.startswith("error: another portal keeps its records in ")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"ODS_PROOF": "all"}, "needs roles, which do not exist yet"),
        ({"ODS_PROOF_BIND": "0.0.0.0"}, "without a login"),
        ({"ODS_PROOF_AUTHORIZE": "os:nothing"}, "not module:function"),
        ({"ODS_PROOF_RECORDS": "/proc/nowhere"}, "no records can be kept in /proc/nowhere"),
    ],
)
def test_what_cannot_be_served_is_told(
    settings: dict[str, str], reason: str, tmp_path: Path
) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "ods_proof", "serve", "--port", "0"],
        capture_output=True, text=True, env=_environment(tmp_path, **settings), check=False, timeout=60,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: ")
    assert reason in found.stderr
    assert "Traceback" not in found.stderr


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        found = subprocess.run(
            [sys.executable, "-m", "ods_proof", "serve", "--port", port],
            capture_output=True, text=True, env=_environment(tmp_path), check=False, timeout=60,
        )  # fmt: skip
    assert (found.returncode, f"port {port}: Address already in use" in found.stderr) == (2, True)


# --- behind nginx

_NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port};
    location /proof/ {{
      proxy_pass http://127.0.0.1:{inner}{path};
      proxy_set_header X-Forwarded-User $arg_user;
      proxy_set_header X-Forwarded-Host $http_host;
    }}
  }}
}}
"""


@contextmanager
def _nginx(folder: Path, inner: int, path: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "nginx.conf").write_text(
        _NGINX.format(folder=folder, port=port, inner=inner, path=path)
    )
    process = subprocess.Popen(
        [str(NGINX), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 20
    while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < until:
        time.sleep(0.05)
    try:
        yield f"http://localhost:{port}/proof/"
    finally:
        process.terminate()
        process.wait(10)


@needs_nginx
@pytest.mark.parametrize("path", ["/proof/", "/"], ids=["as it is", "taken off"])
def test_behind_nginx(path: str, tmp_path: Path) -> None:
    """The user is who nginx says (here by ?user=), with the prefix passed on and without."""
    settings = {
        "ODS_PROOF_USER_HEADER": "X-Forwarded-User",
        "ODS_PROOF_TRUSTED_PROXIES": "127.0.0.1",
    }
    with serving(tmp_path, **settings) as portal:
        inner = int(portal.url.split(":")[2].split("/")[0])
        with _nginx(tmp_path, inner, path) as url:
            assert _get(url)[0] == 401
            forged = {"X-Forwarded-User": "root"}
            assert _get(url, **forged)[0] == 401
            status, page = _get(f"{url}?user=ada", **forged)
            assert (status, "as ada" in page, "root" in page) == (200, True, False)
            assert 'action="/proof/start"' in page
            assert _get(f"{url}static/portal.css")[0] == 200
            body = "&".join(f"{k}={v}" for k, v in form(page).items()).encode()
            origin = {"Origin": url.partition("/proof")[0]}
            for headers, status in (({"Origin": "http://evil.test"}, 403), (origin, 303)):
                asked = urllib.request.Request(f"{url}start?user=ada", body, headers)
                assert _status(asked) == status
            (record,) = (tmp_path / "records").glob("*.journal")
            events = f"{url}p/{record.stem}/events?user=bob"
            with urllib.request.urlopen(events, timeout=60) as stream:
                began = time.monotonic()
                assert stream.readline() == b"retry: 1000\n"  # not held back by the proxy
                assert time.monotonic() - began < 5
                assert stream.read().rstrip().endswith(b'"ended": true}')
            assert "started by ada" in _get(f"{url}p/{record.stem}?user=bob")[1]


def _status(asked: urllib.request.Request) -> int:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    try:
        return int(urllib.request.build_opener(Stay).open(asked, timeout=30).status)
    except urllib.error.HTTPError as error:
        return error.code
