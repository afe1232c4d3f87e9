"""Loops that would come to too much when they are unrolled stay loops: less is written, and the same is meant."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from rulewright.rules.codegen import code_evaluator
from rulewright.rules.play.engine import Engine
from tests.campaigns.nests import measured, nest
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked, play_in_step

NEAR = """
module near:
    "Stones are laid where the stones around them allow it."

space board: square grid 3 x 3 of tiles

tiles stones:
    stone  x6

state:
    heat of board: 0..9
    way of board:  direction of board = N
    total:         0..99

define warm(c in board) =
    total = 0 or (some n in around(c) where (count m in around(n) where not occupied(m)) > 1: mild(n))

define mild(c in board) = every d in directions(board): step(c, d) != way_on(c) or heat of c < 3

define way_on(c in board) = step(c, way of c)

action lay(c in board):
    require vacant: not occupied(c) else "a stone lies there"
    require warm: warm(c)
    effect put: put stone at c from box
    effect spread:
        for n in around(c) where heat of n < 9:
            for m in around(n) where heat of m < 8: heat of m += 1
    effect point: way of c := least d in directions(board) by heat of step(c, d) + (sum heat of n for n in around(step(c, d)))
    effect tally: total := (total + (least heat of n for n in around(c)) + (count n in {1, heat of c, 3})) mod 90

flow:
    repeat: choose lay, or stop

score heat: sum heat of c for c in board
"""


@pytest.mark.parametrize("most", [1, 60])
def test_loops_mean_the_same_unrolled_and_not(most: int) -> None:
    game = linked(NEAR)
    lengths = [measured(NEAR).characters]
    with patch.object(code_evaluator, "MOST_UNROLLED", most):
        lengths.append(measured(NEAR).characters)
        engine = Engine.of(game, 1)
        for seed in range(4):
            assert len(list(play_in_step(engine, seed, limit=12))) > 1
        agreement = Agreement(engine, compiled=False)
        for seed in range(4):
            agreement.game_of(seed, 12)
        assert agreement.moves > 20
    assert lengths[1] < lengths[0]


@pytest.mark.parametrize("name", ["every", "effect_near"])
def test_nests_grow_by_as_much_as_they_are_deeper(name: str) -> None:
    second, third, fourth = (measured(nest(name, depth)).characters for depth in (2, 3, 4))
    assert 0 < fourth - third < 2 * second
