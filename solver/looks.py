"""What is read off a board, remembered by the cells that were looked at on the way: what they hold decides the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from attrs import field

from ..grammar.classes import define

Answer = TypeVar("Answer")


@define
class Noting(Sequence[int]):
    """A board that notes which cells are looked at, in order, and what they hold."""

    tiles: Sequence[int]
    looked: dict[int, int] = field(factory=dict)

    def __getitem__(self, cell: int) -> int:  # type: ignore[override]
        tile = self.looked[cell] = self.tiles[cell]
        return tile

    def __len__(self) -> int:
        return len(self.tiles)


@define(eq=False)
class _Look(Generic[Answer]):
    """A node of a decision tree: which cell is looked at next, and what follows from the tile there."""

    cell: int
    after: dict[int, _Look[Answer] | Answer] = field(factory=dict)


@define(eq=False)
class Remembered(Generic[Answer]):
    """One reading of many boards, as a tree of looks. Cells are kept as differences to a base."""

    _top: _Look[Answer] | Answer | None = None

    def find(self, board: Sequence[int], base: int = 0) -> Answer | None:
        """The answer, when a board that looks the same has been read before."""
        node = self._top
        while isinstance(node, _Look):
            node = node.after.get(board[base + node.cell])
        return node

    def keep(self, looked: dict[int, int], answer: Answer, base: int = 0) -> None:
        """Remember an answer and what was looked at for it."""
        path = [(cell - base, tile) for cell, tile in looked.items()]
        node = self._top
        if node is None:
            self._top = _branch(path, answer)
        for depth, (_, tile) in enumerate(path):
            if not isinstance(node, _Look):
                break
            if tile not in node.after:
                node.after[tile] = _branch(path[depth + 1 :], answer)
                break
            node = node.after[tile]


def _branch(path: list[tuple[int, int]], answer: Answer) -> _Look[Answer] | Answer:
    node: _Look[Answer] | Answer = answer
    for cell, tile in reversed(path):
        node = _Look(cell, {tile: node})
    return node
