"""The engine of pages against Python's: a thousand random games of each of twenty games: states, legal moves, and the reasons
of at least twenty refused moves a game.
"""

from __future__ import annotations

import pytest

from rulewright.api.puzzle import load_puzzle
from tests.web.in_node import needs_node
from tests.web.parity import differences

GAMES = (
    *("overboard", "four_ships_one_coast", "fourth_paw", "behind_the_prince", "a_quiet_year", "red_donkey", "hanoi_seven"),
    *("noughts_draw", "connect_four_red", "pig_ten", "go_ko", "sokoban_bend", "rush_hour_first", "lights_corner", "peg_plus"),
    *("santorini_fork", "carcassonne_four", "tsuro_two", "market_two_days", "ricochet_two"),
)

PER_RUN, RUNS = 50, 20


@needs_node
@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_pages_play_as_python_does(name: str) -> None:
    start = load_puzzle(name)._start
    for seed in range(RUNS):
        assert differences(start, PER_RUN, seed, refused=4, every=6, least=20) == []
