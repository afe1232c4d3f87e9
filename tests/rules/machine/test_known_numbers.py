"""What machine code knows of the numbers that parameters may be: products of them fit."""

from __future__ import annotations

from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked

SQUARES = """
module squares:
    "Numbers are multiplied."

state:
    total: 0..999
    most:  1..5 = 2

action add(n in 1..3, m in 0..most):
    require fits: total + n * n * m * m <= 999
    effect count_up: total += n * n * m * m
    effect next: most := min(5, max(1, n * m))

flow:
    repeat until total > 500: choose add

score total: total
"""


def test_a_product_of_parameters_is_compiled() -> None:
    agreement = Agreement(Engine.of(linked(SQUARES), 1), compiled=True)
    for seed in range(4):
        agreement.game_of(seed, 60)
    assert agreement.moves > 40
    assert not agreement.faults
