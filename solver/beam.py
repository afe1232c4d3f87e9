"""Beam search: a good plan soon, and no proof. Of all states after so many turns, only the most promising go on.

States are compared at the end of the same turn (and, inside a turn, after the same number of moves): a state in the middle of a
long turn is no worse than one that has ended its turn at once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from attrs import evolve, field

from ..grammar.classes import define
from ..rules.engine import Engine, Horizon, Move, State
from ..rules.faults import PlayError
from ..rules.layout import COUNTED, OVER, POINT
from ..rules.questions import Question
from .narrow import Narrowed, narrowed
from .problem import Problem
from .promise import ByBound, Mark, Promise, counted_board, nearness

FIRST_WIDTH, WIDER = 10, 3

FOREVER = 10**9

Link = tuple[Move, Any]
"""A move and the link before it: the plan backwards."""

Found = tuple[int, tuple[Move, ...]]
"""A value, more is better, and the plan that has it."""


@define(eq=False)
class Kept:
    """A state in a beam: what it promises (and a little chance), and how it was reached."""

    promise: float
    state: State
    mark: Mark
    link: Link | None


@define
class Beam:
    """Beam searches over one problem, in windows as small as is likely to do, with the turns counted."""

    problem: Problem
    promise: Promise
    _narrow: Narrowed | None
    rng: random.Random
    states: int = 0

    @classmethod
    def of(cls, problem: Problem, question: Question, seed: int = 0) -> Beam:
        """Make ready to search; the room needed is guessed from the tiles to come."""
        board = counted_board(problem, question)
        if board is None:
            counted = evolve(problem, engine=counting(problem.engine, problem.root))
            return cls(counted, ByBound(problem), None, random.Random(seed))
        narrow = narrowed(problem.engine, problem.root, margin(problem.engine, problem.root))
        engine, root = (problem.engine, problem.root) if narrow is None else (narrow.engine, narrow.state)
        small = Problem.without_bound(engine, root, question)
        promise = nearness(small, question, board)
        return cls(evolve(small, engine=counting(engine, root)), promise, narrow, random.Random(seed))

    def search(self, state: State, width: int, deadline: float, chance: float = 0.0) -> Found | None:
        """The best plan that a beam of this width finds from a state; None when it finds no end in time.

        With `chance`, promises differ by up to so much from one search to the next.
        """
        sweep = Sweep(self, deadline, chance)
        layer = sweep.layer_of(state)
        while layer:
            layer = sweep.turn(layer, width)
        return sweep.best

    def widened(self, plan: tuple[Move, ...]) -> tuple[Move, ...]:
        """A plan of this search in the moves of the problem that it was made for."""
        return plan if self._narrow is None else self._narrow.widened(plan)


@define
class Sweep:
    """One passage of a beam through the turns. `best` is the best end come upon so far."""

    beam: Beam
    deadline: float
    chance: float
    _seen: set[int] = field(factory=set)
    _end: tuple[int, Link] | None = None

    @property
    def best(self) -> Found | None:
        return None if self._end is None else (self._end[0], plan_of(self._end[1]))

    def layer_of(self, state: State) -> list[Kept]:
        """A beam of one state."""
        promise, mark = self.beam.promise.first(state)
        return [Kept(promise, state, mark, None)]

    def turn(self, layer: list[Kept], width: int) -> list[Kept]:
        """The most promising states at the end of the turn; none when the time is up."""
        following: dict[int, Kept] = {}
        while layer:
            children: dict[int, Kept] = {}
            for kept in layer:
                if time.monotonic() > self.deadline:
                    return []
                self._expand(kept, children, following)
            self._seen.update(children)
            layer = _widest(children, width)
        return _widest(following, width)

    def _expand(self, kept: Kept, children: dict[int, Kept], following: dict[int, Kept]) -> None:
        """Put the states behind one among those of its turn or of the next."""
        beam, state, turn = self.beam, kept.state, kept.state[COUNTED]
        problem = beam.problem
        beam.states += 1
        for move in problem.engine.legal(state):
            try:
                child = problem.engine.apply(state, move)
            except PlayError:
                # The window may be too small, or the rules at fault: the exact search will say so.
                continue
            if child[POINT] == OVER:
                value = problem.value(child)
                if self._end is None or value > self._end[0]:
                    self._end = value, (move, kept.link)
                continue
            key = hash(problem.key(child))
            if key in self._seen:
                continue
            into = children if child[COUNTED] == turn else following
            promise, mark = beam.promise.after(kept.mark, state, child)
            if self.chance:
                promise += self.chance * beam.rng.random()
            known = into.get(key)
            if known is None or promise > known.promise:
                into[key] = Kept(promise, child, mark, (move, kept.link))


def widening(search: Beam, deadline: float, last: float) -> Iterator[Found | None]:
    """The best plan so far after each round, every round with a beam three times as wide, until the deadline.

    The first round may take until `last`: without it there is no plan at all.
    """
    best: Found | None = None
    width = FIRST_WIDTH
    while time.monotonic() < (last if best is None else deadline):
        before = search.states
        found = search.search(search.problem.root, width, last if best is None else deadline)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
        yield best
        if search.states - before < width:
            return  # nothing was left out
        width *= WIDER


def beam(problem: Problem, question: Question, deadline: float) -> Found | None:
    """The best value and plan found in time."""
    search = Beam.of(problem, question)
    found = [best for best in widening(search, deadline, deadline) if best is not None]
    return checked(problem, found[-1][0], search.widened(found[-1][1])) if found else None


def checked(problem: Problem, value: int, plan: tuple[Move, ...]) -> Found | None:
    """The plan, when it is legal move by move in the problem and worth what it is said to be."""
    state = problem.root
    for move in plan:
        if state[POINT] == OVER or move not in problem.engine.legal(state):
            return None
        state = problem.engine.apply(state, move)
    return (value, plan) if state[POINT] == OVER and problem.value(state) == value else None


def plan_of(link: Link | None) -> tuple[Move, ...]:
    """The moves from first to last."""
    moves: list[Move] = []
    while link is not None:
        moves.append(link[0])
        link = link[1]
    return tuple(reversed(moves))


def _widest(states: dict[int, Kept], width: int) -> list[Kept]:
    """The most promising, in order."""
    return sorted(states.values(), key=_promise, reverse=True)[:width]


def _promise(kept: Kept) -> float:
    return kept.promise


def counting(engine: Engine, state: State) -> Engine:
    """The same game with its turns counted in the state: those of the horizon, else of the innermost point."""
    choice = engine.choice(state)
    if engine.horizon is not None or choice is None or not choice.points:
        return engine
    return engine.with_horizon(Horizon(choice.points[-1], FOREVER))


def margin(engine: Engine, state: State) -> int:
    """The room that plans need around what lies there: good plans keep together."""
    coming = sum(len(column) for column in state if isinstance(column, tuple))
    return 3 + int(coming**0.5 + 1)
