"""Positions that a symmetry maps onto each other have one canonical form; others have another."""

from __future__ import annotations

import pytest

from rulewright.grammar.tree.modules import Shape
from rulewright.rules.spaces.pattern import Symmetry, mapped_directions, symmetries_of
from rulewright.studies.making.composition import canonical_digest
from tests.puzzles.positions import PROJECT, at_sea, position

HAND = "\nhand 1: {}\ntokens 1: 2\ndraw: {}\nstart: turn of 1\nask: maximise score until end\n"
NORTH = "sea:\n    .      buoy\n    hq     open@1\n"
EAST = "sea:\n    hq       .\n    open@1   buoy\n"
WEST = "sea:\n    buoy    .\n    open@1  hq\n"
PEGS = """
puzzle pegs:
    rules classics.peg_solitaire
    board:
{}
    target: {}
    ask: maximise score until end
"""


def sea(board: str, hand: str, draw: str) -> str:
    return canonical_digest(at_sea(board + HAND.format(hand, draw)))


def test_a_quarter_turn_and_a_mirror_at_sea() -> None:
    """The sides of the tiles turn with the board: land in the north becomes land in the east."""
    here = sea(NORTH, "n_light", "es_house, open")
    assert here == sea(EAST, "e_light", "sw_house, open")
    assert here == sea(WEST, "n_light", "sw_house, open")
    assert here == sea("sea:\n    .      .      .\n    .      buoy   .\n    hq     open@1 .\n", "n_light", "es_house, open")


@pytest.mark.parametrize(
    ("board", "hand", "draw"),
    [
        (NORTH, "n_light", "open, es_house"),  # the order of the pile
        (NORTH, "e_light", "es_house, open"),  # another hand
        (EAST, "n_light", "es_house, open"),  # the board turned, the tiles not
        ("sea:\n    .      buoy\n    hq@1   open\n", "n_light", "es_house, open"),  # the ship
    ],
)
def test_other_positions_at_sea(board: str, hand: str, draw: str) -> None:
    assert sea(board, hand, draw) != sea(NORTH, "n_light", "es_house, open")


def pegs(rows: tuple[str, ...], target: str) -> str:
    cells = {"#": "rim", ".": ".", "o": "peg"}
    board = "\n".join("        " + " ".join(cells[cell] for cell in row) for row in rows)
    return canonical_digest(position(PEGS.format(board, target), PROJECT.load("classics.peg_solitaire")))


UPPER = ("##.o.##", "##.o.##", ".......", ".......", ".......", "##...##", "##...##")
RIGHT = ("##...##", "##...##", ".......", ".....oo", ".......", "##...##", "##...##")
OFF = ("##...##", "##.o.##", "...o...", ".......", ".......", "##...##", "##...##")


def test_a_space_with_bounds_turns_about_its_centre() -> None:
    assert pegs(UPPER, "(3,3)") == pegs(RIGHT, "(3,3)")
    assert pegs(UPPER, "(3,3)") != pegs(OFF, "(3,3)")
    assert pegs(UPPER, "(3,4)") == pegs(RIGHT, "(2,3)") != pegs(RIGHT, "(3,4)")


@pytest.mark.parametrize("shape", [Shape.SQUARE, Shape.HEX])
def test_symmetries_keep_neighbours_and_are_all_different(shape: Shape) -> None:
    module = "classics.peg_solitaire" if shape is Shape.SQUARE else "classics.triangle_solitaire"
    game = PROJECT.load(module)
    from rulewright.rules.play.engine import Engine

    (window,) = Engine.of(game, 1).instance.windows.values()
    assert window.shape is shape
    found = {mapped_directions(window, symmetry) for symmetry in symmetries_of([window])}
    assert len(found) == (8 if shape is Shape.SQUARE else 12)
    for ways in found:
        assert sorted(ways) == list(range(len(window.directions)))
        assert all(ways[window.opposite[way]] == window.opposite[ways[way]] for way in range(len(ways)))
    identity = tuple(range(len(window.directions)))
    assert mapped_directions(window, Symmetry()) == identity
