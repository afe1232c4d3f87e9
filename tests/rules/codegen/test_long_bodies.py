"""What is long is written once, in a loop, though it is done for few known elements; what is short is written out."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.codegen.writer import LONG, Block, BlockKind, TooLarge, Writer
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import any_move, linked, play_in_step

WEIGHING = """
module weighing:
    "Whoever has most on a side of the square gets its worth: {times} times over."

players 2

space square: square grid 3 x 3

state:
    mine of square:   truth
    theirs of square: truth
    points of player: 0..99

action claim(c in square):
    require free: not mine of c and not theirs of c
    effect mine: if player = 1: mine of c := yes
    effect theirs: if player = 2: theirs of c := yes

define held(c in square, p in players) = if p = 1 then mine of c else theirs of c
define reach(c in square, d in directions(square), p in players) =
    count x in line(c, d) where held(x, p) and (some n in around(x): held(n, p))

procedure weigh:
    all:
        for d in directions(square):
            for p in players where some q in players: reach((1,1), d, q) < reach((1,1), d, p):
{lines}

flow:
    repeat until every c in square: mine of c or theirs of c:
        for player in players:
            turn:
                choose claim
                weigh

score gain: points of 1 - points of 2
"""


def weighing(times: int) -> Engine:
    line = "                if points of p < 90: points of p += reach((1,1), d, p)\n"
    return Engine.of(linked(WEIGHING.format(times=times, lines=line * times)), 2)


def lines_of(engine: Engine) -> int:
    slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, engine.unset))
    return write_game(engine.instance, slots, engine.flow, []).text.count("\n")


def test_a_long_body_is_written_once() -> None:
    once, often = lines_of(weighing(4)), lines_of(weighing(8))
    assert 0 < often - once < 4 * 80


def test_all_readings_agree_on_what_is_looped() -> None:
    engine = weighing(8)
    agreement = Agreement(engine, compiled=False)
    for seed in range(4):
        assert sum(1 for _ in play_in_step(engine, seed, any_move, 12)) > 5
        agreement.play_on(engine.start(seed), random.Random(seed), 12)
    assert agreement.moves > 20 and agreement.faults == 0


def test_nothing_stays_of_what_is_only_measured() -> None:
    writer = Writer(1_000)
    writer.stack = [Block("", BlockKind.BODY)]

    def write(lines: int) -> None:
        with writer.block("if there:"):
            for number in range(lines):
                writer.line(f"v{number} = 0")

    assert writer.is_long(lambda: write(LONG + 1))
    assert not writer.is_long(lambda: write(LONG - 1))
    assert not writer.is_long(lambda: write(int(writer.is_long(lambda: write(2 * LONG)))))
    assert (len(writer.stack), writer.size, writer.limit, writer.is_trying) == (1, 0, 1_000, False)
    with pytest.raises(TooLarge):
        write(1_001)
