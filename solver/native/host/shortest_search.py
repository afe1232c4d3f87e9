"""Shortest plans by the kernel of best-first search: as plain Python at first, in machine code when that does not do.

At first states are expanded by their cost alone. Where that does not answer soon, distances are read off the rules and the
search goes on as A*; where that does not either, pattern databases are filled, and used if a probe shows that they say more.
What the cache has of both is used from the beginning.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cached_property
from typing import Any

from attrs import evolve, field

from rulewright.base.records import define
from rulewright.rules.machine.from_game import GameText, write_game
from rulewright.rules.machine.machine_game import GameFault, MachineGame, capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.model.moves import Move
from rulewright.solver.budget import Limits
from rulewright.solver.heuristics.distance_tables import DistanceTable, OutOfTime
from rulewright.solver.native.estimates.distance_words import nothing_known, words_of
from rulewright.solver.native.estimates.kept_distances import KeptDistances
from rulewright.solver.native.estimates.kept_patterns import Databases, KeptPatterns
from rulewright.solver.native.kernels import distance_estimate, state_pool, uniform_cost
from rulewright.solver.native.kernels.state_pool import PooledState
from rulewright.solver.native.kernels.uniform_cost import Known, SearchEnd, UniformCost, Way
from rulewright.solver.result import NO_COMPILER, Result
from rulewright.solver.search.incumbent import Listener
from rulewright.solver.search.shortest_plan import CostOf, ShortestPlanProblem, truth_value
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import parts_of
from rulewright.subset.lowering import Source
from rulewright.subset.program import Maker, Program, as_machine_code_by, as_python, is_kept
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from .state_tables import hash_words

ENTRIES = ("apply", "enter_root", "inform", "know_again", "legal", "raised", "uniform_cost_search", "value")

SLICE_IN_PYTHON, SLICE = 1 << 7, 1 << 15
"""States that are expanded between two looks at the clock."""

UNINFORMED_IN_PYTHON, UNINFORMED = 1 << 9, 1 << 15
"""States that are expanded by their cost alone before distances are looked for."""

WITHOUT_PATTERNS = 1 << 15
"""States that are expanded in machine code before patterns are looked for."""

SECONDS_FOR_PATTERNS = 3.0

PROBED, LEAST_GAIN = 2000, 0.25
"""So many states of the queue are estimated with patterns, which are worth having if they raise the mean by so much."""

SECONDS_FOR_DISTANCES_IN_PYTHON, SECONDS_FOR_DISTANCES = 0.25, 2.0
"""After so long it is given up to derive them: while the search is not in machine code, or for good."""

FIRST_TABLE = 1 << 14
"""Entries of the first table of known states; each next one has GROWTH times as many."""

GROWTH = 8

POLL = 0.05
"""Seconds between looks at what others have found, while machine code is made."""

NO_ROOM = "the memory is used up: more is allowed by `--memory`"


@define(eq=False)
class ShortestPlanKernel:
    """The code of a problem. Raises `CannotCompile` where the game does not fit the compiled subset."""

    problem: ShortestPlanProblem

    @cached_property
    def slots(self) -> Slots:
        engine = self.problem.engine
        return Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, self.problem.root))

    @cached_property
    def game(self) -> GameText:
        """Its `value` is twice what the question asks for, and one more where the condition holds."""
        engine, question = self.problem.engine, self.problem.question
        values = (*question.values, *question.values, truth_value(self.problem.until))
        return write_game(engine.instance, self.slots, engine.flow, values, engine.horizon)

    @cached_property
    def sources(self) -> Sequence[Source]:
        return self.game.sources((state_pool, distance_estimate, uniform_cost))

    @property
    def is_compiled(self) -> bool:
        """Whether its machine code is in the cache."""
        return is_kept(self.sources, ENTRIES)

    def program(self, make: Maker) -> Program:
        return make(self.sources, ENTRIES)

    def machine(self, program: Program) -> MachineGame:
        """The game at the root."""
        arrangement = Arrangement(self.slots, self.problem.engine.instance)
        words = hash_words(arrangement, self.problem.telling_variables, counts=False)
        machine = MachineGame.of(self.game, program, arrangement, longs(len(words)).fill(words))
        machine.load(self.problem.root)
        return machine


def bytes_of_state(machine: MachineGame) -> int:
    """The memory that a search takes for each state of a game."""
    pooled = 4 * len(machine.slots) + 8 * size_of(PooledState)
    return pooled + 4 * (size_of(Way) + machine.game.width + 2) + 8 + 2 * 8 * size_of(Known)


def first_tables(machine: MachineGame, states: int, cost_of: CostOf, least_step: int, uses_chance: bool) -> UniformCost:
    """The arrays of a search for so many states at most, with a small table of the states known."""
    slots, width = len(machine.slots), machine.game.width
    return UniformCost(
        game=machine.memory,
        pool=state_pool.StatePool(ints(states * slots), longs(states * size_of(PooledState)), slots),
        distances=nothing_known(),
        known_words=longs(FIRST_TABLE * size_of(Known)),
        ways=ints(states * (size_of(Way) + width)),
        costs=ints(states),
        estimates=ints(states),
        queue=longs(states),
        search_words=longs(16),
        moves=machine.moves,
        goal_move=ints(width),
        known_count=FIRST_TABLE,
        room=min(states, FIRST_TABLE // 2),
        cost_of=cost_of,
        least_step=least_step,
        uses_chance=int(uses_chance),
    )


def larger_tables(search: UniformCost, states: int) -> UniformCost:
    """The same arrays with more room in the table of the states known, which is empty; for so many states at most."""
    count = search.known_count * GROWTH
    return with_parts(search, known_words=longs(count * size_of(Known)), known_count=count, room=min(states, count // 2))


def with_parts(search: UniformCost, **others: Any) -> UniformCost:
    """The same search with some of its arrays and integers replaced."""
    parts = {name: getattr(search, name) for name in parts_of(UniformCost)}
    return UniformCost(**{**parts, **others})


@define(eq=False)
class ShortestSearch:
    """A search until `time.monotonic()` reaches the deadline, or the memory is used up."""

    kernel: ShortestPlanKernel
    deadline: float
    limits: Limits
    listener: Listener = Listener()
    began: float = field(factory=time.monotonic)
    remarks: tuple[str, ...] = ()
    _machine: MachineGame = field(init=False)
    _search: UniformCost = field(init=False)
    _most_states: int = field(default=0, init=False)
    _thread: ThreadPoolExecutor = field(init=False)
    _tables: Sequence[DistanceTable] = field(default=(), init=False)
    _has_patterns: bool = field(default=False, init=False)
    """Or whether they were tried."""
    _seconds_tried: float = field(default=0.0, init=False)

    @property
    def problem(self) -> ShortestPlanProblem:
        return self.kernel.problem

    def run(self, seconds_in_python: float, shortest_compilation: float) -> Result:
        """The answer. So many seconds are spent in plain Python before anything is compiled, and nothing is compiled with less
        time than that left. Raises `CannotCompile`, and `GameFault` at an error of the rules."""
        problem = self.problem
        if problem.reached(problem.root):
            return problem.result((), problem.root_cost, None, 1, time.monotonic() - self.began)
        is_kept = self.kernel.is_compiled
        self._begin(self.kernel.program(as_machine_code_by(self.deadline) if is_kept else as_python))
        if problem.engine.over(problem.root):
            return self._result(is_exhausted=True)
        is_exhausted = False
        # An interrupt comes between slices: within one, run as Python, it would leave the arrays half written.
        with suppress(KeyboardInterrupt), ThreadPoolExecutor(1) as self._thread:
            if is_kept:
                is_exhausted = self._look(self.deadline, SLICE)
            else:
                is_exhausted = self._look(min(self.deadline, time.monotonic() + seconds_in_python), SLICE_IN_PYTHON)
                if not is_exhausted and self.deadline - time.monotonic() > 0:
                    is_exhausted = self._look(self.deadline, self._compiled(shortest_compilation))
        return self._result(is_exhausted)

    def _begin(self, program: Program) -> None:
        machine = self._machine = self.kernel.machine(program)
        room = self._most_states = max(self.limits.room // bytes_of_state(machine), FIRST_TABLE)
        problem = self.problem
        self._search = first_tables(machine, room, problem.cost_of, problem.least_step, problem.analysis.uses_chance)
        program.enter_root(self._search, self.problem.root_cost)

    def _compiled(self, shortest_compilation: float) -> int:
        """Go on in machine code if there can be; gives the length of a slice."""
        if self.deadline - time.monotonic() < shortest_compilation:
            return SLICE_IN_PYTHON
        try:
            self._machine.program = self._program_unless_settled()
        except CannotCompile:
            return SLICE_IN_PYTHON
        except ImportError:
            self.remarks = (*self.remarks, NO_COMPILER)
            return SLICE_IN_PYTHON
        return SLICE

    def _program_unless_settled(self) -> Program:
        """Machine code. Raises `CannotCompile` where others have settled the question before it is ready."""
        cancelled = threading.Event()
        compiling = self._thread.submit(self.kernel.program, as_machine_code_by(self.deadline, cancelled))
        try:
            while not wait([compiling], POLL).done and not self._is_settled:
                pass
        finally:
            cancelled.set()
        return compiling.result()

    @property
    def _is_settled(self) -> bool:
        return self.listener.is_settled(None if self._cost is None else -self._cost)

    def _look(self, deadline: float, states: int) -> bool:
        """Go on until then. Gives whether the least cost is proved, or that there is no plan."""
        while time.monotonic() < deadline:
            if states == SLICE_IN_PYTHON:
                self._inform(deadline, UNINFORMED_IN_PYTHON, SECONDS_FOR_DISTANCES_IN_PYTHON)
            else:
                self._inform(deadline, UNINFORMED, SECONDS_FOR_DISTANCES)
                self._look_for_patterns(deadline)
            search = self._search
            search.expansion_limit = search.expanded + states
            match self._thread.submit(self._machine.program.uniform_cost_search, search).result():
                case SearchEnd.PROVED:
                    return True
                case SearchEnd.FAULTED:
                    raise GameFault
                case SearchEnd.FULL if not self._grow() and not self._inform(deadline, 0, SECONDS_FOR_DISTANCES):
                    self.remarks = (*self.remarks, NO_ROOM)
                    return False
            self.listener.progress(self._cost, search.cost, search.expanded)
            if self._is_settled:
                return False
        return False

    def _inform(self, deadline: float, begin: int, seconds: float) -> bool:
        """Order states by estimates from here on, once: where they are known, or when so many states are expanded and they can
        be derived in time. Gives whether that was done now."""
        if self._seconds_tried >= seconds or (self._search.expanded < begin and not self._distances.are_kept):
            return False
        self._seconds_tried = seconds
        try:
            self._tables = self._distances.found(min(deadline, time.monotonic() + seconds))
        except OutOfTime:
            return False
        self._seconds_tried = SECONDS_FOR_DISTANCES
        patterns = self._patterns.recalled
        self._has_patterns = patterns is not None
        return self._use(patterns or ())

    def _use(self, patterns: Databases) -> bool:
        """Estimate by tables and patterns from here on; False where there are neither."""
        if not self._tables and not patterns:
            return False
        self._search = with_parts(self._search, distances=words_of(self._tables, patterns, self._machine))
        self._machine.program.inform(self._search)
        return True

    def _look_for_patterns(self, deadline: float) -> None:
        """Fill pattern databases once, where the search lasts, and use them if they say more of the states in the queue."""
        search = self._search
        is_due = search.expanded >= WITHOUT_PATTERNS and self._seconds_tried >= SECONDS_FOR_DISTANCES
        if self._has_patterns or not is_due or self.problem.cost_of is not CostOf.MOVES:
            return
        self._has_patterns = True
        try:
            found = self._patterns.find(min(deadline, time.monotonic() + SECONDS_FOR_PATTERNS))
        except (OutOfTime, CannotCompile, ImportError):
            return
        probe = with_parts(search, distances=words_of((), found, self._machine))
        gain = self._machine.program.raised(probe, PROBED) if found else 0
        is_worth_it = gain > LEAST_GAIN * min(PROBED, search.queued)
        self._patterns.keep(found if is_worth_it else ())
        if is_worth_it:
            self._use(found)

    @cached_property
    def _patterns(self) -> KeptPatterns:
        return KeptPatterns(self._distances)

    @cached_property
    def _distances(self) -> KeptDistances:
        return KeptDistances(self.problem, tuple(source.text for source in self.kernel.sources))

    def _grow(self) -> bool:
        """More room for states; False where there is none."""
        if self._search.room == self._most_states:
            return False
        self._search = larger_tables(self._search, self._most_states)
        self._machine.program.know_again(self._search)
        return True

    @property
    def _cost(self) -> int | None:
        return self._search.goal_cost if self._search.has_goal else None

    def _result(self, is_exhausted: bool) -> Result:
        search, problem = self._search, self.problem
        bound = None if is_exhausted else search.cost + search.slack
        seconds = time.monotonic() - self.began
        result = problem.result(self._plan, self._cost, bound, search.expanded, seconds)
        return evolve(result, remarks=self.remarks)

    @property
    def _plan(self) -> tuple[Move, ...] | None:
        """The moves from the root to the goal."""
        search, machine = self._search, self._machine
        if not search.has_goal:
            return None
        plan = [machine.move_in(search.array_named("goal_move"), 0)]
        number, ways, width = search.goal_parent, search.array_named("ways"), size_of(Way) + machine.game.width
        while number > 0:
            plan.append(machine.move_in(ways, number * width + size_of(Way)))
            number = ways[number * width]
        return tuple(reversed(plan))
