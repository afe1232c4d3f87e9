"""What the system lacks that Python runs on: in a page (Pyodide) there are no threads, no processes and no compiler."""

from __future__ import annotations

import sys

IN_PAGE: bool = sys.platform == "emscripten"
HAS_THREADS: bool = sys.platform not in ("emscripten", "wasi")
