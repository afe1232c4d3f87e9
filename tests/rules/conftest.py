"""Lets the tests here say `from tests.rules import …` and `from tests.oracle import …`, however pytest is called."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
