"""Folders that tests of several rooms read."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
POSITIONS = ROOT / "tests" / "puzzles" / "data"
PROVED = POSITIONS / "proved"
"""Positions with answers that an exact search outside of this repository has proved."""
OPEN = POSITIONS / "open"
"""Positions whose answer nobody has proved."""
