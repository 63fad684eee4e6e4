"""Takes the pictures of the README: a proof that passed and one that failed, in both schemes."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from browser_here import browser, window
from portal_here import Here, portal, served, start

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
PROOFS = {
    "passed": ("polars", "duckdb", ".status"),
    "failed": ("polars", "sabotage.changed_cell", "#figures"),
}
SIZE = {"width": 1180, "height": 800}


def _take(here: Here, port: int) -> None:
    proofs = {}
    for name, (first, second, _) in PROOFS.items():
        proofs[name] = start(here.client(), first=first, second=second, rows="1000")
        here.until(proofs[name], name)
    with browser() as chromium:
        for scheme in ("light", "dark"):
            with window(chromium, color_scheme=scheme, viewport=SIZE) as shown:
                for name, proof in proofs.items():
                    shown.page.goto(f"http://localhost:{port}/proof/p/{proof}")
                    if name == "failed":
                        shown.page.evaluate(
                            "document.getElementById('figures-title').scrollIntoView({block: 'center'})"
                        )
                    shown.page.screenshot(path=PICTURES / f"{name}-{scheme}.png")


def main() -> None:
    """Run the proofs and take the pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        names = ("polars", "duckdb", "sabotage.changed_cell")
        with portal(Path(folder), names) as here, served(here) as port:
            _take(here, port)
    print(*sorted(path.name for path in PICTURES.iterdir()), file=sys.stderr)


if __name__ == "__main__":
    main()
