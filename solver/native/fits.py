"""Which tiles may lie on a cell by what lies near it, as tables: solver/fitting.py for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field

from ...grammar.classes import define, frozen
from ...rules.possible import exactly
from ..alike import is_near
from ..fitting import Fitting, Layer, Part
from ..looks import Noting

MOST_READINGS = 60_000
"""Of conditions, for all cells together; what would take more is left out, which only makes the bound larger."""


@frozen
class Look:
    """A condition that looks at one other cell: `kinds[tile there]` are the kinds that it allows, as bits."""

    cell: int
    kinds: tuple[int, ...]


def looks(fitting: Fitting, board: bytes, cells: Sequence[int], number_of: Mapping[int, int]) -> dict[int, list[list[Look]]]:
    """For each vacant cell and each way to lay a tile there, its looks. Kinds are numbered anew."""
    reader = _Reader(fitting, board, number_of)
    alike = [cell for cell in cells if cell in fitting.alike]
    if not alike or not reader.sees_only_near(alike[0]):
        return {cell: [reader.looks(layer, cell, cell) for layer in fitting.layers] for cell in cells}
    others = {cell: cell if cell not in fitting.alike else alike[0] for cell in cells}
    return {cell: [reader.looks(layer, cell, read) for layer in fitting.layers] for cell, read in others.items()}


def are_pairwise(found: Mapping[int, list[list[Look]]], number_of: Mapping[int, int]) -> bool:
    """Whether it does not matter which of two tiles side by side is laid first: each look has one that looks back at it."""
    known: dict[tuple[int, int], bool] = {}
    for cell, layers in found.items():
        for look in (look for layer in layers for look in layer if look.cell in found):
            back = [other for layer in found[look.cell] for other in layer if other.cell == cell]
            if len(layers) != 1 or len(back) != 1:
                return False
            key = (id(look.kinds), id(back[0].kinds))
            if key not in known:
                known[key] = all(
                    look.kinds[there] >> here_bit & 1 == back[0].kinds[here] >> there_bit & 1
                    for here, here_bit in number_of.items()
                    for there, there_bit in number_of.items()
                )
            if not known[key]:
                return False
    return True


@define
class _Reader:
    fitting: Fitting
    board: bytes
    number_of: Mapping[int, int]
    readings: int = 0
    _parts: dict[tuple[str, int], list[tuple[int, Part, int]]] = field(factory=dict)
    _known: dict[tuple[str, int, int, int], int | None] = field(factory=dict)

    @property
    def all(self) -> int:
        return (1 << len(self.number_of)) - 1

    def sees_only_near(self, cell: int) -> bool:
        """Whether what holds for this cell holds for all that are alike."""
        nears = [near for layer in self.fitting.layers for _, _, near in self._looking(layer, cell)]
        return all(is_near(self.fitting.engine.ground.windows[self.fitting.space], cell, near) for near in nears)

    def looks(self, layer: Layer, cell: int, read: int) -> list[Look]:
        """The looks of a cell, read off one that is like it."""
        found = [self._look(layer, near + cell - read, read, at, part, near) for at, part, near in self._looking(layer, read)]
        return [look for look in found if look is not None]

    def _looking(self, layer: Layer, cell: int) -> list[tuple[int, Part, int]]:
        """The conditions that look at just one cell beside their own: number, condition, that cell."""
        key = (layer.action.name, cell)
        if key not in self._parts:
            kind = next(iter(self.number_of), 0)
            looked = [
                (at, part, self._read(layer, cell, part, self.board, kind)[1])
                for at, part in enumerate(self.fitting.parts(layer, cell))
            ]
            self._parts[key] = [(at, part, next(iter(cells))) for at, part, cells in looked if len(cells) == 1]
        return self._parts[key]

    def _look(self, layer: Layer, near: int, read: int, at: int, part: Part, read_near: int) -> Look | None:
        """What a condition on one cell comes to when it looks at `near`, as that on the cell read when it looks there."""
        kinds = [self.all] * (len(self.fitting.engine.game.tiles) + 1)
        for tile in [self.board[near]] if self.board[near] else [0, *self.number_of]:
            key = (layer.action.name, read, at, tile)
            if key not in self._known:
                self._known[key] = self._kinds(layer, read, read_near, part, tile)
            allowed = self._known[key]
            if allowed is None:
                return None
            kinds[tile] = allowed
        return Look(near, tuple(kinds))

    def _kinds(self, layer: Layer, cell: int, near: int, part: Part, tile: int) -> int | None:
        """The kinds allowed with that tile on the cell looked at; None when others are looked at then."""
        board = self.board[:near] + bytes((tile,)) + self.board[near + 1 :]
        allowed = 0
        for kind, number in self.number_of.items():
            holds, looked = self._read(layer, cell, part, board, kind)
            if looked - {near} or self.readings > MOST_READINGS:
                return None
            allowed |= holds << number
        return allowed

    def _read(self, layer: Layer, cell: int, part: Part, board: bytes, kind: int) -> tuple[bool, set[int]]:
        """Whether a condition may hold, and which cells it looks at beside its own."""
        self.readings += 1
        noting = Noting(board)
        term, elements = part
        env = {**self.fitting.unknown(layer), layer.tile: exactly(kind), layer.cell: exactly(cell), **elements}
        holds = not self.fitting.reading(noting).value(term, env).never
        return holds, set(noting.looked) - {cell}
