"""The files that ship, found from this folder; other helpers may add to them."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).parents[2]
GOOD = sorted((PROJECT / "tests/cases/good").glob("*.rules")) + sorted((PROJECT / "tests/cases/good").glob("*.puzzle"))
SHIPPED = sorted((PROJECT / "rules/library").rglob("*.rules")) + sorted((PROJECT / "puzzles").rglob("*.puzzle")) + GOOD
