"""The faces of the tiles in the box, typed in from the census of photographs."""

from typing import NamedTuple


class Face(NamedTuple):
    copies: int
    land: str  # the sides that are land; every other side is water
    points: int  # what the tile is worth once explored: lighthouse 3, buoy 2, anything else 1


HQ = "hq"
FACES = {
    HQ: Face(1, "", 3),
    "open": Face(6, "", 1),
    "buoy": Face(6, "", 2),
    "n_village": Face(1, "N", 1),
    "n_house": Face(1, "N", 1),
    "n_buoy": Face(1, "N", 2),
    "n_buoy_house": Face(1, "N", 2),
    "n_light": Face(1, "N", 3),
    "e_village": Face(1, "E", 1),
    "e_house": Face(1, "E", 1),
    "e_buoy": Face(1, "E", 2),
    "e_buoy_house": Face(1, "E", 2),
    "e_light": Face(1, "E", 3),
    "s_village": Face(1, "S", 1),
    "s_house": Face(1, "S", 1),
    "s_buoy": Face(1, "S", 2),
    "s_buoy_house": Face(1, "S", 2),
    "s_light": Face(1, "S", 3),
    "w_village": Face(1, "W", 1),
    "w_house": Face(1, "W", 1),
    "w_buoy": Face(1, "W", 2),
    "w_buoy_house": Face(1, "W", 2),
    "w_light": Face(1, "W", 3),
    "ns_house_n": Face(1, "NS", 1),
    "ns_house_s": Face(1, "NS", 1),
    "ns_buoy": Face(1, "NS", 2),
    "ew": Face(2, "EW", 1),
    "ew_buoy": Face(1, "EW", 2),
    "ne_house": Face(1, "NE", 1),
    "ne_light": Face(1, "NE", 3),
    "es_house": Face(1, "ES", 1),
    "es_light": Face(1, "ES", 3),
    "sw_house": Face(1, "SW", 1),
    "sw_light": Face(1, "SW", 3),
    "nw_house": Face(1, "NW", 1),
    "nw_light": Face(1, "NW", 3),
    "new_house": Face(1, "NEW", 1),
    "new_light_house": Face(1, "NEW", 3),
    "nes_house": Face(1, "NES", 1),
    "nes_light": Face(1, "NES", 3),
    "esw_village": Face(1, "ESW", 1),
    "esw_light": Face(1, "ESW", 3),
    "nsw_house": Face(1, "NSW", 1),
    "nsw_light_house": Face(1, "NSW", 3),
}
BASE_TILES: tuple[str, ...] = tuple(kind for kind, face in FACES.items() if kind != HQ for _ in range(face.copies))
