"""An attempt asks less far where what is asked has no answer."""

from __future__ import annotations

from pathlib import Path

from attrs import evolve

from rulewright.rules.linking.project import Project
from rulewright.studies.making.commission import Commission
from rulewright.studies.making.maker import Maker
from rulewright.studies.making.proof import Fault

PEARLS = """
module pearls:
    "Two divers, who may swim to and fro for ever; pearls lie at the ends of the reef."

players 2

state:
    place of player: 0..4 = 2
    found of player: 0..9
    pearls:          0..9 = 4

action swim(to in 0..4):
    "To the next place."
    require near: to in place of player - 1..place of player + 1 and to != place of player else "too far"
    effect swim: place of player := to

action dive:
    "For a pearl, of which there are two at a time at one end."
    require end: place of player in {0, 4} and pearls > 0 else "there is none"
    effect find: found of player += if place of player = 4 then 2 else 1
    effect take: pearls -= 1

flow:
    repeat until pearls = 0:
        for player in players where pearls > 0:
            turn:
                choose swim, dive

score found of player: found of player

winner: most found
"""


def test_a_value_that_play_may_never_come_to_is_asked_for_the_next_turns(tmp_path: Path) -> None:
    (tmp_path / "pearls.rules").write_text(PEARLS.lstrip())
    order = Commission(("pearls",), 2, "maximise found of 1 - found of 2 until end against best play", gap=0, seconds=5.0)
    alone = Maker(Project(tmp_path), order)
    number = next(number for number in range(10) if alone.attempt(number).fault is Fault.REPEATS)
    sooner = "maximise found of 1 - found of 2 for 3 turns against best play"
    other = Maker(alone.project, evolve(order, sooner=sooner))
    asked = {made.puzzle.ask for found in map(other.attempt, range(number, number + 3)) for made in found.made}
    assert asked and all(ask is not None and ask.turns == 3 for ask in asked)


def test_a_win_is_asked_for_though_play_may_never_end(tmp_path: Path) -> None:
    (tmp_path / "pearls.rules").write_text(PEARLS.lstrip())
    maker = Maker(Project(tmp_path), Commission(("pearls",), 2, "win for 1", gap=0, seconds=5.0))
    assert any(maker.attempt(number).made for number in range(10))
