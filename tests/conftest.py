"""Machine code made by tests is kept in a folder of its own, so that no test depends on what somebody's cache holds."""

import os
import tempfile
from pathlib import Path

os.environ["RULEWRIGHT_CACHE"] = str(Path(tempfile.gettempdir()) / f"rulewright-tests-{getattr(os, 'getuid', lambda: 0)()}")
