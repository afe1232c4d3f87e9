"""Places of a pattern: a drawing of cells laid on a window, turned about the vertical axis and mirrored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.records import frozen

from .window import Window

Offset = tuple[int, int, int]
"""Columns to the east, rows to the south, levels up."""

QUARTERS = 4


@frozen
class Place:
    """Where a pattern lies: `cell` is under the first cell drawn, and the drawing is mirrored, then turned clockwise.

    `cells` are those of each role.
    """

    cell: int
    turn: int
    mirrored: bool
    cells: tuple[tuple[int, ...], ...]


def places_of(window: Window, drawing: Sequence[Sequence[Offset]], turned: bool, mirrored: bool) -> tuple[Place, ...]:
    """Every place of a drawing, which has the cells of each role, by cell; of places that are the same set of cells the first.

    What would leave the window, or meet itself on a wrapped one, is left out.
    """
    first = min((offset for role in drawing for offset in role), key=lambda offset: (offset[2], offset[1], offset[0]))
    found: dict[tuple[frozenset[int], ...], Place] = {}
    for flipped in (False, True)[: 1 + mirrored]:
        for turn in range(QUARTERS if turned else 1):
            roles = [[_moved(offset, first, turn, flipped) for offset in role] for role in drawing]
            for cell, cells in _laid(window, roles):
                found.setdefault(tuple(map(frozenset, cells)), Place(cell, turn, flipped, cells))
    return tuple(sorted(found.values(), key=lambda place: (place.cell, place.mirrored, place.turn)))


def _moved(offset: Offset, first: Offset, turn: int, mirrored: bool) -> Offset:
    """An offset from the first cell of a drawing that is mirrored and turned."""
    east, south, up = (along - start for along, start in zip(offset, first, strict=True))
    if mirrored:
        east = -east
    for _ in range(turn):
        east, south = -south, east
    return east, south, up


def _laid(window: Window, roles: Sequence[Sequence[Offset]]) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
    """The cells of each role, with the first cell of the drawing on every cell where all of them lie in the window."""
    periods = window.periods or (0,) * len(window.coordinates[0])
    for cell, start in enumerate(window.coordinates):

        def at(offset: Offset, start: tuple[int, ...] = start) -> int:
            moved = (along + by for along, by in zip(start, offset, strict=False))
            return window.cell(along % period if period else along for along, period in zip(moved, periods, strict=True))

        cells = tuple(tuple(map(at, role)) for role in roles)
        covered = [cell for role in cells for cell in role]
        if window.nowhere not in covered and len(set(covered)) == len(covered):
            yield cell, cells
