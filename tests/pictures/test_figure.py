"""Figures of plans: what each move's arrow leads from and to, and what several stages show."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import run
from rulewright.cli.names import named
from rulewright.pictures.figure import Line, figure
from rulewright.pictures.placing.placement import Reader
from rulewright.pictures.placing.routes import routes_of
from rulewright.pictures.scene import Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import to_text
from rulewright.puzzles.plan_replay import replay
from rulewright.rules.play.move_notation import parse_attempt
from rulewright.rules.play.visibility import Viewer

LED = {
    "a piece goes where it sails": ("overboard", "sail west", ["3,1", "2,1"]),
    "a ship goes to the tile it laid": ("overboard", "place es_house south", ["3,1", "3,2"]),
    "a crate is shoved by a pusher who walks": ("microban_1", "shove (1,4) north", ["1,3", "1,2"]),
    "a peg jumps over another": ("european_crown", "jump (2,1) south", ["2,1", "2,3"]),
    "a car drives": ("rush_hour_first", "drive (1,0) east (2,0)", ["1,0", "2,0"]),
    "a stone is put": ("go_catch_four", "B2", ["B2"]),
    "a chessman": ("reti", "h8-g7", ["h8", "g7"]),
    "a line is drawn": ("dots_and_boxes_four", "0_0-1_0", ["0_0-1_0"]),
}


@pytest.mark.parametrize("case", LED)
def test_an_arrow_leads_where_a_player_would_point(case: str):
    name, action, expected = LED[case]
    position = named(name).position
    engine, state = position.played, position.begun
    (ply,) = replay(engine, state, [action])
    stage = stage_of(Scene(engine, named(name).start(None, 0).viewer, name))
    readers = Reader(engine, state), Reader(engine, ply.state)
    (route,) = routes_of(stage.boards, *readers, parse_attempt(engine, state, action), "1")
    window = engine.instance.windows[route.space]
    told = [window.names[c] if window.names else ",".join(map(str, window.coordinates[c])) for c in route.cells]
    assert told == expected


def test_stages_show_their_boards_and_their_moves_in_words():
    position = named("rush_hour_first").position
    actions = ["drive (1,0) east (2,0)", "drive (0,1) north (0,0)"]
    states = [position.begun, *(ply.state for ply in replay(position.played, position.begun, actions))]
    scene = Scene(position.played, Viewer(), "rush hour", caption=("A way out",))
    one = to_text(figure(scene, Line(states, actions), [range(2)]))
    two = to_text(figure(scene, Line(states, actions), [range(1), range(1, 2)]))
    assert ">score 0<" in one and ">score 0<" not in two
    told = "2 drive (0,1) north (0,0)".replace(" ", "\N{NO-BREAK SPACE}")
    assert told in one and f">{told}<" in two and ">A way out<" in two


def test_moves_that_a_plan_does_not_have_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(("solve", "hanoi_seven", "--svg", str(tmp_path / "it.svg"), "--moves", "1..4,900")) == 2
    assert "`900` are no moves of this plan, which has 127" in capsys.readouterr().err
