"""Places of patterns, held against shapes that are counted by hand and against laying every cell."""

from __future__ import annotations

import pytest

from rulewright.rules.spaces.hex import hex_window
from rulewright.rules.spaces.pattern import between_hexes, places_of
from rulewright.rules.spaces.square import cube_window, square_window

PENTOMINOES = {
    "F": (" xx", "xx ", " x "), "I": ("xxxxx",), "L": ("xxxx", "x   "), "N": ("xxx ", "  xx"), "P": ("xx", "xx", "x "),
    "T": ("xxx", " x ", " x "), "U": ("x x", "xxx"), "V": ("x  ", "x  ", "xxx"), "W": ("x  ", "xx ", " xx"),
    "X": (" x ", "xxx", " x "), "Y": ("xxxx", " x  "), "Z": ("xx ", " x ", " xx"),
}  # fmt: skip
WAYS = {"F": 8, "I": 2, "L": 8, "N": 8, "P": 8, "T": 4, "U": 4, "V": 4, "W": 4, "X": 1, "Y": 8, "Z": 4}
"""In how many ways each can be laid: 63 together."""


def drawing(rows: tuple[str, ...]) -> tuple[list[tuple[int, int, int]], ...]:
    return ([(x, y, 0) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != " "],)


@pytest.mark.parametrize("name", PENTOMINOES)
def test_pentominoes_lie_in_as_many_ways_as_is_known(name: str) -> None:
    rows = PENTOMINOES[name]
    found = places_of(square_window((11, 9), wrapped=True), drawing(rows), turned=True, mirrored=True)
    assert len(found) == WAYS[name] * 99
    wide, high = len(rows[0]), len(rows)
    inside = places_of(square_window((20, 3)), drawing(rows), turned=True, mirrored=True)
    boxes = {(wide, high), (high, wide)}
    assert len(inside) == sum(WAYS[name] // len(boxes) * max(0, 21 - w) * max(0, 4 - h) for w, h in boxes)
    assert all(place.cell == place.cells[0][0] and len(set(place.cells[0])) == 5 for place in inside)


def test_all_pentominoes_on_a_chessboard() -> None:
    """25 ways have a box of 3 x 3, 24 one of 2 x 4, 12 one of 2 x 3 and 2 one of 1 x 5."""
    board = square_window((8, 8))
    assert (
        sum(len(places_of(board, drawing(rows), turned=True, mirrored=True)) for rows in PENTOMINOES.values())
        == 25 * 36 + 24 * 35 + 12 * 42 + 2 * 32
    )


def test_roles_tell_ways_apart() -> None:
    board = square_window((3, 1))
    assert len(places_of(board, ([(0, 0, 0), (1, 0, 0)],), turned=True, mirrored=False)) == 2
    found = places_of(board, ([(0, 0, 0)], [(1, 0, 0)]), turned=True, mirrored=False)
    assert [(place.cell, place.turn, place.cells) for place in found] == [
        (0, 0, ((0,), (1,))),
        (1, 0, ((1,), (2,))),
        (1, 2, ((1,), (0,))),
        (2, 2, ((2,), (1,))),
    ]


def test_mirrored_comes_before_turned() -> None:
    """A hook that points east is mirrored to the west, then turned to the north."""
    found = places_of(square_window((3, 3)), ([(0, 0, 0)], [(1, 0, 0)], [(0, 1, 0)]), turned=True, mirrored=True)
    place = next(place for place in found if place.cell == 4 and place.mirrored and place.turn == 1)
    assert place.cells == ((4,), (1,), (3,))


def test_levels_stay_upright() -> None:
    tower = places_of(cube_window((2, 1, 3)), ([(0, 0, 1), (0, 0, 2)], [(1, 0, 1)]), turned=True, mirrored=False)
    assert [(place.cell, place.turn, place.cells) for place in tower] == [
        (0, 0, ((0, 2), (1,))),
        (1, 2, ((1, 3), (0,))),
        (2, 0, ((2, 4), (3,))),
        (3, 2, ((3, 5), (2,))),
    ]


def test_no_place_meets_itself_on_a_torus() -> None:
    assert places_of(square_window((2, 5), wrapped=True), ([(0, 0, 0), (1, 0, 0), (2, 0, 0)],), False, False) == ()


HEX_SHAPES = {
    "pair": ("x x",), "line": ("x x x",), "bend": ("x x  ", "   x "), "triangle": ("x x", " x "),
    "worm": ("x x x  ", "     x "), "pistol": ("x x x", " x   "), "propeller": (" x   ", "  x x", " x   "),
    "arch": (" x x ", "x   x"), "bee": ("x x ", " x x"), "wave": ("x x  ", "   x x"), "bar": ("x x x x",),
}  # fmt: skip
HEX_WAYS = {
    "pair": 3, "line": 3, "bend": 6, "triangle": 2,
    "worm": 12, "pistol": 12, "propeller": 2, "arch": 6, "bee": 3, "wave": 6, "bar": 3,
}  # fmt: skip
"""In how many ways shapes of two, three and four hexes can be laid: 3, 11 and 44 together."""


@pytest.mark.parametrize("name", HEX_WAYS)
def test_shapes_of_hexes_lie_in_as_many_ways_as_is_known(name: str) -> None:
    found = places_of(hex_window((9, 8), wrapped=True), drawing(HEX_SHAPES[name]), turned=True, mirrored=True)
    assert len(found) == HEX_WAYS[name] * 72


def test_turns_of_hexes_are_those_of_directions() -> None:
    """A pair that points east points south-east when turned once, and so on, on rows of both kinds."""
    window = hex_window((4,))
    for place in places_of(window, ([(0, 0, 0)], [(2, 0, 0)]), turned=True, mirrored=False):
        (start,), (end,) = place.cells
        assert window.toward(start, end) == window.turn(1, place.turn)


def test_hexes_are_mirrored_from_east_to_west() -> None:
    window = hex_window((3,))
    hook = ([(0, 0, 0)], [(2, 0, 0)], [(3, 1, 0)])
    for place in places_of(window, hook, turned=False, mirrored=True):
        (start,), (middle,), (end,) = place.cells
        ways = window.words[window.toward(start, middle)], window.words[window.toward(middle, end)]
        assert ways == (("west", "south_west") if place.mirrored else ("east", "south_east"))


def test_cells_between_hexes_are_found() -> None:
    assert between_hexes(drawing(("x x", "xx "))) == (0, 1, 0)
    assert between_hexes(drawing((" x x", "x x "))) is None
