"""Can so many tiles complete cells worth more than a goal? Which tile goes where is asked only as far as fitting goes.

A cell is completed when all that it lacks is covered. Branch on the cell that gives most for what it lacks: completed or not.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, frozen

SIXTIETHS = 60
"""Shares are counted in sixtieths, which 1 to 6 divide; other shares are rounded up."""

PATIENCE = 40
"""After so many branches the answer is that it may be."""


@frozen
class Open:
    """A cell that is not completed: what it lacks (a byte of 1 for each cell), how many that are, what it may be worth.

    `own` says that it lacks its own tile, so that its worth is that tile's.
    """

    lacks: int
    count: int
    least: int
    most: int
    own: bool


@frozen
class Opening:
    """What can still be completed on a board: `sure` is had already, `tiles` are the kinds to come, `fits` what may go where.

    `extras` are, for each tile to come, what it is worth beyond the least that can go on a cell in its place.
    """

    sure: int
    cells: tuple[Open, ...]
    tiles: tuple[int, ...]
    fits: dict[int, int]
    extras: tuple[int, ...]
    worths: tuple[int, ...]

    def bound(self) -> int:
        """The better of two ways to count what is not completed: as the best tile that fits, its worth shared out among what
        it lacks; or as the worst tile that fits, and what tiles are worth beyond that added once for each."""
        number = len(self.tiles)
        uncovered = sum(cell.most > cell.least for cell in self.cells)
        most = _shared((cell.lacks, cell.count, cell.most) for cell in self.cells)
        least = _shared((cell.lacks, cell.count, cell.least) for cell in self.cells)
        return self.sure + min(_best(most, number), _best(least, number) + sum(self.extras[:uncovered]))


def may_exceed(opening: Opening, goal: int) -> bool:
    """Whether more than the goal may come of it; True also when the search for a refutation is given up."""
    return _Branching(opening, goal).exceeds(list(opening.cells), 0, len(opening.tiles), 0, 0)


@define
class _Branching:
    opening: Opening
    goal: int
    branches: int = 0

    def exceeds(self, cells: list[Open], covered: int, left: int, firm: int, own: int) -> bool:
        """`firm` is the worth of the cells completed but for their own tile; `own` the number of those with a tile to come."""
        self.branches += 1
        if self.branches > PATIENCE:
            return True
        still: list[tuple[int, int, int, Open]] = []
        for cell in cells:
            lacks = cell.lacks & ~covered
            count = lacks.bit_count()
            if not count:
                if cell.own:
                    own += 1
                else:
                    firm += cell.most
            elif count <= left:
                still.append((lacks, count, cell.most, cell))
        had = self.opening.sure + firm + sum(self.opening.worths[:own])
        if had > self.goal:
            return True
        if not still or had + _best(_shared((x[0], x[1], x[2]) for x in still), left) <= self.goal:
            return False
        at = max(range(len(still)), key=lambda i: still[i][2] / still[i][1])
        lacks, count, _, chosen = still[at]
        if self._placeable(covered | lacks) and self.exceeds([x[3] for x in still], covered | lacks, left - count, firm, own):
            return True
        return self.exceeds([x[3] for i, x in enumerate(still) if i != at], covered, left, firm, own)

    def _placeable(self, covered: int) -> bool:
        """Whether different tiles can be found for all the cells (Kuhn's matching)."""
        tiles, fits = self.opening.tiles, self.opening.fits
        holder: dict[int, int] = {}

        def give(cell: int, tried: set[int]) -> bool:
            for tile, kind in enumerate(tiles):
                if fits[cell] >> kind & 1 and tile not in tried:
                    tried.add(tile)
                    if tile not in holder or give(holder[tile], tried):
                        holder[tile] = cell
                        return True
            return False

        return all(give(cell, set()) for cell in places(covered))


def _shared(cells: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """For each cell that something lacks, the shares in sixtieths of all that lack it."""
    shares: dict[int, int] = {}
    for lacks, count, worth in cells:
        share = -(-SIXTIETHS * worth // count)
        while lacks:
            low = lacks & -lacks
            shares[low] = shares.get(low, 0) + share
            lacks ^= low
    return shares


def _best(shares: dict[int, int], number: int) -> int:
    """What that many cells can be worth together."""
    return sum(sorted(shares.values(), reverse=True)[:number]) // SIXTIETHS


def places(mask: int) -> list[int]:
    """The places of the bytes that are 1."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() // 8)
        mask ^= low
    return found
