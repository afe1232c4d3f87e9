"""Pictures of shipped positions, looked at by eye before they were recorded; the same input gives the same bytes."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from attrs import evolve
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension

from rulewright.api.start import Start
from rulewright.base.diagnostics import RulesError
from rulewright.cli.names import named
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer
from tests.paths import ROOT
from tests.pictures.inlined import inlined

LIGHT, DARK, SMALL, SMALL_DARK = PictureOptions(), PictureOptions(dark=True), PictureOptions(32), PictureOptions(32, dark=True)

SHOWN: dict[str, tuple[str, int, PictureOptions]] = {
    "overboard": ("overboard", 0, LIGHT),
    "overboard_dark": ("overboard", 3, DARK),
    "all_hands": ("all_hands", 0, DARK),
    "kraken_garden": ("kraken_garden", 0, PictureOptions(cell=40)),
    "kraken_garden_dark": ("kraken_garden", 0, SMALL_DARK),
    "classics.sokoban": ("classics.sokoban", 0, PictureOptions(dark=True, coordinates=False)),
    "classics.lights_out": ("classics.lights_out", 0, SMALL),
    "classics.lights_out_dark": ("classics.lights_out", 2, SMALL_DARK),
    "classics.peg_solitaire": ("classics.peg_solitaire", 0, SMALL),
    "classics.peg_solitaire_dark": ("classics.peg_solitaire", 3, SMALL_DARK),
    "tsuro_alone": ("tsuro_alone", 0, LIGHT),
    "ricochet_two": ("ricochet_two", 2, LIGHT),
    "classics.hanoi": ("classics.hanoi", 19, LIGHT),
    "classics.hanoi_dark": ("classics.hanoi", 40, DARK),
    "classics.market": ("classics.market", 4, LIGHT),
    "classics.worker_placement": ("classics.worker_placement", 3, DARK),
    "classics.santorini": ("classics.santorini", 12, LIGHT),
    "shafts": ("shafts", 13, SMALL),  # a cube with stones in it
    "isles": ("isles", 6, LIGHT),  # a graph and its edges
    "isles_dark": ("isles", 6, DARK),
    "moor": ("moor", 9, SMALL),  # hexes and their edges
    "ring_race": ("ring_race", 3, SMALL),
}
"""Each picture: of what, after how many plies at random, and how."""


FOLDERS = (ROOT / "tests/pictures/modules", ROOT / "tests/rules/modules", ROOT / "rules/library/classics")


class SvgFile(SingleFileSnapshotExtension):
    file_extension = "svg"


def started(name: str) -> Start:
    return named(name).start(None, 1)


def svg_of(start: Start, options: PictureOptions) -> str:
    return to_text(picture(Scene(start.engine, start.viewer, start.title, options), start.state))


def played(name: str, plies: int) -> Start:
    """The start of a puzzle or of a module, those for tests among them, and so many plies at random from there."""
    try:
        start = started(name)
    except RulesError:
        folder = next(folder for folder in FOLDERS if (folder / f"{name.removeprefix('classics.')}.rules").is_file())
        game = Project(folder).load(name)
        engine = Engine.of(game, max(2, game.players.low) if (game.players.high or 2) > 1 else 1)
        start = Start(name, "", engine, engine.start(1), Viewer())
    choices, state = random.Random(3), start.state
    for _ in range(plies):
        state = start.engine.apply(state, choices.choice(start.engine.legal(state)))
    return evolve(start, state=state)


@pytest.mark.parametrize("picture_name", SHOWN)
def test_pictures_are_as_recorded(picture_name: str, snapshot: SnapshotAssertion):
    name, plies, options = SHOWN[picture_name]
    start = played(name, plies)
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


def test_pieces_in_store_have_the_colour_of_their_owner_as_on_the_board():
    """The first player's hunter in store has the colour of the duelist on the board; the hunters of others have theirs."""
    start, svg = started("prisoner_exchange"), "{http://www.w3.org/2000/svg}"
    drawn = inlined(picture(Scene(start.engine, start.viewer, start.title), start.state))
    groups = ElementTree.fromstring(drawn).iter(f"{svg}g")
    fills = {group.findtext(f"{svg}title"): one.get("fill") for group in groups for one in group.iter(f"{svg}path")}
    assert fills["hunter"] == fills["duelist of 1"]
    assert len({fills[name] for name in ("hunter", "hunter of 2", "hunter of 3")}) == 3


def test_what_has_changed_is_marked():
    start = started("classics.lights_out")
    after = start.engine.apply(start.state, start.engine.legal(start.state)[0])
    scene = Scene(start.engine, start.viewer, start.title)
    assert "stroke-dasharray" not in to_text(picture(scene, after))
    assert inlined(picture(scene, after, start.state)).count("stroke-dasharray") == 3


def test_tiles_of_a_game_without_a_board_are_drawn():
    game = Project(ROOT / "tests/rules/modules").load("queue")
    engine = Engine.of(game, 1)
    drawn = to_text(picture(Scene(engine, Viewer(), "queue", PictureOptions()), engine.start(1)))
    assert all(f"<title>{tile.name}</title>" in drawn for tile in game.tiles)


@pytest.mark.parametrize(
    ("puzzle", "is_asked_for"), [("rush_hour_first", False), ("overboard", True), ("fifteen_swapped", False)]
)
def test_the_score_is_shown_where_it_is_asked_for(puzzle: str, is_asked_for: bool):
    start = named(puzzle).start(None, 0)
    scene = Scene(start.engine, start.viewer, puzzle)
    assert (">score " in inlined(picture(scene, start.state))) == is_asked_for
