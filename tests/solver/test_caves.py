"""Sets that are state: the best play in the cave, held against a model of the game in plain Python sets."""

from __future__ import annotations

from functools import cache

from attrs import evolve, frozen

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from tests.rules.playing import own_module
from tests.solver.asking import searched

CELLS = frozenset((x, y) for x in range(3) for y in range(3))
HUES = frozenset(range(3))
DAYS = 3


@frozen
class Cave:
    """One explorer's cave."""

    day: int = 0
    lamp: tuple[int, int] = (0, 0)
    fuel: int = 3
    resting: bool = False
    lit: frozenset = frozenset({(0, 0)})
    trail: frozenset = frozenset({(0, 0)})
    burning: frozenset = frozenset()


def around(cell: tuple[int, int]) -> frozenset:
    x, y = cell
    return CELLS & {(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)}


def following(here: Cave) -> list[Cave]:
    found = []
    if not here.resting:
        if here.fuel:
            found += [
                evolve(here, fuel=here.fuel - 1, lamp=to, trail=here.trail | {to}) for to in around(here.lamp) - here.trail
            ]
        found.append(evolve(here, resting=True, fuel=4))
    else:
        found.append(evolve(here, resting=False, trail=frozenset({here.lamp})))
    for cell in here.trail - here.lit:
        if around(cell) & (here.lit | here.trail):
            found += [evolve(here, lit=here.lit | {cell}, burning=here.burning | {hue}) for hue in HUES - here.burning]
    kept = here.lit & around(here.lamp)
    found += [evolve(here, burning=here.burning - {hue}, lit=kept) for hue in here.burning]
    return [evolve(after, day=here.day + 1) for after in found]


@cache
def best(here: Cave) -> int:
    if here.day == DAYS:
        whole = here.lit == CELLS or here.burning == HUES
        return len(here.lit) + 2 * len(here.burning) + 10 * len(here.trail | here.lit) + 1000 * whole
    return max(map(best, following(here)))


def test_the_best_three_days_in_the_cave() -> None:
    text = "puzzle p:\n    rules caves\n    players 1\n    ask: maximise score until end\n"
    position = set_up_position(parse_puzzle(text, "p"), own_module("caves"))
    assert position.question is not None
    assert searched(position.asked, position.state, position.question).score == best(Cave())


def test_sets_are_drawn_and_read_back() -> None:
    text = """puzzle p:
    rules caves
    players 2

    lit: (1,1), (2,1)
    trail 1: (0,0), (1,0)
    burning: red, blue
    resting: 2
    start: turn of 2
"""
    position = set_up_position(parse_puzzle(text, "p"), own_module("caves"))
    engine, state = position.engine, position.state
    held = {name: [*state[column.start : column.start + column.count]] for name, column in engine.layout.columns.items()}
    assert list(held["lit"][0]) == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    assert held["trail"] == [1, 1, *[0] * 7, 1, *[0] * 8]
    assert (held["burning"], held["resting"]) == ([1, 0, 1], [0, 1])
