"""What a value that is a sum over the cells of a board asks of each cell, read cautiously from the rules."""

from __future__ import annotations

from functools import cached_property

from attrs import define, frozen

from ..rules import terms as t
from ..rules.analysis import Analysis, feeding_zones
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator, near_directions
from ..rules.game import Storage
from ..rules.possible import Cautious, Possible, PossibleSet, exactly
from ..rules.spaces.window import Window
from ..rules.terms import Neighbourhood
from .covering import places


@frozen
class Candidate:
    """A cell that may come to count: what must be covered for it (a byte of 1 a cell), its worth by the tile on it.

    Where tiles are laid beside tiles, `rims[n]` are the cells at most n + 1 steps from what it needs. When it has none of
    that yet and no tile lies in `rims[n]`, more than n tiles are spent on the way.
    """

    cell: int
    needs: int
    worth: tuple[int, ...]
    rims: tuple[int, ...] = ()


@define(slots=False)
class Reading:
    """The cautious reading of the rules for all states reached from a root."""

    engine: Engine
    analysis: Analysis
    root: State

    @cached_property
    def supplies(self) -> tuple[int, ...]:
        """The columns of the zones whose tiles may still be laid."""
        names = self.analysis.live & feeding_zones(self.engine.game)
        return tuple(
            at
            for name, place in self.engine.layout.columns.items()
            if place.variable.storage is not Storage.VALUE and name in names
            for at in range(place.start, place.start + place.count)
        )

    @cached_property
    def coming(self) -> frozenset[int]:
        """The kinds of tile that may still be laid."""
        return frozenset(tile for at in self.supplies for tile in self.root[at])

    def tiles(self, board: str) -> bytes:
        """What lies on a board in the root."""
        column: bytes = self.root[self.engine.layout.columns[board].start]
        return column

    def board_of(self, value: t.Term) -> str | None:
        """The board over whose cells a value is a sum, when tiles are only ever laid on it."""
        if isinstance(value, t.Sum) and isinstance(value.bound.domain, t.Cells) and value.bound.where is not None:
            board = value.bound.domain.space
            if board in self.analysis.grows_only and self.engine.layout.columns[board].as_bytes:
                return board
        return None

    def cautious(self, board: str = "", tiles: bytes = b"") -> Evaluator[Possible, PossibleSet]:
        """The reading of the root, with other tiles on one board when they are given."""
        boards = {name: self.tiles(name) for name in self.analysis.grows_only}
        if board:
            boards[board] = tiles
        return Evaluator(self.engine.ground, Cautious(self.engine.ground, self.engine.layout, boards, self.coming))

    def candidates(self, value: t.Sum, board: str) -> list[Candidate]:
        """The cells that may come to count, with as many tiles as there are to come."""
        window, cautious = self.engine.ground.windows[board], self.cautious()
        total = sum(len(self.root[at]) for at in self.supplies)
        beside = self.analysis.lays_beside(board, self.root)
        lying = sum(1 << 8 * cell for cell, tile in enumerate(self.tiles(board)) if tile)
        found: list[Candidate] = []
        where = value.bound.where
        assert where is not None
        for cell in range(window.size):
            counts = cautious.value(where, {value.bound.name: exactly(cell)})
            if counts.never:
                continue
            needs = sum(1 << 8 * near for space, near in counts.needs if space == board)
            spare = total - needs.bit_count()
            if spare < 0:
                continue
            rims = () if beside is None else _rims(window, beside, needs, spare)
            if needs and rims and not lying & rims[-1]:
                continue
            found.append(Candidate(cell, needs, self._worths(value, board, cell), rims))
        return found

    def _worths(self, value: t.Sum, board: str, cell: int) -> tuple[int, ...]:
        """The most that a cell can be worth by the tile on it; for a vacant cell the most of all tiles to come."""
        tiles = self.tiles(board)
        worth = [0] * (len(self.engine.game.tiles) + 1)
        for kind in (tiles[cell],) if tiles[cell] else sorted(self.coming):
            reading = self.cautious(board, tiles[:cell] + bytes((kind,)) + tiles[cell + 1 :])
            worth[kind] = max(0, reading.value(value.value, {value.bound.name: exactly(cell)}).high)
        if not tiles[cell]:
            worth[0] = max(worth)
        return tuple(worth)


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
