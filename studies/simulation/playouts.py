"""Reproducible playouts by policies: game n of a seed does not depend on the engine or worker that plays it.

The Python engine starts. If the rest would take long, it goes to machine code on as many threads as allowed, to further
processes if there is no compiler, or to the workers of a cluster. Memory limits the number of parallel workers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING

from rulewright.base.records import define, field, frozen
from rulewright.base.thread_pool import map_in_order
from rulewright.puzzles.checks import hidden_variables
from rulewright.rules.model.state import reseeded
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import player_terms
from rulewright.rules.semantics.rng import mix, next_seed
from rulewright.solver.playouts.policies import Choose, Kind, Policy, Seats, choosing_by_seat, room_of, seeds
from rulewright.solver.result import OTHERWISE_MIB
from rulewright.subset.refusal import CannotCompile
from rulewright.workers.executor import Executor, HardLimits, Job
from rulewright.workers.processes import Processes

from .score_statistics import Tally

if TYPE_CHECKING:
    from rulewright.solver.playouts.runner import PlayoutProgram

FIRST_SECONDS, LONG_SECONDS = 0.5, 2.0
"""In seconds: how long the Python engine plays alone, and the least estimated remaining time that starts other workers."""

NO_COMPILER = "llvmlite is not installed, so games run in plain Python, many times slower than machine code"

LARGEST_CHUNK, LARGEST_NATIVE_CHUNK = 200, {Kind.RANDOM: 2000, Kind.SEARCH: 20, Kind.PARANOID: 20, Kind.BEAM: 20}
"""The maximum number of games between two checks of the clock and for interrupts."""

CLUSTER_CHUNK = 500
"""The maximum number of games in one task of a cluster."""

BESIDES_MIB = 512
"""Most memory, in MiB, of a cluster worker besides its games, for code and compilation; then it is killed."""

PROCESS_MIB = 64
"""In MiB: the memory of a worker process without the states of its policy."""


@frozen
class Resources:
    """Processors, and MiB of memory for all workers together; with a `cluster`, on each of its workers. A context manager that
    releases the cluster at the end."""

    workers: int
    memory_mib: int
    cluster: Executor | None = None

    def __enter__(self) -> Resources:
        return self

    def __exit__(self, *_: object) -> None:
        if self.cluster is not None:
            self.cluster.close()

    @property
    def bytes(self) -> int:
        """The bytes left for states and tables."""
        return max(0, self.memory_mib - OTHERWISE_MIB) << 20

    def workers_of(self, bytes_each: int) -> int:
        """The number of workers that fit if each takes `bytes_each` bytes."""
        return min(self.workers, self.bytes // bytes_each)


@frozen
class Simulation:
    """Parameters of a simulation; games of more than `most_moves` moves are cut.

    Policies draw their random choices from the game of the same number, and chance in the game from the one `shift` later.
    """

    seats: Seats
    games: int
    seed: int
    most_moves: int
    shift: int = 0


@frozen
class GameEnd:
    """How a game ended: its length in actions (None: it was cut), the score, each player's own score, and the outcome for
    each."""

    length: int | None
    score: int = 0
    own: tuple[int, ...] = ()
    outcomes: tuple[int, ...] = ()


@define
class Simulator:
    """Plays games of a simulation with the Python engine: from `start`, or from the set-up if that is None."""

    simulation: Simulation
    engine: Engine
    start: State | None

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policy of each player."""
        return self.simulation.seats.all(self.engine.instance.players)

    @property
    def bytes(self) -> int:
        """The most bytes that its policies keep at a time."""
        return room_of(self.policies, self.engine.unset if self.start is None else self.start)

    @property
    def least_mib(self) -> int:
        """In MiB: the least memory it needs to play."""
        return OTHERWISE_MIB + -(-self.bytes >> 20)

    def __reduce__(self) -> tuple[type[Simulator], tuple[Simulation, Engine, State | None]]:
        """Pickle without the players' choice functions."""
        return Simulator, (self.simulation, self.engine, self.start)

    def play(self, numbers: range) -> list[GameEnd]:
        """Play the games of these numbers."""
        return [self._play(number) for number in numbers]

    def seeds(self, number: int) -> tuple[int, int]:
        """The seeds of a game: for chance in the game, and for the random choices of policies."""
        simulation = self.simulation
        return _word(simulation.seed, number + simulation.shift), _word(simulation.seed, number)

    def begin(self, seed: int) -> State:
        """The initial state of a game with this seed."""
        return self.engine.start(seed) if self.start is None else reseeded(self.start, seed)

    @cached_property
    def choose(self) -> Choose:
        """The players' choice functions."""
        return choosing_by_seat(self.simulation.seats, self.engine)

    @cached_property
    def _measures(self) -> tuple[list[Callable[[State], int]], ...]:
        """Each player's own score, and each player's outcome."""
        found = player_terms(self.engine)
        return tuple([self.engine.compile_value(term) for term in terms] for terms in (found.scores, found.outcomes))

    def _play(self, number: int) -> GameEnd:
        engine, choose, (seed, choices) = self.engine, self.choose, self.seeds(number)
        state, random = self.begin(seed), seeds(choices)
        for length in range(self.simulation.most_moves + 1):
            if engine.over(state):
                own, outcomes = (tuple(function(state) for function in functions) for functions in self._measures)
                return GameEnd(length, engine.score(state), own, outcomes)
            moves = engine.legal(state)
            if not moves:
                break
            _, state = choose(state, moves, next(random))
        return GameEnd(None)


def _word(seed: int, number: int) -> int:
    return mix(next_seed(mix(seed) + number))


@define
class Playouts:
    """The games of a simulation, played by the fastest available workers. `resources` are at least the simulator's `least_mib`.

    `remarks` collects remarks for the user on how the games were played.
    """

    simulator: Simulator
    resources: Resources
    remarks: list[str] = field()
    _alone: tuple[int, float] = (0, 0.0)

    @remarks.default
    def _open_cards(self) -> list[str]:
        is_blind = all(policy.is_blind for policy in self.simulator.policies)
        hidden = () if is_blind else hidden_variables(self.simulator.engine)
        seen = ", ".join(f"`{variable.name}`" for variable in hidden)
        return [f"with open cards: players that look ahead see {seen}"] if seen else []

    def games(self, numbers: range) -> Iterator[list[GameEnd]]:
        """The games of these numbers, in order and in chunks."""
        if self.resources.cluster is not None:
            yield from self._elsewhere(self.resources.cluster, numbers)
            return
        at = numbers.start
        while at < numbers.stop and (self._alone[0] == 0 or self._alone[1] < FIRST_SECONDS):
            yield self._by_python(range(at, at + 1))
            at += 1
        rest, (played, seconds) = range(at, numbers.stop), self._alone
        if played and len(rest) * seconds < LONG_SECONDS * played:
            yield from map(self._by_python, _chunks(rest, LARGEST_CHUNK, 1))
            return
        simulator, resources, compiled = self.simulator, self.resources, self._compiled
        # A thread may have to hand a game to the Python engine.
        if compiled is not None and (workers := resources.workers_of(compiled.room + simulator.bytes)):
            yield from _by_machine_code(compiled, simulator, rest, workers)
        elif (workers := resources.workers_of((PROCESS_MIB << 20) + simulator.bytes)) > 1:
            job = Job(partial(Simulator, simulator.simulation, simulator.engine, simulator.start), Simulator.play)
            yield from Processes(workers).in_order(job, _chunks(rest, LARGEST_CHUNK, workers))
        else:
            yield from map(simulator.play, _chunks(rest, LARGEST_CHUNK, 1))

    def all_games(self, numbers: range) -> list[GameEnd]:
        """The games of these numbers, all at once."""
        return list(chain.from_iterable(self.games(numbers)))

    def _by_python(self, numbers: range) -> list[GameEnd]:
        """Games played by the Python engine alone, and timed."""
        began, (played, seconds) = time.monotonic(), self._alone
        found = self.simulator.play(numbers)
        self._alone = played + len(numbers), seconds + time.monotonic() - began
        return found

    def _elsewhere(self, cluster: Executor, numbers: range) -> Iterator[list[GameEnd]]:
        resources = Resources(1, self.resources.memory_mib)
        job = Job(
            partial(Playouts, self.simulator, resources),
            Playouts.all_games,
            limits=HardLimits(memory_mib=resources.memory_mib + BESIDES_MIB),
        )
        return cluster.in_order(job, _chunks(numbers, CLUSTER_CHUNK, cluster.workers))

    @cached_property
    def _compiled(self) -> PlayoutProgram | None:
        """The playouts in machine code; None if they cannot be compiled."""
        simulator, simulation = self.simulator, self.simulator.simulation
        if any(policy.function is not None for policy in simulator.policies):
            return None
        try:
            from rulewright.solver.playouts.runner import PlayoutProgram
            from rulewright.subset.program import as_machine_code_by

            # Another process compiles, so that an interrupt need not wait for it.
            make = as_machine_code_by(math.inf)
            return PlayoutProgram.of(simulator.engine, simulator.start, simulation.seats, simulation.most_moves, make)
        except CannotCompile:
            return None
        except ImportError:
            self.remarks.append(NO_COMPILER)
            return None


def run_simulation(playouts: Playouts) -> Iterator[Tally]:
    """Play all games; yields the tally of each chunk, in order."""
    for ends in playouts.games(range(playouts.simulator.simulation.games)):
        yield tally_of(ends)


def tally_of(ends: Iterable[GameEnd]) -> Tally:
    """The counts of some games."""
    tally = Tally()
    for end in ends:
        if end.length is None:
            tally.unfinished += 1
        else:
            tally.finish(end.score, end.length, end.own, end.outcomes)
    return tally


def _chunks(numbers: range, largest: int, workers: int) -> Iterator[range]:
    size = max(1, min(largest, len(numbers) // (4 * workers)))
    return (numbers[start : start + size] for start in range(0, len(numbers), size))


def _by_machine_code(games: PlayoutProgram, simulator: Simulator, numbers: range, workers: int) -> Iterator[list[GameEnd]]:
    free = [games.worker() for _ in range(workers)]

    def play(chunk: range) -> list[GameEnd]:
        worker = free.pop()
        try:
            found = worker.play(*zip(*map(simulator.seeds, chunk), strict=True))
        finally:
            free.append(worker)
        return [
            simulator.play(range(number, number + 1))[0]
            if end is None
            else GameEnd(end.length, end.score, end.own, end.outcomes)
            for number, end in zip(chunk, found, strict=True)
        ]

    largest = min(LARGEST_NATIVE_CHUNK[policy.kind] for policy in simulator.policies)
    yield from map_in_order(ThreadPoolExecutor(workers), play, _chunks(numbers, largest, workers), workers)
