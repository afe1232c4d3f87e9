"""Shortest plans by best-first search: ordered by cost at first, while boosters make it expand fewer states.

A long search continues with a worker on each processor.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from functools import cached_property
from typing import Protocol

from rulewright.base.records import define, evolve, field
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.kernel.run import Run
from rulewright.solver.result import NO_MORE_STATES, NO_ROOM, Limits, Listener, Result
from rulewright.solver.shortest.estimates.cached_distances import CachedDistances

from .game import CostGame
from .problem import CostOf, ShortestPlanProblem
from .workers import Workers

WORK_OF_LANDMARKS = 32
"""As many states are expanded by cheap estimates in the time in which landmarks are sought in one."""


FOR_A_PLAN = 4
"""One part in so many of the room for states is left for the search for some plan."""


class Booster(Protocol):
    """Makes a search expand fewer states."""

    def boost(self, search: ShortestSearch) -> bool:
        """Build it and put it to use if the search is long enough by now; whether nothing is left to do."""


@define(eq=False)
class ShortestSearch:
    """A search until `time.monotonic()` reaches the deadline or memory is used up. `boosters` have something left to do."""

    problem: ShortestPlanProblem
    deadline: float
    limits: Limits
    listener: Listener = Listener()
    began: float = field(factory=time.monotonic)
    boosters: list[Booster] = field(factory=list)
    automorphisms: int = field(default=0, init=False)
    """The number of automorphisms, without the identity, by whose orbits states are identified."""
    seconds_alike: float = field(default=0.0, init=False)
    """Seconds of processor time of the search since its estimates last changed."""
    is_timed: bool = field(default=False, init=False)
    """Whether the clock has decided what was searched."""
    room_for_a_plan: int = field(default=0, init=False)
    """Bytes for the states of another search that only seeks some plan."""
    workers: Workers = field(init=False)
    _expanded_before: int = field(default=0, init=False)
    """States expanded by searches that others have replaced."""
    is_full: bool = field(default=False, init=False)
    """Whether no more states are stored."""
    _remarks: tuple[str, ...] = field(default=(), init=False)

    @cached_property
    def game(self) -> CostGame:
        return CostGame(self.problem, merges=True)

    @cached_property
    def run(self) -> Run:
        return Run.of(self.game.compiled, self.deadline, self.limits.workers)

    @cached_property
    def distances(self) -> CachedDistances:
        return CachedDistances(self.problem, self.game.compiled.identity(self.workers.members[0].machine))

    @property
    def counts_moves(self) -> bool:
        return self.problem.cost_of is CostOf.MOVES

    @property
    def work(self) -> int:
        """The known states, those in which landmarks are sought counted as the work that they are."""
        return self.workers.state_count * (1 if self.workers.task is None else WORK_OF_LANDMARKS)

    @property
    def room(self) -> int:
        """Bytes for states, with those that nothing beside this search needs."""
        return self.limits.room - self.room_for_a_plan + self.listener.spare()

    @property
    def is_settled(self) -> bool:
        """Whether others have settled the question."""
        cost = self.workers.cost
        return self.listener.is_settled(None if cost is None else -cost)

    def is_past(self, *kinds: type[Booster]) -> bool:
        """Whether boosters of these kinds have nothing left to do."""
        return not any(isinstance(booster, kinds) for booster in self.boosters)

    def answer(self) -> Result:
        """The answer. Raises `CannotCompile`, and `GameFault` at an error of the rules."""
        problem = self.problem
        if problem.reached(problem.root):
            return problem.result((), problem.root_cost, None, 1, time.monotonic() - self.began)
        self.run.machine()  # the code of the search, which is no part of its tables
        self.limits = self.limits.measured()
        self.room_for_a_plan = self.limits.room // FOR_A_PLAN if self.counts_moves else 0
        self.workers = self.begun()
        self.listener.on_stop(lambda: self._result(is_exhausted=False))
        return self._result(problem.engine.over(problem.root) or self._is_exhausted())

    def begun(self, for_a_plan: int = 0) -> Workers:
        """A search at the root, or one only for some plan, with a weight of estimates."""
        room, later = self.limits.room - self.room_for_a_plan, self.limits.most_room
        if for_a_plan:
            room = later = self.room_for_a_plan
        return Workers.first(self.game, self.run, room, self.problem.root_cost, for_a_plan or 1, later)

    def _is_exhausted(self) -> bool:
        """Search until the deadline; whether it is proved that the cost is least or that there is no plan."""
        for states in self.run.slices(lambda: self.is_settled):
            self._boost()
            match self.advance(self.workers, states):
                case SearchEnd.DONE:
                    return True
                case SearchEnd.FULL if not self._makes_room() and not self._goes_deeper():
                    self._remarks = (NO_ROOM,)
                    return False
            self.listener.progress(self.workers.cost, self.workers.bound or 0, self._expanded)
            if self.is_settled:
                return False
        return False

    def _boost(self) -> None:
        for booster in list(self.boosters):
            if booster.boost(self):
                self.boosters.remove(booster)

    def _makes_room(self) -> bool:
        """Take room that others do not need any more, at last that of the search for some plan."""
        if self.workers.widen(self.room):
            return True
        self.room_for_a_plan = 0
        return self.workers.widen(self.room)

    def _goes_deeper(self) -> bool:
        """Go on without storing states, unless what is still to be built makes room; False if that cannot be done."""
        if self.is_full:
            return False
        before, self.is_full = self.workers.places_left, True
        self._boost()
        if self.workers.places_left > before:
            self.is_full = False
            return True
        self.boosters, self._remarks = [], (NO_MORE_STATES,)
        return self.workers.go_deeper()

    def advance(self, workers: Workers, states: int) -> SearchEnd:
        """Let workers expand so many states, or do as much work."""
        began = time.process_time()
        end = workers.advance(states if workers.task is None else states // WORK_OF_LANDMARKS)
        if workers is self.workers:
            self.seconds_alike += time.process_time() - began
        return end

    def replace(self, workers: Workers, boosters: Collection[Booster]) -> None:
        """Go on with another search from the root, in which these boosters have something to do again."""
        self._expanded_before += self.workers.expanded
        workers.bound = max((each.bound for each in (self.workers, workers) if each.bound is not None), default=None)
        self.workers, self.automorphisms = workers, 0
        self.boosters = [*boosters, *self.boosters]

    @property
    def _expanded(self) -> int:
        return self._expanded_before + self.workers.expanded

    def _result(self, is_exhausted: bool) -> Result:
        workers, seconds = self.workers, time.monotonic() - self.began
        bound = None if is_exhausted else workers.bound
        result = self.problem.result(workers.plan, workers.cost, bound, self._expanded, seconds)
        remarks, is_timed = (*self.run.remarks, *(() if is_exhausted else self._remarks)), self.is_timed or self.run.is_timed
        return evolve(result, remarks=remarks, automorphisms=self.automorphisms, is_about=is_timed)
