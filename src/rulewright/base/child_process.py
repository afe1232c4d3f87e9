"""Child processes that never outlive their parent."""

from __future__ import annotations

import os
import sys
import threading


def exit_with_parent() -> None:
    """Exit this process when its input is closed. The input must already be read, and the parent must keep it open."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    # Avoids `sys.stdin`: at exit Python waits a second for its readers, and then aborts.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
