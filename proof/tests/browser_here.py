"""A real browser for the tests of the portal, and what every page must be free of."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the Chromium of this machine."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield found
        found.close()


@dataclass
class Window:
    """A page, with all that it said or asked for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def axe(self) -> list[str]:
        """Return what axe-core finds against the page as it stands."""
        import axe_playwright_python

        source = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
        self.page.evaluate(source)  # by the debugger: the policy of the page lets no script in
        found = self.page.evaluate("axe.run({resultTypes: ['violations']})")
        return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found["violations"]]

    def too_wide(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return max(0, width)


@contextmanager
def window(browser: Browser, **options: Any) -> Iterator[Window]:
    """Open a window that notes errors and requests."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(90_000)
    found = Window(page)
    page.on("console", lambda message: found.said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: found.said.append(f"error: {error}"))
    page.on("dialog", lambda dialog: found.said.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: found.asked.append(request.url))
    yield found
    context.close()
