"""Translation symmetry: on an unbounded square grid, local conditions behave alike at every cell.

A condition is local if it reads only cells within a small radius and does not depend on position (no coordinates, origin or
distances). What is derived for one cell then holds for its translates.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import terms
from rulewright.rules.model.traversal import nodes_of, parts_of
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces.window import Function, Window

MAX_RADIUS = 2
"""The largest radius, in cells along an axis, within which a condition counts as local."""


def translatable_cells(engine: Engine, space: str, conditions: Iterable[terms.Term]) -> frozenset[int]:
    """The cells that are translates of each other for these conditions, as long as those read no farther than MAX_RADIUS.

    They lie so far from the border that a step changes the index by the same amount everywhere. The caller must check, with
    `is_within`, that no evaluation reads farther.
    """
    classes = translation_classes(engine, space, conditions)
    return frozenset(cell for cell, sides in classes.items() if min(sides) == MAX_RADIUS)


def translation_classes(
    engine: Engine, space: str, conditions: Iterable[terms.Term], radius: int = MAX_RADIUS
) -> dict[int, tuple[int, ...]]:
    """The class of each cell: its distances to the four borders of the window, each capped at `radius`.

    Cells of one class are translates of each other, even near the border, as long as the conditions read no farther than
    `radius`. Empty unless the space is an unbounded square grid, all conditions are local, and `radius` is at most MAX_RADIUS.
    """
    window = engine.instance.windows[space]
    is_grid = window.unbounded and window.shape is Shape.SQUARE
    if radius > MAX_RADIUS or not is_grid or any(depends_on_position(engine, term) for term in conditions):
        return {}
    sides = [(min(axis), max(axis)) for axis in zip(*window.coordinates, strict=True)]
    columns, rows = (
        {at: (min(radius, at - low), min(radius, high - at)) for at in range(low, high + 1)} for low, high in sides
    )
    return {cell: columns[column] + rows[row] for cell, (column, row) in enumerate(window.coordinates)}


def is_within(window: Window, cell: int, other: int, radius: int = MAX_RADIUS) -> bool:
    """Whether `other` lies within a radius of `cell`, in the maximum norm; `nowhere` never does."""
    coordinates = window.coordinates
    return other < len(coordinates) and all(
        abs(a - b) <= radius for a, b in zip(coordinates[cell], coordinates[other], strict=True)
    )


def depends_on_position(engine: Engine, term: terms.Term) -> bool:
    """Whether a term can distinguish cells by anything but nearby tiles."""
    positional = (
        terms.CellAt,
        terms.Row,
        terms.Origin,
        terms.AllCells,
        terms.Closure,
    )
    nodes = nodes_of(engine.game.definitions, term)
    return any(isinstance(node, positional) or _counts_cells(node) for node in nodes)


def _counts_cells(node: object) -> bool:
    """Whether a term depends on more than the cells around one."""
    match node:
        case terms.Lookup(terms.Coordinate()) | terms.Apply(Function.DISTANCE | Function.LEAP | Function.LINE):
            return True
        case _:
            return False


def depends_on_kind(engine: Engine, term: terms.Term, board: str) -> bool:
    """Whether a term distinguishes the kinds of tile on a board, beyond occupancy."""
    pending: list[object] = [term]
    seen: set[str] = set()
    while pending:
        here = pending.pop()
        match here:
            case terms.Compare(Comparison.EQUAL | Comparison.UNEQUAL, terms.Read(variable, index), terms.Constant(0)) if (
                variable == board
            ):
                pending += index
                continue
            case terms.Read(variable) if variable == board:
                return True
            case terms.Lookup(terms.Markers()):
                return True
            case terms.Invoke(name) if name not in seen:
                seen.add(name)
                definition = engine.game.definitions[name]
                pending += [definition.value, definition.cases]
        pending += parts_of(here)
    return False


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
