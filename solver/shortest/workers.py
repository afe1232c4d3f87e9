"""The workers of a shortest-plan search: one at first, then one per processor, with states assigned by hash (HDA*).

Kishimoto, Fukunaga and Botea (ICAPS 2009). Here it proceeds in rounds: all workers expand their own states, and sent states
are delivered when all are done. A search thus does not depend on which thread is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.state import Move
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.kernel.orbits import Orbits
from rulewright.solver.kernel.packed_states import NUMBER, NUMBER_BITS
from rulewright.solver.kernel.run import Run
from rulewright.solver.shortest.estimates.landmarks import landmarks_of
from rulewright.solver.shortest.estimates.relaxed_task import RelaxedTask
from rulewright.solver.shortest.kernels.best_first import OWNER_BITS
from rulewright.solver.shortest.kernels.distance_words import DistanceWords
from rulewright.solver.shortest.kernels.stubborn_sets import StubbornSets
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import SomeBundle, with_parts

from .game import LETTERS, CostGame, KnownStates, bytes_of_state, mail_of, most_states_in


@define(eq=False)
class Workers:
    """All workers of a search. `best` is the one that found the best plan so far; any other plan costs at least `bound`, None
    if there is none."""

    game: CostGame
    run: Run
    room: int
    later: int
    """The most bytes for states that they may ever get."""
    members: list[KnownStates]
    bound: int | None
    best: KnownStates | None = field(default=None, init=False)
    given: tuple[int, tuple[Move, ...]] | None = field(default=None, init=False)
    """The cost and the moves of a plan that another search has found."""
    task: RelaxedTask | None = field(default=None, init=False)
    """The relaxed task whose landmarks raise estimates."""

    @classmethod
    def first(cls, game: CostGame, run: Run, room: int, root_cost: int, weight: int = 1, later: int = 0) -> Workers:
        """One worker at the root, with `room` bytes for its states, and at most `later` bytes if it is widened."""
        machine, later = run.machine(), max(room, later)
        states = game.states(machine, most_states_in(room, bytes_of_state(game.layout)), later=later)
        states.search = with_parts(states.search, weight=weight, learns=int(weight > 1))
        run.program.enter_root(states.search, root_cost)
        return cls(game, run, room, later, [states], states.least)

    @property
    def cost(self) -> int | None:
        """The cost of the best plan so far."""
        if self.best is not None:
            return self.best.search.goal_cost
        return None if self.given is None else self.given[0]

    @property
    def expanded(self) -> int:
        return sum(worker.search.expanded for worker in self.members)

    @property
    def learns(self) -> bool:
        """Whether there are traps to be learned."""
        distances = self.members[0].search.distances
        return any(group.has_traps for group in distances.groups[: distances.group_count])

    @property
    def state_count(self) -> int:
        """The number of known states."""
        return sum(worker.search.state_count for worker in self.members)

    @property
    def places_left(self) -> int:
        """The number of states that may still be kept."""
        return sum(worker.most for worker in self.members) - self.state_count

    @property
    def bytes(self) -> int:
        """The memory that the states of all take."""
        return sum(worker.bytes for worker in self.members)

    def advance(self, states: int) -> SearchEnd:
        """Expand `states` states in each worker, and deliver those that it sent. Raises `GameFault`."""
        ends = self._each(self._go_on, [states] * len(self.members))
        for worker, end in zip(self.members, ends, strict=True):
            if end == SearchEnd.FAULTED:
                raise worker.machine.failure()
        is_full = SearchEnd.TOO_DEEP in ends
        for worker, end in zip(self.members, ends, strict=True):
            is_full |= end == SearchEnd.FULL and not worker.grow()
            if end == SearchEnd.MAILED and worker.search.mail.count == 0:
                worker.search = with_parts(worker.search, mail=mail_of(worker.layout, 2 * worker.search.mail.room))
        if not self._deliver():
            return SearchEnd.FULL
        self._share_goal()
        least = min((least for worker in self.members if (least := worker.least) is not None), default=None)
        # Estimates of the states of an orbit differ, so queue heads may promise less than before.
        self.bound = least if least is None or self.bound is None else max(least, self.bound)
        if self.bound is None or (self.cost is not None and self.cost <= self.bound):
            return SearchEnd.DONE
        return SearchEnd.FULL if is_full else SearchEnd.PAUSED

    def go_deeper(self) -> bool:
        """Store no more states from now on; False if the search cannot do without, or already does."""
        first, sent = self.members[0], sum(worker.search.mail.count for worker in self.members)
        if first.deepening is not None or sent:
            return False
        for worker in self.members:
            worker.freeze()
        return True

    def sweep(self) -> None:
        """Seek some plan from now on, and prove nothing."""
        self.members[0].sweep()

    def repack(self) -> None:
        """Keep states by the layout that the game has by now, in the bytes that there are for them."""
        for worker in self.members:
            worker.repack(self.game.layout)
        self.widen(self.room)

    def widen(self, room: int) -> bool:
        """Keep states in so many bytes from now on if they had fewer; whether that is room for more."""
        before, self.room = self.places_left, min(max(room, self.room), self.later)
        most = self._most_for(len(self.members), self.room)
        for worker in self.members:
            worker.limit(most)
        return self.places_left > before

    def _most_for(self, number: int, room: int) -> int:
        """The most states for each of `number` workers in so many bytes, of which patterns take some."""
        room -= 4 * len(self.members[0].search.distances.array_named("packed_words").items)
        return most_states_in(room // number, bytes_of_state(self.members[0].layout))

    def use_estimates(self, distances: DistanceWords, task: RelaxedTask | None = None) -> None:
        """Order states by these estimates, and raise them by landmarks of a task before states are expanded."""
        self.task = task
        for worker in self.members:
            own = distances if worker is self.members[0] else _for_one_thread(distances)
            parts = {"distances": own, "landmarks": landmarks_of(task, worker.machine)}
            worker.search = with_parts(worker.search, **parts)
            worker.machine.program.estimate_again(worker.search)
        self.widen(self.room)

    def know(self, cost: int | None, plan: tuple[Move, ...] | None) -> None:
        """Look only for plans that cost less than one that is known, if any; or less than `cost`, with an empty plan."""
        if cost is None or plan is None or (self.cost is not None and self.cost <= cost):
            return
        self.given, self.best = (cost, plan), None
        for worker in self.members:
            worker.search.has_goal, worker.search.goal_cost = 1, cost

    def use_orbits(self, orbits: Orbits) -> int:
        """Identify the states of each orbit; returns how many known states that supersedes."""
        (first,) = self.members
        first.search = with_parts(first.search, orbits=orbits)
        return first.rebuild_table()

    def use_stubborn_sets(self, sets: StubbornSets) -> None:
        """Try only the moves of stubborn sets from now on."""
        for worker in self.members:
            worker.search = with_parts(worker.search, stubborn=_for_one_thread(sets))

    def divide(self, number: int, room: int = 0) -> bool:
        """Divide the open states of the only worker among `number` workers, who all know all of its states, with their bytes,
        or `room` if that is more; False, and no change, if memory is too small."""
        (first,), room = self.members, min(max(room, self.room), self.later)
        most = self._most_for(number, room)
        if 2 * max(first.search.state_count, first.search.queued) > most:
            return False
        search, program, self.room = first.search, first.machine.program, room
        first.search = with_parts(search, mail=mail_of(first.layout, LETTERS), workers=number)
        first.limit(most)
        for place in range(1, number):
            other = self.game.states(self.run.machine(), most, place, number, self.later // number)
            other.search = with_parts(
                other.search,
                distances=_for_one_thread(search.distances),
                landmarks=_for_one_thread(search.landmarks),
                stubborn=_for_one_thread(search.stubborn),
                orbits=self.game.orbits(self.game.automorphisms if search.orbits.mapping_count else ()),
            )
            other.copy(search)
            other.search.expanded = 0
            self.members.append(other)
        for worker in self.members:
            program.drop_others(worker.search)
        return True

    def _go_on(self, worker: KnownStates, states: int) -> int:
        worker.search.expansion_limit = worker.search.expanded + states
        program = worker.machine.program
        if worker.sweeping is not None:
            return program.sweep(with_parts(worker.sweeping, search=worker.search))
        return program.best_first_search(worker.search) if worker.deepening is None else program.deepen(worker.deepening)

    def _deliver(self) -> bool:
        """Deliver every state to its owner; False if there is no room."""
        if len(self.members) == 1:
            return True
        sent = [worker.search.mail.count for worker in self.members]
        if not all(self._each(KnownStates.has_room_for, [sum(sent)] * len(sent))):
            return False
        self._each(self._receive, sent)
        for worker in self.members:
            worker.search.mail.count = 0
        return True

    def _receive(self, worker: KnownStates, _: int) -> None:
        for other in self.members:
            if other is not worker:
                worker.machine.program.receive_mail(worker.search, other.search.mail)

    def _share_goal(self) -> None:
        """Share the cost of the best plan with all workers."""
        for worker in self.members:
            if worker.search.has_goal and (self.cost is None or worker.search.goal_cost < self.cost):
                self.best = worker
        for worker in self.members:
            if self.cost is not None and worker is not self.best:
                worker.search.has_goal, worker.search.goal_cost = 1, self.cost

    def _each(self, call: Callable[[KnownStates, int], Any], given: Sequence[int]) -> list[Any]:
        """Call a function for all workers in parallel."""
        submit = self.run.threads.submit
        return self.run.wait_for([submit(call, worker, one) for worker, one in zip(self.members, given, strict=True)])

    @property
    def plan(self) -> tuple[Move, ...] | None:
        """The moves of the best plan, from the root to the goal."""
        if self.best is None:
            return None if self.given is None else self.given[1]
        search, path = self.best.search, list[tuple[int, int]]()
        number, owner = search.goal_parent, search.worker
        while (number, owner) != (0, 0):
            path.append((number, owner))
            origin = self.members[owner].search.array_named("origins")[number]
            number, owner = origin & NUMBER, (origin >> NUMBER_BITS) % (1 << OWNER_BITS)
        machine, plan = self.run.machine(), list[Move]()
        searches = [with_parts(member.search, game=machine.memory, moves=machine.moves) for member in self.members]
        for number, owner in reversed(path):
            plan.append(machine.move_in(machine.moves, machine.program.move_to(searches[owner], number)))
            machine.apply(plan[-1])
        last, width = self.best.search.array_named("goal_move"), machine.game.width
        return (*plan, *(machine.move_in(last, at * width) for at in range(self.best.search.goal_length)))


def _for_one_thread(words: SomeBundle) -> SomeBundle:
    """The same tables with scratch memory of their own."""
    return with_parts(words, scratch_words=ints(len(words.array_named("scratch_words").items)))
