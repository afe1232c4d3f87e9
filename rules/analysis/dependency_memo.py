"""Functions of a board, memoised in a decision tree over the cells that they read.

As in self-adjusting computation (Acar 2005), each evaluation is traced: the cells read, in order, and their contents determine
the result, so all boards that agree on those cells share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from rulewright.base.records import define, field

Result = TypeVar("Result")


@define
class RecordingBoard(Sequence[int]):
    """A board (the tile on each cell) that records the cells read, in order, and their contents."""

    tiles: Sequence[int]
    cells_read: dict[int, int] = field(factory=dict)

    def __getitem__(self, cell: int) -> int:  # type: ignore[override]
        tile = self.cells_read[cell] = self.tiles[cell]
        return tile

    def __len__(self) -> int:
        return len(self.tiles)


@define(eq=False)
class _DecisionNode(Generic[Result]):
    """The cell to read next, and the subtree or the result for each tile there."""

    cell: int
    branches: dict[int, _DecisionNode[Result] | Result] = field(factory=dict)


@define(eq=False)
class DependencyMemo(Generic[Result]):
    """The memo of one function. Cells are stored relative to a base, so that translates of a cell can share a memo."""

    _top: _DecisionNode[Result] | Result | None = None

    def lookup(self, board: Sequence[int], base: int = 0) -> Result | None:
        """The stored result for a board that agrees on all cells read; None if there is none."""
        node = self._top
        while isinstance(node, _DecisionNode):
            node = node.branches.get(board[base + node.cell])
        return node

    def store(self, cells_read: dict[int, int], result: Result, base: int = 0) -> None:
        """Store a result with the cells that it depends on, in the order of reading."""
        path = [(cell - base, tile) for cell, tile in cells_read.items()]
        node = self._top
        if node is None:
            self._top = _path_to(path, result)
        for depth, (_, tile) in enumerate(path):
            if not isinstance(node, _DecisionNode):
                break
            if tile not in node.branches:
                node.branches[tile] = _path_to(path[depth + 1 :], result)
                break
            node = node.branches[tile]


def _path_to(path: list[tuple[int, int]], result: Result) -> _DecisionNode[Result] | Result:
    node: _DecisionNode[Result] | Result = result
    for cell, tile in reversed(path):
        node = _DecisionNode(cell, {tile: node})
    return node
