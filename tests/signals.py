"""Signals as a terminal leaves them: what a script starts with `&` has Ctrl-C ignored, and tests send it."""

from __future__ import annotations

import signal


def restore() -> None:
    """Let Ctrl-C interrupt this process and what it starts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
