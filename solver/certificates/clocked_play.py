"""Play with a clock of own turns: an end comes when they are used up, and states that differ in the clock are not the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.base.records import define
from rulewright.rules.model.state import COUNTED, OVER, POINT, Move, State
from rulewright.solver.versus.problem import Clock, MinimaxProblem


class Play(Protocol):
    """What a certificate needs of play."""

    def over(self, state: State) -> bool:
        """Whether nobody chooses any more."""

    def legal(self, state: State) -> list[Move]: ...

    def apply(self, state: State, move: Move) -> State: ...

    @property
    def chooser(self) -> Callable[[State], int]:
        """A function that returns the player to choose."""


@define(eq=False)
class ClockedPlay:
    """The states of an engine with one more column: the own turns that are left, and the number of the one that goes on."""

    problem: MinimaxProblem

    @property
    def root(self) -> State:
        """The state where play begins."""
        return self._ticked(self.problem.root, self.problem.clock(()))

    def over(self, state: State) -> bool:
        """Whether nobody chooses any more."""
        return self.problem.engine.over(state[:-1])

    def is_late(self, state: State) -> bool:
        """Whether play is over since a player would choose in more turns than they have."""
        return state[-1] is not None and state[-1][0] < 0

    def legal(self, state: State) -> list[Move]:
        """The legal moves in order."""
        return self.problem.engine.legal(state[:-1])

    def apply(self, state: State, move: Move) -> State:
        """The state after a legal move."""
        return self._ticked(self.problem.engine.apply(state[:-1], move), Clock(*state[-1]))

    @property
    def chooser(self) -> Callable[[State], int]:
        """A function that returns the player to choose."""
        choose = self.problem.chooser
        return lambda state: choose(state[:-1])

    def _ticked(self, state: State, clock: Clock) -> State:
        if self.problem.engine.over(state):
            return (*state, None)
        clock = self.problem.ticked(clock, state)
        if clock.left < 0:
            state = (*state[:POINT], OVER, *state[POINT + 1 :])
        goes_on = self.problem.question.horizon is not None and clock.turn == state[COUNTED]
        return (*state, (clock.left, clock.turn if goes_on else -1))
