"""Effects on a zone with known tiles: a sorted tuple, or a pile with its top first."""

from __future__ import annotations

from bisect import insort

Tiles = tuple[int, ...]


def without(tiles: Tiles, tile: int, bottom: bool) -> Tiles | None:
    """The tiles without the first of a kind from one end; None if there is none."""
    if tile not in tiles:
        return None
    ordered = tiles[::-1] if bottom else tiles
    place = ordered.index(tile)
    left = ordered[:place] + ordered[place + 1 :]
    return left[::-1] if bottom else left


def dealt(tiles: Tiles, number: int | None, bottom: bool) -> tuple[Tiles, Tiles]:
    """The `number` tiles (None: all) dealt from one end, in the order in which they go, and the tiles left."""
    ordered = tiles[::-1] if bottom else tiles
    many = len(tiles) if number is None else max(number, 0)
    moved, left = ordered[:many], ordered[many:]
    return moved, left[::-1] if bottom else left


def with_more(tiles: Tiles, more: Tiles, bottom: bool, is_pile: bool) -> Tiles:
    """The tiles with more added one by one: to one end of a pile, else in sorted order."""
    if is_pile:
        return tiles + more if bottom else more[::-1] + tiles
    found = list(tiles)
    for tile in more:
        insort(found, tile)
    return tuple(found)
