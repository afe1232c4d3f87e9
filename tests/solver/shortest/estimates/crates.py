"""Rooms with crates that can be solved."""

from __future__ import annotations

import random

from rulewright.puzzles.position import Position
from rulewright.solver.shortest.estimates.partial_state import values_in
from tests.rules.playing import linked
from tests.solver.shortest.estimates.spaces import PUSHES
from tests.solver.shortest.questions import asked


def crowd(rng: random.Random, module: str = PUSHES) -> Position:
    """Crates in a small room with pillars, at first where they lie, to be brought to where random play brings them."""
    width, height = rng.randint(3, 6), rng.randint(3, 5)
    floor = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]
    free = rng.sample(floor, len(floor) - rng.randint(0, len(floor) // 3))
    man, *crates = free[: rng.randint(3, 5)]
    words = {**dict.fromkeys(free, "."), **dict.fromkeys(crates, "crate"), man: ".@1"}
    rows = ("        " + "  ".join(words.get((x, y), "wall") for x in range(width + 2)) for y in range(height + 2))
    body = "\n    board:\n" + "\n".join(rows) + "\n    origin 0,0\n\n    goal: "
    goals = rng.sample(free, len(crates))
    begun = asked(linked(module), "fewest moves until solved", body + ", ".join(f"({x},{y})" for x, y in goals) + "\n")
    engine, state = begun.asked, begun.state
    for _ in range(60):
        legal = engine.legal(state)
        state = engine.apply(state, rng.choice(legal)) if legal and not engine.over(state) else state
    tiles = values_in(engine.layout, state, "board")
    ends = [
        engine.instance.windows["board"].coordinates[slot[1]] for slot, tile in tiles.items() if tile == max(tiles.values())
    ]
    return asked(linked(module), "fewest moves until solved", body + ", ".join(f"({x},{y})" for x, y in ends) + "\n")
