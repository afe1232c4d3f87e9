"""The solution of a problem as composers write it: every key and what answers each defence, tries, and their refutations.

A key is a first move that solves the problem in the number of turns asked; if there are several, all but one are cooks. A try
fails to a single refutation. After a defence, only the continuations that take the fewest turns count; if there are several,
each is a dual of the others. Where all play together, every line that solves the problem counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from rulewright.base.records import define, field, frozen
from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.model.state import Move, State
from rulewright.solver.result import Limits
from rulewright.subset.refusal import CannotCompile

from .kernel_search import KernelSearch
from .plain_search import PlainSearch
from .problem import Judge, MinimaxProblem, OutOfReach, Repeats


@frozen
class Line:
    """A move, and those that may follow: all defences, or each continuation that solves the problem."""

    move: Move
    is_own: bool
    replies: tuple[Line, ...]


@frozen
class Try:
    """A first move that a single reply refutes."""

    move: Move
    refutation: Move


@frozen
class Solution:
    """The first moves that solve a problem, each with its variations, or every defence if the others begin; and tries."""

    lines: tuple[Line, ...]
    tries: tuple[Try, ...]


class TimeIsUp(Exception):
    """There is no time for the whole solution."""


@define(eq=False)
class Solving:
    """Finds the solution of a problem that has one. Raises `TimeIsUp`, and the errors of a judge."""

    problem: MinimaxProblem
    judge: Judge
    heard: Callable[[], None] = lambda: None
    _judged: dict[tuple[tuple[Move, ...], int | None], bool] = field(factory=dict, init=False)

    def solution(self, most_tries: int) -> Solution:
        """All lines, and at most so many tries."""
        problem = self.problem
        lines = tuple(self._lines((), problem.root))
        if problem.is_together or not problem.is_own(problem.root) or not most_tries:
            return Solution(lines, ())
        return Solution(lines, tuple(self._tries({line.move for line in lines}, most_tries)))

    def _solves(self, path: tuple[Move, ...], most: int | None = None) -> bool:
        known = self._judged.get((path, most))
        if known is None:
            bound = self.judge.judge(path, 1, self.heard, most)
            if bound is None:
                raise TimeIsUp
            known = self._judged[path, most] = bound >= 1
        return known

    def _lines(self, path: tuple[Move, ...], state: State) -> Iterator[Line]:
        engine, is_own = self.problem.engine, self.problem.is_own(state)
        if engine.over(state):
            return
        for move in self._continuations(path, state) if is_own else engine.legal(state):
            yield Line(move, is_own, tuple(self._lines((*path, move), engine.apply(state, move))))

    def _continuations(self, path: tuple[Move, ...], state: State) -> Sequence[Move]:
        """The moves that solve the problem; after the first, in the fewest turns."""
        problem, moves = self.problem, self.problem.engine.legal(state)
        after = problem.ticked(problem.clock(path), state).left
        fewest = range(after + 1) if path and not problem.is_together else ()
        for most in (*fewest, None):
            found = [move for move in moves if self._solves((*path, move), most)]
            if found:
                return found
        return ()

    def _tries(self, keys: set[Move], most: int) -> Iterator[Try]:
        engine, root = self.problem.engine, self.problem.root
        for move in engine.legal(root):
            after = engine.apply(root, move)
            if move in keys or engine.over(after) or self.problem.is_own(after):
                continue
            refutations = [reply for reply in engine.legal(after) if not self._solves((move, reply))]
            if len(refutations) == 1:
                yield Try(move, refutations[0])
                most -= 1
            if not most:
                return


def solution_of(problem: MinimaxProblem, limits: Limits, most_tries: int) -> Solution | None:
    """The solution of a problem that can be solved, with at most so many tries; None if time is up, or if a line of play
    repeats a position or is too long. Raises errors of play."""
    deadline = time.monotonic() + limits.seconds
    try:
        try:
            return Solving(problem, KernelSearch(problem, deadline, limits)).solution(most_tries)
        except (CannotCompile, GameFault):
            return Solving(problem, PlainSearch(problem, deadline, limits)).solution(most_tries)
    except (TimeIsUp, Repeats, OutOfReach):
        return None
