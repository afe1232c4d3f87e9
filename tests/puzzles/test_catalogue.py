"""Puzzles found by name and by path."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.diagnostics import RulesError
from rulewright.puzzles.catalogue import Catalogue, Entry
from rulewright.rules.loading import Project

HOUSE = "module house:\n    extends beacon_patrol\nchange allowance: tokens[1] = 5\n"
OURS = """\
# Ours.
puzzle ours:
    "By our rules."
    rules beacon_patrol + house   # both
    players 1

    sea:
        hq@1

    tokens 1: 5
    answer: -3
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "ours.puzzle").write_text(OURS, encoding="utf-8")
    (tmp_path / "deep" / "house.rules").write_text(HOUSE, encoding="utf-8")
    return Catalogue(Project(tmp_path))


def code_of(catalogue: Catalogue, argument: str | Path) -> str:
    with pytest.raises(RulesError) as caught:
        catalogue.find(argument)
    return caught.value.diagnostics[0].code


def test_a_glance_at_every_puzzle(catalogue: Catalogue) -> None:
    entries = {entry.name: entry for entry in catalogue.entries()}
    path = catalogue.project.folder / "deep" / "ours.puzzle"
    assert entries["ours"] == Entry("ours", path, "By our rules.", ("beacon_patrol", "house"), -3)
    assert entries["overboard"].answer == 7
    assert list(entries) == sorted(entries)


def test_by_name_and_by_path(catalogue: Catalogue) -> None:
    path = catalogue.project.folder / "deep" / "ours.puzzle"
    assert catalogue.find("ours") == catalogue.find(path) == catalogue.find("deep/ours.puzzle") == path
    assert catalogue.read("ours").name == "ours"
    assert catalogue.position("ours").engine.game.modules[-1] == "house"
    assert catalogue.position("overboard").puzzle.answer == 7


def test_the_folder_goes_before_what_ships(catalogue: Catalogue) -> None:
    path = catalogue.project.folder / "mine.puzzle"
    path.write_text("puzzle overboard:\n    rules house\n", encoding="utf-8")
    assert catalogue.find("overboard") == path


def test_what_cannot_be_found(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "other.puzzle"
    outside.write_text("puzzle other:\n    rules house\n", encoding="utf-8")
    (catalogue.project.folder / "twin.puzzle").write_text(OURS, encoding="utf-8")
    assert code_of(catalogue, "our") == "RW346"
    assert code_of(catalogue, "our.puzzle") == "RW346"
    assert code_of(catalogue, "ours") == "RW347"
    assert code_of(catalogue, outside) == "RW348"
