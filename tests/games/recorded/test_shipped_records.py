"""What the games that ship come to, and puzzles without a question, as the plugin records it."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.puzzles.catalogue import SHIPPED
from rulewright.rules.linking.project import Project
from rulewright.studies import records
from rulewright.studies.expectations import Solved

PROJECT = Project(SHIPPED)
PATHS = sorted(path for folder in ("games", "legality") for path in (SHIPPED / folder).iterdir())


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_record(path: Path, snapshot: SnapshotAssertion) -> None:
    found = records.of_play(path, PROJECT) if path.suffix == ".play" else records.of_puzzle(Solved(path, PROJECT, 0))
    assert "\n".join(record.text() for record in found if record.name in records.CHEAP) == snapshot
