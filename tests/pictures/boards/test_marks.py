"""What definitions say of cells is drawn where they hold: a frame, or the drawing that is said."""

from __future__ import annotations

import re

from rulewright.cli.names import named
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree.looks import Colour
from rulewright.pictures.look import Looks
from rulewright.pictures.placing.boards import cells_of, contents_of
from rulewright.pictures.placing.placement import Reader
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import Scene
from rulewright.pictures.shapes import scaled
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import Attribute
from rulewright.pictures.text_sizes import PIECE
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer
from tests.pictures.inlined import inlined

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


def drawn(looks: str) -> str:
    game = link({"corners": parse_module(CORNERS.format(looks=looks), "corners.rules")}, ("corners",))
    engine = Engine.of(game, 1)
    return inlined(picture(Scene(engine, Viewer(), "corners"), engine.start(1)))


def test_cells_for_which_a_definition_holds_have_a_frame():
    framed = drawn("look in_corner: red")
    assert re.findall(r"<title>(\(.*\)) in_corner</title>", framed) == ["(0,0)", "(2,0)", "(0,2)", "(2,2)"]
    assert framed.count(f'stroke="{Colour.RED.light}"') == 4
    assert "<title>in_corner</title>" not in framed  # nothing stands there


def test_what_is_said_to_be_drawn_stands_on_the_cell():
    found = drawn("look in_corner: star, red")
    assert found.count("<title>in_corner</title>") == found.count(f'fill="{Colour.RED.light}"') == 4
    assert f'stroke="{Colour.RED.light}"' not in found


def test_without_a_look_nothing_is_drawn_and_nothing_hidden_is_told():
    assert "in_corner" not in drawn("")
    assert "dreaded" not in drawn("look dreaded: red")


def test_explored_tiles_of_a_shipped_puzzle_have_a_frame():
    position = named("overboard").position
    stage = stage_of(Scene(position.engine, Viewer(), "overboard"))
    ((hold,), reader) = (stage.boards[0].holds, Reader(position.engine, position.root))
    cells = cells_of(stage.boards[0], contents_of(stage.boards[0], reader))
    coordinates = stage.boards[0].grid.coordinates
    assert hold.is_frame
    assert [coordinates[cell] for cell in cells if reader.holds(hold.definition, cell)] == [(1, 1)]


def test_each_ship_is_drawn_as_what_it_is_in_the_colour_of_its_captain():
    position = named("coast_guard_round_the_island").position
    stage = stage_of(Scene(position.engine, Viewer(), "ships"))
    looks = Looks.of(position.engine.game)
    marks = contents_of(stage.boards[0], Reader(position.engine, position.root)).marks
    ships = {one.title: stage.sprites[one.sprite].attributes for found in marks.values() for one in found}
    size = PIECE * stage.boards[0].size
    assert ships["ship of 1"][Attribute.DATA] == scaled(looks.member(0, "coast_guard").data, size)
    assert ships["ship of 1"][Attribute.FILL] == Colour.RED.light
    assert ships["ship of 2"][Attribute.DATA] == scaled(looks.member(0, "patrol_ship").data, size)
    assert ships["ship of 2"][Attribute.FILL] == Colour.BLUE.light
