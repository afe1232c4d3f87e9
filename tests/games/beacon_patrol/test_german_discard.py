"""A tile is discarded without a condition: what changes where a token would have to be spent first."""

from __future__ import annotations

import pytest

from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.model.game import Game
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from tests.puzzles.positions import CATALOGUE
from tests.rules.playing import linked, shipped, variant

CONDITION = """change jettison:
    require spent: tokens of player < supply(player) else "no movement token has been spent"
"""


def fewest(puzzle: str, game: Game) -> int | None:
    here = set_up_position(CATALOGUE.read(puzzle), game)
    assert here.question is not None
    return answer(here.asked, here.root, here.question, Limits(seconds=60.0, workers=1)).score


@pytest.mark.parametrize("ship", ["construction", "pilot_boat"])
def test_an_empty_hold_takes_longer_where_a_token_must_be_spent(ship: str) -> None:
    rules = f"beacon_patrol.ships.{ship}"
    puzzle = f"{ship}_empty_hold"
    assert fewest(puzzle, shipped(rules)) == 3
    assert fewest(puzzle, linked(variant(CONDITION, extends=rules))) == 4
