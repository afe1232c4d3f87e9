"""The solution of a puzzle, move by move: what else there was to choose, and what of it is as good."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.model.state import COUNTED
from rulewright.rules.play.engine import State
from rulewright.solver.search.problem import Problem
from rulewright.solver.search.turns import counting_turns

from .move_values import MoveValues

LONGEST = 80
"""Solutions of more moves are left alone."""


class TooLong(Exception):
    """There is no short solution."""


@frozen
class Decision:
    """A move of a solution, in turn `turn` (from 1), with all `legal` moves; the `right` ones keep the optimum."""

    state: State
    turn: int
    legal: tuple[Move, ...]
    right: tuple[Move, ...]
    move: Move


@define(eq=False)
class Solution:
    """A solution without detours: it stops where it may, and else comes to what it has not come to before, if it can."""

    values: MoveValues

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """All of it. Raises `Unproved`, `TooLong`."""
        return tuple(self._decisions())

    def first_turn(self) -> Iterator[Decision]:
        """The decisions up to the end of the first turn."""
        for decision in self._decisions():
            if decision.turn > 1:
                return
            yield decision

    @property
    def plan(self) -> tuple[Move, ...]:
        return tuple(decision.move for decision in self.decisions)

    def _decisions(self) -> Iterator[Decision]:
        values = self.values
        state, best = values.position.root, values.optimum
        engine = counting_turns(values.engine, state)
        met = {self._identity(state)}
        number = 0
        while not engine.over(state) and not (values.shortest and values.shortest.reached(state)):
            number += 1
            legal = tuple(engine.legal(state))
            right = tuple(move for move in legal if values.keeps(state, move, best))
            if number > LONGEST or not right:
                raise TooLong
            fresh = [move for move in right if self._identity(engine.apply(state, move)) not in met]
            move = STOP if STOP in right else (fresh or right)[0]
            yield Decision(state, int(state[COUNTED]) + 1, legal, right, move)
            best = values.next_best(state, move, best)
            state = engine.apply(state, move)
            met.add(self._identity(state))

    @cached_property
    def _identity(self) -> Callable[[State], Any]:
        """What of a state is another one after progress: neither what is spent nor what no longer matters."""
        question = self.values.question
        if question.goal is Goal.LEAST or question.others is Others.AGAINST:
            return lambda state: state
        return Problem(self.values.engine, self.values.position.root, question).key
