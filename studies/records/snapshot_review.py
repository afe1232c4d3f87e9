"""Review of changed snapshots, grouped by the changes of the rules that caused them.

The accepted rules are themselves a snapshot. Each clause that differs from it is applied alone to attribute the changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from attrs import field

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define, frozen
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.saved_games import SavedGame, begin_under_game, modules_of, read_saved_game
from rulewright.rules.clauses.clause_diff import Difference
from rulewright.rules.linking.project import Project
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.model.game import Game
from rulewright.studies.rule_impact import ChangeSet, Impact

from . import snapshots
from .expectations import Inconclusive, SolvedPuzzle
from .file_checks import FileChecks, checked_files
from .rule_changes import Change, RulesChange
from .snapshots import Snapshot


@frozen
class ChangedPuzzle:
    """A puzzle with changed snapshots. `impact` is None where they are not explained by the change of the rules alone."""

    solved: SolvedPuzzle
    changes: tuple[Change, ...]
    impact: Impact | None = None


@frozen
class ChangedGame:
    """A saved game with a changed snapshot; `causes` are the change sets each of which changes it, none if not the rules."""

    path: Path
    change: Change
    causes: frozenset[ChangeSet] = frozenset()


@frozen(eq=False)
class ReviewGroup:
    """The snapshots changed by one cause: the clauses of `change_sets`, or without these the files themselves."""

    title: str
    puzzles: tuple[ChangedPuzzle, ...] = ()
    changes: tuple[Change, ...] = ()
    change_sets: tuple[ChangeSet, ...] = ()
    rules: tuple[RulesChange, ...] = ()

    @property
    def differences(self) -> tuple[tuple[RulesChange, tuple[Difference, ...]], ...]:
        """The changed clauses, each once, with the rules in which they changed."""
        listed: set[Place] = set()
        found: list[tuple[RulesChange, tuple[Difference, ...]]] = []
        for rules in self.rules:
            fresh = tuple(d for d in rules.differences(self.change_sets) if d.place not in listed)
            listed |= {difference.place for difference in fresh}
            found.append((rules, fresh))
        return tuple(found)


NEW, GONE = "new", "gone"
"""The titles of the groups of snapshots that were never accepted, and of those whose files are gone."""


@frozen
class _Source:
    """A snapshot with the puzzle that it is of, if any, and, where it is one of linked rules, the names of the modules."""

    snapshot: Snapshot
    puzzle: SolvedPuzzle | None = None
    rules: str = ""


@define
class SnapshotReview:
    """The changed snapshots of a folder. `faults` are the errors of files that give no snapshot."""

    project: Project
    seconds: float
    faults: dict[Path, tuple[Diagnostic, ...]] = field(factory=dict, init=False)
    undecided: dict[Path, str] = field(factory=dict, init=False)
    _accepted: list[ReviewGroup] = field(factory=list, init=False)

    @cached_property
    def groups(self) -> tuple[ReviewGroup, ...]:
        """The changed snapshots by cause, then the new ones, then those whose files are gone."""
        found: list[tuple[_Source, Change]] = []
        kept: set[Path] = set()
        for source in self._sources():
            kept.add(source.snapshot.path)
            if (change := self._change(source.snapshot)) is not None:
                found.append((source, change))
        changed = [(source, change) for source, change in found if change.before is not None]
        rules = {
            change.path: RulesChange.of(change, self.project.combine(source.rules), self.seconds)
            for source, change in changed
            if source.rules
        }
        games = [
            ChangedGame(source.snapshot.file, change, self._causes(source.snapshot.file, change, tuple(rules.values())))
            for source, change in changed
            if source.snapshot.name == snapshots.GAME
        ]
        by_puzzle: dict[Path, tuple[SolvedPuzzle, list[Change]]] = {}
        for source, change in changed:
            if source.puzzle is not None and not source.rules:
                by_puzzle.setdefault(source.puzzle.path, (source.puzzle, []))[1].append(change)
        puzzles = [ChangedPuzzle(s, tuple(changes), self._impact(s, changes, rules)) for s, changes in by_puzzle.values()]
        new = tuple(change for _, change in found if change.before is None)
        gone = tuple(Change(path, path.read_text("utf-8"), None) for path in self._orphans(kept))
        return (
            *_by_cause(puzzles, games, tuple(rules.values())),
            *([ReviewGroup(NEW, changes=new)] if new else []),
            *([ReviewGroup(GONE, changes=gone)] if gone else []),
        )

    def accept(self, group: ReviewGroup, puzzles: Sequence[ChangedPuzzle] | None = None) -> None:
        """Accept a group, or some puzzles of it. A change set is accepted once every group that it caused is."""
        for puzzle in group.puzzles if puzzles is None else puzzles:
            for change in puzzle.changes:
                change.accept()
        if puzzles is not None:
            return
        for change in group.changes:
            change.accept()
        self._accepted.append(group)
        pending = {change_set for other in self.groups if other not in self._accepted for change_set in other.change_sets}
        for rules in group.rules:
            rules.accept(set(group.change_sets) - pending)

    def _sources(self) -> Iterator[_Source]:
        """Every snapshot of the folder: of its modules, puzzles and saved games."""
        for path in checked_files(self.project):
            checks = FileChecks(path, self.project, self.seconds)
            try:
                found = list(checks.snapshots)
            except RulesError as error:
                self.faults[path] = error.diagnostics
                continue
            solved = checks.solved
            for snapshot in found:
                rules = "" if snapshot.name != snapshots.RULES else str(path) if solved is None else solved.rules
                yield _Source(snapshot, solved, rules)

    def _change(self, snapshot: Snapshot) -> Change | None:
        """The change of a snapshot; None where it is unchanged or cannot be computed."""
        try:
            after = snapshot.text()
        except RulesError as error:
            self.faults[snapshot.file] = error.diagnostics
            return None
        except Inconclusive as inconclusive:
            self.undecided[snapshot.file] = str(inconclusive)
            return None
        before = snapshot.path.read_text("utf-8") if snapshot.path.is_file() else None
        return None if before == after else Change(snapshot.path, before, after)

    def _orphans(self, kept: set[Path]) -> Iterator[Path]:
        """Snapshots that no file of the folder has any more."""
        faulty = {(path.parent, path.stem) for path in self.faults}
        for path in sorted(self.project.folder.rglob(f"{snapshots.FOLDER}/*/*.txt")):
            beside = path.parents[2], path.parent.name
            if path not in kept and path.stem in snapshots.NAMES and beside not in faulty:
                yield path

    # Causes -----------------------------------------------------------------------------------

    @cached_property
    def _catalogue(self) -> Catalogue:
        return Catalogue(self.project)

    def _causes(self, path: Path, change: Change, rules: Sequence[RulesChange]) -> frozenset[ChangeSet]:
        """The change sets each of which, applied alone to the old rules, changes the course of a saved game."""
        play = read_saved_game(path, self.project.limits)
        try:
            names = list(modules_of(play, self._catalogue))
        except RulesError:
            return frozenset()
        analysis = next((found.analysis for found in rules if list(found.new.roots) == names), None)
        if analysis is None or self._under(play, analysis.between(())) != change.before:
            return frozenset()
        return frozenset(one for one in analysis.change_sets if self._under(play, analysis.between(one)) != change.before)

    def _under(self, play: SavedGame, game: Game | None) -> str | None:
        """The snapshot of a saved game under some rules; None where it cannot be played."""
        if game is None:
            return None
        try:
            return snapshots.game_text(play, *begin_under_game(play, game, self._catalogue))
        except RulesError:
            return None

    def _impact(self, solved: SolvedPuzzle, changes: Sequence[Change], rules: dict[Path, RulesChange]) -> Impact | None:
        """The impact of the changed rules on a puzzle, if it explains all changes of its snapshots."""
        found = rules.get(snapshots.rules_of(solved).path)
        if found is None:
            return None
        impact, game = found.analysis.impact(solved.puzzle), found.analysis.between(())
        if impact.before is None or not impact.contributions or game is None:
            return None
        before = impact.before
        texts = {
            snapshots.ACTIONS: snapshots.actions_text(before.legal),
            snapshots.SCORE: snapshots.score_text(before.items, before.score),
            snapshots.IMPOSSIBLE: snapshots.impossible_text(solved.puzzle, game),
            snapshots.BEST: snapshots.best_text(before.status, before.answer),
        }
        return impact if all(texts[change.path.stem] == change.before for change in changes) else None


def _by_cause(
    puzzles: Sequence[ChangedPuzzle], games: Sequence[ChangedGame], rules: Sequence[RulesChange]
) -> Iterator[ReviewGroup]:
    """The puzzles and games by the change sets that changed them; then the change sets without an impact, and the rest."""
    caused: dict[frozenset[ChangeSet], list[ChangedPuzzle]] = {game.causes: [] for game in games if game.causes}
    for puzzle in puzzles:
        if puzzle.impact is not None:
            causes = frozenset(contribution.change_set for contribution in puzzle.impact.contributions)
            if () in causes:  # only all together
                own = next(found for found in rules if found.change.path == snapshots.rules_of(puzzle.solved).path)
                causes = frozenset(own.analysis.change_sets)
            caused.setdefault(causes, []).append(puzzle)
    noticed = frozenset(change_set for causes in caused for change_set in causes)
    for found in rules:
        caused |= {frozenset({change_set}): [] for change_set in found.change_sets if change_set not in noticed}
    for causes, group in caused.items():
        ordered = tuple(dict.fromkeys(one for found in rules for one in found.change_sets if one in causes))
        title = " + ".join(", ".join(map(str, change_set)) for change_set in ordered)
        changes = tuple(game.change for game in games if game.causes == causes)
        yield ReviewGroup(
            title, tuple(group), changes, ordered, tuple(found for found in rules if causes & set(found.change_sets))
        )
    for puzzle in puzzles:
        if puzzle.impact is None:
            yield ReviewGroup(puzzle.solved.puzzle.name, (puzzle,))
    for game in games:
        if not game.causes:
            yield ReviewGroup(game.path.name, changes=(game.change,))
