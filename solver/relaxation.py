"""An admissible bound read off the rules: forget who stands where and what it costs, keep what must be covered.

A value that is a sum over cells of a board is bounded from the cautious reading of its condition: a cell counts only when the
cells it needs hold tiles, and every tile still to come covers one. If c is worth w and still lacks m cells, give each of them
w/m; then whatever k tiles complete is worth at most the k largest totals. (Each completed cell is paid for in full.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, field, frozen

from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator
from ..rules.game import Storage
from ..rules.possible import HUGE, Cautious, Possible, exactly
from .fitting import Fitting, fitting

MOST_CELLS = 4096
"""On a larger board the cells are not read one by one, and there is no bound."""

MOST_KEPT = 1_000_000

SIXTIETHS = 60
"""Shares are counted in sixtieths, which 1 to 6 divide; other shares are rounded up."""


@frozen
class Candidate:
    """A cell that may come to count: what must be covered for it, and what it is worth for each tile on it."""

    cell: int
    needs: tuple[int, ...]
    worth: tuple[int, ...]


@define
class Relaxation:
    """`bound(state)`: nothing reached from the state is worth more. Made for the states reached from one root."""

    column: int
    candidates: tuple[Candidate, ...]
    constant: int
    supplies: tuple[int, ...]
    fitting: Fitting | None
    _known: dict[tuple[object, ...], int] = field(factory=dict)

    def bound(self, state: State) -> int:
        """Greatest value that can still be reached."""
        board = state[self.column]
        coming: list[int] = []
        for at in self.supplies:
            coming += state[at]
        coming.sort()
        key = (board, *coming)
        known = self._known.get(key)
        if known is None:
            known = self._bound(board, coming)
            if len(self._known) < MOST_KEPT:
                self._known[key] = known
        return known

    def _bound(self, board: bytes, coming: list[int]) -> int:
        sure, number = 0, len(coming)
        shares: dict[int, int] = {}
        get = shares.get
        kinds = sorted(set(coming))
        fitting: dict[int, list[int]] = {}
        for candidate in self.candidates:
            lacking = [cell for cell in candidate.needs if not board[cell]]
            if len(lacking) > number:
                continue
            worth = candidate.worth[board[candidate.cell]]
            for cell in lacking:
                if cell not in fitting:
                    fitting[cell] = self._fitting(board, cell, kinds)
                if not fitting[cell]:
                    worth = 0
                    break
                if cell == candidate.cell:
                    worth = max(candidate.worth[kind] for kind in fitting[cell])
            if worth <= 0:
                continue
            if not lacking:
                sure += worth
                continue
            share = -(-SIXTIETHS * worth // len(lacking))
            for cell in lacking:
                shares[cell] = get(cell, 0) + share
        best = sorted(shares.values(), reverse=True)[:number]
        return self.constant + sure + sum(best) // SIXTIETHS

    def _fitting(self, board: bytes, cell: int, kinds: list[int]) -> list[int]:
        if self.fitting is None:
            return kinds
        return [kind for kind in kinds if self.fitting.fits(board, cell, kind)]


def relax(engine: Engine, analysis: Analysis, values: Iterable[t.Term], root: State) -> Callable[[State], int] | None:
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
        return lambda state: constant
    if len(boards) > 1:
        return None
    board = next(iter(boards))
    assert board is not None
    column = engine.layout.columns[board].start
    candidates: list[Candidate] = []
    for value in sums:
        found = _candidates(engine, analysis, root, value, board, coming)
        if found is None:
            return None
        candidates += found
    supplies = tuple(_supply_columns(engine, analysis))
    relaxation = Relaxation(column, tuple(candidates), constant, supplies, fitting(engine, analysis, board))
    return relaxation.bound


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
) -> list[Candidate] | None:
    window = engine.ground.windows[board]
    total = sum(len(root[at]) for at in _supply_columns(engine, analysis))
    if window.size > MOST_CELLS:
        return None
    reader = _reader(engine, analysis, root, coming)
    found: list[Candidate] = []
    bound = value.bound
    assert bound.where is not None
    for cell in range(window.size):
        env = {bound.name: exactly(cell)}
        counts = reader.value(bound.where, env)
        if counts.never:
            continue
        needs = tuple(sorted(c for space, c in counts.needs if space == board))
        if len(needs) > total:
            continue
        worth = _worths(engine, analysis, root, value, board, coming, cell)
        found.append(Candidate(cell, needs, worth))
    return found


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
