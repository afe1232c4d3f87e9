"""The workers of a shortest-plan search: one at first, then one per processor, with states assigned by hash (HDA*).

Kishimoto, Fukunaga and Botea (ICAPS 2009). Here it proceeds in rounds: all workers expand their own states, and sent states
are delivered when all are done. A search thus does not depend on which thread is faster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.base.records import define, field
from rulewright.rules.machine.from_game import GameText, write_game
from rulewright.rules.machine.machine_game import MachineGame, capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.machine.state_hash import hash_tables
from rulewright.rules.model.moves import Move
from rulewright.solver.heuristics.relaxed_task import RelaxedTask
from rulewright.solver.native.kernels import state_mail, state_pool, uniform_cost, work_division
from rulewright.solver.native.kernels.state_mail import Mail
from rulewright.solver.native.kernels.uniform_cost import COST_SHIFT, Known, SearchEnd, UniformCost, Way
from rulewright.solver.native.pruning import distance_estimate, ground_numbers, landmark_cut, orbits, stubborn_sets
from rulewright.solver.native.pruning.distance_estimate import DistanceWords
from rulewright.solver.native.pruning.orbits import Orbits
from rulewright.solver.native.tables.landmark_words import landmarks_of
from rulewright.solver.native.tables.orbit_words import orbits_of
from rulewright.solver.native.tables.search_tables import (
    GROWTH,
    LETTERS,
    KeptSlots,
    bytes_of_state,
    first_tables,
    larger_tables,
    mail_for,
    most_states_in,
    with_parts,
)
from rulewright.solver.native.tables.stubborn_words import stubborn_words
from rulewright.solver.search.shortest_plan import ShortestPlanProblem, truth_value
from rulewright.subset.buffers import longs
from rulewright.subset.lowering import Source
from rulewright.subset.program import Maker, Program, is_kept, text_name
from rulewright.subset.records import size_of

if TYPE_CHECKING:
    from rulewright.solver.cpsat.order_free.stubborn_sets import StubbornSets
    from rulewright.solver.symmetry.space_maps import Automorphism

KERNELS = (
    *(state_pool, state_mail, distance_estimate, landmark_cut, orbits, ground_numbers, stubborn_sets),
    uniform_cost,
)
"""The kernels of all searches of uniform cost; each adds its own."""

ENTRIES = (
    *("apply", "enter_root", "hand_over", "inform", "know_again", "legal", "part", "raised", "take_in"),
    *("uniform_cost_search", "value"),
)

ROUND = 1 << 12
"""States that each of several workers expands between deliveries."""


@define(eq=False)
class ShortestPlanKernel:
    """The code of a problem. Raises `CannotCompile` if the game does not fit the compiled subset."""

    problem: ShortestPlanProblem

    @cached_property
    def slots(self) -> Slots:
        engine = self.problem.engine
        return Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, self.problem.root))

    @cached_property
    def game(self) -> GameText:
        """The game; its `value` is twice the objective, plus 1 if the condition holds."""
        engine, question = self.problem.engine, self.problem.question
        values = (*question.values, *question.values, truth_value(self.problem.until))
        return write_game(engine.instance, self.slots, engine.flow, values, engine.horizon)

    @cached_property
    def sources(self) -> Sequence[Source]:
        return self.game.sources((*KERNELS, work_division))

    @property
    def is_compiled(self) -> bool:
        """Whether its machine code is in the cache."""
        return is_kept(self.sources, ENTRIES)

    def program(self, make: Maker) -> Program:
        return make(self.sources, ENTRIES)

    def identity(self, machine: MachineGame) -> tuple[str, ...]:
        """What the rules and the question are compiled to: the code with its constants, and the lookup tables that it reads.
        Games for which it is equal differ in nothing but the state."""
        return text_name(self.sources, ENTRIES), repr(machine.memory.array_named("tables").items.tolist())

    def machine(self, program: Program) -> MachineGame:
        """The game at the root."""
        arrangement = Arrangement(self.slots, self.problem.engine.instance)
        hashes = hash_tables(arrangement, self.problem.telling_variables, False, self.problem.hash_key)
        machine = MachineGame.of(self.game, program, arrangement, hashes)
        machine.load(self.problem.root)
        return machine

    @cached_property
    def automorphisms(self) -> Sequence[Automorphism]:
        """The automorphisms that the rules and the question respect."""
        from rulewright.solver.symmetry.state_symmetries import automorphisms_of

        problem = self.problem
        objective = (*problem.question.values, problem.until)
        return automorphisms_of(problem.engine, problem.root, problem.analysis, objective, math.inf)

    def orbits(self, machine: MachineGame) -> Orbits:
        """The orbits of states under them."""
        return orbits_of(self.automorphisms, machine.arrangement, self.problem.telling_variables)

    def tables(self, machine: MachineGame, states: int, worker: int, workers: int) -> UniformCost:
        """The arrays of a worker, for at most `states` states."""
        problem = self.problem
        uses_chance = problem.analysis.uses_chance
        kept = self.kept_slots(machine)
        return first_tables(machine, kept, states, problem.cost_of, problem.least_step, uses_chance, worker, workers)

    def kept_slots(self, machine: MachineGame) -> KeptSlots:
        """The slots that play may change."""
        return KeptSlots.of(machine, self.problem.analysis, self.problem.telling_variables, False)


@define(eq=False)
class Worker:
    """A worker: its game, its arrays, the most states that it may keep, and what it keeps of each."""

    machine: MachineGame
    search: UniformCost
    most_states: int
    kept: KeptSlots

    def mail_for(self, letters: int) -> Mail:
        """Empty mail with room for `letters` states."""
        return mail_for(self.machine, self.kept, letters)

    def has_room_for(self, states: int) -> bool:
        """Make room in the table of known states; False if memory does not allow it."""
        while max(self.search.state_count, self.search.queued) + states > self.search.room:
            if self.search.room == self.most_states:
                return False
            self.grow()
        return True

    def grow(self) -> bool:
        """Make more room for states; False if there is none."""
        search = self.search
        if search.room == self.most_states:
            return False
        self.search = larger_tables(search, self.most_states)
        self.machine.program.know_again(self.search)
        return True

    def know_again(self) -> int:
        """Rebuild the table from all states; returns how many are superseded by others of their orbits."""
        self.search = with_parts(self.search, known_words=longs(self.search.known_count * size_of(Known)))
        found: int = self.machine.program.know_again(self.search)
        return found

    @property
    def least(self) -> int | None:
        """A lower bound on the cost of a plan through its queue; None if the queue is empty."""
        search = self.search
        return (search.array_named("queue")[0] >> COST_SHIFT) + search.slack if search.queued else None


@define(eq=False)
class Workers:
    """All workers of a search. `best` is the one that found the best plan so far; any other plan costs at least `bound`, None
    if there is none."""

    members: list[Worker]
    threads: ThreadPoolExecutor
    bound: int | None
    best: Worker | None = field(default=None, init=False)
    task: RelaxedTask | None = field(default=None, init=False)
    """The relaxed task whose landmarks raise estimates."""
    sets: StubbornSets | None = field(default=None, init=False)
    """The stubborn sets of moves that are tried."""

    @classmethod
    def first(cls, kernel: ShortestPlanKernel, program: Program, room: int, threads: ThreadPoolExecutor) -> Workers:
        """One worker at the root, with `room` bytes for its states."""
        machine = kernel.machine(program)
        kept = kernel.kept_slots(machine)
        most_states = most_states_in(room, machine, kept)
        search = kernel.tables(machine, most_states, 0, 1)
        program.enter_root(search, kernel.problem.root_cost)
        worker = Worker(machine, search, most_states, kept)
        return cls([worker], threads, worker.least)

    @property
    def cost(self) -> int | None:
        """The cost of the best plan so far."""
        return None if self.best is None else self.best.search.goal_cost

    @property
    def expanded(self) -> int:
        return sum(worker.search.expanded for worker in self.members)

    @property
    def state_count(self) -> int:
        """The number of known states."""
        return sum(worker.search.state_count for worker in self.members)

    def advance(self, states: int) -> SearchEnd:
        """Expand `states` states in each worker and deliver the sent ones. Raises `GameFault`."""
        ends = self._each(self._go_on, [min(states, ROUND) if len(self.members) > 1 else states] * len(self.members))
        for worker, end in zip(self.members, ends, strict=True):
            if end == SearchEnd.FAULTED:
                raise worker.machine.failure()
        for worker, end in zip(self.members, ends, strict=True):
            if end == SearchEnd.FULL and not worker.grow():
                return SearchEnd.FULL
            if end == SearchEnd.MAILED and worker.search.mail.count == 0:
                worker.search = with_parts(worker.search, mail=worker.mail_for(GROWTH * worker.search.mail.room))
        if not self._deliver():
            return SearchEnd.FULL
        self._share_goal()
        least = min((least for worker in self.members if (least := worker.least) is not None), default=None)
        # Estimates of the states of an orbit differ, so queue heads may promise less than before.
        self.bound = least if least is None or self.bound is None else max(least, self.bound)
        is_exhausted = self.bound is None or (self.cost is not None and self.cost <= self.bound)
        return SearchEnd.PROVED if is_exhausted else SearchEnd.PAUSED

    def inform(self, distances: DistanceWords, task: RelaxedTask | None = None) -> None:
        """Order states by these estimates, and raise them by landmarks of a task before states are expanded."""
        self.task = task
        for worker in self.members:
            worker.search = with_parts(worker.search, distances=distances, landmarks=landmarks_of(task, worker.machine))
            worker.machine.program.inform(worker.search)

    def regard(self, orbits: Orbits) -> int:
        """Identify the states of each orbit; returns how many known states that supersedes."""
        (first,) = self.members
        first.search = with_parts(first.search, orbits=orbits)
        return first.know_again()

    def narrow(self, sets: StubbornSets | None) -> None:
        """Try only the moves of stubborn sets from now on."""
        self.sets = sets
        for worker in self.members:
            worker.search = with_parts(worker.search, stubborn=stubborn_words(sets, worker.machine))

    def divide(self, kernel: ShortestPlanKernel, number: int, spare: int = 0) -> bool:
        """Divide the states of the only worker, and `spare` more bytes, among `number` workers; False, and no change, if memory
        is too small."""
        (first,) = self.members
        more = spare // bytes_of_state(first.machine, first.kept)
        most_states = min((first.most_states + more) // number, first.most_states)
        if 2 * max(first.search.state_count, first.search.queued) > most_states:
            return False
        search, program = first.search, first.machine.program
        mail = first.mail_for(LETTERS)
        first.search = with_parts(search, mail=mail, workers=number, room=min(search.room, most_states))
        first.most_states = most_states
        for place in range(1, number):
            machine = kernel.machine(program)
            other = with_parts(
                kernel.tables(machine, most_states, place, number),
                distances=search.distances,
                landmarks=landmarks_of(self.task, machine),
                stubborn=stubborn_words(self.sets, machine),
            )
            if search.orbits.mapping_count:
                other = with_parts(other, orbits=kernel.orbits(machine))
            for name in ("slack", "order", "has_goal", "goal_cost"):
                setattr(other, name, getattr(search, name))
            self.members.append(Worker(machine, other, most_states, first.kept))
        program.part(first.search)
        begin = 0
        while begin < first.search.state_count:
            begin = program.hand_over(first.search, begin)
            if not self._deliver():
                return False
        return True

    def _go_on(self, worker: Worker, states: int) -> int:
        worker.search.expansion_limit = worker.search.expanded + states
        return worker.machine.program.uniform_cost_search(worker.search)

    def _deliver(self) -> bool:
        """Deliver every state to its owner; False if there is no room."""
        if len(self.members) == 1:
            return True
        sent = [worker.search.mail.count for worker in self.members]
        if not all(self._each(Worker.has_room_for, [sum(sent)] * len(sent))):
            return False
        self._each(self._receive, sent)
        for worker in self.members:
            worker.search.mail.count = 0
        return True

    def _receive(self, worker: Worker, _: int) -> None:
        for other in self.members:
            if other is not worker:
                worker.machine.program.take_in(worker.search, other.search.mail)

    def _share_goal(self) -> None:
        """Share the cost of the best plan with all workers."""
        for worker in self.members:
            if worker.search.has_goal and (self.cost is None or worker.search.goal_cost < self.cost):
                self.best = worker
        for worker in self.members:
            if self.cost is not None and worker is not self.best:
                worker.search.has_goal, worker.search.goal_cost = 1, self.cost

    def _each(self, call: Callable[[Worker, int], Any], given: Sequence[int]) -> list[Any]:
        """Call a function for all workers in parallel. An interrupt is delayed until all have returned."""
        futures = [self.threads.submit(call, worker, one) for worker, one in zip(self.members, given, strict=True)]
        return [future.result() for future in futures]

    @property
    def plan(self) -> tuple[Move, ...] | None:
        """The moves of the best plan, from the root to the goal."""
        if self.best is None:
            return None
        search, machine = self.best.search, self.best.machine
        plan = [machine.move_in(search.array_named("goal_move"), 0)]
        number, owner = search.goal_parent, search.worker
        width = size_of(Way) + machine.game.width
        while (number, owner) != (0, 0):
            ways, at = self.members[owner].search.array_named("ways"), number * width
            plan.append(machine.move_in(ways, at + size_of(Way)))
            number, owner = ways[at + Way.fields["parent"].offset], ways[at + Way.fields["owner"].offset]
        return tuple(reversed(plan))
