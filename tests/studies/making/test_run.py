"""Runs: the same puzzles whoever makes them, gone on with where they were interrupted, none twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.share_line import read_shared
from rulewright.rules.linking.project import Project
from rulewright.solver.answer.portfolio import answer
from rulewright.studies.making.maker import Maker
from rulewright.studies.making.proof import Fault
from rulewright.studies.making.run import FILE, PATIENCE, Entry, Journal, MakingRun
from rulewright.studies.verdicts import check_verdicts
from rulewright.workers.processes import Processes
from tests.studies.making.orchard import ORDER, orchard


def files_of(project: Project, folder: Path, wanted: int, workers: int = 1, order=ORDER) -> dict[str, str]:  # type: ignore[no-untyped-def]
    run = MakingRun(project, order, folder, wanted)
    for _ in run.go(Processes(workers), 60.0):
        pass
    return {path.name: path.read_text() for path in folder.glob("*.puzzle")}


def test_puzzles_are_read_solved_and_shared(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    files = files_of(project, tmp_path / "made", 2)
    assert len(files) == 2
    catalogue = Catalogue(Project(tmp_path))
    lines = [entry.line for entry in Journal.of(tmp_path / "made", ORDER).made]
    for name, line in zip(files, lines, strict=True):
        position = catalogue.position(name.removesuffix(".puzzle"))
        question = position.question
        assert question is not None and position.puzzle.plans
        check_verdicts(position)
        assert answer(position.asked, position.root, question).score == position.puzzle.answer
        assert any(read_shared(other, project).name == position.puzzle.name for other in lines) and line


def test_workers_and_interruptions_change_nothing(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    alone = files_of(project, tmp_path / "alone", 3)
    assert len(alone) == 3
    assert files_of(project, tmp_path / "two", 3, workers=2) == alone
    for wanted in (1, 2, 3):
        again = files_of(Project(tmp_path), tmp_path / "again", wanted)
    assert again == alone
    journal = tmp_path / "again" / FILE
    whole = journal.read_text()
    journal.write_text(whole[:-20])  # a line that was being written
    assert files_of(Project(tmp_path), tmp_path / "again", 3) == alone
    assert journal.read_text() == whole == (tmp_path / "alone" / FILE).read_text()


def test_no_puzzle_twice(tmp_path: Path) -> None:
    """There are few positions of so small a game: all are found, and then found again."""
    run = MakingRun(orchard(tmp_path), ORDER, tmp_path / "made", 99)
    for number, _ in enumerate(run.go(Processes(1), 60.0)):
        if number == 24 or run.journal.faults.get(Fault.TWICE, 0) > 1:
            break
    assert run.journal.faults[Fault.TWICE] > 1
    assert (
        len({entry.canonical for entry in run.journal.made}) == len(run.journal.made) == len(list(run.folder.glob("*.puzzle")))
    )


def test_a_folder_is_of_one_commission(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    files_of(project, tmp_path / "made", 1)
    with pytest.raises(RulesError, match="other options"):
        MakingRun(project, evolve(ORDER, seed=2), tmp_path / "made", 1)
    MakingRun(project, evolve(ORDER, seconds=3.0), tmp_path / "made", 1)  # more time is no other commission
    (tmp_path / "made" / FILE).write_text("nothing of the kind\n")
    with pytest.raises(RulesError, match="not the journal"):
        MakingRun(project, ORDER, tmp_path / "made", 1)


def test_a_run_that_made_nothing_leaves_its_folder_to_the_next(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    journal = tmp_path / "made" / FILE
    MakingRun(project, evolve(ORDER, seed=2), journal.parent, 1)
    with journal.open("a") as file:
        file.write('{"attempt": 0, "fault": "TWICE"}\n')
    assert files_of(project, journal.parent, 1) == files_of(project, tmp_path / "alone", 1)
    assert journal.read_text() == (tmp_path / "alone" / FILE).read_text()


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    (name,) = files_of(project, tmp_path / "made", 1)
    mine = tmp_path / "other" / name
    mine.parent.mkdir()
    mine.write_text("puzzle of_mine:\n")
    with pytest.raises(RulesError, match="not made by this run"):
        files_of(project, mine.parent, 1)
    assert mine.read_text() == "puzzle of_mine:\n"


def test_known_positions_are_starts_after_some_attempts_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = orchard(tmp_path)
    order = evolve(ORDER, elsewhere=(evolve(ORDER, seed=7), evolve(ORDER, seed=8)))
    run = MakingRun(project, order, tmp_path / "made", 1)
    assert run.commission_of(0) == order
    for number in range(PATIENCE):
        run.journal.add(Entry(number, Fault.NO_POSITION.name))
    assert [run.commission_of(number).seed for number in (PATIENCE, PATIENCE + 1)] == [7, 8]
    assert run.commission_of(PATIENCE - 1) == order
    for _ in run.go(Processes(1), 60.0):
        pass
    assert not run.missing and run.journal.entries[-1].attempt >= PATIENCE
    monkeypatch.setattr(Maker, "can_begin", False)
    assert MakingRun(project, order, tmp_path / "other", 1).commission_of(0).seed == 7
