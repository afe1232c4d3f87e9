"""The tiles of the expansions and what every tile is worth, written by hand from the rulebooks and rulings R5 and R7 to R9.

Plain on purpose: a board is a dictionary, a landmass is found by walking from side to side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.games.beacon_patrol.oracle.base_game import SIDE_FACING_BACK, SIDE_TOWARDS, Cell, explored, step
from tests.games.beacon_patrol.oracle.faces import FACES

Board = dict[Cell, str]


class Module(NamedTuple):
    """A kind of tile of a module: how many there are, its land, the module."""

    copies: int
    land: str
    of: str


MODULE_TILES = {
    "windmill": Module(5, "", "windmills"),
    "ne_pier": Module(1, "NE", "piers"),
    "es_pier": Module(1, "ES", "piers"),
    "sw_pier": Module(1, "SW", "piers"),
    "nw_pier": Module(1, "NW", "piers"),
    "n_seals": Module(1, "N", "seal_banks"),
    "e_seals": Module(1, "E", "seal_banks"),
    "s_seals": Module(1, "S", "seal_banks"),
    "w_seals": Module(1, "W", "seal_banks"),
    "pond": Module(4, "NESW", "ponds"),
    "ne_outpost": Module(1, "NE", "outposts"),
    "es_outpost": Module(1, "ES", "outposts"),
    "sw_outpost": Module(1, "SW", "outposts"),
    "nw_outpost": Module(1, "NW", "outposts"),
    "nes_bay": Module(1, "NES", "far_bays"),
    "esw_bay": Module(1, "ESW", "far_bays"),
    "new_bay": Module(1, "NEW", "far_bays"),
    "nsw_bay": Module(1, "NSW", "far_bays"),
    "wreck": Module(4, "", "wrecks"),
}

ONE_HOUSE = (
    "n_house", "n_buoy_house", "e_house", "e_buoy_house", "s_house", "s_buoy_house", "w_house", "w_buoy_house",
    "ne_house", "es_house", "sw_house", "nw_house",
    "new_house", "new_light_house", "nes_house", "nsw_house", "nsw_light_house",
)  # fmt: skip
TWO_HOUSES = ("n_village", "e_village", "s_village", "w_village", "esw_village")
ON_ONE_SIDE = {"ns_house_n": "N", "ns_house_s": "S"}
"""One house, on the one of two landmasses that has this side."""

BUOYS = tuple(kind for kind in FACES if "buoy" in kind)


def land_of(kind: str) -> str:
    return MODULE_TILES[kind].land if kind in MODULE_TILES else FACES[kind].land


def landmasses_on(kind: str) -> list[str]:
    """The sides of each landmass of a tile: opposite sides are two, everything else hangs together."""
    land = land_of(kind)
    if land in ("NS", "EW"):
        return list(land)
    return [land] if land else []


def houses(kind: str, mass: str) -> int:
    """On one landmass of a tile."""
    if kind in ON_ONE_SIDE:
        return int(ON_ONE_SIDE[kind] == mass)
    return {**dict.fromkeys(ONE_HOUSE, 1), **dict.fromkeys(TWO_HOUSES, 2)}.get(kind, 0)


def landmass(board: Board, cell: Cell) -> set[tuple[Cell, str]]:
    """The land of a tile with a single landmass, and all that it joins: pairs of a cell and the sides of its part."""
    (start,) = landmasses_on(board[cell])
    found: set[tuple[Cell, str]] = set()
    pending = [(cell, start)]
    while pending:
        here, mass = pending.pop()
        if (here, mass) in found:
            continue
        found.add((here, mass))
        for direction, side in SIDE_TOWARDS.items():
            there = step(here, direction)
            if side in mass and there in board:
                pending += [(there, other) for other in landmasses_on(board[there]) if SIDE_FACING_BACK[direction] in other]
    return found


def neighbours(board: Board, cell: Cell) -> Iterator[str]:
    for direction in SIDE_TOWARDS:
        if step(cell, direction) in board:
            yield board[step(cell, direction)]


def worth(board: Board, cell: Cell) -> int:
    """What a tile is worth once it is explored."""
    kind = board[cell]
    if kind not in MODULE_TILES:
        return FACES[kind].points
    match MODULE_TILES[kind].of:
        case "windmills":
            return 1 + sum(not land_of(near) for near in neighbours(board, cell))
        case "piers":
            return 1 + sum(houses(board[at], mass) for at, mass in landmass(board, cell))
        case "seal_banks":
            tiles = {at for at, _ in landmass(board, cell)} - {cell}
            return 1 + sum(not any(houses(board[at], mass) for mass in landmasses_on(board[at])) for at in tiles)
        case "wrecks":
            return 1 + sum(near in BUOYS for near in neighbours(board, cell))
        case _:
            return 2


def score(board: Board) -> int:
    """Of all explored tiles, before anything is taken off."""
    return sum(worth(board, cell) for cell in board if explored(board, cell))
