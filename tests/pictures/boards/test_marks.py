"""What definitions say of cells is drawn where they hold: a frame, or the drawing that is said."""

from __future__ import annotations

from attrs import evolve

from rulewright.cli.names import named
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree.looks import Colour
from rulewright.pictures.boards.board_picture import BoardPicture
from rulewright.pictures.look import Looks
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.palette import LIGHT
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer

CORNERS = """module corners:
    "Corners of a yard."

{looks}

space yard: square grid 3 x 3

state:
    fear of yard: truth, face down

define in_corner(c in yard) = column(c) != 1 and row(c) != 1
define dreaded(c in yard) = not fear of c

flow:
    turn:
        choose stop
"""


def board(looks: str) -> BoardPicture:
    game = link({"corners": parse_module(CORNERS.format(looks=looks), "corners.rules")}, ("corners",))
    engine = Engine.of(game, 1)
    return BoardPicture(engine, engine.start(1), Viewer(), Looks.of(game), LIGHT, "yard", PictureOptions(10.0))


def test_cells_for_which_a_definition_holds_have_a_frame():
    framed = board("look in_corner: red")
    assert sorted(framed.holds) == [0, 2, 6, 8]
    assert all(mark.is_frame and mark.title == "in_corner" for marks in framed.holds.values() for mark in marks)
    assert to_text(framed.drawn()).count("(0,0) in_corner") == 1


def test_what_is_said_to_be_drawn_stands_on_the_cell():
    marks = board("look in_corner: star, red").holds[0]
    assert not marks[0].is_frame and marks[0].look.data


def test_without_a_look_nothing_is_drawn_and_nothing_hidden_is_told():
    assert board("").holds == {}
    assert board("look dreaded: red").holds == {}


def test_explored_tiles_of_a_shipped_puzzle_have_a_frame():
    position = named("overboard").position
    game = position.engine.game
    drawn = BoardPicture(position.engine, position.root, Viewer(), Looks.of(game), LIGHT, "sea", PictureOptions(10.0))
    assert [drawn.window.coordinates[cell] for cell in drawn.holds] == [(1, 1)]


def test_each_ship_is_drawn_as_what_it_is_in_the_colour_of_its_captain():
    position = named("coast_guard_round_the_island").position
    looks = Looks.of(position.engine.game)
    drawn = BoardPicture(position.engine, position.root, Viewer(), looks, LIGHT, "sea", PictureOptions(10.0))
    ships = {mark.title: mark.look for marks in drawn.marks.values() for mark in marks}
    assert ships["ship of 1"] == evolve(looks.member(0, "coast_guard"), colour=Colour.RED, is_outline=False)
    assert ships["ship of 2"].data == looks.member(0, "patrol_ship").data
    assert ships["ship of 2"].colour is Colour.BLUE
