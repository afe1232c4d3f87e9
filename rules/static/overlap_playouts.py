"""Witnesses of overlapping exceptions, found by random playouts within limits of positions and time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from rulewright.base.deadline import LATE, TimeUp, deadline
from rulewright.base.records import define, field
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import STOP, Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.play_errors import PlayError

from .exception_overlap import CandidateOverlap, OverlapWitness

MOST_POSITIONS = 4_000
"""Most positions for each number of players."""

LONGEST = 400
"""Most actions of one game."""

SECONDS = 1.0
"""Time for all numbers of players together."""

STOPPING = 0.2
"""The probability that a player of a random game stops where it is allowed."""


def random_move(moves: Sequence[Move], rng: random.Random) -> Move:
    """One of the legal moves; players seldom stop."""
    others = [move for move in moves if move != STOP]
    return STOP if not others or (len(others) < len(moves) and rng.random() < STOPPING) else rng.choice(others)


def search_by_playouts(game: Game, suspects: Sequence[CandidateOverlap]) -> Iterator[OverlapWitness]:
    """The first witness that playouts find for each candidate."""
    until = time.monotonic() + SECONDS
    open_ones, found = list(suspects), list[OverlapWitness]()
    with suppress(TimeUp), deadline(SECONDS + LATE):
        for players in range(game.players.low, game.players.high + 1):
            search = _PlayoutSearch(Engine.of(game, players), open_ones, until)
            for seed in range(MOST_POSITIONS):
                found += search.game(seed)
                if not open_ones or search.is_spent:
                    break
    yield from found


@define
class _PlayoutSearch:
    """Playouts for one number of players. `open_ones` are the candidates still without a witness."""

    engine: Engine
    open_ones: list[CandidateOverlap]
    until: float
    positions: int = field(default=0, init=False)

    @property
    def is_spent(self) -> bool:
        return self.positions >= MOST_POSITIONS or time.monotonic() > self.until

    def game(self, seed: int) -> Iterator[OverlapWitness]:
        """The witnesses of one game, which ends where the rules fail."""
        engine, rng = self.engine, random.Random(seed)
        state: State = engine.unset
        try:
            state = engine.start(seed)
            for _ in range(LONGEST):
                self.positions += 1
                try:
                    engine.score(state)
                except PlayError as error:
                    yield from self._clash(error, state)
                moves = engine.legal(state)
                if not moves or self.is_spent:
                    return
                state = engine.apply(state, random_move(moves, rng))
        except PlayError as error:
            yield from self._clash(error, state)

    def _clash(self, error: PlayError, state: State) -> Iterator[OverlapWitness]:
        for suspect in tuple(self.open_ones):
            if _is_of(error, suspect):
                self.open_ones.remove(suspect)
                yield OverlapWitness(suspect, self.engine, state)


def shows(engine: Engine, state: State, suspect: CandidateOverlap) -> bool:
    """Whether two exceptions apply at once when a position is scored, its moves are listed or one of them is made."""
    calls: list[Callable[[], object]] = [partial(engine.score, state)]
    try:
        calls += [partial(engine.apply, state, move) for move in engine.legal(state)]
    except PlayError as error:
        return _is_of(error, suspect)
    for call in calls:
        try:
            call()
        except PlayError as error:
            if _is_of(error, suspect):
                return True
    return False


def _is_of(error: PlayError, suspect: CandidateOverlap) -> bool:
    return {label.span for label in error.diagnostics[0].labels} == {suspect.one.span, suspect.other.span}
