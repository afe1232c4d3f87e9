"""Automorphisms of wrapped grids, rings, graphs and enumerations map plays to plays; with them the answers are the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.analysis import space_maps
from rulewright.rules.analysis.space_maps import node_maps
from rulewright.rules.analysis.state_symmetries import Equivariance
from rulewright.rules.model.types import Cell
from rulewright.rules.spaces.graph import graph_window
from tests.rules.analysis.test_automorphisms import agree, check_hashes, check_plays, found_in
from tests.rules.playing import linked
from tests.solver.shortest.questions import asked

BEETLES = """
module beetles:
    "Three beetles walk over a meadow and eat where they are."

space meadow: {land}

enum colour: red, green, blue

state:
    beetle of colour: cell of meadow
    eaten of meadow: truth
    mood: colour
    home: cell of meadow

define crowded(b in colour) = some o in colour where o != b: beetle of o = beetle of b

action walk(b in colour, to in around(beetle of b)):
    require free: {free}
    effect go: beetle of b := to
    effect mood: {mood}

action eat(b in colour):
    require fresh: not eaten of beetle of b
    require alone: not crowded(b)
    effect eat: eaten of beetle of b := yes

flow:
    repeat until {until}:
        turn:
            choose walk, eat

score none: 0
"""
GRID = "square grid 3 x 3, wrapped"
LANDS = (
    *("ring 5", "ring 4", "ring 12", GRID, "square grid 4 x 2, wrapped", "square grid 3 x 3, 8 neighbours, wrapped"),
    "graph:\n    p0 - p1, p3\n    p1 - p2\n    p2 - p3\n    p4 - p0, p2",
    "graph:\n    p0 - p1, p2, p3\n    p1 - p2, p3\n    p2 - p3\n    p4 - p0",
    "square grid 3 x 2",
)
FREE = (
    "every o in colour where o != b: beetle of o != to",
    "not eaten of to",
    "b = red or b != mood",
    "b != blue or eaten of to",
    "distance(beetle of red, to) < 2",
    "to != home",
    "distance(home, to) != 1 or mood = b",
    "b = green or not crowded(b)",
)
WITH_DIRECTIONS = (
    "to = beetle of red or not eaten of step(beetle of red, beetle of red -> to)",
    "(beetle of red -> to) = (to -> beetle of red)",
    "every d in directions(meadow): step(to, d) != home",
    "(to -> home) = (home -> to) or not eaten of to",
)
WITH_COLUMNS = ("column(to) != 1 or eaten of to", "column(to) = column(beetle of b)")
MOOD = ("mood := b", "mood := red", "if eaten of to: mood := b", "for o in colour where crowded(o): mood := o")
UNTIL = (
    "(count c in meadow where eaten of c) >= 2",
    "eaten of home and not crowded(red)",
    "every b in colour: crowded(b)",
    "mood = blue and some c in meadow where eaten of c: distance(c, beetle of green) > 1",
)


def beetles(rng: random.Random, **fixed: str) -> Position:
    """Rules put together at random, of which some tell cells or colours apart."""
    land = fixed.get("land") or rng.choice(LANDS)
    graph, grid = land.startswith("graph"), land.startswith("square")
    free = (*FREE, *(() if graph else WITH_DIRECTIONS), *(WITH_COLUMNS if grid else ()))
    text = BEETLES.format(
        land=land,
        free=fixed.get("free") or rng.choice(free),
        mood=fixed.get("mood") or rng.choice(MOOD),
        until=fixed.get("until") or rng.choice(UNTIL),
    )

    def cell() -> str:
        number = rng.randrange(4)
        return f"p{number}" if graph else f"({number % 2},{number // 2})" if grid else f"({number})"

    body = "".join(f"    beetle {name}: {cell()}\n" for name in ("red", "green", "blue"))
    until = text.partition("repeat until ")[2].partition(":\n        turn")[0]
    return asked(
        linked(text), f"fewest moves until {until}", f"\n{body}    home: {cell()}\n    mood: {rng.choice(('red', 'blue'))}\n"
    )


@pytest.mark.parametrize(
    ("land", "number"),
    [("ring 5", 9), ("ring 4", 7), ("ring 12", 11), (GRID, 8), (LANDS[6], 11), (LANDS[7], 5), ("square grid 3 x 2", 3)],
)
def test_what_is_found(land: str, number: int) -> None:
    """Of the space alone, where red has a part of its own and two colours are alike; with all others that fit sixteen."""
    position = beetles(random.Random(1), land=land, free="b = red or not eaten of to", mood="mood := red", until=UNTIL[0])
    found = found_in(position)
    assert len([one for one in found if not one.members]) == number
    assert {tuple(one.members) for one in found} <= {(), ("colour",)}


def check(position: Position, seed: int) -> int:
    """Answers, plays and, where no constant is mapped, hashes; gives the number of automorphisms that the search used."""
    engine, found = position.asked, found_in(position)
    home, kind = position.root[engine.layout.columns["home"].start], Cell("meadow")
    check_plays(position, 4, random.Random(seed))
    if all(one.image(engine.instance, kind, home) == home for one in found):
        check_hashes(position, 6, random.Random(seed))
    return agree(position, (0, 5, 40)[seed % 3])


def test_some_random_rules() -> None:
    used = [check(beetles(random.Random(f"beetles {seed}")), seed) for seed in range(10)]
    assert 0 in used and len(set(used)) > 2, used


@pytest.mark.campaign
def test_random_rules() -> None:
    used = [check(beetles(random.Random(f"beetles {seed}")), seed) for seed in range(12, 112)]
    print(sum(map(bool, used)), "with automorphisms")


@pytest.mark.parametrize("seed", range(6))
def test_maps_of_graphs_are_all_there_are(seed: int) -> None:
    rng = random.Random(seed)
    names = "abcdef"
    edges = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :] if rng.random() < 0.5]
    window = graph_window(edges or [("a", "b")], names)
    near = [{step[node] for step in window.steps} - {window.nowhere} for node in range(6)]
    expected = {
        images
        for images in permutations(range(6))
        if all((images[other] in near[images[node]]) == (other in near[node]) for node in range(6) for other in range(6))
    }
    found = list(node_maps(window))
    assert len(found) == len(set(found)) and {*found, tuple(range(6))} == expected


FAULTS: dict[str, tuple[object, str, Callable[..., object], dict[str, str]]] = {
    "ways that are equally long are not looked at": (
        Equivariance,
        "_keeps_toward",
        lambda self, space: True,
        {"land": "ring 4", "free": WITH_DIRECTIONS[0]},
    ),
    "members with names are not": (
        Equivariance,
        "_image",
        lambda self, type, value: value,
        {"land": LANDS[-1], "free": "b != red"},
    ),
    "nodes go anywhere": (
        space_maps,
        "node_maps",
        lambda window: permutations(range(window.size)),
        {"land": LANDS[6]},
    ),
    "a shift takes no care of steps": (
        space_maps,
        "_checked",
        lambda window, images, ways: space_maps.SpaceMap((*images[1:], images[0], window.nowhere), tuple(ways)),
        {"land": GRID},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, faulty, fixed = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    with pytest.raises(AssertionError):
        for seed in range(8):
            position = beetles(random.Random(f"fault {seed}"), **{"free": FREE[0], "mood": MOOD[0], "until": UNTIL[0], **fixed})
            check_plays(position, 10, random.Random(seed))
            agree(position, 0)
