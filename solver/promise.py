"""What a state promises, for searches that keep the most promising: what it has, and what it is near to having.

A cell of a board that only grows counts when all that it needs is covered (the cautious reading). It promises its worth times a
fixed rate for each cell that it still lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from attrs import field

from ..grammar.classes import define
from ..rules import terms as t
from ..rules.compile import compile_value
from ..rules.engine import State
from ..rules.possible import exactly
from ..rules.questions import Question
from .alike import alike_cells, is_near
from .candidates import Reading
from .problem import Problem

RATE = 0.3
"""Measured on whole games: a quarter to a third does best, a half far worse."""

EACH_LEFT = 1e-6
"""What is left to spend decides between states that promise the same."""

Mark = Any
"""What a promise remembers of a state, to find that of the states behind it."""


class Promise(Protocol):
    """More is more promising."""

    def first(self, state: State) -> tuple[float, Mark]:
        """The promise of a state, and what to remember of it."""
        ...

    def after(self, mark: Mark, before: State, state: State) -> tuple[float, Mark]:
        """The same for a state that follows another."""
        ...


@define
class ByBound:
    """Where nothing is known of what is near: what may come of a state at most, and what it has."""

    problem: Problem

    def first(self, state: State) -> tuple[float, Mark]:
        problem = self.problem
        bound = 0 if problem.bound is None else problem.bound.bound(state)
        return 2 * bound + problem.value(state) + EACH_LEFT * sum(problem.spent(state)), None

    def after(self, mark: Mark, before: State, state: State) -> tuple[float, Mark]:
        return self.first(state)


@define
class _Counted:
    """A cell that may come to count for one of the values: what it needs, as bits."""

    cell: int
    needs: int
    worth: Callable[[int, int], float]


@define
class Nearness:
    """For sums over the cells of one board; `others` is what else is asked for, `supplies` are the columns of tiles to come.

    The mark of a state is what is covered, as bits, and for each number of cells lacked the worth of the cells that lack them.
    """

    column: int
    counted: list[_Counted]
    others: Callable[[State], int]
    spent: Callable[[State], tuple[int, ...]]
    supplies: tuple[int, ...]
    _touching: dict[int, list[_Counted]] = field(factory=dict)
    _rates: list[float] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        for counted in self.counted:
            for near in _bits(counted.needs):
                self._touching.setdefault(near, []).append(counted)
        most = max((counted.needs.bit_count() for counted in self.counted), default=0)
        self._rates = [RATE**lacks for lacks in range(most + 1)]

    def first(self, state: State) -> tuple[float, Mark]:
        board = state[self.column]
        covered = sum(1 << cell for cell, tile in enumerate(board) if tile)
        worths = [0.0] * len(self._rates)
        for counted in self.counted:
            tile = board[counted.cell]
            if tile:
                worths[(counted.needs & ~covered).bit_count()] += counted.worth(counted.cell, tile)
        return self._promised(worths, state), (covered, worths)

    def after(self, mark: Mark, before: State, state: State) -> tuple[float, Mark]:
        covered, worths = mark
        old, new = before[self.column], state[self.column]
        if old is new or old == new:
            return self._promised(worths, state), mark
        now = covered
        laid = places_of(old, new)
        for cell in laid:
            now |= 1 << cell
        worths = list(worths)
        for counted in self._touched(laid):
            cell, lacking = counted.cell, counted.needs & ~covered
            if old[cell]:
                worths[lacking.bit_count()] -= counted.worth(cell, old[cell])
            if new[cell]:
                worths[(counted.needs & ~now).bit_count()] += counted.worth(cell, new[cell])
        return self._promised(worths, state), (now, worths)

    def _touched(self, laid: list[int]) -> Iterable[_Counted]:
        """The cells that need one of those laid on, each once."""
        if len(laid) == 1:
            return self._touching.get(laid[0], ())
        return {counted.cell: counted for cell in laid for counted in self._touching.get(cell, ())}.values()

    def _promised(self, worths: list[float], state: State) -> float:
        coming = sum([len(state[at]) for at in self.supplies])
        near = sum([worth * rate for worth, rate in zip(worths[: coming + 1], self._rates, strict=False)])
        return near + self.others(state) + EACH_LEFT * sum(self.spent(state))


def places_of(old: bytes, new: bytes) -> list[int]:
    """Where two columns differ."""
    different = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    found: list[int] = []
    while different:
        place = (different.bit_length() - 1) >> 3
        found.append(place)
        different &= (1 << 8 * place) - 1
    return found


def counted_board(problem: Problem, question: Question) -> str | None:
    """The one board over whose cells the question adds up, where tiles are only ever laid on it."""
    reading = Reading(problem.engine, problem.analysis, problem.root)
    boards = {board for value in question.values if (board := reading.board_of(value)) is not None}
    return boards.pop() if problem.sign > 0 and len(boards) == 1 else None


def nearness(problem: Problem, question: Question, board: str) -> Nearness:
    """The promise of the states of a problem that adds up over the cells of a board."""
    engine = problem.engine
    reading = Reading(engine, problem.analysis, problem.root)
    sums = [value for value in question.values if isinstance(value, t.Sum) and reading.board_of(value) is not None]
    counted = [found for value in sums for found in _counted(reading, value, board)]
    rest = [compile_value(engine.ground, engine.layout, value) for value in question.values if value not in sums]
    others = (lambda state: sum(value(state) for value in rest)) if rest else (lambda state: 0)
    return Nearness(engine.layout.columns[board].start, counted, others, problem.spent, reading.supplies)


def _counted(reading: Reading, value: t.Sum, board: str) -> Iterable[_Counted]:
    """The cells of a board that may come to count. Where the rules tell cells apart by what is near only, one is read."""
    engine = reading.engine
    assert value.bound.where is not None
    alike = alike_cells(engine, board, (value.value, value.bound.where))
    first = min(alike, default=None)
    needed = None if first is None else _needs(reading, value, board, first)
    if first is not None and not all(is_near(engine.ground.windows[board], first, near) for near in needed or ()):
        first = None
    one, each = _worth(reading, value, board, first), _worth(reading, value, board, None)
    read: dict[int, frozenset[int] | None] = {}
    for cell in range(engine.ground.windows[board].size):
        base = first if first is not None and cell in alike else cell
        if base not in read:
            read[base] = _needs(reading, value, board, base)
        needs = read[base]
        if needs is not None:
            yield _Counted(cell, sum(1 << near + cell - base for near in needs), each if base == cell else one)


def _needs(reading: Reading, value: t.Sum, board: str, cell: int) -> frozenset[int] | None:
    """What must hold a tile before a cell can count; None when it never does."""
    assert value.bound.where is not None
    vacant = bytes(reading.engine.ground.windows[board].size + 1)
    counts = reading.cautious(board, vacant).value(value.bound.where, {value.bound.name: exactly(cell)})
    return None if counts.never else frozenset(near for space, near in counts.needs if space == board)


def _worth(reading: Reading, value: t.Sum, board: str, anywhere: int | None) -> Callable[[int, int], float]:
    """The most that a cell can be worth by its tile; read when first asked for, of cells that are alike only once."""
    known: dict[tuple[int, int], float] = {}

    def worth(cell: int, tile: int) -> float:
        place = cell if anywhere is None else anywhere
        found = known.get((place, tile))
        if found is None:
            tiles = bytearray(reading.engine.ground.windows[board].size + 1)
            tiles[place] = tile
            most = reading.cautious(board, bytes(tiles)).value(value.value, {value.bound.name: exactly(place)}).high
            found = known[place, tile] = float(max(0, most))
        return found

    return worth


def _bits(mask: int) -> list[int]:
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
