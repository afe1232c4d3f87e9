"""The files that ship, found from this folder; other helpers may add to them."""

from __future__ import annotations

from tests.paths import ROOT

GOOD = sorted((ROOT / "tests/cases/good").glob("*.rules")) + sorted((ROOT / "tests/cases/good").glob("*.puzzle"))
SHIPPED = sorted((ROOT / "rules/library").rglob("*.rules")) + sorted((ROOT / "puzzles").rglob("*.puzzle")) + GOOD
