"""The solution of a puzzle, move by move: the alternatives at each move, and which of them are as good."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import takewhile
from typing import Any

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.model.state import COUNTED, STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.long_games import counting_turns
from rulewright.solver.best.problem import Problem

from .move_values import MoveValues

LONGEST = 80
"""In moves: longer solutions are skipped."""

MOST_LOOKED_AT = 3 * LONGEST
"""The maximum number of states visited to find one."""


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
class _Fork:
    """A state reached by the search for a solution, its value, and the right moves not yet tried."""

    state: State
    best: int
    legal: tuple[Move, ...]
    right: tuple[Move, ...]
    untried: Iterator[Move]
    move: Move = STOP


@define(eq=False)
class Solution:
    """A solution without detours: it stops as soon as possible, and otherwise never returns to a state with no more resources
    left.

    A depth-first search among right moves finds it, so paths that only lead back are left out.
    """

    values: MoveValues

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions. Raises `Unproved`, `TooLong`."""
        engine = counting_turns(self.values.engine, self.values.position.root)
        state, best = self.values.position.root, self.values.optimum
        forks, met = list[_Fork](), dict[Any, list[tuple[int, ...]]]()
        self._is_new(state, met)
        for _ in range(MOST_LOOKED_AT):
            if self._is_end(engine, state):
                return tuple(Decision(one.state, int(one.state[COUNTED]) + 1, one.legal, one.right, one.move) for one in forks)
            forks.append(self._fork(engine, state, best))
            while (child := self._next(engine, forks[-1], met)) is None:
                forks.pop()
                if not forks:
                    raise TooLong
            state, best = child, self.values.next_best(forks[-1].state, forks[-1].move, forks[-1].best)
            if len(forks) > LONGEST:
                raise TooLong
        raise TooLong

    def first_turn(self) -> Iterator[Decision]:
        """The decisions up to the end of the first turn."""
        return takewhile(lambda decision: decision.turn == 1, self.decisions)

    @property
    def plan(self) -> tuple[Move, ...]:
        return tuple(decision.move for decision in self.decisions)

    def _is_end(self, engine: Engine, state: State) -> bool:
        shortest = self.values.shortest
        return engine.over(state) or (shortest is not None and bool(shortest.reached(state)))

    def _fork(self, engine: Engine, state: State, best: int) -> _Fork:
        legal = tuple(engine.legal(state))
        right = tuple(move for move in legal if self.values.keeps(state, move, best))
        return _Fork(state, best, legal, right, iter((STOP,) if STOP in right else right))

    def _next(self, engine: Engine, fork: _Fork, met: dict[Any, list[tuple[int, ...]]]) -> State | None:
        """The state after the next right move that leads to something new."""
        for move in fork.untried:
            child = engine.apply(fork.state, move)
            if self._is_new(child, met) or move == STOP:
                fork.move = move
                return child
        return None

    def _is_new(self, state: State, met: dict[Any, list[tuple[int, ...]]]) -> bool:
        """Whether no equal state with as many resources was met before; records the state as met."""
        key, left = self._identity(state)
        before = met.setdefault(key, [])
        if any(all(had >= has for had, has in zip(other, left, strict=True)) for other in before):
            return False
        before.append(left)
        return True

    @cached_property
    def _identity(self) -> Callable[[State], tuple[Any, tuple[int, ...]]]:
        """The identity of states: the variables that still matter, and the remaining resources."""
        question = self.values.question
        if question.goal is Goal.LEAST or question.others is Others.AGAINST:
            return lambda state: (state, ())
        problem = Problem(self.values.engine, self.values.position.root, question)
        return lambda state: (problem.key(state), problem.spent(state))
