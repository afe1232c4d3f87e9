"""Sets of cells that grow, against a walk from cell to cell."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from rulewright.grammar.modules import Shape, Space
from rulewright.rules.evaluator import near_directions
from rulewright.rules.spaces import open_window
from rulewright.rules.spaces.window import Window
from rulewright.rules.terms import Neighbourhood
from rulewright.solver.covering import places
from rulewright.solver.spread import Spread, mask_of

SPACES = (
    Space("board", Shape.SQUARE, (5, 4)),
    Space("torus", Shape.SQUARE, (5, 4), wrapped=True),
    Space("heath", Shape.HEX, (4, 5)),
    Space("moor", Shape.HEX, (2,)),
    Space("tower", Shape.CUBE, (3, 3, 2)),
    Space("track", Shape.RING, (7,)),
)


def walked(window: Window, neighbourhood: Neighbourhood, start: Iterable[int], steps: int) -> set[int]:
    """The cells from which so many steps lead to one of some cells."""
    found = set(start)
    for _ in range(steps):
        found |= {
            cell
            for cell in range(window.size)
            if any(window.steps[direction][cell] in found for direction in near_directions(window, neighbourhood))
        }
    return found


def test_mask() -> None:
    assert places(mask_of(bytes([0, 3, 0, 255, 0]))) == [1, 3]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.name)
@pytest.mark.parametrize("neighbourhood", Neighbourhood)
def test_what_is_reached_in_steps(space: Space, neighbourhood: Neighbourhood) -> None:
    window, rng = open_window(space), random.Random(7)
    spread = Spread.towards(window, neighbourhood)
    for _ in range(5):
        start = rng.sample(range(window.size), 2)
        reached = spread.reach(sum(1 << 8 * cell for cell in start), 4)
        for steps in range(5):
            assert set(places(reached[min(steps, len(reached) - 1)])) == walked(window, neighbourhood, start, steps)
