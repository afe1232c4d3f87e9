"""Binary constraints between the tiles of two cells, as tables: rules/analysis/tile_domains.py for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.base.records import define, field, frozen
from rulewright.rules.analysis.tile_domains import Conjunct, LayingAction, TileDomains, unknown_parameters
from rulewright.rules.analysis.translation import RecordingBoard, is_within
from rulewright.rules.static.abstract_values import exactly

MOST_READINGS = 60_000
"""Most evaluations of conditions, for all cells together; further constraints are dropped, which relaxes the bound.
Measured on sixteen puzzles: 30,000 and a million change no state."""


@frozen
class PairTable:
    """A constraint that reads one other cell: `kinds[tile there]` are the kinds that it allows, as bits."""

    cell: int
    kinds: tuple[int, ...]


def pair_tables(
    fitting: TileDomains, board: bytes, cells: Sequence[int], number_of: Mapping[int, int]
) -> dict[int, list[list[PairTable]]]:
    """For each vacant cell and each action that lays a tile there, the constraints that read one other cell.

    `number_of` gives the bit number of each kind.
    """
    reader = _Reader(fitting, board, number_of)
    alike = [cell for cell in cells if cell in fitting.translatable]
    if not alike or not reader.sees_only_near(alike[0]):
        return {cell: [reader.tables(layer, cell, cell) for layer in fitting.laying_actions] for cell in cells}
    others = {cell: cell if cell not in fitting.translatable else alike[0] for cell in cells}
    return {cell: [reader.tables(layer, cell, read) for layer in fitting.laying_actions] for cell, read in others.items()}


def are_symmetric(found: Mapping[int, list[list[PairTable]]], number_of: Mapping[int, int]) -> bool:
    """Whether the laying order of adjacent tiles is irrelevant: each constraint has its transpose at the other cell."""
    known: dict[tuple[int, int], bool] = {}
    for cell, layers in found.items():
        for pair in (pair for layer in layers for pair in layer if pair.cell in found):
            back = [other for layer in found[pair.cell] for other in layer if other.cell == cell]
            if len(layers) != 1 or len(back) != 1:
                return False
            key = (id(pair.kinds), id(back[0].kinds))
            if key not in known:
                known[key] = all(
                    pair.kinds[there] >> here_bit & 1 == back[0].kinds[here] >> there_bit & 1
                    for here, here_bit in number_of.items()
                    for there, there_bit in number_of.items()
                )
            if not known[key]:
                return False
    return True


@define
class _Reader:
    fitting: TileDomains
    board: bytes
    number_of: Mapping[int, int]
    readings: int = 0
    _parts: dict[tuple[str, int], list[tuple[int, Conjunct, int]]] = field(factory=dict)
    _known: dict[tuple[str, int, int, int], int | None] = field(factory=dict)

    @property
    def all(self) -> int:
        return (1 << len(self.number_of)) - 1

    def sees_only_near(self, cell: int) -> bool:
        """Whether the results for this cell hold for all its translates."""
        nears = [near for layer in self.fitting.laying_actions for _, _, near in self._binary(layer, cell)]
        return all(is_within(self.fitting.engine.instance.windows[self.fitting.space], cell, near) for near in nears)

    def tables(self, layer: LayingAction, cell: int, read: int) -> list[PairTable]:
        """The tables of a cell, taken from those of its translate `read`."""
        found = [self._table(layer, near + cell - read, read, at, part, near) for at, part, near in self._binary(layer, read)]
        return [pair for pair in found if pair is not None]

    def _binary(self, layer: LayingAction, cell: int) -> list[tuple[int, Conjunct, int]]:
        """The conditions that read exactly one cell besides their own: number, condition, that cell."""
        key = (layer.action.name, cell)
        if key not in self._parts:
            kind = next(iter(self.number_of), 0)
            read = [
                (at, part, self._read(layer, cell, part, self.board, kind)[1])
                for at, part in enumerate(self.fitting.conjuncts(layer, cell))
            ]
            self._parts[key] = [(at, part, next(iter(cells))) for at, part, cells in read if len(cells) == 1]
        return self._parts[key]

    def _table(self, layer: LayingAction, near: int, read: int, at: int, part: Conjunct, read_near: int) -> PairTable | None:
        """A condition as a table by the tile on `near`, evaluated at the cell `read` and its neighbour `read_near`."""
        kinds = [self.all] * (len(self.fitting.engine.game.tiles) + 1)
        for tile in [self.board[near]] if self.board[near] else [0, *self.number_of]:
            key = (layer.action.name, read, at, tile)
            if key not in self._known:
                self._known[key] = self._kinds(layer, read, read_near, part, tile)
            allowed = self._known[key]
            if allowed is None:
                return None
            kinds[tile] = allowed
        return PairTable(near, tuple(kinds))

    def _kinds(self, layer: LayingAction, cell: int, near: int, part: Conjunct, tile: int) -> int | None:
        """The kinds allowed with `tile` on the other cell, as bits; None if further cells are read, or evaluations run out."""
        board = self.board[:near] + bytes((tile,)) + self.board[near + 1 :]
        allowed = 0
        for kind, number in self.number_of.items():
            holds, others = self._read(layer, cell, part, board, kind)
            if others - {near} or self.readings > MOST_READINGS:
                return None
            allowed |= holds << number
        return allowed

    def _read(self, layer: LayingAction, cell: int, part: Conjunct, board: bytes, kind: int) -> tuple[bool, set[int]]:
        """Whether a condition may hold, and which cells it reads besides its own."""
        self.readings += 1
        noting = RecordingBoard(board)
        term, elements = part
        env = {
            **unknown_parameters(self.fitting.engine, layer.action),
            layer.tile: exactly(kind),
            layer.cell: exactly(cell),
            **elements,
        }
        holds = not self.fitting.evaluator(noting).value(term, env).never
        return holds, set(noting.cells_read) - {cell}
