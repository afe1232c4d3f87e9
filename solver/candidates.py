"""What a value that is a sum over the cells of a board asks of each cell, read cautiously from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from attrs import field

from ..grammar.classes import define, frozen
from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator, near_directions
from ..rules.game import Storage
from ..rules.possible import Cautious, Possible, PossibleSet, exactly
from ..rules.spaces.window import Window
from ..rules.terms import Neighbourhood
from .alike import framed_cells, is_near, tells_tiles_apart
from .looks import Noting, Remembered

NEVER = "never"

COVERED = bytes([0] + [1] * 255)
"""Translates a board to whether there is a tile."""


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
        names = self.analysis.live & self.analysis.feeding
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

    def cautious(self, board: str = "", tiles: Sequence[int] = b"") -> Evaluator[Possible, PossibleSet]:
        """The reading of the root, with other tiles on one board when they are given."""
        boards: dict[str, Sequence[int]] = {name: self.tiles(name) for name in self.analysis.grows_only}
        if board:
            boards[board] = tiles
        return Evaluator(self.engine.ground, Cautious(self.engine.ground, self.engine.layout, boards, self.coming))

    def candidates(self, value: t.Sum, board: str) -> list[Candidate]:
        """The cells that may come to count, with as many tiles as there are to come."""
        window, cells = self.engine.ground.windows[board], _Cells.of(self, value, board)
        total = sum(len(self.root[at]) for at in self.supplies)
        beside = self.analysis.lays_beside(board, self.root)
        spread = None if beside is None else Spread.of(window, beside)
        lying = sum(1 << 8 * cell for cell, tile in enumerate(self.tiles(board)) if tile)
        found: list[Candidate] = []
        for cell in range(window.size):
            needed = cells.needs(cell)
            if needed is None or len(needed) > total:
                continue
            needs = sum(1 << 8 * near for near in needed)
            rims = () if spread is None else spread.rims(needs, total - len(needed) + 1)
            if needs and rims and not lying & rims[-1]:
                continue
            found.append(Candidate(cell, needs, self._worths(cells, cell), rims))
        return found

    def _worths(self, cells: _Cells, cell: int) -> tuple[int, ...]:
        """The most that a cell can be worth by the tile on it; for a vacant cell the most of all tiles to come."""
        tile = cells.tiles[cell]
        worth = [0] * (len(self.engine.game.tiles) + 1)
        for kind in (tile,) if tile else sorted(self.coming):
            worth[kind] = cells.worth(cell, kind)
        if not tile:
            worth[0] = max(worth)
        return tuple(worth)


Key = int | tuple[int, ...]
"""A cell that is read by itself, or the frame of those that are alike."""


@define
class _Cells:
    """What is read of each cell of a board, of those that are alike once for each way in which they look.

    `seen` is what a condition sees of the tiles: all the same where it asks for nothing but that there is one.
    """

    reading: Reading
    value: t.Sum
    board: str
    tiles: bytes
    seen: bytes
    window: Window
    far: int = 1
    frames: Mapping[int, tuple[int, ...]] = field(factory=dict)
    _needs: dict[Key, Remembered[tuple[int, ...] | str]] = field(factory=dict)
    _worth: dict[Key, Remembered[int]] = field(factory=dict)

    @classmethod
    def of(cls, reading: Reading, value: t.Sum, board: str) -> _Cells:
        assert value.bound.where is not None
        tiles = reading.tiles(board)
        seen = tiles if tells_tiles_apart(reading.engine, value.bound.where, board) else tiles.translate(COVERED)
        cells = cls(reading, value, board, tiles, seen, reading.engine.ground.windows[board])
        if all(name == board for name in reading.analysis.grows_only):
            cells.frames = cells.framed()
        return cells

    def framed(self) -> Mapping[int, tuple[int, ...]]:
        """The cells that are alike unless something looks too far."""
        assert self.value.bound.where is not None
        return framed_cells(self.reading.engine, self.board, (self.value.bound.where, self.value.value), self.far)

    def _key(self, cell: int) -> tuple[Key, int]:
        """Under what is kept what is read of it, and from where cells are counted there."""
        return (self.frames[cell], cell) if cell in self.frames else (cell, 0)

    def needs(self, cell: int) -> tuple[int, ...] | None:
        """The cells that must be covered for it to count; None when it never does."""
        key, base = self._key(cell)
        tree = self._needs.setdefault(key, Remembered())
        known = tree.find(self.seen, base)
        if known is None:
            noting = Noting(self.seen)
            assert self.value.bound.where is not None
            counts = self.reading.cautious(self.board, noting).value(self.value.bound.where, self._env(cell))
            needed = sorted(near for space, near in counts.needs if space == self.board)
            if not self._may_keep(cell, {*noting.looked, *needed}):
                return self.needs(cell)
            known = NEVER if counts.never else tuple(near - base for near in needed)
            tree.keep(self._looked(noting), known, base)
        return None if isinstance(known, str) else tuple(near + base for near in known)

    def worth(self, cell: int, kind: int) -> int:
        """The most that it can be worth with a tile of a kind on it."""
        key, base = self._key(cell)
        tree = self._worth.setdefault(key, Remembered())
        tiles = self.tiles[:cell] + bytes((kind,)) + self.tiles[cell + 1 :]
        known = tree.find(tiles, base)
        if known is None:
            noting = Noting(tiles)
            known = max(0, self.reading.cautious(self.board, noting).value(self.value.value, self._env(cell)).high)
            if not self._may_keep(cell, noting.looked):
                return self.worth(cell, kind)
            tree.keep(self._looked(noting), known, base)
        return known

    def _looked(self, noting: Noting) -> dict[int, int]:
        """What the answer depends on: `nowhere` always looks the same."""
        return {cell: tile for cell, tile in noting.looked.items() if cell < self.window.size}

    def _may_keep(self, cell: int, looked: Iterable[int]) -> bool:
        """Whether what was read holds for all that are alike; if not, fewer are from now on."""
        nowhere = self.window.size
        if cell not in self.frames or all(near == nowhere or is_near(self.window, cell, near, self.far) for near in looked):
            return True
        self.far += 1
        self.frames = self.framed()
        self._needs.clear()
        self._worth.clear()
        return False

    def _env(self, cell: int) -> dict[str, Possible]:
        return {self.value.bound.name: exactly(cell)}


@frozen
class Spread:
    """How cells spread to their neighbours, a byte for each cell: differences of indices, each with the cells that have it."""

    shifts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, window: Window, beside: Neighbourhood) -> Spread:
        found: dict[int, bytearray] = {}
        for direction in near_directions(window, beside):
            for cell, near in enumerate(window.steps[direction][: window.size]):
                if near != window.size:
                    found.setdefault(near - cell, bytearray(window.size))[cell] = 255
        return cls(tuple((8 * shift, int.from_bytes(cells, "little")) for shift, cells in found.items()))

    def rims(self, needs: int, number: int) -> tuple[int, ...]:
        """The cells at most 1, 2, … steps from some cells."""
        inside = wave = needs
        found: list[int] = []
        for _ in range(number):
            after = 0
            for shift, cells in self.shifts:
                moved = wave & cells
                after |= moved << shift if shift >= 0 else moved >> -shift
            wave = after & ~inside
            inside |= wave
            found.append(inside)
        return tuple(found)
