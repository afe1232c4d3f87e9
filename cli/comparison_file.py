"""Writes the effect of a rule change on puzzles as a page."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.api.start import viewer_of
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.pages.comparison import Change, Side
from rulewright.pictures.scene import Scene
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.model.game import Game
from rulewright.rules.play.move_notation import format_move
from rulewright.studies.rule_impact import Impact, Outcome

CELL = 40.0


def changed(impact: Impact, told: Sequence[str], puzzle: Puzzle, games: tuple[Game, Game]) -> Change:
    """A puzzle with known outcomes under both rules, and the change in words."""
    assert impact.before is not None and impact.after is not None
    sides = _side(puzzle, impact.before, games[0]), _side(puzzle, impact.after, games[1])
    return Change(puzzle.name, puzzle.text, tuple(told), sides)


def _side(puzzle: Puzzle, outcome: Outcome, game: Game) -> Side:
    """The puzzle under some rules, at the end of the best plan found."""
    position = set_up_position(puzzle, game)
    engine, state = position.asked, position.root
    actions = []
    for move in outcome.plan:
        actions.append(format_move(engine, state, move))
        state = engine.apply(state, move)
    worth = f"answer {outcome.answer}" if outcome.answer is not None else f"score {outcome.score}"
    worth = "impossible" if not outcome.is_reached else worth if outcome.is_decided else "not proved in time"
    scene = Scene(engine, viewer_of(puzzle), puzzle.name, PictureOptions(CELL))
    return Side(scene, state, position.root, worth, tuple(actions))
