"""The reference engine: the core of an engine's game, interpreted.

It shares only the semantics of terms and effects with the compiled engine; tests compare the two.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import frozen
from rulewright.rules.core.player import CorePlayer
from rulewright.rules.model.state import Move, State, reseeded
from rulewright.rules.semantics.flow_graph import LoopStart, end_of_set_up, entries_of

from .engine import Engine


@frozen
class ReferenceEngine:
    """Legal moves, successors and scores of an engine's game, without compiled code."""

    engine: Engine

    @cached_property
    def player(self) -> CorePlayer:
        return self.engine.interpreted

    def start(self, seed: int = 0) -> State:
        return self.player.play_on(list(reseeded(self.engine.unset, seed)), 0)

    def set_up(self, seed: int = 0) -> State:
        """The state after set-up, at no choice: all else that the flow does before its first choice is still to come.

        Loops stand at their first values, so that play may begin inside of them.
        """
        columns = list(reseeded(self.engine.unset, seed))
        for loop in reversed([step for step in self.engine.flow if isinstance(step, LoopStart)]):
            columns[self.engine.layout.position(loop.variable, None)] = loop.values[0]
        return self.player.play_on(columns, 0, end_of_set_up(self.engine.flow))

    def begun(self, after: State) -> State:
        """The state at the first choice, after a state that `set_up` gave."""
        return self.player.play_on(list(after), end_of_set_up(self.engine.flow))

    def come_to(self, point: str, before: State) -> State:
        """The state at the first choice, or the end, once play has come to a point of the flow. Raises `PlayError`."""
        at = entries_of(self.engine.instance, self.engine.layout)[point]
        return self.player.play_on(list(before), self.player.lowering.nodes.node_of(at))

    def legal(self, state: State) -> list[Move]:
        return self.player.legal(state)

    def apply(self, state: State, move: Move) -> State:
        return self.player.apply(state, move)

    def passed_on(self, state: State) -> State:
        """The state after passing over a choice without legal moves: at the next choice, or the end of the game."""
        choice = self.engine.choice(state)
        if choice is None or self.legal(state):
            return state
        return self.player.play_on(list(state), self.player.choice(choice.number).leave)

    def score(self, state: State) -> int:
        return sum(self.player.interpreter.value(score, state) for score in self.player.lowering.scores.values())
