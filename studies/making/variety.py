"""Which puzzles of a run are kept: those least like the ones that are there already.

What a puzzle is about is read off its solution, in terms that any game has: actions, markers, scores and their clauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model import types
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import STOP_WORD
from rulewright.rules.play.score_breakdown import score_items

from .solution import Solution

SHARE_ASIDE = 2
"""For so many puzzles that are kept, one is held aside to choose from."""


@frozen
class Traits:
    """What a puzzle is about: the action of its key, those of the first turn, the markers on the first piece that is named,
    the score or clause that gains most, and by how much the second best key falls short."""

    key: str
    turn: str
    markers: str
    gain: str
    lead: int

    def likeness(self, kept: Sequence[Traits]) -> float:
        """How often the same is found among those that are kept; the key counts as much as all the rest."""
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
    """A puzzle as it is written: name, canonical form, grade, answer, what is told of it, line to share and file."""

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
    """The puzzles that are kept, and attempts that were put aside; of one attempt only one puzzle is kept.

    It is a function of what was offered in order, and does not look ahead: more puzzles of a run never change the first ones.
    """

    kept: list[WrittenPuzzle] = field(factory=list)
    aside: list[tuple[WrittenPuzzle, ...]] = field(factory=list)

    def offer(self, choices: tuple[WrittenPuzzle, ...]) -> WrittenPuzzle | None:
        """Take the puzzles of an attempt; what is kept now, if anything."""
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
        """Whether there is such a puzzle, kept or aside."""
        return any(one.canonical == canonical for one in (*self.kept, *(one for choices in self.aside for one in choices)))


def traits_of(solution: Solution, lead: int) -> Traits:
    """What the puzzle with this solution is about."""
    engine, plan = solution.values.engine, solution.plan
    turn = sorted({action_of(engine, decision.move) for decision in solution.first_turn()})
    markers = next((found for move in plan if (found := _markers(engine, move)) is not None), "")
    return Traits(action_of(engine, plan[0]), " ".join(turn), markers, _gain(solution), lead)


def action_of(engine: Engine, move: Move) -> str:
    """The name of the action of a move."""
    return STOP_WORD if move == STOP else list(engine.game.actions)[move[0]]


def _markers(engine: Engine, move: Move) -> str | None:
    """What stands on the piece that a move names; None where it names none."""
    if move == STOP:
        return None
    game = engine.game
    for parameter, value in zip(list(game.actions.values())[move[0]].parameters, move[1:], strict=True):
        if isinstance(parameter.type, types.Tile) and 0 < value <= len(game.tiles):
            regions = game.tiles[value - 1].regions
            return " ".join(sorted(str(marker) for region in regions for marker, _ in region.markers))
    return None


def _gain(solution: Solution) -> str:
    """The score, or the clause of what it counts, that the solution gains most by; empty where no score is asked for."""
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
