"""Functions of a board at a cell, memoised once for all translates of the cell."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic

from rulewright.base.records import define, field
from rulewright.rules.model import terms
from rulewright.rules.play.engine import Engine

from .dependency_memo import DependencyMemo, RecordingBoard, Result
from .translation_symmetry import is_within, translation_classes


@define
class TranslationMemo(Generic[Result]):
    """Memos shared by translation class. `radius` is how far evaluations have been seen to read; it refines the classes."""

    engine: Engine
    space: str
    conditions: tuple[terms.Term, ...]
    radius: int = 1
    classes: dict[int, tuple[int, ...]] = field(init=False)
    _memos: dict[tuple[Hashable, Hashable], DependencyMemo[Result]] = field(factory=dict, init=False)

    @classes.default
    def _own_classes(self) -> dict[int, tuple[int, ...]]:
        return translation_classes(self.engine, self.space, self.conditions, self.radius)

    def value(
        self, board: Sequence[int], cell: int, evaluate: Callable[[RecordingBoard], Result], key: Hashable = None
    ) -> Result:
        """The result of a function, identified by `key`. Cells in a result are relative to `cell`."""
        memo = self._memos.setdefault((self.classes.get(cell, cell), key), DependencyMemo())
        known = memo.lookup(board, cell)
        if known is None:
            window, recording = self.engine.instance.windows[self.space], RecordingBoard(board)
            known = evaluate(recording)
            inside = {near: tile for near, tile in recording.cells_read.items() if near != window.nowhere}
            if cell in self.classes and len(inside) < len(recording.cells_read):
                # How far the border is from other cells of the class is not known here.
                del self.classes[cell]
                memo = self._memos.setdefault((cell, key), DependencyMemo())
            elif cell in self.classes and not all(is_within(window, cell, near, self.radius) for near in inside):
                self._refine()
                return self.value(board, cell, evaluate, key)
            memo.store(inside, known, cell)
        return known

    def _refine(self) -> None:
        """An evaluation read farther than any before: keep as translates only cells farther from the border."""
        self.radius += 1
        self.classes = self._own_classes()
        self._memos.clear()
