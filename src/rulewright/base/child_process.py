"""Child processes: they never outlive their parent, and keep to limits where the system has such limits."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

MEBIBYTE = 1 << 20


def exit_with_parent() -> None:
    """Exit this process when its input is closed. The input must already be read, and the parent must keep it open."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    # Avoids `sys.stdin`: at exit Python waits a second for its readers, and then aborts.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def limit_memory(mebibytes: int, only_data: bool = False) -> None:
    """Limit the addresses of this process, or only its data: beyond, it gets a `MemoryError`. On Windows there is no limit."""
    try:
        import resource
    except ImportError:
        return
    kind = resource.RLIMIT_DATA if only_data else resource.RLIMIT_AS
    with suppress(ValueError, OSError):  # macOS refuses a limit below what a process has mapped when it starts
        resource.setrlimit(kind, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE))


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process for schedulers that share by process and for those that share by session (Linux
    autogroups). On Windows it stays."""
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness))
