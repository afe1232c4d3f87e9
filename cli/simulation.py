"""Many games played out by a policy, the same for the same seed, whoever plays them.

The plain reading begins. When that would take long it is helped: by machine code, on as many threads as are allowed, or by
processes where there is none. Memory decides how many help, and never what is played.
"""

from __future__ import annotations

import math
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from ..grammar.classes import define, frozen
from ..rules.chance import mix, next_seed
from ..rules.engine import Engine, State
from ..rules.layout import SEED
from ..rules.native.text import CannotCompile
from ..solver.limits import OTHERWISE_MIB
from ..solver.policies import Kind, Policy, choosing, room_of, seeds
from .refusals import USAGE, refusal
from .tally import Tally

if TYPE_CHECKING:
    from ..solver.native.games import Games

ALONE, LONG = 0.5, 2.0
"""Seconds that the plain reading plays alone, and those that must be left for it to be helped."""

NO_COMPILER = 'the plain reading plays alone: `pip install "rulewright[fast]"` would play many times as fast'

LARGEST_CHUNK, LARGEST_NATIVE = 200, {Kind.RANDOM: 2000, Kind.SEARCH: 20, Kind.BEAM: 20}
"""Games played without a look at anything else."""

PROCESS_MIB = 64
"""What a process that helps needs beside what it chooses by."""

AHEAD = 4
"""Stretches of games, for each that plays, that have been played or are waiting to be while an earlier one is not done."""


@frozen
class Means:
    """What may be used: processors, and MiB of memory by all that play together."""

    workers: int
    memory_mib: int

    @property
    def room(self) -> int:
        """How many bytes there are for states and tables."""
        return max(0, self.memory_mib - OTHERWISE_MIB) << 20

    def players(self, each: int) -> int:
        """How many may play at once when each takes so many bytes."""
        return min(self.workers, self.room // each)


@frozen
class Series:
    """What to play: `longest` is the most actions of a game."""

    policy: Policy
    games: int
    seed: int
    longest: int


@frozen
class Table:
    """Where to play: a name that a session understands, and how many players."""

    name: str
    players: int | None


@define
class Player:
    """Plays games of a series from one opening. Game number n is the same whoever plays it, and when."""

    series: Series
    engine: Engine
    opening: State | None

    @property
    def room(self) -> int:
        """How many bytes it takes at most to choose."""
        return room_of(self.series.policy, self.engine.unset if self.opening is None else self.opening)

    def play(self, numbers: range) -> Tally:
        """Play the games of these numbers."""
        tally = Tally()
        for number in numbers:
            self._play(self.seed(number), tally)
        return tally

    def seed(self, number: int) -> int:
        """The seed of a game."""
        return mix(next_seed(mix(self.series.seed) + number))

    def _play(self, seed: int, tally: Tally) -> None:
        engine = self.engine
        choose = choosing(self.series.policy, engine)
        chance = seeds(seed)
        state = engine.start(seed) if self.opening is None else _reseeded(self.opening, seed)
        for length in range(self.series.longest + 1):
            if engine.over(state):
                tally.scores[engine.score(state)] += 1
                tally.lengths[length] += 1
                return
            moves = engine.legal(state)
            if not moves:
                break
            _, state = choose(state, moves, chance())
        tally.unfinished += 1


def _reseeded(state: State, seed: int) -> State:
    return (*state[:SEED], seed, *state[SEED + 1 :])


def tallies(series: Series, table: Table, means: Means, player: Player, remarks: list[str]) -> Iterator[Tally]:
    """Play all the games; yields what each stretch of them came to. What is to be said about it is added to `remarks`.

    Raises `RulesError` when the policy needs more memory than there is.
    """
    if player.room > means.room:
        least = OTHERWISE_MIB + -(-player.room >> 20)
        message = f"{series.policy.name} takes up to {least} MiB in this game, and {means.memory_mib} are allowed"
        raise refusal(USAGE, message, f"allow more, `--memory {least}`, or look at less")
    began, played = time.monotonic(), 0
    while played < series.games and (played == 0 or time.monotonic() - began < ALONE):
        yield player.play(range(played, played + 1))
        played += 1
    rest = range(played, series.games)
    if len(rest) * (time.monotonic() - began) < LONG * played:
        yield from map(player.play, _chunks(rest, LARGEST_CHUNK, 1))
        return
    games = _compiled(player, remarks)
    # Each may have to leave a game to the plain reading.
    if games is not None and (workers := means.players(games.room + player.room)):
        yield from _by_machine_code(games, player, rest, workers)
    elif (workers := means.players((PROCESS_MIB << 20) + player.room)) > 1:
        yield from _by_processes(series, table, workers, rest)
    else:
        yield from map(player.play, _chunks(rest, LARGEST_CHUNK, 1))


def _compiled(player: Player, remarks: list[str]) -> Games | None:
    """The games in machine code; None where there can be none."""
    series = player.series
    try:
        from ..rules.native.program import as_machine_code_by
        from ..solver.native.games import Games

        # Compiled by another process, so that an interrupt need not wait for it.
        return Games.of(player.engine, player.opening, series.policy, series.longest, as_machine_code_by(math.inf))
    except CannotCompile:
        return None
    except ImportError:
        remarks.append(NO_COMPILER)
        return None


def _chunks(numbers: range, largest: int, workers: int) -> Iterator[range]:
    size = max(1, min(largest, len(numbers) // (4 * workers)))
    return (numbers[at : at + size] for at in range(0, len(numbers), size))


def _in_turn(pool: Executor, play: Callable[[range], Tally], chunks: Iterator[range], workers: int) -> Iterator[Tally]:
    """What each chunk came to, in order; however many there are, only a few are handed over at a time."""
    waiting = deque(pool.submit(play, chunk) for chunk in islice(chunks, AHEAD * workers))
    while waiting:
        tally = waiting.popleft().result()
        waiting.extend(pool.submit(play, chunk) for chunk in islice(chunks, 1))
        yield tally


def _by_machine_code(games: Games, player: Player, numbers: range, workers: int) -> Iterator[Tally]:
    hands = [games.hand() for _ in range(workers)]
    pool = ThreadPoolExecutor(workers)

    def play(chunk: range) -> Tally:
        hand, tally = hands.pop(), Tally()
        try:
            ends = hand.play([player.seed(number) for number in chunk])
        finally:
            hands.append(hand)
        for number, end in zip(chunk, ends, strict=True):
            if end is None:
                tally.add(player.play(range(number, number + 1)))
            elif end.length is None:
                tally.unfinished += 1
            else:
                tally.scores[end.score] += 1
                tally.lengths[end.length] += 1
        return tally

    try:
        yield from _in_turn(pool, play, _chunks(numbers, LARGEST_NATIVE[player.series.policy.kind], workers), workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _by_processes(series: Series, table: Table, workers: int, numbers: range) -> Iterator[Tally]:
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _sit_down, (series, table))
    try:
        yield from _in_turn(pool, _play_chunk, _chunks(numbers, LARGEST_CHUNK, workers), workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_seated: list[Player] = []
"""The player of a worker process."""


def _sit_down(series: Series, table: Table) -> None:
    from .session import Session

    # The parent stops the work when the user interrupts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    opening = Session(table.name).opening(table.players, series.seed)
    _seated[:] = [Player(series, opening.engine, opening.state if opening.position else None)]


def _play_chunk(numbers: range) -> Tally:
    return _seated[0].play(numbers)
