"""Lets the tests here import the programs of bench/, which import each other as scripts do, and `tests.oracle`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
for folder in (str(ROOT), str(ROOT / "bench")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
