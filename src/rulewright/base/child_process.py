"""Child processes that do not outlive their parent, however that ends."""

from __future__ import annotations

import os
import sys
import threading


def exit_with_parent() -> None:
    """End this process when its input is closed: what comes in must have been read, and the parent must keep it open."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    # Not by `sys.stdin`: Python waits a second on its way out for whoever reads from that, and then aborts.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
