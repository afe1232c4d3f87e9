"""Runtime of zones, in the compiled subset: sets and piles of tiles, and what moves from one to another."""

from __future__ import annotations

from rulewright.subset.bundles import Bundle

from .runtime import GameMemory, change, draw, rehash, write

UNDER = -2
"""In place of a zone's first hashed place: a pile whose tiles come and go at its bottom."""


class Zone(Bundle):
    """The places of a zone: its first tile, its length, its first hashed place.

    For a pile, which is hashed by slots, the last is -1 or `UNDER`.
    """

    base: int
    length: int
    hashed: int


# Sets are sorted lists; what follows their last tile is 0 ------------------------------------------


def gain(game: GameMemory, zone: Zone, tile: int) -> None:
    """Add a tile to a set."""
    at = game.state[zone.length]
    write(game, zone.length, at + 1)
    while at > 0 and game.state[zone.base + at - 1] > tile:
        write(game, zone.base + at, game.state[zone.base + at - 1])
        at -= 1
    write(game, zone.base + at, tile)
    copies = copies_at(game, zone, at)
    rehash(game, zone.hashed + tile, copies - 1, copies)


def copies_at(game: GameMemory, zone: Zone, at: int) -> int:
    """How many tiles of a set, up to the one at index `at`, are of its kind."""
    first = at
    while first > 0 and game.state[zone.base + first - 1] == game.state[zone.base + at]:
        first -= 1
    return at - first + 1


def lose(game: GameMemory, zone: Zone, tile: int) -> bool:
    """Take a tile out of a set; False if there is no such tile."""
    length = game.state[zone.length]
    at = 0
    while at < length and game.state[zone.base + at] != tile:
        at += 1
    if at == length:
        return False
    copies = 1
    while at < length - 1:
        if game.state[zone.base + at + 1] == tile:
            copies += 1
        write(game, zone.base + at, game.state[zone.base + at + 1])
        at += 1
    write(game, zone.base + at, 0)
    write(game, zone.length, length - 1)
    rehash(game, zone.hashed + tile, copies, copies - 1)
    return True


def clear(game: GameMemory, zone: Zone) -> None:
    """Empty a set."""
    at = game.state[zone.length]
    write(game, zone.length, 0)
    while at > 0:
        at -= 1
        copies = copies_at(game, zone, at)
        rehash(game, zone.hashed + game.state[zone.base + at], copies, copies - 1)
        write(game, zone.base + at, 0)


# Piles are lists, the top last ---------------------------------------------------------------------


def push(game: GameMemory, pile: Zone, tile: int) -> None:
    length = game.state[pile.length]
    change(game, pile.base + length, tile)
    write(game, pile.length, length + 1)


def push_under(game: GameMemory, pile: Zone, tile: int) -> None:
    """Lay a tile at the bottom of a pile."""
    at = game.state[pile.length]
    write(game, pile.length, at + 1)
    while at > 0:
        change(game, pile.base + at, game.state[pile.base + at - 1])
        at -= 1
    change(game, pile.base, tile)


def pull(game: GameMemory, pile: Zone, tile: int) -> bool:
    """Take the tile of a kind nearest to a pile's end out of it; False if there is none."""
    length = game.state[pile.length]
    at = 0
    if pile.hashed == UNDER:
        while at < length and game.state[pile.base + at] != tile:
            at += 1
    else:
        at = length - 1
        while at >= 0 and game.state[pile.base + at] != tile:
            at -= 1
    if at < 0 or at == length:
        return False
    take_at(game, pile, at)
    return True


def take_at(game: GameMemory, pile: Zone, place: int) -> int:
    """Take a tile out of a pile, by its index from the bottom."""
    last = game.state[pile.length] - 1
    tile = game.state[pile.base + place]
    for at in range(place, last):
        change(game, pile.base + at, game.state[pile.base + at + 1])
    change(game, pile.base + last, 0)
    write(game, pile.length, last)
    return tile


# From zone to zone ---------------------------------------------------------------------------------


def receive(game: GameMemory, zone: Zone, tile: int) -> None:
    """Add a tile to a set, or put it on or under a pile."""
    if zone.hashed == UNDER:
        push_under(game, zone, tile)
    elif zone.hashed < 0:
        push(game, zone, tile)
    else:
        gain(game, zone, tile)


def deal(game: GameMemory, number: int, source: Zone, target: Zone) -> None:
    """Move at most `number` tiles from the end of a pile, or from the front of a set."""
    number = min(number, game.state[source.length])
    if source.base == target.base and source.hashed == target.hashed:
        if source.hashed == UNDER:
            reverse(game, source.base, source.base + number - 1)
        elif source.hashed < 0:
            end = source.base + game.state[source.length]
            reverse(game, end - number, end - 1)
        return
    for _ in range(number):
        if source.hashed == UNDER:
            tile = take_at(game, source, 0)
        elif source.hashed < 0:
            tile = take_at(game, source, game.state[source.length] - 1)
        else:
            tile = game.state[source.base]
            lose(game, source, tile)
        receive(game, target, tile)


def move_all(game: GameMemory, source: Zone, target: Zone) -> None:
    if source.hashed < 0 or source.base == target.base:
        deal(game, game.state[source.length], source, target)
        return
    for at in range(game.state[source.length]):
        receive(game, target, game.state[source.base + at])
    clear(game, source)


def reverse(game: GameMemory, low: int, high: int) -> None:
    """Reverse the tiles of a pile between two slots, as dealing them onto the same end of the same pile does."""
    while low < high:
        tile = game.state[low]
        change(game, low, game.state[high])
        change(game, high, tile)
        low += 1
        high -= 1


def shuffle(game: GameMemory, pile: Zone) -> None:
    """Shuffle a pile (Fisher and Yates), counted from its top."""
    length = game.state[pile.length]
    last = length - 1
    while last > 0:
        other = draw(game, last + 1)
        one_slot = pile.base + length - 1 - last
        other_slot = pile.base + length - 1 - other
        tile = game.state[one_slot]
        change(game, one_slot, game.state[other_slot])
        change(game, other_slot, tile)
        last -= 1
