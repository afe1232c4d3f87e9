"""Looks of spaces and of tiles that run together."""

from __future__ import annotations

import re

from rulewright.cli.names import named
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.pictures.look import LIGHT, Looks
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer
from tests.pictures.inlined import inlined

CARS = """module cars:
    "Cars."

look lot: grass, chequered, large
look car: red, joined

space lot: square grid 2 x 1 of tiles

tiles fleet:
    car  x2

flow:
    turn:
        choose stop
"""


def drawn(*cars: int) -> str:
    """The lot with cars on some cells."""
    engine = Engine.of(link({"cars": parse_module(CARS, "cars.rules")}, ("cars",)), 1)
    state = list(engine.start(1))
    state[engine.layout.columns["lot"].start] = bytes(cell in cars for cell in range(3))
    return inlined(picture(Scene(engine, Viewer(), "cars", PictureOptions(100.0)), tuple(state)))


def test_every_other_cell_is_darker_and_all_are_larger():
    grass = "#8dbb6a"
    assert drawn().count(grass) == 1
    assert drawn().count(LIGHT.shaded(grass, 0.2)) == 1
    assert drawn().count('d="M-75 -75L75 -75 75 75 -75 75Z"') == 2


def test_tiles_run_together_where_their_like_lies():
    alone, bridge = "M-67.5 -67.5L67.5 -67.5 67.5 67.5 -67.5 67.5Z", "M-67.5 -77.25L67.5 -77.25 67.5 -67.5 0 0 -67.5 -67.5Z"
    # A bridge goes over the side, so that the line between the cells is not seen.
    assert drawn(0).count(alone) == 1 and drawn(0).count(bridge) == 0
    assert drawn(0, 1).count(alone) == drawn(0, 1).count(bridge) == 2
    assert drawn(0, 1).count(f'<g transform="rotate(90)">\n<path d="{bridge}"') == 1
    assert drawn(0, 1).count(f'<g transform="rotate(270)">\n<path d="{bridge}"') == 1


def test_words_of_spaces_are_printed_as_they_are_read():
    for text, look in ((CARS, "look lot: grass, chequered, large"), (YARD, "look posts: around yard")):
        module = parse_module(text, "text.rules")
        assert look in print_module(module)
        assert parse_module(print_module(module), "text.rules") == module


def test_a_shipped_board_is_chequered():
    game = named("classics.queens").start(None, 0).engine.game
    assert Looks.of(game).space("board").ground is not None


def ground(style: str) -> list[str]:
    """What is drawn of the cells of an empty board of four columns and two rows, in order."""
    text = CARS.replace("chequered, large", style).replace("2 x 1", "4 x 2")
    engine = Engine.of(link({"cars": parse_module(text, "cars.rules")}, ("cars",)), 1)
    found = inlined(picture(Scene(engine, Viewer(), "cars", PictureOptions(100.0, coordinates=False)), engine.start(1)))
    return re.findall(r'<title>\(\d,\d\)</title>\n<g>\n.*\n<path d="([^"]*)"', found)


def test_points_are_crossings_of_lines_to_the_next_points():
    north, east, south, west = "M0 0L0 -50", "M0 0L50 0", "M0 0L0 50", "M0 0L-50 0"
    first, second = ground("points")[:4], ground("points")[4:]
    assert first == [east + south, east + south + west, east + south + west, south + west]
    assert second == [north + east, north + east + west, north + east + west, north + west]


def test_every_third_column_and_row_begins_with_a_heavy_line():
    north, east, south, west = "M-50 -50L50 -50", "M50 -50L50 50", "M50 50L-50 50", "M-50 50L-50 -50"
    first, second = ground("thirds")[:4], ground("thirds")[4:]
    assert first == [north + west, north, north, north + east + west]
    assert second == [south + west, south, south, east + south + west]
    first, second = ground("framed")[:4], ground("framed")[4:]
    assert first == [north + west, north, north, north + east]
    assert second == [south + west, south, south, east + south]


YARD = """module yard:
    "A yard with a ring of posts."

space yard: square grid 2 x 3
space posts: ring 10
tiles coins:
    coin  x3

state:
    gate:  cell of yard
    guard: cell of posts
    heap:  pile of tiles, face up

look posts: around yard
look gate: exit, red
look heap: stack

flow:
    turn:
        choose stop
"""


def yard(**state: object) -> str:
    engine = Engine.of(link({"yard": parse_module(YARD, "yard.rules")}, ("yard",)), 1)
    begun = list(engine.start(1))
    for name, value in state.items():
        begun[engine.layout.columns[name].start] = value
    return inlined(picture(Scene(engine, Viewer(), "yard", PictureOptions(100.0)), tuple(begun)))


def test_an_exit_is_a_gap_in_the_outer_side_of_its_cell():
    """Of the cell (1,1): to the east, a quarter turn from the first side."""
    gap = re.search(
        r'<g transform="rotate\((\d+)\)">\n<g>\n<path d="M-44 -50L44 -50" fill="none" stroke="(#\w+)"', yard(gate=3)
    )
    assert gap is not None and gap.groups() == ("90", LIGHT.paper)


def test_a_ring_lies_around_a_board_clockwise_from_its_north_western_corner():
    places = re.findall(r'<g transform="translate\((\S+) (\S+)\)">\n<title>\((\d+)\)', yard())
    assert [(float(x), float(y), int(cell)) for x, y, cell in places] == [
        *((-50, -260, 0), (50, -260, 1), (210, -100, 2), (210, 0, 3), (210, 100, 4)),
        *((50, 260, 5), (-50, 260, 6), (-210, 100, 7), (-210, 0, 8), (-210, -100, 9)),
    ]


def test_of_a_stack_the_top_is_seen_with_the_number():
    drawn = yard(heap=(1, 1, 1))
    assert drawn.count("<title>coin</title>") == 1 and ">x3</text>" in drawn


def test_storeys_are_seen_from_above_with_pieces_on_them_and_the_highest_is_a_dome():
    start = named("santorini_fork").start(None, 0)
    drawn = inlined(picture(Scene(start.engine, start.viewer, "santorini", PictureOptions(100.0)), start.state))
    cell = re.search(r"<title>\(1,1\) (?:(?!</g>\n</g>).)*", drawn, re.DOTALL)
    assert cell is not None and "height 2" in cell[0] and "builder" in cell[0]
    floors = [f"M-{half} -{half}L{half} -{half}" for half in (46, 36)]
    assert [*map(cell[0].count, floors)] == [1, 1] and cell[0].index(floors[1]) < cell[0].index("<title>builder")
    assert drawn.count('fill="#0072b2"') >= drawn.count("height 4") > 0


def test_lines_of_a_board_lie_below_its_pieces():
    start = named("morris_fork").start(None, 0)
    drawn = inlined(picture(Scene(start.engine, start.viewer, "morris", PictureOptions(100.0)), start.state))
    lines, first_cell = drawn.index("M-299.95 -299.95L299.95 -299.95"), drawn.index("<title>(a7)")
    assert lines < first_cell and '<path d="M-50 -50L50 -50 50 50 -50 50Z" fill="none"/>' in drawn


def test_a_large_drawing_is_as_wide_and_high_as_its_cell_below_what_stands_there():
    start = named("hex_bridges").start(None, 0)
    drawn = inlined(picture(Scene(start.engine, start.viewer, "hex", PictureOptions(100.0)), start.state))
    sides = re.findall(r'matrix\(1.0000 0.0000 0.0000 1.1547 0 0\)">\n<path d="M(-?50) (-?25)L[^"]*" fill="(#\w+)"', drawn)
    north, east = ("-50", "-25", "#d55e00"), ("50", "25", "#0072b2")
    assert [len(sides), sides.count(north), sides.count(east)] == [16, 4, 4]
