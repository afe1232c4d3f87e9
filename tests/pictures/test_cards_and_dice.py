"""Cards are upright with texts that fit, and dice have as many spots as they show."""

from __future__ import annotations

import re

from rulewright.pictures.boards.tile_picture import TileArtist, shape_of_tiles
from rulewright.pictures.look import LIGHT, Looks
from rulewright.pictures.shapes import DIE, die_face
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.project import SHIPPED, Project


def test_a_die_shows_its_number() -> None:
    assert [die_face(number).count("M") - 1 for number in range(DIE + 1)] == list(range(DIE + 1))


def test_texts_fit_on_cards() -> None:
    game = Project(SHIPPED).load("castles_by_the_sea.castle_cards")
    artist = TileArtist(game, Looks.of(game), LIGHT, shape_of_tiles(game), 100.0)
    cards = [to_text(artist.tile(kind)) for kind in game.tiles if kind.group in ("castle_cards", "alert_cards")]
    assert len(cards) == 17
    for card in cards:
        corners = [float(number) for number in re.findall(r"-?[\d.]+", card.split('d="')[1].split('"')[0])]
        wide, high = max(corners[::2]) - min(corners[::2]), max(corners[1::2]) - min(corners[1::2])
        assert (wide, high) == (72, 100)
        for size, said in re.findall(r'font-size="([\d.]+)"[^>]*>([^<]*)</text>', card):
            assert float(size) * 0.62 * len(said) <= wide
