"""Records that are not what was accepted, and what made them so.

The rules as they were accepted are a record themselves: what they say otherwise now can be listed clause by clause, and each
clause tried alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from attrs import field

from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.input_files import files_below, read_text
from rulewright.base.records import define, frozen
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.saved_games import SavedGame, begin_under_game, parse_saved_game
from rulewright.rules.clauses.clause_diff import Difference
from rulewright.rules.clauses.decompose import module_of
from rulewright.rules.linking.from_modules import combine
from rulewright.rules.linking.project import Combination, Project
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.model.game import Game

from . import records
from .expectations import Solved, Undecided
from .records import Record
from .rule_impact import Effect, Measure, Step


@frozen
class Change:
    """A record with the text that was accepted and the text that it has now; None where there is none."""

    path: Path
    before: str | None
    after: str | None

    def accept(self) -> None:
        """Make what is now what was accepted."""
        if self.after is None:
            self.path.unlink(missing_ok=True)
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, self.after)


@frozen
class Changed:
    """A puzzle of which records changed. `effect` is None where the rules did not do it, or not they alone."""

    solved: Solved
    changes: tuple[Change, ...]
    effect: Effect | None = None


@frozen
class ChangedGame:
    """A saved game that goes otherwise; `steps` are those that do it, each by itself, none where it is not the rules."""

    path: Path
    change: Change
    steps: frozenset[Step] = frozenset()


@define(eq=False)
class Rules:
    """The record of some rules that changed: as accepted, and as they are."""

    change: Change
    old: Combination
    new: Combination
    seconds: float
    accepted: set[Step] = field(factory=set, init=False)

    @cached_property
    def measure(self) -> Measure:
        return Measure(self.old, self.new, self.seconds)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What can be accepted by itself; last, all clauses together of which nothing comes."""
        told = {place for step in self.measure.steps for place in step}
        rest = tuple(d.place for d in self.measure.comparison.differences if d.place not in told)
        return (*self.measure.steps, *([rest] if rest else []))

    def differences(self, steps: Iterable[Step]) -> tuple[Difference, ...]:
        """What is said otherwise in some steps."""
        places = {place for step in steps for place in step}
        return tuple(d for d in self.measure.comparison.differences if d.place in places)

    def accept(self, steps: Iterable[Step]) -> None:
        """Record the rules with these steps, and those accepted before, as they are now; idle items come with them."""
        fresh = set(steps) & set(self.steps)
        if not fresh:
            return
        self.accepted |= fresh
        if self.accepted >= set(self.steps):
            self.change.accept()
            return
        book = self.measure.comparison.between([place for step in self.accepted for place in step])
        text = print_module(module_of(book, self.new.roots[0]))
        Change(self.change.path, self.change.before, text).accept()


@frozen(eq=False)
class Group:
    """What one cause changed. The cause are the clauses of some steps, or else the files themselves."""

    title: str
    puzzles: tuple[Changed, ...] = ()
    changes: tuple[Change, ...] = ()
    steps: tuple[Step, ...] = ()
    rules: tuple[Rules, ...] = ()

    @property
    def differences(self) -> tuple[tuple[Rules, tuple[Difference, ...]], ...]:
        """What is said otherwise, each clause once, and in which rules."""
        told: set[Place] = set()
        found: list[tuple[Rules, tuple[Difference, ...]]] = []
        for rules in self.rules:
            fresh = tuple(d for d in rules.differences(self.steps) if d.place not in told)
            told |= {difference.place for difference in fresh}
            found.append((rules, fresh))
        return tuple(found)


NEW, GONE = "new", "gone"
"""The titles of the groups of what was never accepted, and of records of what is no more."""


@define
class Pending:
    """Everything that is to be reviewed in a folder. `faults` are files of which nothing can be recorded."""

    project: Project
    seconds: float
    faults: dict[Path, tuple[Diagnostic, ...]] = field(factory=dict, init=False)
    undecided: dict[Path, str] = field(factory=dict, init=False)
    _accepted: list[Group] = field(factory=list, init=False)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """What is to be reviewed, by what caused it."""
        known = list(self._records())
        rules = {change.path: self._rules(change, names) for _, names, change in known if names and change and change.before}
        plays = [(path, change) for path, change in self._plays if change is not None]
        new = [change for _, _, change in known if change is not None and change.before is None]
        new += [change for _, change in plays if change.before is None]
        games = [
            ChangedGame(path, change, self._causes(path, change, tuple(rules.values())))
            for path, change in plays
            if change.before is not None
        ]
        changed: dict[Path, tuple[Solved, list[Change]]] = {}
        for solved, names, change in known:
            if solved is not None and not names and change is not None and change.before is not None:
                changed.setdefault(solved.path, (solved, []))[1].append(change)
        puzzles = [Changed(s, tuple(found), self._effect(s, found, rules)) for s, found in changed.values()]
        gone = [Change(path, path.read_text("utf-8"), None) for path in self._orphans()]
        return (
            *_by_cause(puzzles, games, tuple(rules.values())),
            *([Group(NEW, changes=tuple(new))] if new else []),
            *([Group(GONE, changes=tuple(gone))] if gone else []),
        )

    def accept(self, group: Group, puzzles: Sequence[Changed] | None = None) -> None:
        """Make a group, or some puzzles of it, what was accepted. A clause is, once everything is that it changed."""
        for puzzle in group.puzzles if puzzles is None else puzzles:
            for change in puzzle.changes:
                change.accept()
        if puzzles is not None:
            return
        for change in group.changes:
            change.accept()
        self._accepted.append(group)
        open_ones = {step for other in self.groups if other not in self._accepted for step in other.steps}
        for rules in group.rules:
            rules.accept(set(group.steps) - open_ones)

    # Records ----------------------------------------------------------------------------------

    @cached_property
    def _puzzles(self) -> tuple[Solved, ...]:
        paths = files_below(self.project.folder, ".puzzle", self.project.limits)
        return tuple(Solved(path, self.project, self.seconds) for path in paths)

    def _records(self) -> Iterator[tuple[Solved | None, str, Change | None]]:
        """Every record, of a puzzle or of rules (with what names these), and how it changed."""
        for path in files_below(self.project.folder, ".rules", self.project.limits):
            for record in records.of_rules(path, self.project):
                yield None, str(path), self._change(record)
        for solved in self._puzzles:
            try:
                found = list(records.of_puzzle(solved))
            except RulesError as error:
                self.faults[solved.path] = error.diagnostics
                continue
            for record in found:
                yield solved, solved.rules if record.name == records.RULES else "", self._change(record)

    @cached_property
    def _plays(self) -> tuple[tuple[Path, Change | None], ...]:
        """The saved games, and how the record of each changed."""
        paths = files_below(self.project.folder, ".play", self.project.limits)
        return tuple((path, self._change(record)) for path in paths for record in records.of_play(path, self.project))

    def _change(self, record: Record) -> Change | None:
        """How a record changed; None when it did not, or when it is not known."""
        try:
            after = record.text()
        except RulesError as error:
            self.faults[record.file] = error.diagnostics
            return None
        except Undecided as undecided:
            self.undecided[record.file] = str(undecided)
            return None
        before = record.path.read_text("utf-8") if record.path.is_file() else None
        return None if before == after else Change(record.path, before, after)

    def _orphans(self) -> Iterator[Path]:
        """Records of files that are no more, or of what their files have no more."""
        rules = [*files_below(self.project.folder, ".rules", self.project.limits)]
        sound = [solved for solved in self._puzzles if solved.path not in self.faults]
        kept = {record.path for path in rules for record in records.of_rules(path, self.project)}
        kept |= {record.path for solved in sound for record in records.of_puzzle(solved)}
        kept |= {record.path for path, _ in self._plays for record in records.of_play(path, self.project)}
        faulty = {(path.parent, path.stem) for path in self.faults}
        for path in sorted(self.project.folder.rglob(f"{records.FOLDER}/*/*.txt")):
            beside = path.parents[2], path.parent.name
            if path not in kept and path.stem in records.NAMES and beside not in faulty:
                yield path

    @cached_property
    def _catalogue(self) -> Catalogue:
        return Catalogue(self.project)

    # Causes -----------------------------------------------------------------------------------

    def _rules(self, change: Change, names: str) -> Rules:
        assert change.before is not None
        accepted = parse_module(change.before, str(change.path))
        name = accepted.header.name
        old = Combination(*combine({name: accepted}), (name,))
        return Rules(change, old, self.project.combine(names), self.seconds)

    def _causes(self, path: Path, change: Change, rules: Sequence[Rules]) -> frozenset[Step]:
        """The steps under each of which, by itself, a saved game of the changed rules goes otherwise than it was accepted."""
        play = parse_saved_game(read_text(path, self.project.limits), str(path), self.project.limits)
        try:
            begun = self._catalogue.read(play.begun, play.span).rules if play.begun else ()
        except RulesError:
            return frozenset()
        names = [name for name, _ in (*begun, *play.rules)]
        found = next((r for r in rules if list(r.new.roots) == names), None)
        if found is None or self._under(play, found.measure.between(())) != change.before:
            return frozenset()
        steps = [step for step in found.measure.steps if self._under(play, found.measure.between(step)) != change.before]
        return frozenset(steps)

    def _under(self, play: SavedGame, game: Game | None) -> str | None:
        """How a saved game goes under some rules; None where it cannot be played."""
        if game is None:
            return None
        try:
            return records.game_text(play, *begin_under_game(play, game, self._catalogue))
        except RulesError:
            return None

    def _effect(self, solved: Solved, changes: Sequence[Change], rules: dict[Path, Rules]) -> Effect | None:
        """What the change of the rules does to a puzzle, if that is all that changed."""
        found = rules.get(records.rules_of(solved).path)
        if found is None:
            return None
        effect, game = found.measure.effect(solved.puzzle), found.measure.between(())
        if effect.before is None or not effect.shares or game is None:
            return None
        before = effect.before
        texts = {
            records.ACTIONS: records.actions_text(before.legal),
            records.SCORE: records.score_text(before.items, before.score),
            records.IMPOSSIBLE: records.impossible(solved.puzzle, game),
            records.BEST: records.best_text(before.status, before.answer),
        }
        return effect if all(texts[change.path.stem] == change.before for change in changes) else None


def _by_cause(puzzles: Sequence[Changed], games: Sequence[ChangedGame], rules: Sequence[Rules]) -> Iterator[Group]:
    """The puzzles and games by the steps that changed them; then the steps that changed none, and what changed itself."""
    caused: dict[frozenset[Step], list[Changed]] = {game.steps: [] for game in games if game.steps}
    for puzzle in puzzles:
        if puzzle.effect is not None:
            steps = frozenset(share.step for share in puzzle.effect.shares)
            if () in steps:  # only all together
                own = next(found for found in rules if found.change.path == records.rules_of(puzzle.solved).path)
                steps = frozenset(own.measure.steps)
            caused.setdefault(steps, []).append(puzzle)
    noticed = frozenset(step for steps in caused for step in steps)
    for found in rules:
        caused |= {frozenset({step}): [] for step in found.steps if step not in noticed}
    for steps, group in caused.items():
        ordered = tuple(dict.fromkeys(step for found in rules for step in found.steps if step in steps))
        title = " + ".join(", ".join(map(str, step)) for step in ordered)
        changes = tuple(game.change for game in games if game.steps == steps)
        yield Group(title, tuple(group), changes, ordered, tuple(found for found in rules if steps & set(found.steps)))
    for puzzle in puzzles:
        if puzzle.effect is None:
            yield Group(puzzle.solved.puzzle.name, (puzzle,))
    for game in games:
        if not game.steps:
            yield Group(game.path.name, changes=(game.change,))
