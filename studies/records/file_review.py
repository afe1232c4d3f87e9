"""The review of one file: its changed snapshots, the changed clauses that explain them, and corrected expectations.

The accepted rules are themselves a snapshot. Each clause that differs from it is applied alone to attribute the changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.tree.puzzles import Verdict
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.saved_games import (
    SavedGame,
    begin_under_game,
    modules_of,
    read_saved_game,
)
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game
from rulewright.solver.result import Status
from rulewright.studies.rule_impact import ChangeSet, Impact, Outcome
from rulewright.workers.executor import Job
from rulewright.workers.processes import Processes

from . import snapshots
from .corrections import Correction, correct_answer, correct_scores
from .expectations import Inconclusive, SolvedPuzzle
from .file_checks import RULES, FileChecks
from .snapshots import Change, RulesChange, Snapshot

FEW = 6
"""Up to this number, files are reviewed in this process: starting another takes longer."""


TOLD = (snapshots.ACTIONS, snapshots.SCORE, snapshots.BEST)
"""The snapshots of a puzzle that follow from its outcome."""


@frozen
class FileReview:
    """The changes to review in a file.

    `kept` are the paths of all of its snapshots. `rules` names the modules of its snapshot of linked rules, if it has one;
    `rules_path` is the snapshot of a puzzle's rules. `impact` explains the changes of a puzzle by those of the rules (None if
    they do not), `causes` are the change sets that each change a saved game. `undecided` says why a snapshot could not be
    computed, `faults` are the errors of the file.
    """

    path: Path
    name: str = ""
    kept: tuple[Path, ...] = ()
    changes: tuple[Change, ...] = ()
    rules: str = ""
    rules_path: Path | None = None
    impact: Impact | None = None
    causes: frozenset[ChangeSet] = frozenset()
    correction: Correction | None = None
    undecided: str = ""
    faults: tuple[Diagnostic, ...] = ()

    @property
    def rules_change(self) -> Change | None:
        """The change of the linked rules, if a text of them was accepted before."""
        return next((one for one in self.changes if one.path.stem == snapshots.RULES and one.before is not None), None)


@define
class FileReviewer:
    """Reviews the files of a project. `seconds` limits the solving of each question."""

    project: Project
    seconds: float
    _rules: dict[Path, RulesChange | None] = field(factory=dict, init=False, repr=False)

    @cached_property
    def _catalogue(self) -> Catalogue:
        return Catalogue(self.project)

    def review(self, path: Path) -> FileReview:
        """The review of a module or a puzzle; that of a saved game lacks its causes and correction."""
        checks = FileChecks(path, self.project, self.seconds)
        try:
            recorded = list(checks.snapshots)
        except RulesError as error:
            return FileReview(path, faults=error.diagnostics)
        solved = checks.solved
        rules = [str(path) if solved is None else solved.rules for one in recorded if one.name == snapshots.RULES]
        found = FileReview(path, path.name, tuple(one.path for one in recorded), rules="".join(rules))
        for snapshot in recorded:
            try:
                if (change := _change(snapshot)) is not None:
                    found = evolve(found, changes=(*found.changes, change))
            except RulesError as error:
                found = evolve(found, faults=error.diagnostics)
            except Inconclusive as inconclusive:
                found = evolve(found, undecided=str(inconclusive))
        if path.suffix == RULES and found.changes and not found.faults:
            found = evolve(found, faults=_faults(checks))
        if solved is None or found.faults:
            return found
        try:
            rules_path = snapshots.rules_of(solved).path
            found = evolve(found, name=solved.puzzle.name, rules_path=rules_path, correction=_correction(solved))
            if any(one.before is not None and one is not found.rules_change for one in found.changes):
                found = evolve(found, impact=self._impact(solved, found))
        except RulesError as error:
            found = evolve(found, faults=error.diagnostics)
        return found

    def review_game(self, path: Path, rules: Sequence[RulesChange]) -> FileReview:
        """The review of a saved game, with the change sets of the rules that change it, and its correction."""
        found = self.review(path)
        if found.faults:
            return found
        try:
            found = evolve(found, correction=correct_scores(path, self.project))
        except RulesError as error:
            found = evolve(found, faults=error.diagnostics)
        if any(change.before is not None for change in found.changes):
            found = evolve(found, causes=self._causes(path, found.changes[0], rules))
        return found

    # Causes -----------------------------------------------------------------------------------

    def _rules_change(self, solved: SolvedPuzzle) -> RulesChange | None:
        """The change of a puzzle's rules since they were accepted; None if there is none."""
        snapshot = snapshots.rules_of(solved)
        if snapshot.path not in self._rules:
            change = _change(snapshot)
            is_known = change is not None and change.before is not None
            names = solved.rules if snapshot.file == solved.path else str(snapshot.file)
            new = RulesChange.of(change, self.project.combine(names), self.seconds) if change and is_known else None
            self._rules[snapshot.path] = new
        return self._rules[snapshot.path]

    def _impact(self, solved: SolvedPuzzle, found: FileReview) -> Impact | None:
        """The impact of the changed rules on a puzzle; None if it does not explain all changes of its snapshots."""
        rules = self._rules_change(solved)
        if rules is None:
            return None
        game = rules.analysis.between(())
        before = None if game is None else _recorded(solved, game)
        result = None if solved.position.question is None else solved.result
        impact = rules.analysis.impact(solved.puzzle, before, Outcome.of(solved.position, result))
        if impact.before is None or not impact.contributions or game is None:
            return None
        changes = [one for one in found.changes if one.path.stem != snapshots.RULES]
        return impact if all(_text_of(one.path.stem, impact.before, solved, game) == one.before for one in changes) else None

    def _causes(self, path: Path, change: Change, rules: Sequence[RulesChange]) -> frozenset[ChangeSet]:
        """The change sets that each change the course of a saved game when applied alone to the old rules."""
        play = read_saved_game(path, self.project.texts)
        try:
            names = list(modules_of(play, self._catalogue))
        except RulesError:
            return frozenset()
        analysis = next((found.analysis for found in rules if list(found.new.roots) == names), None)
        if analysis is None or self._under(play, analysis.between(())) != change.before:
            return frozenset()
        return frozenset(one for one in analysis.change_sets if self._under(play, analysis.between(one)) != change.before)

    def _under(self, play: SavedGame, game: Game | None) -> str | None:
        """The snapshot of a saved game under some rules; None if it cannot be played."""
        if game is None:
            return None
        try:
            return snapshots.game_text(play, *begin_under_game(play, game, self._catalogue))
        except RulesError:
            return None


def _faults(checks: FileChecks) -> tuple[Diagnostic, ...]:
    """The errors that the checks of a module find in rules that link, such as a set-up that fails."""
    try:
        for expectation in checks.expectations:
            expectation.check()
    except RulesError as error:
        return error.diagnostics
    return ()


def _change(snapshot: Snapshot) -> Change | None:
    """The change of a snapshot; None if it is unchanged. Raises `RulesError` and `Inconclusive`."""
    after = snapshot.text()
    before = snapshot.path.read_text("utf-8") if snapshot.path.is_file() else None
    return None if before == after else Change(snapshot.path, before, after)


def _recorded(solved: SolvedPuzzle, game: Game) -> Outcome | None:
    """The outcome of a puzzle under the accepted rules, if it follows from its snapshots without solving the puzzle again.

    It does if the puzzle still expects the recorded answer, and its actions and score under those rules match the snapshots:
    then the puzzle is as it was when accepted.
    """
    kept = {snapshot.name: snapshot.path for snapshot in snapshots.of_puzzle(solved) if snapshot.path.is_file()}
    expected = solved.puzzle.answer
    if snapshots.BEST not in kept or expected is None or isinstance(expected, Verdict):
        return None
    now = Outcome.of(set_up_position(solved.puzzle, game), None)
    known = evolve(now, answer=expected, status=Status.OPTIMAL)
    told = all(_text_of(name, known, solved, game) == path.read_text("utf-8") for name, path in kept.items() if name in TOLD)
    return known if told else None


def _text_of(name: str, outcome: Outcome, solved: SolvedPuzzle, game: Game) -> str:
    """The text of a puzzle's snapshot, given its outcome under some rules."""
    match name:
        case snapshots.ACTIONS:
            return snapshots.actions_text(outcome.legal)
        case snapshots.SCORE:
            return snapshots.score_text(outcome.items, outcome.score)
        case snapshots.ACCEPTED:
            return snapshots.accepted_text(set_up_position(solved.puzzle, game))
        case snapshots.BEST:
            return snapshots.best_text(outcome.status, outcome.answer)
        case _:
            return snapshots.impossible_text(solved.puzzle, game)


def _correction(solved: SolvedPuzzle) -> Correction | None:
    """The correction of a puzzle's `answer:`; None if it is missing or right, or if that is not decided in time."""
    if solved.puzzle.answer is None:
        return None
    try:
        return correct_answer(solved)
    except Inconclusive:
        return None


def file_reviews(reviewer: FileReviewer, paths: Sequence[Path], workers: int) -> Iterator[FileReview]:
    """The reviews of modules and puzzles, in order, computed by this process or several."""
    project = reviewer.project
    make = partial(FileReviewer, Project(project.folder, project.limits), reviewer.seconds)
    executor = Processes(1 if len(paths) <= FEW else min(workers, len(paths)))
    return executor.in_order(Job(make, FileReviewer.review, opened=reviewer), paths)
