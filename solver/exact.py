"""Exact search over the compiled reading: depth first, every state once, cut by an admissible bound.

A state is looked at once: whatever it leads to was compared with the best plan then, and the best plan only gets better.
Two states are one when all that can still matter is equal; a state is left out when another one has been seen that is
equal but for resources of which it has no more (Analysis.resources).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from attrs import define, field

from ..grammar.scenarios import Goal
from ..rules.engine import Engine, Move, State
from ..rules.layout import OVER, POINT
from ..rules.questions import Question
from .beam import beam
from .endings import no_end
from .problem import Problem
from .result import Result, Status

Progress = Callable[[int | None, int | None, int], None]
"""Called with the best value, the bound and the number of states when the best is news, and now and then."""

MOST_STATES = 8_000_000
"""Of which it is remembered that they were seen; more are looked at again."""

DEEPEST = 200_000
"""How deep the search may recur: the longest line of play that it can look at."""

LISTENING = 128
"""States between one look at what others have found and the next."""

FIRST_LOOK = 1.0
"""Seconds after which a beam search is asked for a good plan to begin with."""

BEAM_SHARE, BEAM_SECONDS = 0.1, 4.0
"""Of the time there is, at most, for the beam search."""


Settled = Callable[[int | None], bool]
"""Told the best value so far (more is better), whether the question has been settled elsewhere."""


class _TimeUp(Exception):
    pass


class _Done(Exception):
    pass


@define
class _Search:
    problem: Problem
    deadline: float
    enough: int | None
    best: int | None = None
    plan: tuple[Move, ...] = ()
    path: list[Move] = field(factory=list)
    seen: dict[Any, list[tuple[int, ...]]] = field(factory=dict)
    states: int = 0
    news: Callable[[], None] = field(default=lambda: None)
    settled: Settled = field(default=lambda best: False)

    def visit(self, state: State) -> None:
        """Look at everything that a state leads to."""
        self.states += 1
        if time.monotonic() > self.deadline:
            raise _TimeUp
        if self.states % LISTENING == 0 and self.settled(self.best):
            raise _TimeUp
        if self.states % 4096 == 0:
            self.news()
        children: list[tuple[int, int, Move, State]] = []
        engine, bound = self.problem.engine, self.problem.bound
        legal, apply = engine.legal, engine.apply
        for order, move in enumerate(legal(state)):
            child = apply(state, move)
            if child[POINT] == OVER:
                self._finish(child, move)
                continue
            most = bound.bound(child) if bound is not None else 0
            if bound is not None and self.best is not None and most <= self.best:
                continue
            if self._is_new(child):
                children.append((-most, order, move, child))
        children.sort(key=_first_two)
        for most, _, move, child in children:
            if bound is not None and self.best is not None:
                if -most <= self.best:
                    break
                if not bound.may_exceed(child, self.best):
                    continue
            self.path.append(move)
            self.visit(child)
            self.path.pop()

    def _finish(self, state: State, move: Move) -> None:
        value = self.problem.value(state)
        if self.best is None or value > self.best:
            self.better(value, (*self.path, move))

    def better(self, value: int, plan: tuple[Move, ...]) -> None:
        """Take note of a better plan; when it is as good as any can be, the search is done."""
        self.best, self.plan = value, plan
        self.news()
        if self.enough is not None and value >= self.enough:
            raise _Done

    def _is_new(self, state: State) -> bool:
        key, spent = self.problem.key(state), self.problem.spent(state)
        before = self.seen.get(key)
        if before is None:
            if len(self.seen) < MOST_STATES:
                self.seen[key] = [spent]
            return True
        for other in before:
            if all(map(_at_least, other, spent)):
                return False
        before[:] = [other for other in before if not all(map(_at_least, spent, other))]
        before.append(spent)
        return True


def _first_two(child: tuple[int, int, Move, State]) -> tuple[int, int]:
    return child[:2]


def _at_least(one: int, other: int) -> bool:
    return one >= other


def search(
    engine: Engine,
    state: State,
    question: Question,
    seconds: float = 60.0,
    progress: Progress | None = None,
    settled: Settled | None = None,
) -> Result:
    """Answer a question by looking at every state that can matter.

    `OPTIMAL` and `IMPOSSIBLE` are returned only when the search has ended; at the time limit, or when the question is
    `settled` elsewhere, the best plan and the bound. Raises `RulesError`: RW331 when every state was looked at and none is an
    end.
    """
    began = time.monotonic()
    problem = Problem.of(engine, state, question)
    bound = problem.bound.bound(state) if problem.bound is not None else None
    reach = question.goal is Goal.REACH
    floor = question.threshold - 1 if reach else None
    run = _Search(problem, began + seconds, question.threshold if reach else bound, floor)
    if settled is not None:
        run.settled = settled
    if progress is not None:
        run.news = lambda: progress(problem.signed(run.best), problem.signed(bound), run.states)
    ended = engine.over(state) or _drive(run, began, seconds)
    taken = time.monotonic() - began
    score = problem.value(state) if engine.over(state) else run.best if run.plan else None
    if not ended:
        status = Status.UNKNOWN if score is None else Status.FEASIBLE
        return Result(status, problem.signed(score), problem.signed(bound), run.plan, run.states, taken)
    if reach and (score is None or score < question.threshold):
        return Result(Status.IMPOSSIBLE, None, floor, (), run.states, taken, "search")
    if score is None:
        raise no_end(question)
    best = question.threshold if reach else problem.signed(score)
    return Result(Status.OPTIMAL, problem.signed(score), best, run.plan, run.states, taken, "search")


def _drive(run: _Search, began: float, seconds: float) -> bool:
    """Run the search; whether it has looked at all that matters.

    What is not settled at a first look is begun again with a good plan as floor: more is cut off then.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    problem = run.problem
    try:
        if seconds > 2 * FIRST_LOOK:
            run.deadline = began + FIRST_LOOK
            try:
                run.visit(problem.root)
                return True
            except _TimeUp:
                if run.settled(run.best):
                    return False
                run.path.clear()
                run.seen.clear()
            found = beam(problem, time.monotonic() + min(BEAM_SHARE * seconds, BEAM_SECONDS))
            if found is not None and (run.best is None or found[0] > run.best):
                run.better(*found)
        run.deadline = began + seconds
        run.visit(problem.root)
        return True
    except _Done:
        return True
    except (_TimeUp, KeyboardInterrupt, RecursionError):
        return False
    finally:
        sys.setrecursionlimit(limit)
