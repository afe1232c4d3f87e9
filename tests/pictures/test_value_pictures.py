"""Values beside the board, and what is said of edges: icons, tables, piles, bars; nothing that a player may not see."""

from __future__ import annotations

import random
import re

from attrs import evolve

from rulewright.cli.names import named
from rulewright.grammar.from_text import parse_module
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.svg import to_text
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import parse_move
from rulewright.rules.play.visibility import Viewer
from tests.paths import ROOT
from tests.pictures.inlined import inlined

CAMP = """module camp:
    "A camp."

players 2

enum good: silk, salt
enum place: tent, fire
enum scout: ann, bob

state:
    wood:                    0..99 = {wood}
    lit:                     truth = yes
    mood:                    place
    secret of player:        0..9, owner only = 7
    stock of player of good: 0..9 = 4
    spot of scout:           place
    ready of scout:          truth = {ready}
{looks}
flow:
    for player in players:
        turn:
            choose stop
"""


def drawn(wood: int = 3, looks: str = "", player: int | None = None, ready: str = "no") -> str:
    looks = "\n" + "\n".join(f"look {look}" for look in looks.split("; ") if look) + "\n"
    game = link({"camp": parse_module(CAMP.format(wood=wood, looks=looks, ready=ready), "camp.rules")}, ("camp",))
    engine = Engine.of(game, 2)
    return to_text(picture(Scene(engine, Viewer(player=player), "camp", PictureOptions()), engine.start(1)))


def test_a_number_is_so_many_icons_where_a_look_says_one() -> None:
    assert "wood 3" in drawn()
    assert drawn(3, "wood: tree, green").count("<title>wood</title>") == 3
    many = drawn(12, "wood: tree")
    assert many.count("<title>wood</title>") == 1
    assert ">x12<" in many
    assert drawn(0, "wood: tree").count("<title>wood</title>") == 0
    assert "wood 3" in drawn(3, "wood: green")  # a colour is no icon


def test_a_number_on_a_track_is_a_marker_on_one_of_its_spots() -> None:
    found = drawn(looks="secret: track, disc, red", player=1)
    spots = re.findall(r'<title>secret (\d)</title>\n<use href="#(\w+)"', found)
    assert [spot for spot, _ in spots] == list("0123456789")
    (marker,) = {sprite for spot, sprite in spots if spot == "7"}
    assert [spot for spot, sprite in spots if sprite == marker] == ["7"]
    hidden = drawn(looks="secret: track, disc, red", player=0)
    assert "secret 0" not in hidden, "what a player may not see has no track"


def test_a_label_takes_the_place_of_a_name() -> None:
    found = drawn(3, 'wood: label "logs", tree; ann: label "Ann"; ready: label "at hand"; player 2: label "Blue"', ready="yes")
    assert found.count("<title>logs</title>") == 3 and ">wood" not in found
    assert "at hand: Ann, bob" in found and "<title>Ann</title>" in found
    assert ">Blue<" in found and ">player 1<" in found


def test_what_its_look_hides_is_shown_only_where_all_is() -> None:
    assert "wood" not in drawn(3, "wood: hidden, tree")
    assert "wood 3" in drawn(3, "wood: shown")
    assert "stock" not in drawn(3, "stock: hidden") and "mood" not in drawn(3, "mood: hidden")
    game = link({"camp": parse_module(CAMP.format(wood=3, looks="look wood: hidden", ready="no"), "camp.rules")}, ("camp",))
    engine = Engine.of(game, 2)
    assert "wood 3" in to_text(picture(Scene(engine, Viewer(whole=True), "camp"), engine.start(1)))


def test_what_is_true_and_which_member_it_is_have_icons_too() -> None:
    found = drawn(3, "lit: lamp; tent: house, red")
    assert found.count("<title>lit</title>") == 1
    assert found.count("<title>tent</title>") == 1


def test_values_of_two_things_are_a_table() -> None:
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn())
    assert [text for text in texts if text in ("stock", "silk", "salt", "4")] == ["stock", "silk", "salt", "4", "4", "4", "4"]


def test_one_enum_on_another_stands_in_piles() -> None:
    found = drawn(3, "ann: red")
    assert found.count("<title>ann</title>") == found.count("<title>bob</title>") == 1
    assert found.index("<title>ann</title>") < found.index("<title>bob</title>")
    assert all(f">{place}</text>" in found for place in ("tent", "fire"))


def test_of_which_members_something_is_true_is_one_line() -> None:
    assert "ready" not in drawn()
    assert "ready: ann, bob" in drawn(ready="yes")


def test_of_many_values_those_that_say_nothing_are_left_out() -> None:
    assert "mood" in drawn()
    hours = ", ".join(f"hour_{number}" for number in range(30))
    many = CAMP.replace("enum scout", f"enum hour: {hours}\n\nenum scout")
    many = many.replace("    mood: ", "    tide of hour: 0..9\n    mood: ")
    game = link({"camp": parse_module(many.format(wood=3, looks="", ready="no"), "camp.rules")}, ("camp",))
    engine = Engine.of(game, 2)
    scene = Scene(engine, Viewer(), "camp", PictureOptions())
    found = to_text(picture(scene, engine.start(1)))
    assert "wood 3" in found
    assert "mood" not in found
    assert "tide" not in found
    assert "tide hour_7" in to_text(picture(evolve(scene, viewer=Viewer(everything=True)), engine.start(1)))


DUNES = """module dunes:
    "Wind over dunes."

space dune: {shape} of tiles

tiles sand:
    heap  x1

look wind: {look}

state:
    wind of dune: direction of dune = {first}

procedure set_up:
    blow: wind of origin of dune := {second}

flow:
    set_up
    turn:
        choose stop
"""


def test_directions_are_arrows_and_the_first_says_nothing() -> None:
    found: dict[tuple[str, str], float | None] = {}
    for shape, first, second in (
        ("square grid 2 x 2", "N", "E"),
        ("square grid 2 x 2", "E", "N"),
        ("hex grid 2 x 2", "E", "NE"),
    ):
        text = DUNES.format(shape=shape, first=first, second=second, look="green")
        engine = Engine.of(link({"dunes": parse_module(text, "dunes.rules")}, ("dunes",)), 1)
        svg = inlined(picture(Scene(engine, Viewer(), "dunes", PictureOptions()), engine.start(1)))
        assert svg.count("<title>wind ") == 1
        turned = re.search(
            r"<title>wind [\w ]+</title>\s*<g transform=\"(?:rotate\((\d+)\) )?scale\(1.5 1.5\)\">\n<path d=\"M0 -", svg
        )
        found[shape, second] = None if turned is None else float(turned[1] or 0)
    assert [*found.values()] == [90.0, 0.0, 30.0]


def test_of_players_and_cells_only_what_is_not_as_at_first_is_told() -> None:
    start = named("classics.carcassonne_followers").start(2, 1)
    engine, state = start.engine, start.state
    scene = Scene(engine, start.viewer, start.title, PictureOptions())
    assert "guards" not in to_text(picture(scene, state))
    choices = random.Random(3)
    for _ in range(6):
        state = engine.apply(state, choices.choice(engine.legal(state)))
    assert re.findall(r"guards [^<]*", to_text(picture(scene, state))) == ["guards 2 (1,1) yes"]


def test_what_a_player_may_not_see_is_hidden() -> None:
    for looks in ("", "secret: star"):
        found = drawn(3, looks, 1)
        assert "secret hidden" in found
        assert (found.count("<title>secret</title>") == 1) is bool(looks)
        assert ("secret 7" in found) is not bool(looks)


def board_of(name: str, *moves: str, options: PictureOptions = PictureOptions()) -> tuple[str, str]:  # noqa: B008 - frozen
    """The picture of a game for tests at its start, and after some moves."""
    game = Project(ROOT / "tests/pictures/modules").load(name)
    engine = Engine.of(game, game.players.low)
    state = before = engine.start(1)
    for move in moves:
        state = engine.apply(state, parse_move(engine, state, move))
    scene = Scene(engine, Viewer(), name, options)
    return inlined(picture(scene, before)), inlined(picture(scene, state, before))


def test_what_is_said_of_an_edge_lies_between_its_cells() -> None:
    before, after = board_of("isles", "link rhodes kos")
    assert "<title>ferry</title>" not in before
    assert after.count("<title>ferry</title>") == 1
    assert after.count("<title>price 2</title>") == 1
    assert ">ferries<" not in after  # no board of its own
    assert after.count("stroke-dasharray") == 2  # the two islands; the ferry belongs to one of them
    _, moor = board_of("moor", "drive (0,0) east")
    assert moor.count("<title>path</title>") == 1


def test_every_edge_can_be_pointed_at_on_a_page() -> None:
    plain, _ = board_of("moor")
    page, _ = board_of("moor", options=evolve(PictureOptions(), things=True))
    edges = len(Engine.of(Project(ROOT / "tests/pictures/modules").load("moor"), 1).instance.windows["paths"].names)
    assert page.count('data-thing="paths ') == edges
    assert "paths" not in plain


def test_the_lane_of_a_hazard_that_strikes_is_shaded() -> None:
    start = named("witch_in_flight").start(None, 0)
    engine, state = start.engine, start.state
    word = "in the lane of the hazard that strikes</title>"
    counts = []
    for move in ("flip giant", "stop"):
        counts.append(to_text(picture(Scene(engine, start.viewer, "beach"), state)).count(word))
        state = engine.apply(state, parse_move(engine, state, move))
    counts.append(to_text(picture(Scene(engine, start.viewer, "beach"), state)).count(word))
    assert counts == [0, 27, 0], "three boards of nine squares"
