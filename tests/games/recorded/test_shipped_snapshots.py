"""What the games that ship come to, and puzzles without a question, as the plugin records it."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.puzzles.catalogue import SHIPPED
from rulewright.rules.linking.project import Project
from rulewright.studies.records import snapshots
from rulewright.studies.records.expectations import SolvedPuzzle

PROJECT = Project(SHIPPED)
RECORDED = (snapshots.ACTIONS, snapshots.SCORE, snapshots.IMPOSSIBLE, snapshots.GAME)
PATHS = sorted(path for folder in ("games", "legality") for path in (SHIPPED / folder).iterdir())


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_snapshots(path: Path, snapshot: SnapshotAssertion) -> None:
    found = snapshots.of_play(path, PROJECT) if path.suffix == ".play" else snapshots.of_puzzle(SolvedPuzzle(path, PROJECT, 0))
    assert "\n".join(one.text() for one in found if one.name in RECORDED) == snapshot
