"""Pictures of the tiles of a game, one by one."""

from __future__ import annotations

from functools import partial

from rulewright.pictures.boards.tile_picture import TileArtist, shape_of_tiles
from rulewright.pictures.look import DARK, LIGHT, Looks, Palette, dark_rules
from rulewright.pictures.stage.sprites import Sprites
from rulewright.pictures.svg import Element, drawing, group, to_text
from rulewright.rules.model.game import Game, TileKind

SIZE, MARGIN = 56.0, 4.0
"""Pixels of a tile, and around it."""


def tile_pictures(game: Game) -> tuple[dict[str, str], str]:
    """The picture of each kind of tile as HTML, by name, and the style rules of their dark colours."""
    looks, sprites = Looks.of(game), Sprites((LIGHT, DARK))
    shape = shape_of_tiles(game)

    def on_ground(kind: TileKind, palette: Palette) -> Element:
        artist = TileArtist(game, looks, palette, shape, SIZE)
        if looks.is_card(kind.name, kind.group):
            return artist.tile(kind)
        return group((artist.outline(palette.ground, palette.faint, 0.5), artist.tile(kind)))

    numbers = {kind.name: sprites.add(partial(on_ground, kind)) for kind in game.tiles}
    size, middle = SIZE + 2 * MARGIN, SIZE / 2 + MARGIN
    pictures = {
        name: to_text(drawing((size, size), [group([sprites.elements[number]], (middle, middle))], game.called(name), ""))
        for name, number in numbers.items()
    }
    return pictures, dark_rules(sprites.elements)
