"""Projects as texts: linked where their folder is not, and as they were when they were read."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.linking.project import Project
from rulewright.studies.project_texts import ProjectTexts, roots_of
from rulewright.workers.folder_texts import FolderTexts

PROJECT = Path(__file__).parents[1] / "cli" / "project"


def test_the_same_game_though_the_folder_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder)
    project = Project(folder)
    combination = project.combine("bright")
    texts = pickle.loads(pickle.dumps(ProjectTexts.of(project, [combination])))
    roots, before = roots_of(combination), combination.linked
    shutil.rmtree(folder)
    opened = texts.opened()
    assert opened.combine(roots).linked == before
    assert opened.load("bright") == before
    assert opened.modules()["shoals"] == folder / "shoals.rules"
    with pytest.raises(RulesError) as caught:
        opened.load("absent")
    assert caught.value.diagnostics[0].code == "RW106"


def test_what_ships_goes_by_its_name_and_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "torn.rules").write_bytes(b"module torn:\n\xff")
    project = Project(tmp_path)
    texts = ProjectTexts.of(project)
    assert texts.texts == ()
    assert roots_of(project.combine("classics.hanoi")) == ("classics.hanoi",)


def test_a_folder_is_unpacked_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in "ab":
        (tmp_path / "inner" / f"{name}.rules").write_text(f"module {name}:\n")
    (tmp_path / "b.txt").write_text("no rules")
    project = Project(tmp_path)
    folder = FolderTexts.of(tmp_path, [".rules"], project.limits).unpacked()
    assert folder != tmp_path
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == ["inner/a.rules", "inner/b.rules"]
    assert (folder / "inner" / "a.rules").read_text() == "module a:\n"
