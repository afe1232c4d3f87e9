"""Large-neighbourhood search over plans of many turns: turns of the best plan are played anew, what lies before them is kept.

After Shaw (1998). Either all turns from one on are played anew by a narrow beam, or a window of few turns, after which the rest
of the plan has to be legal as it is. Only for problems that an exact search does not come to the end of.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from attrs import field

from ..grammar.classes import define
from ..rules.engine import Move, State
from ..rules.faults import PlayError
from ..rules.layout import COUNTED, OVER, POINT
from ..rules.questions import Question
from .beam import Beam, Found, Sweep, plan_of
from .candidates import Reading
from .problem import Problem
from .promise import counted_board

WIDTH, CHANCE = 100, 0.3
WINDOWS, LONGEST = 0.3, 3

FEW_COMING, MANY_COMING = 14, 34
"""So many tiles to come: an exact search ends as a rule; and no bound comes down in minutes."""

MANY_TURNS = 20
"""A question about fewer turns is not a long one, whatever there is to come."""


def plans_share(problem: Problem, question: Question) -> float:
    """How much of the time is for better plans, before an exact search or instead of one: more, the more tiles are to come."""
    horizon = problem.engine.horizon
    if (horizon is not None and horizon.times <= MANY_TURNS) or counted_board(problem, question) is None:
        return 0.0
    coming = tiles_coming(problem, problem.root)
    return min(max(0.0, (coming - FEW_COMING) / (MANY_COMING - FEW_COMING)), 1.0) ** 2


def tiles_coming(problem: Problem, state: State) -> int:
    """How many tiles are still to be laid in a state, or thrown away."""
    return sum(len(state[at]) for at in Reading(problem.engine, problem.analysis, problem.root).supplies)


def is_long(problem: Problem, question: Question) -> bool:
    """Whether there are so many tiles to come that an exact search is not worth while."""
    return plans_share(problem, question) == 1.0


def turns_of(problem: Problem, plan: Sequence[Move]) -> list[tuple[int, State]]:
    """Where each turn of a plan begins, and the state there."""
    state = problem.root
    found = [(0, state)]
    for place, move in enumerate(plan, 1):
        turn = state[COUNTED]
        state = problem.engine.apply(state, move)
        if state[POINT] != OVER and state[COUNTED] != turn:
            found.append((place, state))
    return found


@define
class Neighbourhood:
    """Improves a plan of a beam's problem; `news` is called with each better one, `settled` says whether to give up."""

    beam: Beam
    best: Found
    news: Callable[[Found], None]
    settled: Callable[[], bool] = field(default=lambda: False)
    rounds: int = 0
    _plan: tuple[Move, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._plan = self.best[1]

    def improve(self, deadline: float) -> None:
        """Until the time is up. Plans that are as good take the place of the one there is, so that the search does not stay."""
        while time.monotonic() < deadline and not self.settled():
            self.rounds += 1
            found = self._round(deadline)
            if found is not None and found[0] >= self.best[0]:
                self._plan = found[1]
                if found[0] > self.best[0]:
                    self.best = found
                    self.news(found)

    def _round(self, deadline: float) -> Found | None:
        rng = self.beam.rng
        turns = turns_of(self.beam.problem, self._plan)
        place = rng.randrange(len(turns))
        start, state = turns[place]
        after = place + rng.randrange(1, LONGEST + 1)
        if after < len(turns) and rng.random() < WINDOWS:
            return self._window(start, state, turns[after][0], after - place, deadline)
        found = self.beam.search(state, WIDTH, deadline, CHANCE)
        return None if found is None else (found[0], self._plan[:start] + found[1])

    def _window(self, start: int, state: State, end: int, turns: int, deadline: float) -> Found | None:
        """Other ways through some turns, after which the rest of the plan goes on as it is."""
        sweep = Sweep(self.beam, deadline, CHANCE)
        layer = sweep.layer_of(state)
        for _ in range(turns):
            layer = sweep.turn(layer, WIDTH)
        best: Found | None = None
        rest = self._plan[end:]
        for kept in layer:
            value = self._followed(kept.state, rest)
            if value is not None and (best is None or value > best[0]):
                best = value, self._plan[:start] + plan_of(kept.link) + rest
        return best

    def _followed(self, state: State, moves: Sequence[Move]) -> int | None:
        """What the moves come to; None when one is not legal."""
        engine = self.beam.problem.engine
        for move in moves:
            if state[POINT] == OVER or move not in engine.legal(state):
                return None
            try:
                state = engine.apply(state, move)
            except PlayError:
                return None
        return self.beam.problem.value(state) if state[POINT] == OVER else None
