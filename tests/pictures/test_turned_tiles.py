"""A tile that lies turned is drawn as the kind that has its sides there."""

from __future__ import annotations

from rulewright.grammar.from_text import parse_module
from rulewright.pictures.cell_shapes import SQUARE
from rulewright.pictures.look import Looks
from rulewright.pictures.palette import LIGHT
from rulewright.pictures.tile_picture import TileArtist
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.turned_kind import turned_kind

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
