"""Which way the pirates turn, against angles reckoned with floating-point numbers from the centres of hexes."""

from __future__ import annotations

import math
import random

from rulewright.rules.play.engine import Engine
from tests.games.penguin_pirates.sailing import cell, get, put
from tests.rules.playing import linked

PAIRS = 10_000
LOOKING = """
module looking:
    "Nothing but turning to face."
    extends penguin_pirates

drop flow
flow:
    set_up
    movement:
        for captain in players: for player in players: repeat: choose look

action look:
    effect turn: pirate_heading := facing(pirate, ship, pirate_heading)
"""
DEGREES = {"NE": 60, "E": 0, "SE": -60, "SW": -120, "W": 180, "NW": 120}


def centre(column: int, row: int) -> tuple[float, float]:
    """Where the middle of a hex is drawn, when hexes are one wide: east and north."""
    return column + 0.5 * (row % 2), -row * math.sqrt(3) / 2


def angle_between(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


def expected(start: tuple[int, int], end: tuple[int, int], now: int) -> int:
    """The direction at the least angle; of equals the one fewer sixths away, then the clockwise one."""
    (x, y), (to_x, to_y) = centre(*start), centre(*end)
    bearing = math.degrees(math.atan2(to_y - y, to_x - x))
    off = [round(angle_between(bearing, degrees), 6) for degrees in DEGREES.values()]
    best = [d for d in range(6) if off[d] == min(off)]
    return min(best, key=lambda d: (min((d - now) % 6, (now - d) % 6), (d - now) % 6))


def test_the_facing_agrees_with_angles_on_ten_thousand_pairs() -> None:
    here = Engine.of(linked(LOOKING), 4)
    look = here.action_numbers["look"]
    assert here.instance.windows["sea"].directions == tuple(DEGREES)
    dice, state, ties = random.Random(20), here.start(1), 0
    for _ in range(PAIRS):
        start, end = ((dice.randrange(13), dice.randrange(12)) for _ in range(2))
        if start == end:
            continue
        now = dice.randrange(6)
        before = put(here, state, {"pirate": cell(here, *start), "ship": cell(here, *end), "pirate_heading": now})
        after = here.apply(before, (look,))
        assert get(here, after, "pirate_heading") == expected(start, end, now), (start, end, now)
        ties += expected(start, end, now) != expected(start, end, (now + 3) % 6)
    assert ties > PAIRS // 50  # where the present facing decides
