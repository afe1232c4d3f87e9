"""An admissible bound read off the rules: forget who stands where and what it costs, keep what must be covered.

A value that is a sum over cells of a board is bounded from the cautious reading of its condition: a cell counts only when the
cells it needs hold tiles, and every tile still to come covers one. If c is worth w and still lacks m cells, give each of them
w/m; then whatever k tiles complete is worth at most the k largest totals. (Each completed cell is paid for in full.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from attrs import field

from ..grammar.classes import define, frozen
from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.possible import HUGE, Possible
from .candidates import COVERED, Candidate, Reading
from .covering import Open, Opening, may_exceed, places
from .fitting import Fitting, fitting

MOST_CELLS = 4096
"""On a larger board the cells are not read one by one: every tile may be worth the most that any cell can be."""

MOST_KEPT, OVERHEAD = 256 << 20, 300
"""Bytes for what is remembered of bounds, and those of an entry beside its board."""

PATIENCE = 400, 40
"""Branches spent on a refutation: while they tend to succeed, and when they seldom do."""


class Bound(Protocol):
    """What a search may prune by."""

    def bound(self, state: State) -> int:
        """Nothing reached from the state is worth more."""
        ...

    def may_exceed(self, state: State, goal: int) -> bool:
        """Whether something worth more than the goal may be reached; asked when the bound alone does not refute it."""
        ...


@frozen
class FixedBound:
    """A bound by a formula."""

    formula: Callable[[State], int]

    def bound(self, state: State) -> int:
        return self.formula(state)

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.formula(state) > goal


@define
class Luck:
    """How often a refutation was sought and found, for one number of tiles to come."""

    asked: int = 0
    refuted: int = 0

    @property
    def patience(self) -> int:
        """How many branches to spend on the next."""
        return PATIENCE[0] if self.asked < 100 or self.refuted * 8 > self.asked else PATIENCE[1]


@define
class Relaxation:
    """A bound for the states reached from one root: who stands where and what it costs to go is forgotten."""

    column: int
    candidates: tuple[Candidate, ...]
    constant: int
    supplies: tuple[int, ...]
    fitting: Fitting | None
    beside: tuple[frozenset[int], ...]
    _known: dict[tuple[object, ...], int] = field(factory=dict)
    _answered: dict[tuple[object, ...], tuple[int, bool]] = field(factory=dict)
    _luck: dict[int, Luck] = field(factory=dict)
    _ranges: dict[tuple[tuple[int, ...], int], tuple[int, int]] = field(factory=dict)

    def bound(self, state: State) -> int:
        key = self._key(state)
        known = self._known.get(key)
        if known is None:
            known = self.constant + self._opening(key).bound()
            if len(self._known) * (len(state[self.column]) + OVERHEAD) < MOST_KEPT:
                self._known[key] = known
        return known

    def may_exceed(self, state: State, goal: int) -> bool:
        key = self._key(state)
        answered = self._answered.get(key)
        if answered is not None and (answered[0] == goal or (answered[0] < goal and not answered[1])):
            return answered[1]
        if self.bound(state) <= goal:
            return False
        opening = self._opening(key)
        luck = self._luck.setdefault(len(opening.tiles), Luck())
        answer = may_exceed(opening, goal - self.constant, luck.patience)
        luck.asked += 1
        luck.refuted += not answer
        if len(self._answered) * (len(state[self.column]) + OVERHEAD) < MOST_KEPT:
            self._answered[key] = (goal, answer)
        return answer

    def _key(self, state: State) -> tuple[object, ...]:
        coming: list[int] = []
        for at in self.supplies:
            coming += state[at]
        coming.sort()
        return (state[self.column], *coming)

    def _opening(self, key: tuple[Any, ...]) -> Opening:
        board, *coming = key
        sure, number = 0, len(coming)
        kinds = 0
        for kind in coming:
            kinds |= 1 << kind
        occupied = int.from_bytes(board.translate(COVERED), "little")
        vacant = ~occupied
        fits: dict[int, int] = {}
        cells: list[Open] = []
        extras = dict.fromkeys(coming, 0)
        worths = dict.fromkeys(coming, 0)
        for candidate in self.candidates:
            lacks = candidate.needs & vacant
            count = lacks.bit_count()
            if count > number:
                continue
            cell = candidate.cell
            if not count:
                sure += candidate.worth[board[cell]]
                continue
            spare = number - count
            if lacks == candidate.needs and spare < len(candidate.rims) and not occupied & candidate.rims[spare]:
                continue
            for near in places(lacks):
                if near not in fits:
                    fits[near] = kinds if self.fitting is None else kinds & self.fitting.fits(board, near)
                if not fits[near]:
                    break
            else:
                own = not board[cell]
                if own:
                    least, most = self._range(candidate.worth, fits.get(cell, kinds))
                    for kind in worths:
                        worths[kind] = max(worths[kind], candidate.worth[kind])
                        extras[kind] = max(extras[kind], candidate.worth[kind] - least)
                else:
                    least = most = candidate.worth[board[cell]]
                cells.append(Open(lacks, count, least, most, own))
        more = tuple(sorted((extras[kind] for kind in coming), reverse=True))
        best = tuple(sorted((worths[kind] for kind in coming), reverse=True))
        return Opening(sure, tuple(cells), tuple(coming), fits, more, best, self._is_near, self._together)

    def _is_near(self, one: int, other: int) -> bool:
        return self.fitting is not None and other in self.beside[one]

    def _together(self, one: int, other: int) -> dict[int, int]:
        assert self.fitting is not None
        return self.fitting.together(one, other)

    def _range(self, worth: tuple[int, ...], kinds: int) -> tuple[int, int]:
        """The least and the most that a cell is worth with one of the kinds on it."""
        key = (worth, kinds)
        found = self._ranges.get(key)
        if found is None:
            values = [w for kind, w in enumerate(worth) if kinds >> kind & 1]
            found = self._ranges[key] = (min(values), max(values))
        return found


def relax(engine: Engine, analysis: Analysis, values: Iterable[t.Term], root: State) -> Bound | None:
    """A bound on the sum of the values over all states reached from a root; None when none is a sum over a board that grows, or
    another has no bound."""
    sums: list[t.Sum] = []
    boards: set[str] = set()
    constant = 0
    reading = Reading(engine, analysis, root)
    for value in values:
        board = reading.board_of(value)
        if board is not None and isinstance(value, t.Sum):
            sums.append(value)
            boards.add(board)
            continue
        possible = reading.cautious().value(value, {})
        if possible.high >= HUGE // 2:
            return None
        constant += possible.high
    if len(boards) != 1:
        return None
    board = boards.pop()
    if engine.ground.windows[board].size > MOST_CELLS:
        return _loose(reading, sums, board, constant)
    candidates = tuple(candidate for value in sums for candidate in reading.candidates(value, board))
    column = engine.layout.columns[board].start
    window = engine.ground.windows[board]
    beside = tuple(frozenset(step[cell] for step in window.steps) for cell in range(window.size + 1))
    fits = fitting(engine, analysis, board, reading.coming)
    return Relaxation(column, candidates, constant, reading.supplies, fits, beside)


def _loose(reading: Reading, sums: list[t.Sum], board: str, constant: int) -> Bound | None:
    """No cell counts without a tile, and none counts more than the most that any can."""
    engine, cautious = reading.engine, reading.cautious()
    anywhere = Possible(0, engine.ground.windows[board].size - 1)
    if not all(cautious.only_occupied(value.bound) for value in sums):
        return None
    each = sum(max(0, cautious.value(value.value, {value.bound.name: anywhere}).high) for value in sums)
    column, supplies = engine.layout.columns[board].start, reading.supplies

    def bound(state: State) -> int:
        lying = len(state[column]) - state[column].count(0)
        most: int = lying + sum(len(state[at]) for at in supplies)
        return constant + each * most

    return FixedBound(bound)
