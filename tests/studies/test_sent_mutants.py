"""Mutants are judged alike where their folder is not."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

from rulewright.rules.linking.project import Project
from rulewright.studies.evidence import EvidenceFinder
from rulewright.studies.mutation.testing import MutationTest, Unmutated

PROJECT = Path(__file__).parents[1] / "cli" / "project"


def results(project: Project) -> list[object]:
    """What the mutants of a module are judged by: its evidence, and the checks of a puzzle."""
    unmutated = Unmutated(project, 0.0)
    test = MutationTest(unmutated, "bright", tuple(project.texts.below(".puzzle")))
    return [[one.name for one in test.evidence], unmutated.results(project.folder / "narrows.puzzle")]


def test_the_same_results_though_the_folder_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder)
    project = Project(folder)
    before = results(project)
    assert before[1] is not None
    puzzles = list(project.texts.below(".puzzle"))
    sent = pickle.loads(pickle.dumps(project.portable(puzzles)))
    shutil.rmtree(folder)
    assert results(sent) == before
    assert EvidenceFinder(sent).faults == []
