"""The game that a question is reduced to: changed rules, under which the question is an ordinary one."""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import define, field
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import HEADER_WIDTH, Move, State, layout_of
from rulewright.rules.semantics.cost_bounds import check_cost
from rulewright.rules.semantics.flow_graph import compile_flow

from .engine import Engine


@define(eq=False)
class ReducedGame:
    """The changed rules, in the windows of the original ones. They keep every original variable, and may add more."""

    original: Engine
    game: Game = field(init=False)

    @cached_property
    def engine(self) -> Engine:
        """The engine of the changed rules. Raises `RulesError`: RW059 and RW252 (rules too large)."""
        instance = Instance(self.game, self.original.instance.players, self.original.instance.windows)
        check_cost(instance)
        layout = layout_of(instance)
        return Engine(self.game, instance, layout, compile_flow(instance, layout))

    def state(self, state: State) -> State:
        """The state in this game for a state of the original game."""
        found = list(self.engine.unset)
        found[:HEADER_WIDTH] = state[:HEADER_WIDTH]
        for name, column in self.original.layout.columns.items():
            at = self.engine.layout.columns[name].start
            found[at : at + column.count] = state[column.start : column.start + column.count]
        return tuple(found)

    def original_move(self, move: Move) -> Move:
        """The move in the original game for a move in this one."""
        return move

    def question(self, question: Question) -> Question:
        """The question in this game for a question about the original game."""
        return question
