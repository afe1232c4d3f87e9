"""Can so many tiles complete cells worth more than a goal? Which tile goes where is asked only as far as fitting goes.

A cell is completed when all that it lacks is covered. Branch on the cell that gives most for what it lacks: completed or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import field

from rulewright.base.records import define, frozen

SIXTIETHS = 60
"""Shares are counted in sixtieths, which 1 to 6 divide; other shares are rounded up."""

FILLINGS = 60
"""Tiles laid on trial before cells count as fillable."""

_Wanted = tuple[int, tuple[int, ...], int, bool]
"""A cell that is not completed: what it lacks as bits and as numbers, its worth, whether it lacks its own tile."""


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

    Of two cells that are `near` each other, `together` says which kinds go with which.

    `extras` are, for each tile to come, what it is worth beyond the least that can go on a cell in its place.
    """

    sure: int
    cells: tuple[Open, ...]
    tiles: tuple[int, ...]
    fits: dict[int, int]
    extras: tuple[int, ...]
    worths: tuple[int, ...]
    near: Callable[[int, int], bool]
    together: Callable[[int, int], dict[int, int]]

    def bound(self) -> int:
        """The better of two ways to count what is not completed: as the best tile that fits, its worth shared out among what
        it lacks; or as the worst tile that fits, and what tiles are worth beyond that added once for each."""
        number = len(self.tiles)
        uncovered = sum(cell.most > cell.least for cell in self.cells)
        most = _shared((cell.lacks, cell.count, cell.most) for cell in self.cells)
        least = _shared((cell.lacks, cell.count, cell.least) for cell in self.cells)
        return self.sure + min(_best(most, number), _best(least, number) + sum(self.extras[:uncovered]))


def may_exceed(opening: Opening, goal: int, patience: int) -> bool:
    """Whether more than the goal may come of it; True also when it is not refuted in so many branches."""
    return _Branching(opening, goal, patience).answer()


@define
class _Branching:
    """Cells are numbered anew, in the order in which they are first lacked."""

    opening: Opening
    goal: int
    patience: int
    branches: int = 0
    numbers: dict[int, int] = field(factory=dict)
    placeable: dict[int, bool] = field(factory=dict)

    def answer(self) -> bool:
        numbers = self.numbers
        cells: list[_Wanted] = []
        for cell in self.opening.cells:
            at = tuple(numbers.setdefault(near, len(numbers)) for near in places(cell.lacks))
            cells.append((sum(1 << n for n in at), at, cell.most, cell.own))
        return self._exceeds(cells, 0, len(self.opening.tiles), 0, 0)

    def _exceeds(self, cells: list[_Wanted], covered: int, left: int, firm: int, own: int) -> bool:
        """`firm` is the worth of the cells completed but for their own tile; `own` the number of those with a tile to come."""
        self.branches += 1
        if self.branches > self.patience:
            return True
        still: list[_Wanted] = []
        shares = [0] * len(self.numbers)
        best, chosen = 0.0, 0
        for wanted in cells:
            lacks, at, most, is_own = wanted
            if lacks & covered:
                lacks &= ~covered
                if not lacks:
                    if is_own:
                        own += 1
                    else:
                        firm += most
                    continue
                at = tuple(n for n in at if lacks >> n & 1)
            count = len(at)
            if count > left:
                continue
            if most / count > best:
                best, chosen = most / count, len(still)
            still.append((lacks, at, most, is_own))
            share = -(-SIXTIETHS * most // count)
            for n in at:
                shares[n] += share
        had = self.opening.sure + firm + sum(self.opening.worths[:own])
        if had > self.goal:
            return True
        shares.sort(reverse=True)
        if not still or had + sum(shares[:left]) // SIXTIETHS <= self.goal:
            return False
        lacks, at, _, _ = still[chosen]
        if self._placeable(covered | lacks) and self._exceeds(still, covered | lacks, left - len(at), firm, own):
            return True
        del still[chosen]
        return self._exceeds(still, covered, left, firm, own)

    def _placeable(self, covered: int) -> bool:
        """Whether different tiles can be found for all the cells, so that those side by side go together."""
        known = self.placeable.get(covered)
        if known is None:
            cells = {cell: self.opening.fits[cell] for cell, number in self.numbers.items() if covered >> number & 1}
            supply: dict[int, int] = {}
            for kind in self.opening.tiles:
                supply[kind] = supply.get(kind, 0) + 1
            known = self.placeable[covered] = matched(cells, supply) and self._filled(cells, supply, [FILLINGS])
        return known

    def _filled(self, cells: dict[int, int], supply: dict[int, int], left: list[int]) -> bool:
        """The same, filling the cell with the fewest kinds first; yes when it is not settled in so many fillings."""
        if not cells:
            return True
        cell = min(cells, key=lambda c: cells[c].bit_count())
        mask = cells[cell]
        others = {c: m for c, m in cells.items() if c != cell}
        beside = [(c, self.opening.together(cell, c)) for c in others if self.opening.near(cell, c)]
        for kind, number in supply.items():
            if not number or not mask >> kind & 1:
                continue
            left[0] -= 1
            if left[0] < 0:
                return True
            after = dict(others)
            for c, kinds in beside:
                after[c] &= kinds[kind]
            if all(after.values()):
                supply[kind] -= 1
                done = self._filled(after, supply, left)
                supply[kind] += 1
                if done:
                    return True
        return False


def matched(cells: dict[int, int], supply: dict[int, int]) -> bool:
    """Whether different tiles can be found for all the cells (Kuhn's matching)."""
    tiles = [kind for kind, number in supply.items() for _ in range(number)]
    holder: dict[int, int] = {}

    def give(cell: int, tried: set[int]) -> bool:
        for tile, kind in enumerate(tiles):
            if cells[cell] >> kind & 1 and tile not in tried:
                tried.add(tile)
                if tile not in holder or give(holder[tile], tried):
                    holder[tile] = cell
                    return True
        return False

    return all(give(cell, set()) for cell in cells)


def _shared(cells: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """For each cell that something lacks, the shares in sixtieths of all that lack it."""
    shares: dict[int, int] = {}
    for lacks, count, worth in cells:
        share = -(-SIXTIETHS * worth // count)
        for cell in places(lacks):
            shares[cell] = shares.get(cell, 0) + share
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
