"""Exact search over the compiled reading: depth first, every state once, cut by an admissible bound.

A state is looked at once: whatever it leads to was compared with the best plan then, and the best plan only gets better.
Two states are one when all that can still matter is equal; a state is left out when another one has been seen that is
equal but for resources of which it has no more (Analysis.resources).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import field

from ..grammar.classes import define
from ..grammar.scenarios import Goal
from ..rules.engine import Engine, Move, State
from ..rules.layout import OVER, POINT
from ..rules.questions import Question
from .endings import no_end
from .limits import Limits
from .problem import Problem
from .result import Result, Status

if TYPE_CHECKING:
    from .beam import Found

Progress = Callable[[int | None, int | None, int], None]
"""Called with the best value, the bound and the number of states when the best is news, and now and then."""

DEEPEST = 200_000
"""How deep the search may recur: the longest line of play that it can look at."""

LISTENING = 128
"""States between one look at what others have found and the next."""

FIRST_LOOK = 1.0
"""Seconds for a look that most questions need no more than. What it does not settle is begun again with a good plan."""

BEAM_SHARE, BEAM_SECONDS = 0.1, 4.0
"""Of the time there is, at most, for the beam search."""

BEAMS_SHARE = 0.25
"""The same, where an end is out of reach."""


Settled = Callable[[int | None], bool]
"""Told the best value so far (more is better), whether the question has been settled elsewhere."""


class _TimeUp(Exception):
    pass


class _Done(Exception):
    pass


def _nobody(best: int | None) -> bool:
    return False


def _no_more() -> float:
    return 0.0


@define
class Search:
    """A search under way. What it has found is kept from one look to the next, what it has seen is not."""

    problem: Problem
    question: Question
    progress: Progress | None = None
    settled: Settled = _nobody
    most_states: int = 8_000_000
    began: float = field(factory=time.monotonic)
    best: int | None = None
    plan: tuple[Move, ...] = ()
    states: int = 0
    interrupted: bool = False
    _deadline: float = 0
    _more: Callable[[], float] = _no_more
    _path: list[Move] = field(factory=list)
    _seen: dict[Any, list[tuple[int, ...]]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.question.goal is Goal.REACH:
            self.best = self.question.threshold - 1

    @property
    def bound(self) -> int | None:
        """No plan is worth more (as the problem counts), as far as is known without a search."""
        return self.problem.most

    @property
    def found(self) -> int | None:
        """The worth of the best plan."""
        over = self.problem.root[POINT] == OVER
        return self.problem.value(self.problem.root) if over else self.best if self.plan else None

    @property
    def enough(self) -> int | None:
        """What no plan exceeds, or need not exceed."""
        return self.question.threshold if self.question.goal is Goal.REACH else self.bound

    @property
    def is_best(self) -> bool:
        """Whether the best plan is as good as any can be."""
        return self.enough is not None and self.found is not None and self.found >= self.enough

    def take(self, value: int, plan: tuple[Move, ...], states: int) -> None:
        """Take note of a plan that was found elsewhere, and of the number of states by now."""
        self.states = states
        if self.best is None or value > self.best:
            self.best, self.plan = value, plan
            self._news()

    def look(self, seconds: float, more: Callable[[], float] = _no_more) -> bool:
        """Look at all that matters; whether that was done in so many seconds. When they are over, `more` may grant others."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(DEEPEST)
        self._deadline, self._more = time.monotonic() + seconds, more
        try:
            if self.problem.root[POINT] != OVER:
                self._visit(self.problem.root)
            return True
        except _Done:
            return True
        except (_TimeUp, RecursionError):
            return False
        except KeyboardInterrupt:
            self.interrupted = True
            return False
        finally:
            sys.setrecursionlimit(limit)
            self._path.clear()
            self._seen.clear()

    def at_length(self, seconds: float) -> bool:
        """The same, a good plan looked for before: more is cut off then. Out of reach of an end, all time is for plans."""
        from .beam import beam
        from .neighbourhood import is_long

        began = time.monotonic()
        try:
            if is_long(self.problem, self.question):
                self._improve(seconds)
                return False
            found = beam(self.problem, self.question, time.monotonic() + min(BEAM_SHARE * seconds, BEAM_SECONDS))
            if found is not None and (self.best is None or found[0] > self.best):
                self._better(*found)
        except _Done:
            return True
        except KeyboardInterrupt:
            self.interrupted = True
            return False
        return self.look(seconds - (time.monotonic() - began))

    def result(self, ended: bool) -> Result:
        """What was found. Raises `RulesError`: RW331 when every state was looked at and none is an end."""
        problem, question, score = self.problem, self.question, self.found
        taken = time.monotonic() - self.began
        if not ended:
            status = Status.UNKNOWN if score is None else Status.FEASIBLE
            return Result(status, problem.signed(score), problem.signed(self.bound), self.plan, self.states, taken)
        if question.goal is Goal.REACH and (score is None or score < question.threshold):
            return Result(Status.IMPOSSIBLE, None, question.threshold - 1, (), self.states, taken, "search")
        if score is None:
            raise no_end(question)
        best = question.threshold if question.goal is Goal.REACH else problem.signed(score)
        return Result(Status.OPTIMAL, problem.signed(score), best, self.plan, self.states, taken, "search")

    def _visit(self, state: State) -> None:
        """Look at everything that a state leads to."""
        self.states += 1
        if time.monotonic() > self._deadline:
            self._overtime()
        if self.states % LISTENING == 0 and self.settled(self.best):
            raise _TimeUp
        if self.states % 4096 == 0:
            self._news()
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
            self._path.append(move)
            self._visit(child)
            self._path.pop()

    def _improve(self, seconds: float) -> None:
        """Wider and wider beams, then turns of the best plan played anew, until the time is up."""
        from .beam import Beam, checked, widening
        from .neighbourhood import Neighbourhood

        search, began = Beam.of(self.problem, self.question), time.monotonic()
        before = self.states

        def better(found: Found) -> None:
            self.states = before + search.states
            if self.best is None or found[0] > self.best:
                plan = checked(self.problem, found[0], search.widened(found[1]))
                if plan is not None:
                    self._better(*plan)

        best: Found | None = None
        for best in widening(search, began + BEAMS_SHARE * seconds, began + seconds):
            if best is not None:
                better(best)
            if self.settled(self.best):
                return
        if best is not None:
            Neighbourhood(search, best, better, lambda: self.settled(self.best)).improve(began + seconds)
        self.states = before + search.states

    def _finish(self, state: State, move: Move) -> None:
        value = self.problem.value(state)
        if self.best is None or value > self.best:
            self._better(value, (*self._path, move))

    def _overtime(self) -> None:
        seconds = self._more()
        if seconds <= 0:
            raise _TimeUp
        self._deadline, self._more = time.monotonic() + seconds, _no_more

    def _better(self, value: int, plan: tuple[Move, ...]) -> None:
        """Take note of a better plan; when it is as good as any can be, the search is done."""
        self.best, self.plan = value, plan
        self._news()
        if self.is_best:
            raise _Done

    def _news(self) -> None:
        if self.progress is not None:
            problem = self.problem
            self.progress(problem.signed(self.best), problem.signed(self.bound), self.states)

    def _is_new(self, state: State) -> bool:
        key, spent = self.problem.key(state), self.problem.spent(state)
        before = self._seen.get(key)
        if before is None:
            if len(self._seen) < self.most_states:
                self._seen[key] = [spent]
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

    `OPTIMAL` and `IMPOSSIBLE` are returned only when the search has ended; at the time limit, or when the question is `settled`
    elsewhere, the best plan and the bound. Raises `RulesError`: RW331 when every state was looked at and none is an end.
    """
    began = time.monotonic()
    problem = Problem.of(engine, state, question)
    run = Search(problem, question, progress, settled or _nobody, Limits().states_of(problem.weight), began)
    if seconds <= 2 * FIRST_LOOK:
        return run.result(run.look(seconds))
    if run.look(FIRST_LOOK):
        return run.result(True)
    stop = run.interrupted or run.settled(run.best)
    return run.result(not stop and run.at_length(seconds - (time.monotonic() - run.began)))
