"""Ricochet Robots by breadth first, from the text of a puzzle: a judge that knows nothing of Rulewright."""

from __future__ import annotations

import re

SIZE = 8
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))

Cell = tuple[int, int]
Wall = frozenset[Cell]


def read(text: str) -> tuple[dict[str, Cell], set[Wall], str, Cell]:
    """Where the robots stand, the walls, and which robot has to come to which cell."""
    places = {name: (int(x), int(y)) for name, x, y in re.findall(r"place (\w+): \((\d+),(\d+)\)", text)}
    walls = re.findall(r"(\d+)_(\d+)-(\d+)_(\d+)", text)
    (sought,) = re.findall(r"until place of (\w+) = cell\((\d+), (\d+)\)", text)
    joined = {frozenset({(int(a), int(b)), (int(c), int(d))}) for a, b, c, d in walls}
    return places, joined, sought[0], (int(sought[1]), int(sought[2]))


def slid(at: Cell, way: Cell, others: set[Cell], walls: set[Wall]) -> Cell:
    """Where a robot comes to rest."""
    while True:
        there = at[0] + way[0], at[1] + way[1]
        inside = 0 <= there[0] < SIZE and 0 <= there[1] < SIZE
        if not inside or there in others or frozenset({at, there}) in walls:
            return at
        at = there


def fewest_moves(places: dict[str, Cell], walls: set[Wall], sought: str, goal: Cell) -> int | None:
    """The fewest moves; None where the robot never comes to rest there."""
    names = list(places)
    layer = {tuple(places[name] for name in names)}
    seen, number = set(layer), 0
    while layer:
        if any(here[names.index(sought)] == goal for here in layer):
            return number
        after: set[tuple[Cell, ...]] = set()
        for here in layer:
            for robot, at in enumerate(here):
                others = set(here) - {at}
                after |= {(*here[:robot], slid(at, way, others, walls), *here[robot + 1 :]) for way in STEPS}
        layer = after - seen
        seen |= layer
        number += 1
    return None
