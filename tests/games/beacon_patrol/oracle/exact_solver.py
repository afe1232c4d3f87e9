"""An exact solver on the judge's rules, good for about six tiles to come: whole turns, a table and a counting bound.

Three facts make a turn small. A swap may as well come first: the tile given away was not used before it, the tile
received does no harm unused. Which tile pays for a move does not matter while enough unplaced ones are left, so a walk
is bounded by its number of moves. And of two ways to the same tiles, ship and hand the one with fewer moves is as good.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.games.beacon_patrol.oracle.base_game import (
    FACES,
    STEPS,
    Cell,
    State,
    Tiles,
    changed,
    end_turn,
    matches,
    may_place,
    may_travel,
    over,
    score,
    step,
    successor,
)

WHOLE = 60  # divides by every number of vacant cells


def solve(state: State) -> int:
    """The highest score at the end of the game: what `best_score` counts out, found sooner."""
    search = Search()
    search.descend(state)
    return search.best


@dataclass
class Search:
    best: int = 0
    seen: set[tuple[object, ...]] = field(default_factory=set)
    bounds: dict[tuple[object, ...], int] = field(default_factory=dict)

    def descend(self, state: State) -> None:
        """Improves `best` by what can be reached from the start of this turn."""
        self.best = max(self.best, score(state))
        if over(state):
            return
        ends = {}
        for start in swaps(state):
            for end in self.turn_ends(start):
                ends[table_key(end)] = end
        ranked = sorted(((self.bound(end), key) for key, end in ends.items()), key=lambda entry: -entry[0])
        for most, key in ranked:
            if most <= self.best:
                return
            if key not in self.seen:
                self.seen.add(key)
                self.descend(ends[key])

    def turn_ends(self, start: State) -> Iterator[State]:
        """The positions after every turn that goes on from here without a swap, but for the hopeless ones."""
        me = start.player - 1
        seen = set()
        today, made = [start], 0  # the positions after so many moves, reached with no fewer
        while today:
            tomorrow = []
            while today:
                here = today.pop()
                key = (frozenset(here.board.items()), here.ships[me], here.hands[me])
                if key in seen or self.bound(here) <= self.best:
                    continue
                seen.add(key)
                yield end_turn(here)
                if made == here.tokens[me] + len(here.hands[me]):
                    continue  # every token and every tile left goes into the moves made
                tomorrow += [travelled(here, direction) for direction in STEPS if may_travel(here, direction)]
                for kind in set(here.hands[me]):
                    if here.players == 1 and here.dealt[me]:
                        yield successor(here, f"keep {kind}")
                    for direction in STEPS:
                        if may_place(here, kind, step(here.ships[me], direction)):
                            today.append(successor(here, f"place {kind} {direction}"))
            today, made = tomorrow, made + 1

    def bound(self, state: State) -> int:
        coming = tuple(sorted([*state.draw, *(kind for hand in state.hands for kind in hand)]))
        key = (frozenset(state.board.items()), coming)
        if key not in self.bounds:
            self.bounds[key] = bound(state, coming)
        return self.bounds[key]


def table_key(state: State) -> tuple[object, ...]:
    return replace(state, discarded=()).key()


def swaps(state: State) -> Iterator[State]:
    """The position itself, and after each swap."""
    yield state
    if state.swapped:
        return
    me = state.player - 1
    for other in range(1, state.players + 1):
        if other != state.player:
            for mine in set(state.hands[me]):
                for theirs in set(state.hands[other - 1]) - {mine}:
                    yield successor(state, f"swap {mine} for {theirs} of {other}")


def travelled(state: State, direction: str) -> State:
    """A move that is paid for later."""
    me = state.player - 1
    return replace(state, ships=changed(state.ships, me, step(state.ships[me], direction)))


def bound(state: State, coming: Tiles) -> int:
    """Never below the best score from here: any tile may go to any vacant cell whose edges it fits.

    A cell becomes explored when it and its four neighbours are filled, so its points are shared out among those that
    are still vacant; with n tiles to come no more is won than the n largest sums of shares.
    """
    cells = set(state.board)
    for _ in range(1 if len(coming) < 5 else len(coming)):  # five tiles could explore a cell away from the board
        cells |= {step(cell, direction) for cell in cells for direction in STEPS}
    fitting: dict[Cell, set[str]] = {}
    shares: dict[Cell, int] = {}
    for cell in cells:
        vacant = [near for near in around(cell) if near not in state.board]
        if not 1 <= len(vacant) <= len(coming):
            continue
        for near in vacant:
            if near not in fitting:
                fitting[near] = {kind for kind in set(coming) if matches(state.board, kind, near)}
        if all(fitting[near] for near in vacant):
            points = max(FACES[kind].points for kind in fitting.get(cell, [state.board.get(cell)]))
            for near in vacant:
                shares[near] = shares.get(near, 0) + WHOLE * points // len(vacant)
    return score(state) + sum(sorted(shares.values(), reverse=True)[: len(coming)]) // WHOLE


def around(cell: Cell) -> list[Cell]:
    return [cell, *(step(cell, direction) for direction in STEPS)]
