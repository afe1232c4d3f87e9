"""The support set of each cell that a sum may count: the cells that must be covered before its condition can hold.

Abstract interpretation of the condition finds them; for a local condition, once for all translates of a cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from rulewright.base.records import define, frozen
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.analysis.translation import MAX_RADIUS, RecordingBoard, TranslationMemo, depends_on_kind
from rulewright.rules.model import terms
from rulewright.rules.model.terms import Neighbourhood
from rulewright.rules.semantics.set_evaluator import near_directions
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.abstract_values import AbstractValue, exactly

OCCUPANCY = bytes([0] + [1] * 255)
"""Translation table for a board: 1 where there is a tile."""


@frozen
class SupportSet:
    """A cell that may come to count, its support as a bitboard (a byte of 1 for each cell), and its worth by tile on it.

    `worth[0]`, for a vacant cell, is the maximum over all that may come to be there. A cell outside its own support may
    count while vacant.

    Where every tile is laid next to another, `balls[n]` is the ball of radius n + 1 around the support, as a bitboard. If no
    support cell is covered and `balls[n]` holds no tile, it takes more than n tiles to get there.
    """

    cell: int
    support: int
    worth: tuple[int, ...]
    balls: tuple[int, ...] = ()

    @property
    def may_stay_vacant(self) -> bool:
        """Whether the cell may count without a tile, if vacant at the root."""
        return not self.support >> 8 * self.cell & 1

    def is_in_reach(self, occupied: int, spare: int) -> bool:
        """Whether `spare` tiles, beyond those that cover the support, may suffice to reach it from the occupied cells."""
        is_untouched = not self.support & occupied
        return not is_untouched or spare >= len(self.balls) or bool(self.balls[spare] & occupied)


def support_sets(states: ReachableStates, value: terms.Fold, board: str) -> list[SupportSet]:
    """The support sets of a sum over a board that the tiles to come can complete."""
    window, summands = states.engine.instance.windows[board], _Summands.of(states, value, board)
    total = sum(len(states.root[at]) for at in states.supplies)
    beside = states.lays_beside[board]
    dilation = None if beside is None else Dilation.of(window, beside)
    occupied = bitboard(cell for cell, tile in enumerate(states.tiles(board)) if tile)
    found: list[SupportSet] = []
    for cell in range(window.size):
        needed = summands.support(cell)
        if needed is None or len(needed) > total:
            continue
        support = bitboard(needed)
        worth = _worth_by_kind(states, summands, cell, vacant=cell not in needed)
        balls = () if dilation is None else dilation.balls(support, total - len(needed) + 1)
        if support and balls and not occupied & balls[-1]:
            continue
        found.append(SupportSet(cell, support, worth, balls))
    return found


def bitboard(cells: Iterable[int]) -> int:
    """A set of cells as a number with one byte per cell: 1 if in the set."""
    return sum(1 << 8 * cell for cell in cells)


def cells_of(board: int) -> list[int]:
    """The cells of a bitboard, ascending."""
    found: list[int] = []
    while board:
        lowest = board & -board
        found.append(lowest.bit_length() // 8)
        board ^= lowest
    return found


def _worth_by_kind(states: ReachableStates, summands: _Summands, cell: int, vacant: bool) -> tuple[int, ...]:
    """The most that a cell can be worth, by the tile on it; at 0 the maximum over all that may come to be there."""
    tile = summands.tiles[cell]
    worth = [0] * (len(states.engine.game.tiles) + 1)
    for kind in (tile,) if tile else sorted(states.kinds_to_come):
        worth[kind] = summands.worth(cell, kind)
    if not tile:
        worth[0] = max(*worth, summands.worth(cell, 0) if vacant else 0)
    return tuple(worth)


class _Never(Enum):
    NEVER = auto()


@define
class _Summands:
    """Support and worth of each cell of a sum.

    `visible` is the board as the condition sees it: mere occupancy unless the condition distinguishes kinds.
    """

    states: ReachableStates
    value: terms.Fold
    where: terms.Term
    board: str
    tiles: bytes
    visible: bytes
    supports: TranslationMemo[tuple[int, ...] | _Never]
    worths: TranslationMemo[int]

    @classmethod
    def of(cls, states: ReachableStates, value: terms.Fold, board: str) -> _Summands:
        engine, tiles, where = states.engine, states.tiles(board), value.binder.where
        assert where is not None
        visible = tiles if depends_on_kind(engine, where, board) else tiles.translate(OCCUPANCY)
        # Another board is read as it is, which differs between translates.
        radius = 1 if states.append_only == {board} else MAX_RADIUS + 1
        supports: TranslationMemo[tuple[int, ...] | _Never] = TranslationMemo(engine, board, (where,), radius)
        return cls(states, value, where, board, tiles, visible, supports, TranslationMemo(engine, board, (value.body,), radius))

    def support(self, cell: int) -> tuple[int, ...] | None:
        """The cells that must be covered before a cell counts; None if it never does."""

        def evaluate(board: RecordingBoard) -> tuple[int, ...] | _Never:
            counts = self.states.evaluator(self.board, board).value(self.where, self._environment(cell))
            return _Never.NEVER if counts.never else tuple(sorted(near - cell for _, near in counts.needs if board[near] == 0))

        known = self.supports.value(self.visible, cell, evaluate)
        return None if isinstance(known, _Never) else tuple(near + cell for near in known)

    def worth(self, cell: int, kind: int) -> int:
        """The most that a cell can be worth with a tile of kind `kind`."""

        def evaluate(board: RecordingBoard) -> int:
            return max(0, self.states.evaluator(self.board, board).value(self.value.body, self._environment(cell)).high)

        return self.worths.value(self.tiles[:cell] + bytes((kind,)) + self.tiles[cell + 1 :], cell, evaluate)

    def _environment(self, cell: int) -> dict[str, AbstractValue]:
        return {self.value.binder.name: exactly(cell)}


@frozen
class Dilation:
    """Dilation of a bitboard by one step: for each difference of cell indices (in bits), the cells with a neighbour there."""

    shifts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, window: Window, beside: Neighbourhood) -> Dilation:
        found: dict[int, bytearray] = {}
        for direction in near_directions(window, beside):
            for cell, near in enumerate(window.steps[direction][: window.size]):
                if near != window.size:
                    found.setdefault(near - cell, bytearray(window.size))[cell] = 255
        return cls(tuple((8 * shift, int.from_bytes(cells, "little")) for shift, cells in found.items()))

    def balls(self, cells: int, number: int) -> tuple[int, ...]:
        """The balls of radius 1 to `number` around some cells."""
        ball = frontier = cells
        found: list[int] = []
        for _ in range(number):
            reached = 0
            for shift, origins in self.shifts:
                moved = frontier & origins
                reached |= moved << shift if shift >= 0 else moved >> -shift
            frontier = reached & ~ball
            ball |= frontier
            found.append(ball)
        return tuple(found)
