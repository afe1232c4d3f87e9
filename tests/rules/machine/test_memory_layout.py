"""What does not fit into a slot is refused before any code is made."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.base.limits import Limits
from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.play.engine import Engine
from rulewright.subset.refusal import CannotCompile

GAME = """
module vast:
    "One number."

state:
    far: 0..{high}

action double:
    require room: far <= {high} div 2
    effect more: far += far + 1

flow:
    repeat: choose double, or stop

score far_off: far
"""


@pytest.mark.parametrize(("high", "fits"), [(2**31 - 1, True), (2**31, False), (10**15, False)])
def test_numbers_of_more_than_32_bits(high: int, fits: bool) -> None:
    limits = evolve(Limits(), digits=20)
    engine = Engine.of(link({"vast": parse_module(GAME.format(high=high), "vast", limits)}, ["vast"], limits), 1)
    slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, engine.start()))
    values = [score.value for score in engine.game.scores]
    if fits:
        assert write_game(engine.instance, slots, engine.flow, values).width
        return
    with pytest.raises(CannotCompile, match="`far` with numbers of more than 32 bits"):
        write_game(engine.instance, slots, engine.flow, values)
