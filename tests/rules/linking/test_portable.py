"""Portable projects: linked where their folder is not, and as they were when they were read."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.linking.project import Project

PROJECT = Path(__file__).parents[2] / "cli" / "project"


def test_the_same_game_though_the_folder_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder)
    project = Project(folder)
    combination = project.combine("bright")
    opened, sent = pickle.loads(pickle.dumps((project.portable(), combination)))
    before = combination.linked
    shutil.rmtree(folder)
    assert sent.linked == before
    assert opened.load("bright") == before
    assert opened.modules()["shoals"] == folder / "shoals.rules"
    with pytest.raises(RulesError) as caught:
        opened.load("absent")
    assert caught.value.diagnostics[0].code == "RW106"


def test_what_ships_goes_by_its_name_and_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "torn.rules").write_bytes(b"module torn:\n\xff")
    project = Project(tmp_path)
    assert project.portable().texts.given == {}
    assert project.portable().load("classics.hanoi") == project.load("classics.hanoi")
