"""Looks of spaces and of tiles that run together."""

from __future__ import annotations

from rulewright.cli.names import named
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.pictures.boards.board_picture import BoardPicture
from rulewright.pictures.boards.cell_shapes import SQUARE
from rulewright.pictures.boards.tile_picture import TileArtist
from rulewright.pictures.look import Looks
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.palette import LIGHT
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer

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


def board() -> BoardPicture:
    game = link({"cars": parse_module(CARS, "cars.rules")}, ("cars",))
    engine = Engine.of(game, 1)
    return BoardPicture(engine, engine.start(1), Viewer(), Looks.of(game), LIGHT, "lot", PictureOptions(10.0))


def test_every_other_cell_is_darker_and_all_are_larger():
    drawn = to_text(board().drawn())
    grass = "#8dbb6a"
    assert drawn.count(grass) == 1
    assert drawn.count(LIGHT.shaded(grass, 0.2)) == 1
    assert board().cell_size == 15.0


def test_tiles_run_together_where_their_like_lies():
    game = link({"cars": parse_module(CARS, "cars.rules")}, ("cars",))
    artist = TileArtist(game, Looks.of(game), LIGHT, SQUARE, 100.0)
    east = SQUARE.sides.index("E")
    alone, joined = (to_text(artist.tile(game.tiles[0], sides)) for sides in ((), (east,)))
    assert "M-45 -45L45 -45 45 45 -45 45Z" in alone
    assert "M-45 -45L50 -45 50 45 -45 45Z" in joined


def test_words_of_spaces_are_printed_as_they_are_read():
    module = parse_module(CARS, "cars.rules")
    assert "look lot: grass, chequered, large" in print_module(module)
    assert parse_module(print_module(module), "cars.rules") == module


def test_a_shipped_board_is_chequered():
    game = named("classics.queens").start(None, 0).engine.game
    assert Looks.of(game).space("board").ground is not None
