"""Pictures of shipped positions, looked at by eye before they were recorded; the same input gives the same bytes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension

from rulewright.cli.session import Session
from rulewright.cli.start_position import StartPosition
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.position_picture import Scene, picture
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer
from tests.paths import ROOT

SHOWN = [
    ("overboard", PictureOptions()),
    ("all_hands", PictureOptions(dark=True)),
    ("kraken_garden", PictureOptions(cell=40)),
    ("classics.sokoban", PictureOptions(dark=True, coordinates=False)),
    ("classics.lights_out", PictureOptions(cell=32)),
    ("classics.peg_solitaire", PictureOptions(cell=32)),
    ("tsuro_alone", PictureOptions()),
]


class SvgFile(SingleFileSnapshotExtension):
    file_extension = "svg"


def started(name: str) -> StartPosition:
    return Session(name).start(None, 1)


def svg_of(start: StartPosition, options: PictureOptions) -> str:
    return to_text(picture(Scene(start.engine, start.viewer, start.title, options), start.state))


@pytest.mark.parametrize(("name", "options"), SHOWN, ids=[name for name, _ in SHOWN])
def test_pictures_are_as_recorded(name: str, options: PictureOptions, snapshot: SnapshotAssertion):
    start = started(name)
    assert svg_of(start, options) == svg_of(start, options)
    assert svg_of(start, options).encode() == snapshot(extension_class=SvgFile)


def test_a_picture_says_what_it_shows():
    root = ElementTree.fromstring(svg_of(started("overboard"), PictureOptions()))
    title, description = root[0], root[1]
    assert title.text == "overboard"
    assert description.text == "turn of player 1; sea: 8 tiles"
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert sum("ship of 1" in text and text.startswith("(3,1)") for text in titles) == 1


def test_what_a_player_may_not_see_is_not_in_the_picture():
    start = started("penguin_pirates")
    cards = {kind.name for kind in start.engine.game.tiles if kind.name.startswith("card_")}
    texts = {element.text for element in ElementTree.fromstring(svg_of(start, PictureOptions())).iter()}
    own = start.state[start.engine.layout.position("card", start.engine.player(start.state))]
    spare = start.state[start.engine.layout.position("spare_card", start.engine.player(start.state))]
    seen = {start.engine.game.tiles[tile - 1].name for tile in (*own, *spare)}
    assert texts & cards == seen


def test_what_has_changed_is_marked():
    start = started("classics.lights_out")
    after = start.engine.apply(start.state, start.engine.legal(start.state)[0])
    scene = Scene(start.engine, start.viewer, start.title)
    assert "stroke-dasharray" not in to_text(picture(scene, after))
    assert to_text(picture(scene, after, start.state)).count("stroke-dasharray") == 3


def test_tiles_of_a_game_without_a_board_are_drawn():
    game = Project(ROOT / "tests/rules/modules").load("queue")
    engine = Engine.of(game, 1)
    drawn = to_text(picture(Scene(engine, Viewer(), "queue", PictureOptions()), engine.start(1)))
    assert all(f"<title>{tile.name}</title>" in drawn for tile in game.tiles)
