"""What chance draws before every first choice of a puzzle, and the puzzle leaves out: said in the answer."""

from __future__ import annotations

import pytest

from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from tests.puzzles.positions import drawn

BEARING_OFF = """module bearing_off:
players 1..2

enum luck: good, bad

state:
    die of player: 0..6
    weather:       luck
    wind:          luck
    moon:          1..3
    gulls:         luck
    left:          0..9 = 4

procedure roll_die:
    cast: draw die of player from 1..6
    sky:  roll weather
    idle: roll gulls
    gust:
        if left > 2:
            roll wind

procedure wane:
    hide: roll moon

action bear(number in 1..6):
    require rolled: number <= die of player else "not so many"
    require lying: number <= left and weather = good else "not enough"
    require calm: wind = good and moon < 3 else "too windy"
    effect off: left -= number

flow:
    repeat until left = 0:
        for player in players:
            turn:
                roll_die
                choose bear or stop
                again:
                    choose bear or stop
                wane
"""


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("left: 3\nstart: turn of 1", ["die", "weather"]),
        ("left: 3\nstart: again of 1", ["die", "weather"]),  # after another choice of the turn
        ("die 1: 2", ["weather"]),
        ("die 1: 2\nweather: good", []),
        ("", []),  # the game from its beginning
    ],
)
def test_dice_not_rolled_yet_are_told(settings: str, told: list[str]) -> None:
    here = drawn(BEARING_OFF, f"players 1\n{settings}\nask: reach left = 0 for 2 turns in expectation")
    assert here.question is not None and list(here.question.unrolled) == told
    found = answer(here.engine, here.root, here.question, Limits(seconds=5.0, workers=1))
    assert [remark.split("`")[1] for remark in found.remarks if remark.startswith("chance has not drawn")] == told
