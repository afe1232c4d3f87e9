"""Reproducible playouts by a policy: game number n of a seed does not depend on the engine or worker that plays it.

The Python engine begins. If the rest would take long, machine code plays it on as many threads as are allowed or, where there
is no compiler, further processes. Memory limits how many workers play at a time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.base.records import define, frozen
from rulewright.base.thread_pool import map_in_order
from rulewright.rules.model.state import SEED
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.standings import player_terms
from rulewright.rules.semantics.rng import mix, next_seed
from rulewright.solver.budget import OTHERWISE_MIB
from rulewright.solver.search.playout_policies import Choose, Kind, Seats, choosing_by_seat, room_of, seeds
from rulewright.subset.refusal import CannotCompile
from rulewright.workers.executor import Job
from rulewright.workers.processes import Processes

from .score_statistics import Tally

if TYPE_CHECKING:
    from rulewright.solver.native.host.playout_runner import PlayoutProgram

FIRST_SECONDS, LONG_SECONDS = 0.5, 2.0
"""How long the Python engine plays alone, and the least estimated rest for which other workers are started."""

NO_COMPILER = "llvmlite is not installed: plain Python plays, where machine code would play many times as fast"

LARGEST_CHUNK, LARGEST_NATIVE_CHUNK = 200, {Kind.RANDOM: 2000, Kind.SEARCH: 20, Kind.BEAM: 20}
"""The most games between two checks of the clock and for interrupts."""

PROCESS_MIB = 64
"""The memory of a worker process without the states that its policy keeps."""


@frozen
class Resources:
    """Processors, and MiB of memory for all workers together."""

    workers: int
    memory_mib: int

    @property
    def bytes(self) -> int:
        """Bytes left for states and tables."""
        return max(0, self.memory_mib - OTHERWISE_MIB) << 20

    def workers_of(self, bytes_each: int) -> int:
        """How many workers may play at a time when each takes so many bytes."""
        return min(self.workers, self.bytes // bytes_each)


@frozen
class Simulation:
    """What to play: games of more than `most_moves` moves are cut."""

    seats: Seats
    games: int
    seed: int
    most_moves: int


@define
class Simulator:
    """Plays games of a simulation with the Python engine: from `start`, or from the set-up where that is None."""

    simulation: Simulation
    engine: Engine
    start: State | None

    @property
    def bytes(self) -> int:
        """The most bytes that its policy keeps at a time."""
        policies = self.simulation.seats.all(self.engine.instance.players)
        return room_of(policies, self.engine.unset if self.start is None else self.start)

    @property
    def least_mib(self) -> int:
        """The least memory with which it may play."""
        return OTHERWISE_MIB + -(-self.bytes >> 20)

    def play(self, numbers: range) -> Tally:
        """Play the games of these numbers."""
        tally = Tally()
        for number in numbers:
            self._play(self.seed(number), tally)
        return tally

    def seed(self, number: int) -> int:
        """The seed of a game."""
        return mix(next_seed(mix(self.simulation.seed) + number))

    @cached_property
    def _choose(self) -> Choose:
        return choosing_by_seat(self.simulation.seats, self.engine)

    @cached_property
    def _measures(self) -> tuple[list[Callable[[State], int]], ...]:
        """Each player's own score, and how the game ended for each."""
        found = player_terms(self.engine)
        return tuple([self.engine.compile_value(term) for term in terms] for terms in (found.scores, found.outcomes))

    def _play(self, seed: int, tally: Tally) -> None:
        engine = self.engine
        choose, random = self._choose, seeds(seed)
        state = engine.start(seed) if self.start is None else _reseeded(self.start, seed)
        for length in range(self.simulation.most_moves + 1):
            if engine.over(state):
                own, outcomes = (tuple(function(state) for function in functions) for functions in self._measures)
                tally.finish(engine.score(state), length, own, outcomes)
                return
            moves = engine.legal(state)
            if not moves:
                break
            _, state = choose(state, moves, next(random))
        tally.unfinished += 1


OpenSimulator = Callable[[], Simulator]
"""Makes the simulator anew in a worker process; must be picklable."""


def _reseeded(state: State, seed: int) -> State:
    return (*state[:SEED], seed, *state[SEED + 1 :])


def run_simulation(simulator: Simulator, reopen: OpenSimulator, resources: Resources, remarks: list[str]) -> Iterator[Tally]:
    """Play all games; yields the tally of each chunk, in order. `resources` are at least `least_mib`.

    Remarks for the user on how the games were played are appended to `remarks`.
    """
    began, played, games = time.monotonic(), 0, simulator.simulation.games
    while played < games and (played == 0 or time.monotonic() - began < FIRST_SECONDS):
        yield simulator.play(range(played, played + 1))
        played += 1
    rest = range(played, games)
    if len(rest) * (time.monotonic() - began) < LONG_SECONDS * played:
        yield from map(simulator.play, _chunks(rest, LARGEST_CHUNK, 1))
        return
    compiled = _compiled(simulator, remarks)
    # A thread may have to leave a game to the Python engine.
    if compiled is not None and (workers := resources.workers_of(compiled.room + simulator.bytes)):
        yield from _by_machine_code(compiled, simulator, rest, workers)
    elif (workers := resources.workers_of((PROCESS_MIB << 20) + simulator.bytes)) > 1:
        yield from Processes(workers).in_order(Job(reopen, Simulator.play), _chunks(rest, LARGEST_CHUNK, workers))
    else:
        yield from map(simulator.play, _chunks(rest, LARGEST_CHUNK, 1))


def _compiled(simulator: Simulator, remarks: list[str]) -> PlayoutProgram | None:
    """The playouts in machine code; None where there can be none."""
    simulation = simulator.simulation
    try:
        from rulewright.solver.native.host.playout_runner import PlayoutProgram
        from rulewright.subset.program import as_machine_code_by

        # Compiled by another process, so that an interrupt need not wait for it.
        make = as_machine_code_by(math.inf)
        return PlayoutProgram.of(simulator.engine, simulator.start, simulation.seats, simulation.most_moves, make)
    except CannotCompile:
        return None
    except ImportError:
        remarks.append(NO_COMPILER)
        return None


def _chunks(numbers: range, largest: int, workers: int) -> Iterator[range]:
    size = max(1, min(largest, len(numbers) // (4 * workers)))
    return (numbers[start : start + size] for start in range(0, len(numbers), size))


def _by_machine_code(games: PlayoutProgram, simulator: Simulator, numbers: range, workers: int) -> Iterator[Tally]:
    free = [games.worker() for _ in range(workers)]

    def play(chunk: range) -> Tally:
        worker, tally = free.pop(), Tally()
        try:
            ends = worker.play([simulator.seed(number) for number in chunk])
        finally:
            free.append(worker)
        for number, end in zip(chunk, ends, strict=True):
            if end is None:
                tally.add(simulator.play(range(number, number + 1)))
            elif end.length is None:
                tally.unfinished += 1
            else:
                tally.finish(end.score, end.length, end.own, end.outcomes)
        return tally

    policies = simulator.simulation.seats.all(simulator.engine.instance.players)
    largest = min(LARGEST_NATIVE_CHUNK[policy.kind] for policy in policies)
    yield from map_in_order(ThreadPoolExecutor(workers), play, _chunks(numbers, largest, workers), workers)
