"""Piles with two ends: CP-SAT against the exact search and against every line of play."""

from __future__ import annotations

import pytest

from rulewright.rules.play.engine import Engine, State
from rulewright.solver.cpsat.process.job import ModelKind
from tests.rules.playing import linked
from tests.solver.asking import greatest_score, most
from tests.solver.cpsat.running import run, worth

QUEUE = """
module queue:
    "Who is served may be anybody but the one in the middle."

marker coin
players 1

tiles people:
    child  x2
    man    x2    coin
    queen  x1    coin, coin, coin

state:
    line:  pile of tiles
    gone:  pile of tiles
    purse: 0..30
    left:  0..9 = 3

procedure open_doors:
    gather: move all box to line
    mix:    shuffle line

action first:
    require paid: number(top(line), coin) <= left
    effect pay: purse += left * number(top(line), coin)
    effect go: deal 1 from line to bottom of gone
    effect hurry: left -= 1

action last:
    effect pay: purse += number(bottom(line), coin)
    effect go: deal 1 from bottom of line to gone
    effect hurry: left -= 1

action requeue(many in 1..2):
    effect wait: deal many from line to bottom of line
    effect hurry: left -= 1

action jump:
    require somebody: not empty(gone)
    effect back: move bottom(gone) to line from bottom of gone
    effect hurry: left -= 1

flow:
    open_doors
    repeat until left = 0: choose first, last, requeue, jump

score purse: purse + number(bottom(line), coin)
"""


def greatest(engine: Engine, state: State) -> int:
    """By every line of play."""
    if engine.over(state):
        return engine.score(state)
    return max(greatest(engine, engine.apply(state, move)) for move in engine.legal(state))


@pytest.mark.parametrize("seed", range(3))
def test_both_ends_of_a_pile(seed: int) -> None:
    game = linked(QUEUE)
    engine = Engine.of(game, 1)
    state, question = engine.start(seed), greatest_score(game)
    best = greatest(engine, state)
    assert most(engine, state, game).score == best
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best)
    assert found.plan is not None
    assert worth(engine, state, question, found.plan) == best
