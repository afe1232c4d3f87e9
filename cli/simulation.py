"""Many games played out by a policy, in one process or several, the same for the same seed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from attrs import define, frozen

from ..rules.chance import mix, next_seed
from ..rules.engine import Engine, State
from ..rules.layout import SEED
from .policies import POLICIES, seeds
from .tally import Tally

LARGEST_CHUNK = 200


@frozen
class Series:
    """What to play: `policy` is a name of `POLICIES`, `longest` the most actions of a game."""

    policy: str
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

    def play(self, numbers: range) -> Tally:
        """Play the games of these numbers."""
        tally = Tally()
        for number in numbers:
            self._play(mix(next_seed(mix(self.series.seed) + number)), tally)
        return tally

    def _play(self, seed: int, tally: Tally) -> None:
        engine = self.engine
        choose = POLICIES[self.series.policy](engine)
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


def tallies(series: Series, table: Table, workers: int, player: Player) -> Iterator[Tally]:
    """Play all the games; yields what each stretch of them came to."""
    size = max(1, min(LARGEST_CHUNK, series.games // (4 * workers)))
    chunks = [range(start, min(start + size, series.games)) for start in range(0, series.games, size)]
    if workers == 1:
        yield from map(player.play, chunks)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _sit_down, (series, table))
    try:
        yield from pool.map(_play_chunk, chunks)
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
