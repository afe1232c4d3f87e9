"""Generates positions for puzzles: games are played by seed, by several policies, and cut before their end.

Attempt n of a seed is a function of both: every worker gets the same position.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from itertools import pairwise

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, frozen
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import COUNTED, FOREVER, Horizon, reseeded
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.rng import mix, next_seed
from rulewright.rules.static.dataflow import feeding_zones
from rulewright.solver.playouts.policies import GREEDY, RANDOM, Kind, Policy, choosing

from .commission import Interval
from .solution import BLUNDERS

BOARD = Interval(3, 14)
"""The number of tiles laid before a position cut from a game of tiles."""

LONGEST_WALK = 60
"""The maximum number of moves before a position of a game without tiles to come."""

GAMES_FOR_AN_END = 4
"""By definition of a rich end: the number of games of which the one with the richest is cut."""

LONGEST_MUSTER = 20
"""The maximum number of moves until the piles of a game are set up."""

LAST_TURNS = 10
"""The maximum number of turns cut off the end of a game without tiles to come."""

MOST_EXCHANGES = 10_000
"""The maximum number of exchanges tried to reach the goal."""

DETOUR = 3
"""The maximum number of moves away from a solution, before a position beside it."""

LONGEST_GAME = 2000
"""In moves: longer games are abandoned."""


class Source(Enum):
    """The ways to generate a position."""

    RANDOM = "random play"
    SENSIBLE = "sensible play"
    BEAM = "play by beams"
    RICH_END = "back from a rich end"
    SCRAMBLED = "pieces exchanged"


MOST_TRIED = 4
"""The maximum number of positions of one game, each nearer to the end, tried until one is proved in time."""


@frozen
class Candidate:
    """Positions at the beginning of a turn, without the random state. The first one proved in time is used; each is nearer
    to the end of the same game."""

    source: Source
    states: tuple[State, ...]


Solve = Callable[[State], Sequence[State]]
"""Maps a state to the states of a solution, itself first; empty if no solution is known."""


@define(eq=False)
class CandidateSource:
    """Generates positions of a game; from `start`, or from a random set-up if that is None. The engine counts turns.

    If the question is for a shortest plan, `solve` gives the states of one, whose end is the rich end, and `reached` tests for
    the goal. `mover` is the player to move in a position, if that matters.
    """

    engine: Engine
    start: State | None
    tiles: Interval | None
    moves: Interval | None = None
    solve: Solve | None = None
    reached: Callable[[State], object] | None = None
    mover: int | None = None

    def candidate(self, seed: int, number: int) -> Candidate | None:
        """The position of an attempt; None if its game leaves none."""
        chance = random.Random(mix(next_seed(mix(seed)) + number))
        source = self._sources[number % len(self._sources)]
        try:
            if source is Source.SCRAMBLED:
                states = self._scrambled(chance)
            elif source is Source.RICH_END and self.solve is not None:
                states = self._beside_solution(self.solve, chance)
            else:
                states = self._cut(source, chance)
        except RulesError:  # the rules stop the game with an error
            return None
        return Candidate(source, tuple(reseeded(state, 0) for state in states)) if states else None

    def tiles_to_come(self, state: State) -> int:
        """The number of tiles that may still be laid."""
        return sum(len(state[slot]) for slot in self._supplies)

    @cached_property
    def _sources(self) -> tuple[Source, ...]:
        """The ways in rotation; for a shortest plan mostly those from its end, and only those if play starts too far from
        there."""
        if self._goal is not None:
            return (Source.RICH_END,)
        played = [Source.RANDOM, Source.SENSIBLE]
        if self.mover is None:  # opponents do not aim at a rich end for all
            played += [Source.BEAM, Source.RICH_END]
        if self.solve is not None:
            played = [Source.RICH_END, Source.RICH_END, Source.RANDOM, Source.RICH_END]
        return (*played, Source.SCRAMBLED) if self._exchangeable else tuple(played)

    # Play ------------------------------------------------------------------------------------------

    def _cut(self, source: Source, chance: random.Random) -> list[State]:
        """States at the beginning of turns of a game, each nearer to its end; empty if the game has none."""
        coming = None if self.tiles is None else chance.randint(self.tiles.low, self.tiles.high)
        games = GAMES_FOR_AN_END if source is Source.RICH_END else 1
        longest = LONGEST_WALK if coming is None else LONGEST_GAME
        tried = [list(self._game(self._begun(chance, coming), source, chance, longest)) for _ in range(games)]
        played = max(tried, key=lambda states: self.engine.score(states[-1]))
        turns = self._beginnings(played)
        if self.tiles is None:
            if self.engine.over(played[-1]):
                return _nearer(turns[-chance.randint(1, min(len(turns), LAST_TURNS)) :]) if turns else []
            return [chance.choice(turns)] if turns else []
        fitting = [state for state in turns if self.tiles_to_come(state) <= (coming or 0)]
        return _nearer([state for state in fitting if self.tiles_to_come(state) in self.tiles])

    def _beside_solution(self, solve: Solve, chance: random.Random) -> list[State]:
        """A state on a solution or beside it, some moves before the end, and states nearer to that end."""
        if self._goal is not None:
            start, walked = self._goal, chance.randint(1, LONGEST_WALK)
            played = list(self._game(start, Source.RANDOM, chance, walked))
            return _nearer([state for state in reversed(played[1:]) if not self.engine.over(state)])
        start = list(self._game(self._begun(chance, None), Source.RANDOM, chance, chance.randint(0, LAST_TURNS)))[-1]
        solution = solve(start)
        if len(solution) < 2:
            return []
        most = len(solution) - 1
        low, high = (1, most) if self.moves is None else (min(self.moves.low, most), min(self.moves.high, most))
        at = most - chance.randint(low, high)
        beside = list(self._game(solution[at], Source.RANDOM, chance, chance.randint(0, DETOUR)))[-1]
        return [] if self.engine.over(beside) else _nearer([beside, *solution[at + 1 : most - low + 1]])

    @cached_property
    def _goal(self) -> State | None:
        """A goal state, reached by exchanging pieces, if no plan leads to one from where play starts.

        Play continues from there as if the goal had not been reached: to positions near it, if moves can be undone.
        """
        if self.solve is None or self.reached is None or not self._exchangeable:
            return None
        chance = random.Random(0)
        start = self._begun(chance, None)
        return None if len(self.solve(start)) > 1 else self._climbed(start, self.reached, chance)

    def _begun(self, chance: random.Random, coming: int | None) -> State:
        """A state from which a game is played; only as many tiles remain as make a small board before the cut."""
        seed = chance.getrandbits(64)
        state = self.engine.start(seed) if self.start is None else reseeded(self.start, seed)
        if coming is None:
            return state
        most = coming + chance.randint(BOARD.low, BOARD.high)
        for _ in range(LONGEST_MUSTER):  # choices before the piles are set up
            moves = [] if any(state[slot] for slot in self._piles) else self.engine.legal(state)
            if not moves:
                break
            state = self.engine.apply(state, chance.choice(moves))
        cells = list(state)
        for slot in reversed(self._piles):
            surplus = self.tiles_to_come(tuple(cells)) - most
            if surplus > 0:
                cells[slot] = cells[slot][: max(0, len(cells[slot]) - surplus)]
        return tuple(cells)

    def _game(self, state: State, source: Source, chance: random.Random, longest: int) -> Iterator[State]:
        """The states of a game, or of its first moves."""
        engine = self.engine
        choose = self._policies[source]
        yield state
        for _ in range(longest):
            moves = engine.legal(state)
            if not moves:
                return
            blunder = source is Source.SENSIBLE and chance.random() < BLUNDERS
            _, state = (self._policies[Source.RANDOM] if blunder else choose)(state, moves, chance.getrandbits(64))
            yield state

    @cached_property
    def _policies(self) -> dict[Source, Callable[[State, list[tuple[int, ...]], int], tuple[tuple[int, ...], State]]]:
        beam = Policy(Kind.BEAM, 8)
        kinds = {Source.RANDOM: RANDOM, Source.SENSIBLE: GREEDY, Source.BEAM: beam, Source.RICH_END: GREEDY}
        return {source: choosing(policy, self.engine) for source, policy in kinds.items()}

    def _beginnings(self, played: list[State]) -> list[State]:
        """The states of a game at which a turn of the mover begins: where the count of turns or the player to move changes.

        If the flow names no turns, each choice is one.
        """
        engine = self.engine
        found = [played[0]] if self.mover in (None, engine.player(played[0])) else []
        for before, state in pairwise(played):
            if self.mover not in (None, engine.player(state)) or not engine.legal(state):
                continue
            counts = engine.horizon is None or before[COUNTED] != state[COUNTED]
            if counts or engine.player(before) != engine.player(state):
                found.append(state)
        return found

    @cached_property
    def _supplies(self) -> tuple[int, ...]:
        """The slots of the zones that tiles are laid from, directly or through others."""
        feeding = feeding_zones(self.engine.game)
        columns = [column for name, column in self.engine.layout.columns.items() if name in feeding]
        return tuple(slot for column in columns for slot in range(column.start, column.start + column.count))

    @cached_property
    def _piles(self) -> tuple[int, ...]:
        """The slots among them that are piles."""
        columns = self.engine.layout.columns.values()
        piles = [column for column in columns if column.variable.storage is Storage.PILE]
        slots = {slot for column in piles for slot in range(column.start, column.start + column.count)}
        return tuple(slot for slot in self._supplies if slot in slots)

    # Exchange --------------------------------------------------------------------------------------

    @cached_property
    def _exchangeable(self) -> tuple[int, ...]:
        """The boards whose cells may be exchanged: those of bounded spaces."""
        windows = self.engine.instance.windows
        boards = [column for column in self.engine.layout.columns.values() if column.variable.is_board]
        return tuple(column.start for column in boards if not windows[column.variable.name].unbounded)

    def _scrambled(self, chance: random.Random) -> list[State]:
        """The start with the contents of a few pairs of cells of a board exchanged; its validity is not checked."""
        state = found = self._begun(chance, None)
        board = chance.choice(self._exchangeable)
        for _ in range(chance.randint(1, max(1, len(state[board]) // 4))):
            found = _exchanged(found, board, chance)
        return [] if found == state or not self.engine.legal(found) else [found]

    def _climbed(self, state: State, reached: Callable[[State], object], chance: random.Random) -> State | None:
        """A goal state reached by exchanges that never lower the score; None if that leads nowhere."""
        for _ in range(MOST_EXCHANGES):
            if reached(state):
                return state
            other = _exchanged(state, chance.choice(self._exchangeable), chance)
            if self.engine.score(other) >= self.engine.score(state):
                state = other
        return None


def _exchanged(state: State, board: int, chance: random.Random) -> State:
    """A state with the contents of two cells of a board exchanged; its last cell is `nowhere`."""
    kinds = list(state[board])
    one, other = chance.randrange(len(kinds) - 1), chance.randrange(len(kinds) - 1)
    kinds[one], kinds[other] = kinds[other], kinds[one]
    column = bytes(kinds) if isinstance(state[board], bytes) else tuple(kinds)
    return (*state[:board], column, *state[board + 1 :])


def _nearer(states: Sequence[State]) -> list[State]:
    """A few of the states of a game: the first, and others, each half as far from the last."""
    found, at = list[State](), 0
    while at < len(states) and len(found) < MOST_TRIED:
        found.append(states[at])
        at = max(at + 1, (at + len(states)) // 2)
    return found


def turns_counted(engine: Engine, start: State) -> Engine:
    """An engine that counts turns: exits from the point of the flow that contains most choices of a random game."""
    chance, state = random.Random(0), start
    points: Counter[str] = Counter()
    for _ in range(LONGEST_WALK):
        choice, moves = engine.choice(state), engine.legal(state)
        if choice is None or not moves:
            break
        points.update(choice.points[-1:])
        state = engine.apply(state, chance.choice(moves))
    return engine.with_horizon(Horizon(points.most_common(1)[0][0], FOREVER)) if points else engine
