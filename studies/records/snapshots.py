"""Snapshots of an author's files: recorded texts that show the effects of a rule change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within
from rulewright.base.limits import DEFAULT_LIMITS
from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.grammar.tree.puzzles import Goal, Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.plan_replay import PlanError, plies
from rulewright.puzzles.position import Position
from rulewright.puzzles.saved_games import SavedGame, begin_saved_game, read_saved_game
from rulewright.rules.clauses.clause_diff import Difference
from rulewright.rules.clauses.decompose import module_of
from rulewright.rules.linking.project import Combination, Project
from rulewright.rules.linking.questions import Question, question_of
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import Standing, standings
from rulewright.solver.result import Status
from rulewright.studies.rule_impact import ChangeSet, ImpactAnalysis

from .expectations import SolvedPuzzle

FOLDER = "__snapshots__"
"""The folder of snapshots, beside the files that they belong to."""

RULES, ACTIONS, SCORE, ACCEPTED, IMPOSSIBLE, BEST, GAME = NAMES = (
    "linked_rules",
    "legal_actions",
    "score",
    "accepted_plans",
    "impossible",
    "best",
    "game",
)


@frozen
class Snapshot:
    """A named text computed from a file. `text` raises `RulesError`, or `Inconclusive` if the time is up.

    `solves`: it needs the answer of a puzzle.
    """

    file: Path
    name: str
    text: Callable[[], str]
    solves: bool = False

    @property
    def path(self) -> Path:
        """The file that holds the accepted text."""
        return self.file.parent / FOLDER / self.file.stem / f"{self.name}.txt"


def of_rules(path: Path, project: Project) -> Iterator[Snapshot]:
    """The snapshot of a module's linked rules: its own and those that it extends, as one module."""
    yield Snapshot(path, RULES, lambda: linked_rules(project.combine(path)))


def of_puzzle(solved: SolvedPuzzle) -> Iterator[Snapshot]:
    """The snapshots of a puzzle: its legal actions, its score by items, and its proved answer.

    Also what its accepted plans come to if it asks something, the errors of its position if that may be impossible, and the
    linked rules unless a module of the folder has them.
    """
    path, ask = solved.path, solved.puzzle.ask
    yield Snapshot(path, ACTIONS, lambda: actions_text(solved.position.legal_actions))
    yield Snapshot(path, SCORE, lambda: score_text(solved.position.score_items, solved.position.score))
    if ask is not None and any(line.accepted for line in solved.puzzle.plans):
        yield Snapshot(path, ACCEPTED, lambda: accepted_text(solved.position))
    if solved.puzzle.allow_impossible:
        yield Snapshot(path, IMPOSSIBLE, lambda: impossible_text(solved.puzzle, solved.position.engine.game))
    if ask is not None and ask.goal is not Goal.COUNT_BEST and not ask.counts:
        yield Snapshot(path, BEST, lambda: best_text(solved.decided.status, solved.decided.value), solves=True)
    rules = rules_of(solved)
    if rules.file == path:
        yield rules


def of_play(path: Path, project: Project) -> Iterator[Snapshot]:
    """The snapshot of a saved game: for each action the number of legal ones and the score after it; at the end the rank."""

    def text() -> str:
        play = read_saved_game(path, project.texts)
        return game_text(play, *begin_saved_game(play, Catalogue(project)))

    yield Snapshot(path, GAME, text)


def rules_of(solved: SolvedPuzzle) -> Snapshot:
    """The linked rules of a puzzle: a snapshot of the one module that it names if that is in the folder, else of the puzzle."""
    project, names = solved.project, [name for name, _ in solved.puzzle.rules]
    found = project.found.get(names[0], ()) if len(names) == 1 else ()
    if len(found) == 1 and is_within(found[0], project.folder):
        return next(of_rules(found[0], project))
    return Snapshot(solved.path, RULES, lambda: linked_rules(project.combine(solved.rules)))


def linked_rules(combination: Combination) -> str:
    """The text of one module that extends nothing and is equal to the combined modules."""
    return print_module(module_of(combination.book, combination.roots[0]))


def actions_text(actions: Sequence[str]) -> str:
    """One action per line."""
    return "".join(f"{text}\n" for text in actions) or "the game is over\n"


def score_text(items: Sequence[str], score: int) -> str:
    """One item per line, then the sum."""
    return "".join(f"{line}\n" for line in (*items, f"score {score}"))


def accepted_text(position: Position) -> str:
    """One accepted plan per line, each action with what the question asks for: its value, and whether its condition holds.

    A plan that cannot be played ends with `refused`.
    """
    engine, puzzle = position.engine, position.puzzle
    assert puzzle.ask is not None
    question = question_of(engine.game, puzzle.ask, engine.instance.players)
    rows = (", ".join(_accepted(position, question, line.actions)) for line in puzzle.plans if line.accepted)
    return "".join(f"{row}\n" for row in rows)


def _accepted(position: Position, question: Question, actions: Sequence[str]) -> Iterator[str]:
    try:
        for step in plies(position.engine, position.state, actions):
            yield f"{step.text} = {_asked_text(position.engine, question, step.state)}"
    except PlanError:
        yield "refused"


def _asked_text(engine: Engine, question: Question, state: State) -> str:
    """`3`, `yes`, or `3 no`"""
    said = [str(sum(engine.value(term, state) for term in question.values))] if question.values else []
    if question.until is not None:
        said.append("yes" if engine.value(question.until, state) else "no")
    return " ".join(said)


def best_text(status: Status | None, score: int | Fraction | None) -> str:
    """The proved answer."""
    return "impossible\n" if status is Status.IMPOSSIBLE else f"{score}\n"


def impossible_text(puzzle: Puzzle, game: Game) -> str:
    """The errors of a position without its `allow impossible position`, one per line."""
    try:
        set_up_position(evolve(puzzle, allow_impossible=False), game)
    except RulesError as error:
        return "".join(f"{diagnostic.message}\n" for diagnostic in error.diagnostics)
    return "the position is possible\n"


def game_text(play: SavedGame, engine: Engine, state: State) -> str:
    """One line for each action of a saved game, one for its end, and one for each player's final standing.

    Raises `PlanError` if an action is not legal.
    """
    rows: list[str] = []
    for step in plies(engine, state, [action.text for action in play.actions], [action.span for action in play.actions]):
        rows.append(f"{step.player}: {step.text}  of {len(engine.legal(state))}, score {step.score}")
        state = step.state
    score = engine.score(state)
    rows.append(f"{_end_text(engine, state)}, score {score} {engine.rank(score)}".rstrip())
    return "".join(f"{row}\n" for row in (*rows, *map(_standing_text, standings(engine, state))))


def _end_text(engine: Engine, state: State) -> str:
    """`the game is over`, `1 action is legal`, `2 actions are legal`"""
    if engine.over(state):
        return "the game is over"
    legal = len(engine.legal(state))
    return "1 action is legal" if legal == 1 else f"{legal} actions are legal"


def _standing_text(one: Standing) -> str:
    """`player 1: savings 4, leads`"""
    said = [f"{name} {value}" for name, value in one.scores.items()]
    said += [one.rank] if one.rank else []
    said += ["leads"] if one.leads else []
    return f"player {one.player}: {', '.join(said)}".rstrip(": ")


# Rules that differ from the accepted ones -----------------------------------------------------------------------------
# The change sets between the two, each of which can be accepted by itself.


@frozen
class Change:
    """A snapshot's path, its accepted text and its present text; None for a missing text."""

    path: Path
    before: str | None
    after: str | None


@define(eq=False)
class RulesChange:
    """A changed snapshot of linked rules, with the old and the new rules. `seconds` limits the solving of each question."""

    change: Change
    old: Combination
    new: Combination
    seconds: float
    accepted: set[ChangeSet] = field(factory=set, init=False)

    @classmethod
    def of(cls, change: Change, new: Combination, seconds: float) -> RulesChange:
        """The change from the accepted text of a snapshot to the present rules."""
        assert change.before is not None
        accepted = parse_module(change.before, str(change.path))
        name = accepted.header.name
        return cls(change, Combination.of({name: accepted}, (name,), DEFAULT_LIMITS), new, seconds)

    @cached_property
    def analysis(self) -> ImpactAnalysis:
        return ImpactAnalysis(self.old, self.new, self.seconds)

    @cached_property
    def change_sets(self) -> tuple[ChangeSet, ...]:
        """The change sets with an impact, then one with all other changed clauses."""
        listed = {place for change_set in self.analysis.change_sets for place in change_set}
        rest = tuple(d.place for d in self.analysis.comparison.differences if d.place not in listed)
        return (*self.analysis.change_sets, *([rest] if rest else []))

    def differences(self, change_sets: Iterable[ChangeSet]) -> tuple[Difference, ...]:
        """The differences contained in some change sets."""
        places = {place for change_set in change_sets for place in change_set}
        return tuple(d for d in self.analysis.comparison.differences if d.place in places)

    def with_accepted(self, change_sets: Iterable[ChangeSet]) -> Change | None:
        """The snapshot with these change sets accepted in addition to earlier ones; None if none of them belongs to it."""
        fresh = set(change_sets) & set(self.change_sets)
        if not fresh:
            return None
        self.accepted |= fresh
        if self.accepted >= set(self.change_sets):
            return self.change
        book = self.analysis.comparison.between([place for change_set in self.accepted for place in change_set])
        return Change(self.change.path, self.change.before, print_module(module_of(book, self.new.roots[0])))
