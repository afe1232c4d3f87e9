"""What the system lacks that Python runs on: in a page (Pyodide) there are no threads, no processes and no compiler."""

from __future__ import annotations

import sys
from pathlib import Path

IN_PAGE: bool = sys.platform == "emscripten"
HAS_THREADS: bool = sys.platform not in ("emscripten", "wasi")


def resident_mib() -> int | None:
    """MiB of memory that this process holds now; None where the system does not say so in `/proc`."""
    try:
        import resource

        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize() >> 20
    except (OSError, ImportError):
        return None
