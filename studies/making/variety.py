"""Selects the puzzles of a run to keep: those least like the ones kept already.

The traits of a puzzle are derived from its solution, in terms that any game has: actions, markers, scores and their clauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model import types
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import STOP_WORD
from rulewright.rules.play.scores import score_items

from .solution import Solution

SHARE_ASIDE = 2
"""For this many kept puzzles, one is set aside to choose from."""


@frozen
class Traits:
    """The traits of a puzzle: the action of its key, those of the first turn, the markers on the first piece named, the
    score or clause that gains most, and the lead over the second best key."""

    key: str
    turn: str
    markers: str
    gain: str
    lead: int

    def likeness(self, kept: Sequence[Traits]) -> float:
        """The frequency of the same traits among the kept puzzles; the key counts as much as all the rest."""
        return sum(
            4 * (self.key == other.key)
            + (self.turn == other.turn)
            + (self.markers == other.markers)
            + (self.gain == other.gain)
            + (self.lead == other.lead)
            for other in kept
        )


@frozen
class WrittenPuzzle:
    """A puzzle as written: name, canonical form, grade, answer, description, shareable line and file."""

    attempt: int
    puzzle: str
    canonical: str
    grade: int
    answer: str
    told: str
    line: str
    traits: Traits
    text: str


@define
class Selection:
    """The kept puzzles, and attempts set aside; of one attempt only one puzzle is kept.

    It depends only on the offers so far: a longer run never changes the first puzzles of a shorter one.
    """

    kept: list[WrittenPuzzle] = field(factory=list)
    aside: list[tuple[WrittenPuzzle, ...]] = field(factory=list)

    def offer(self, choices: tuple[WrittenPuzzle, ...]) -> WrittenPuzzle | None:
        """Take the puzzles of an attempt; returns the puzzle kept now, if any."""
        if choices:
            self.aside.append(choices)
        if len(self.aside) <= len(self.kept) // SHARE_ASIDE:
            return None
        traits = [one.traits for one in self.kept]
        choices, found = min(
            ((choices, one) for choices in self.aside for one in choices), key=lambda pair: pair[1].traits.likeness(traits)
        )
        self.aside.remove(choices)
        self.kept.append(found)
        return found

    def holds(self, canonical: str) -> bool:
        """Whether this puzzle is kept or set aside."""
        return any(one.canonical == canonical for one in (*self.kept, *(one for choices in self.aside for one in choices)))


def traits_of(solution: Solution, lead: int) -> Traits:
    """The traits of the puzzle with this solution."""
    engine, plan = solution.values.engine, solution.plan
    turn = sorted({action_of(engine, decision.move) for decision in solution.first_turn()})
    markers = next((found for move in plan if (found := _markers(engine, move)) is not None), "")
    return Traits(action_of(engine, plan[0]), " ".join(turn), markers, _gain(solution), lead)


def action_of(engine: Engine, move: Move) -> str:
    """The name of the action of a move."""
    return STOP_WORD if move == STOP else list(engine.game.actions)[move[0]]


def _markers(engine: Engine, move: Move) -> str | None:
    """The markers on the piece that a move names; None if it names none."""
    if move == STOP:
        return None
    game = engine.game
    for parameter, value in zip(list(game.actions.values())[move[0]].parameters, move[1:], strict=True):
        if isinstance(parameter.type, types.Tile) and 0 < value <= len(game.tiles):
            regions = game.tiles[value - 1].regions
            return " ".join(sorted(str(marker) for region in regions for marker, _ in region.markers))
    return None


def _gain(solution: Solution) -> str:
    """The score, or the clause within it, that the solution gains most by; empty if the question is not about the score."""
    values = solution.values
    if values.question.goal is Goal.LEAST:
        return ""
    last = solution.decisions[-1]
    found = _points(values.engine, values.engine.apply(last.state, last.move))
    found.subtract(_points(values.engine, values.position.root))
    return max(sorted(found), key=found.__getitem__, default="")


def _points(engine: Engine, state: State) -> Counter[str]:
    points: Counter[str] = Counter()
    for item in score_items(engine, state):
        points[item.case or item.rule] += item.points
    return points
