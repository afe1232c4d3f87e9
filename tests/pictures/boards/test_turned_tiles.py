"""A tile that lies turned is drawn as the kind that has its sides there."""

from __future__ import annotations

from rulewright.grammar.from_text import parse_module
from rulewright.pictures.boards.cell_shapes import SQUARE
from rulewright.pictures.boards.tile_picture import TileArtist
from rulewright.pictures.look import LIGHT, Looks
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.cell_contents import turned_kind
from rulewright.rules.play.engine import Engine

PIPES = """module pipes:
    "Pipes."

terrain wall, pipe
look pipe: strip, red
space floor: square grid 2 x 2 of turned tiles
tiles all:
    bend_ne  x1  pipe N E
    bend_es  x1  pipe E S

flow:
    turn:
        choose stop
"""


def test_a_quarter_turn_takes_sides_to_sides():
    game = link({"pipes": parse_module(PIPES, "pipes.rules")}, ("pipes",))
    window = Engine.of(game, 1).instance.windows["floor"]
    artist = TileArtist(game, Looks.of(game), LIGHT, SQUARE, 40.0)
    north_east, east_south = game.tiles
    turned = turned_kind(north_east, window, 1)
    assert artist.tile(turned).children[1:] == artist.tile(east_south).children[1:]
    assert artist.tile(north_east).children[1:] != artist.tile(east_south).children[1:]


MANY = """module valves:
    "More valves than a picture has room for."

terrain wall, pipe
marker valve
space floor: square grid 2 x 2 of tiles
tiles all:
    few   x1  pipe N (valve 6)
    many  x1  pipe N (valve 65536)

flow:
    turn:
        choose stop
"""


def test_many_markers_are_drawn_as_one_with_their_number():
    game = link({"valves": parse_module(MANY, "valves.rules")}, ("valves",))
    artist = TileArtist(game, Looks.of(game), LIGHT, SQUARE, 40.0)
    few, many = (to_text(artist.tile(kind)) for kind in game.tiles)
    assert few.count("<title>valve</title>") == 6
    assert many.count("<title>valve</title>") == 1
    assert ">65536</text>" in many
