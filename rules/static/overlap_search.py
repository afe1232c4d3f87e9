"""Positions where two exceptions apply at once, found in play: in random games, or depth first in all that play can come to."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from rulewright.base.deadline import TimeUp, check_deadline, deadline, seconds_left
from rulewright.base.records import define, field
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import SEED, STOP, Move, State, reseeded
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.play_errors import PlayError

from .exception_overlap import CandidateOverlap, OverlapWitness

Given = TypeVar("Given")

MOST_POSITIONS = 4_000
"""Most positions of random games for each number of players."""

LONGEST = 400
"""Most actions of one game."""

SECONDS, SEARCH_SECONDS = 1.0, 6.0
"""Most seconds for the random games, and for the search, with all numbers of players together."""

RESTART_SECONDS = 0.1
"""Time for a search from a position of a random game. Measured on a game of tiles with two overlaps, 6 s: with 0.02 s and with
0.1 s one is found, with 0.5 s none."""

STOPPING = 0.2
"""By definition of a random game: the probability that a player stops where it is allowed."""


def random_move(moves: Sequence[Move], rng: random.Random) -> Move:
    """One of the legal moves; players seldom stop."""
    others = [move for move in moves if move != STOP]
    return STOP if not others or (len(others) < len(moves) and rng.random() < STOPPING) else rng.choice(others)


def search_by_playouts(game: Game, suspects: Sequence[CandidateOverlap]) -> Iterator[OverlapWitness]:
    """The first witness that random games find for each candidate."""
    open_ones, found = list(suspects), list[OverlapWitness]()
    with suppress(TimeUp), deadline(SECONDS):
        for players in range(game.players.low, game.players.high + 1):
            play, positions = _Play(Engine.of(game, players), open_ones, found), 0
            for seed in range(MOST_POSITIONS):
                positions += len(play.game(seed))
                if not open_ones or positions >= MOST_POSITIONS:
                    break
    yield from found


def search_by_states(game: Game, suspects: Sequence[CandidateOverlap]) -> Iterator[OverlapWitness]:
    """The first witness that depth-first searches find for each candidate: from the set-up for half of the time, then from
    positions late in random games."""
    open_ones, found = list(suspects), list[OverlapWitness]()
    with suppress(TimeUp), deadline(SEARCH_SECONDS):
        plays = [_Play(Engine.of(game, number), open_ones, found) for number in range(game.players.low, game.players.high + 1)]
        seed = 0
        while plays and open_ones:
            seconds = RESTART_SECONDS if seed else seconds_left() / 2 / len(plays)
            plays = [play for play in plays if not play.is_exhausted(seed, time.monotonic() + seconds)]
            seed += 1
    yield from found


@define
class _Play:
    """Play with one number of players. `open_ones` are the candidates still without a witness; the witnesses go to `found`."""

    engine: Engine
    open_ones: list[CandidateOverlap]
    found: list[OverlapWitness]
    _has_drawn: bool = field(default=False, init=False)
    """Whether chance was drawn, so that another seed may lead elsewhere."""

    def game(self, seed: int) -> list[State]:
        """The positions of a random game, which ends where the rules fail."""
        rng, states = random.Random(seed), list[State]()
        state = self._given(self.engine.unset, partial(self.engine.start, seed))
        while state is not None and len(states) < LONGEST:
            states.append(state)
            moves = self._moves(state)
            state = self._after(state, random_move(moves, rng)) if moves else None
        return states

    def is_exhausted(self, seed: int, until: float) -> bool:
        """Search from the set-up (seed 0), or from the last quarter of a random game, until `time.monotonic()` is `until`;
        whether there is nothing left to look at, with any seed."""
        states = self.game(seed)
        begin = len(states) * 3 // 4 if seed else 0
        pending, met = states[begin : begin + 1], set[State]()
        while pending and self.open_ones and time.monotonic() < until:
            state = pending.pop()
            for move in self._moves(state):
                after = self._after(state, move)
                if after is not None and (known := reseeded(after, 0)) not in met:
                    met.add(known)
                    pending.append(after)
        return seed == 0 and not pending and not self._has_drawn

    def _moves(self, state: State) -> Sequence[Move]:
        """The legal moves of a state, whose score is counted as well; none if the rules fail."""
        check_deadline()
        self._given(state, partial(self.engine.score, state))
        return self._given(state, partial(self.engine.legal, state)) or ()

    def _after(self, state: State, move: Move) -> State | None:
        after = self._given(state, partial(self.engine.apply, state, move))
        self._has_drawn |= after is not None and after[SEED] != state[SEED]
        return after

    def _given(self, state: State, call: Callable[[], Given]) -> Given | None:
        """What a call returns; None if the rules fail, which may be a witness in that state."""
        try:
            return call()
        except PlayError as error:
            spans = {label.span for label in error.diagnostics[0].labels}
            for suspect in tuple(self.open_ones):
                if spans == {suspect.one.span, suspect.other.span}:
                    self.open_ones.remove(suspect)
                    self.found.append(OverlapWitness(suspect, self.engine, state))
            return None
