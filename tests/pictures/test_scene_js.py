"""In a page, scene.js draws the very same SVG as Python."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from typing import Any

import pytest

from rulewright.base.records import field, frozen
from rulewright.pictures.painter import definitions_of, painted
from rulewright.pictures.placing.panel import placed
from rulewright.pictures.placing.placement import Block, Placement, Reader
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.stage.from_scene import stage_as_json, stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.pictures.svg import to_text
from rulewright.rules.play.engine import State
from rulewright.rules.play.visibility import Viewer
from tests.paths import ROOT
from tests.pictures.test_position_picture import played

SCRIPT = f"""
import {{ definitions, painted, placed }} from {json.dumps((ROOT / "pictures" / "scene.js").as_uri())};
let text = "";
for await (const part of process.stdin) text += part;
const {{ stage, states }} = JSON.parse(text);
const reader = (told) => told && {{
  column: (number) => told.columns[number],
  holds: (definition, cell) => told.holds[[definition, cell]] ?? fail([definition, cell]),
  player: () => told.player,
  over: () => told.over,
  turn: () => told.turn,
  score: () => told.score,
  standing: (player) => told.standing[player],
}};
const fail = (what) => {{ throw new Error(`asked for ${{what}}`); }};
const drawn = states.map(([state, before]) => {{
  const {{ boards, panel, told }} = placed(stage, reader(state), reader(before));
  return [...boards.map((one) => painted(stage, one, stage.title, told)), painted(stage, panel, "beside", told)];
}});
process.stdout.write(JSON.stringify([definitions(stage), drawn]));
"""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")

GAMES = (
    *("overboard", "all_hands", "kraken_garden", "four_ships_one_coast", "ferry_and_nothing_kept"),  # ships, ports, deep tiles
    *(
        "prisoner_exchange",
        "penguin_adrift",
        "rotating_the_right_way_round",
    ),  # hands, hidden ones too; owned pieces; turned tiles
    *("a_bitten_archer", "a_quiet_year"),  # cubes, isometric
    *("classics.sokoban", "rush_hour_trucks", "classics.peg_solitaire", "classics.lights_out", "classics.connect_four"),
    *("classics.pig", "classics.market", "classics.worker_placement", "classics.santorini", "classics.hanoi", "classics.go"),
    *("classics.queens", "sudoku_last", "classics.pentominoes", "classics.carcassonne_followers"),
    *("ricochet_two", "tsuro_alone", "shafts", "isles", "moor", "ring_race", "hex_bridges"),
)


@frozen(eq=False)
class Recorder(Reader):
    """A reader that notes for which cells it is asked."""

    asked: dict[str, bool] = field(factory=dict)

    def holds(self, definition: int, cell: int) -> bool:
        self.asked[f"{definition},{cell}"] = found = super().holds(definition, cell)
        return found

    def told(self) -> dict[str, Any]:
        """All that it answers, as JSON."""
        return {
            "columns": [list(one) if isinstance(one, bytes | tuple) else one for one in self.state],
            "holds": self.asked,
            "player": self.player(),
            "over": self.over(),
            "turn": self.turn(),
            "score": self.score(),
            "standing": [self.standing(player) for player in range(self.engine.instance.players + 1)],
        }


def drawn_by_node(stage: Stage, states: list[Any]) -> Any:
    data = json.dumps({"stage": stage_as_json(stage), "states": states})
    command = ["node", "--input-type=module", "-e", SCRIPT]
    done = subprocess.run(command, input=data, capture_output=True, text=True, timeout=120, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(scene: Scene, pairs: list[tuple[State, State | None]]) -> None:
    """Draw states, each with one before, in both ways."""
    stage, states, expected = stage_of(scene), list[Any](), list[list[str]]()
    for state, before in pairs:
        now = Recorder(scene.engine, state)
        then = None if before is None else Recorder(scene.engine, before)
        found = placed(stage, now, then)
        beside = painted(stage, found.panel, "beside", found.told)
        expected.append([*(to_text(painted(stage, one, stage.title, found.told)) for one in found.boards), to_text(beside)])
        states.append((now.told(), None if then is None else then.told()))
    defined, drawn = drawn_by_node(stage, states)
    assert drawn == expected
    everything = painted(stage, Block((1.0, 1.0), [Placement(sprite=sprite) for sprite, _ in enumerate(stage.sprites)]), "", "")
    assert defined == to_text(definitions_of([(stage, everything)]))


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_a_page_draws_what_python_draws(name: str):
    start = played(name, 0)
    choices, states = random.Random(5), [start.state]
    while len(states) < 6 and (legal := start.engine.legal(states[-1])):
        states.append(start.engine.apply(states[-1], choices.choice(legal)))
    options = PictureOptions(40.0, None, things=len(name) % 2 == 0)
    check(Scene(start.engine, start.viewer, start.title, options), [(states[-1], states[-2]), (states[0], None)])


@needs_node
def test_what_is_marked_and_what_a_player_sees_is_the_same():
    start = played("prisoner_exchange", 3)
    spaces = start.engine.game.spaces
    marked = {f"{space} {cell}": str(cell) for space in spaces for cell in (0, 7)} | {"tile 1": "1,2"}
    options = PictureOptions(dark=True, coordinates=False)
    scene = Scene(start.engine, Viewer(player=2), "<&>", options, (start.engine.start(3),), marked)
    check(scene, [(start.state, None)])
