"""Turns a state of play into a puzzle tree and its position, leaving out what can no longer matter."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.declarations import Visibility
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.notation.value_notation import is_zone
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.dataflow import DataflowAnalysis

from .commission import Commission


@define(eq=False)
class Composer:
    """Writes states of a game as puzzles with the question of a commission."""

    game: Game
    commission: Commission

    def puzzle(self, engine: Engine, state: State, name: str) -> Puzzle:
        """The tree of a puzzle that denotes a state."""
        text = write_position(engine, state, name, self.commission.rules, ask=self.commission.ask)
        return parse_puzzle(text, name)

    def position(self, puzzle: Puzzle) -> Position | None:
        """The position of a puzzle without the settings that can no longer matter; None if it has no valid position."""
        if puzzle.allow_impossible:
            return None
        found = self._set_up(puzzle)
        if found is None:
            return None
        live = live_variables(found)
        settings = tuple(setting for setting in puzzle.settings if setting.name in live)
        variables = self.game.variables
        others = [setting for setting in puzzle.settings if setting.name not in variables]
        if len(settings) + len(others) == len(puzzle.settings):
            return found
        kept = tuple(setting for setting in puzzle.settings if setting in settings or setting in others)
        return self._set_up(evolve(puzzle, settings=kept)) or found

    def _set_up(self, puzzle: Puzzle) -> Position | None:
        try:
            return set_up_position(puzzle, self.game)
        except RulesError:
            return None


def laid_open(puzzle: Puzzle, game: Game) -> Puzzle:
    """The puzzle with everything face down shown, because its answer depends on what comes."""
    hidden = {
        name for name, variable in game.variables.items() if is_zone(variable) and variable.visibility is not Visibility.OPEN
    }
    settings = tuple(evolve(one, open_to_all=True) if one.name in hidden else one for one in puzzle.settings)
    return evolve(puzzle, settings=settings)


def live_variables(position: Position) -> frozenset[str]:
    """The variables on which play from a position, or its question, may still depend."""
    return analysis_of(position).live_variables


def analysis_of(position: Position) -> DataflowAnalysis:
    """The data flow analysis of a position, restricted to what its question depends on."""
    question = position.question
    assert question is not None
    return DataflowAnalysis(position.asked, question.terms, position.root)
