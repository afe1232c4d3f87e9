"""An admissible bound read off the rules: forget who stands where and what it costs, keep what must be covered.

A value that is a sum over cells of a board is bounded from the cautious reading of its condition: a cell counts only when the
cells it needs hold tiles, and every tile still to come covers one. If c is worth w and still lacks m cells, give each of them
w/m; then whatever k tiles complete is worth at most the k largest totals. (Each completed cell is paid for in full.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from attrs import define, field, frozen

from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator, near_directions
from ..rules.game import Storage
from ..rules.possible import HUGE, Cautious, Possible, exactly
from ..rules.spaces.window import Window
from ..rules.terms import Neighbourhood
from .covering import Open, Opening, may_exceed, places
from .fitting import Fitting, fitting

MOST_CELLS = 4096
"""On a larger board the cells are not read one by one: every tile may be worth the most that any cell can be."""

MOST_KEPT = 1_000_000


@frozen
class Candidate:
    """A cell that may come to count: what must be covered for it (a byte of 1 for each cell), its worth by the tile on it.

    Where tiles are laid beside tiles, `rims[n]` are the cells at most n + 1 steps from what it needs. When it has nothing of that
    yet and no tile lies in `rims[n]`, more than n tiles are spent on the way.
    """

    cell: int
    needs: int
    worth: tuple[int, ...]
    rims: tuple[int, ...] = ()


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
        return 40 if self.asked < 100 or self.refuted * 8 > self.asked else 8


@define
class Relaxation:
    """A bound for the states reached from one root: who stands where and what it costs to go is forgotten."""

    column: int
    candidates: tuple[Candidate, ...]
    constant: int
    supplies: tuple[int, ...]
    fitting: Fitting | None
    _known: dict[tuple[object, ...], int] = field(factory=dict)
    _answered: dict[tuple[object, ...], tuple[int, bool]] = field(factory=dict)
    _luck: dict[int, Luck] = field(factory=dict)
    _ranges: dict[tuple[tuple[int, ...], int], tuple[int, int]] = field(factory=dict)

    def bound(self, state: State) -> int:
        key = self._key(state)
        known = self._known.get(key)
        if known is None:
            known = self.constant + self._opening(key).bound()
            if len(self._known) < MOST_KEPT:
                self._known[key] = known
        return known

    def may_exceed(self, state: State, goal: int) -> bool:
        key = self._key(state)
        answered = self._answered.get(key)
        if answered is not None and (answered[0] == goal or answered[0] < goal and not answered[1]):
            return answered[1]
        if self.bound(state) <= goal:
            return False
        opening = self._opening(key)
        luck = self._luck.setdefault(len(opening.tiles), Luck())
        answer = may_exceed(opening, goal - self.constant, luck.patience)
        luck.asked += 1
        luck.refuted += not answer
        if len(self._answered) < MOST_KEPT:
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
        occupied = int.from_bytes(board.translate(_COVERED), "little")
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
            if lacks == candidate.needs and number - count < len(candidate.rims):
                if not occupied & candidate.rims[number - count]:
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
        return Opening(sure, tuple(cells), tuple(coming), fits, more, best)

    def _range(self, worth: tuple[int, ...], kinds: int) -> tuple[int, int]:
        """The least and the most that a cell is worth with one of the kinds on it."""
        key = (worth, kinds)
        found = self._ranges.get(key)
        if found is None:
            values = [w for kind, w in enumerate(worth) if kinds >> kind & 1]
            found = self._ranges[key] = (min(values), max(values))
        return found


_COVERED = bytes([0] + [1] * 255)


def relax(engine: Engine, analysis: Analysis, values: Iterable[t.Term], root: State) -> Bound | None:
    """A bound on the sum of the values over all states reached from a root; None when the rules give none."""
    sums: list[t.Sum] = []
    constant = 0
    coming = _coming(engine, analysis, root)
    for value in values:
        board = _board_of(engine, analysis, value)
        if board is not None:
            assert isinstance(value, t.Sum)
            sums.append(value)
            continue
        possible = _reader(engine, analysis, root, coming).value(value, {})
        if possible.high >= HUGE // 2:
            return None
        constant += possible.high
    boards = {_board_of(engine, analysis, value) for value in sums}
    if not sums:
        return FixedBound(lambda state: constant)
    if len(boards) > 1:
        return None
    board = next(iter(boards))
    assert board is not None
    column = engine.layout.columns[board].start
    candidates: list[Candidate] = []
    if engine.ground.windows[board].size > MOST_CELLS:
        return _loose(engine, analysis, root, sums, board, coming, constant)
    for value in sums:
        candidates += _candidates(engine, analysis, root, value, board, coming)
    supplies = tuple(_supply_columns(engine, analysis))
    return Relaxation(column, tuple(candidates), constant, supplies, fitting(engine, analysis, board, coming))


def _loose(
    engine: Engine,
    analysis: Analysis,
    root: State,
    sums: list[t.Sum],
    board: str,
    coming: frozenset[int],
    constant: int,
) -> Bound | None:
    """No cell counts without a tile, and none counts more than the most that any can."""
    reader = _reader(engine, analysis, root, coming)
    anywhere = Possible(0, engine.ground.windows[board].size - 1)
    if not all(reader.only_occupied(value.bound) for value in sums):
        return None
    each = sum(max(0, reader.value(value.value, {value.bound.name: anywhere}).high) for value in sums)
    column, supplies = engine.layout.columns[board].start, _supply_columns(engine, analysis)

    def bound(state: State) -> int:
        lying = len(state[column]) - state[column].count(0)
        most: int = lying + sum(len(state[at]) for at in supplies)
        return constant + each * most

    return FixedBound(bound)


def _coming(engine: Engine, analysis: Analysis, root: State) -> frozenset[int]:
    """The kinds of tile that may still be laid."""
    return frozenset(tile for at in _supply_columns(engine, analysis) for tile in root[at])


def _board_of(engine: Engine, analysis: Analysis, value: t.Term) -> str | None:
    """The board over whose cells a value is a sum, when tiles are only ever laid on it."""
    if isinstance(value, t.Sum) and isinstance(value.bound.domain, t.Cells) and value.bound.where is not None:
        board = value.bound.domain.space
        if board in analysis.grows_only and engine.layout.columns[board].as_bytes:
            return board
    return None


def _reader(
    engine: Engine, analysis: Analysis, root: State, coming: frozenset[int], overlay: dict[str, list[int]] | None = None
) -> Evaluator[Possible, object]:
    boards = {name: root[engine.layout.columns[name].start] for name in analysis.grows_only}
    cautious = Cautious(engine.ground, engine.layout, {**boards, **(overlay or {})}, coming)
    return Evaluator(engine.ground, cautious)  # type: ignore[arg-type]


def _candidates(
    engine: Engine, analysis: Analysis, root: State, value: t.Sum, board: str, coming: frozenset[int]
) -> list[Candidate]:
    total = sum(len(root[at]) for at in _supply_columns(engine, analysis))
    reader = _reader(engine, analysis, root, coming)
    beside = analysis.lays_beside(board, root)
    tiles = sum(
        1 << 8 * cell for cell in range(engine.ground.windows[board].size) if root[engine.layout.columns[board].start][cell]
    )
    found: list[Candidate] = []
    bound = value.bound
    assert bound.where is not None
    for cell in range(engine.ground.windows[board].size):
        env = {bound.name: exactly(cell)}
        counts = reader.value(bound.where, env)
        if counts.never:
            continue
        needs = sum(1 << 8 * near for space, near in counts.needs if space == board)
        spare = total - needs.bit_count()
        if spare < 0:
            continue
        rims = () if beside is None else _rims(engine.ground.windows[board], beside, needs, spare)
        if needs and rims and not tiles & rims[-1]:
            continue
        worth = _worths(engine, analysis, root, value, board, coming, cell)
        found.append(Candidate(cell, needs, worth, rims))
    return found


def _rims(window: Window, beside: Neighbourhood, needs: int, spare: int) -> tuple[int, ...]:
    """The cells at most 1, 2, … steps from some cells, up to one step more than there are tiles to spare."""
    steps = [window.steps[direction] for direction in near_directions(window, beside)]
    inside = wave = set(places(needs))
    rims: list[int] = []
    for _ in range(spare + 1):
        wave = {step[cell] for cell in wave for step in steps} - {window.size} - inside
        inside = inside | wave
        rims.append(sum(1 << 8 * cell for cell in inside))
    return tuple(rims)


def _supply_columns(engine: Engine, analysis: Analysis) -> list[int]:
    return [
        at
        for name, place in engine.layout.columns.items()
        if place.variable.storage is not Storage.VALUE and name in analysis.live
        for at in range(place.start, place.start + place.count)
    ]


def _worths(
    engine: Engine, analysis: Analysis, root: State, value: t.Sum, board: str, coming: frozenset[int], cell: int
) -> tuple[int, ...]:
    """The most that a cell can be worth by the tile on it; for a vacant cell the most of all tiles to come."""
    tiles = root[engine.layout.columns[board].start]
    kinds = len(engine.game.tiles)
    worth = [0] * (kinds + 1)
    for kind in (tiles[cell],) if tiles[cell] else sorted(coming):
        overlay = list(tiles)
        overlay[cell] = kind
        reader = _reader(engine, analysis, root, coming, {board: overlay})
        worth[kind] = max(0, reader.value(value.value, {value.bound.name: exactly(cell)}).high)
    if not tiles[cell]:
        worth[0] = max(worth)
    return tuple(worth)
