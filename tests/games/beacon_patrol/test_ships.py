"""Every special ship against the judge, action for action and position for position, in games at random."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.games.beacon_patrol.oracle import ships as judge
from tests.games.beacon_patrol.ship_states import comparable, listed, state_of
from tests.games.beacon_patrol.states import written_moves
from tests.rules.playing import engine_of, shipped

SHIPS = tuple(judge.BROUGHT)
MODULES = {
    "research_ship": "research",
    "construction_ship": "construction",
    "hovercraft": "hovercraft",
    "coast_guard": "coast_guard",
    "ferry": "ferry",
    "pilot_boat": "pilot_boat",
    "submarine": "submarine",
}
GERMAN = "beacon_patrol.german"


def modules_of(vessels: tuple[str, ...]) -> tuple[str, ...]:
    names = [f"beacon_patrol.ships.{MODULES[vessel]}" for vessel in vessels if vessel in MODULES] or ["beacon_patrol.ships"]
    return tuple(sorted({*names}))


def in_step(engine: Engine, judged: judge.State, rng: random.Random, limit: int = 10_000) -> int:
    """Play a game in both, at every choice the same actions, and the same position and score after one of them."""
    state, reference = state_of(engine, judged), ReferenceEngine(engine)
    for number in range(limit):
        moves = written_moves(engine, state)
        assert sorted(moves) == judge.legal(judged)
        assert engine.over(state) == judge.over(judged)
        assert engine.score(state) == judge.score(judged)
        if judge.over(judged):
            return number
        if number % 40 == 0:
            assert reference.legal(state) == engine.legal(state)
        text = pick(rng, sorted(moves))
        state, judged = engine.apply(state, moves[text]), judge.successor(judged, text)
        assert comparable(engine, state) == comparable(engine, state_of(engine, judged)), text
    return limit


def pick(rng: random.Random, texts: list[str]) -> str:
    """Mostly places a tile or does what only some ships can, seldom ends a turn."""
    weights = {"place": 6, "stop": 0.3, "keep": 0.5, "swap": 0.1, "jettison": 0.3, "sail": 1}
    return rng.choices(texts, [weights.get(text.split()[0], 2) / 3 for text in texts])[0]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("ship", SHIPS)
def test_a_ship_of_its_own(ship: str, players: int) -> None:
    """With the others on patrol ships (R10)."""
    engine, rng = engine_of(players, *modules_of((ship,))), random.Random(players)
    vessels = [judge.PATROL_SHIP] * players
    vessels[rng.randrange(players)] = ship
    in_step(engine, judge.begin(rng, vessels, listed(engine)), rng)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_german_edition_without_ships(players: int) -> None:
    """bpg.move.discard"""
    engine, rng = engine_of(players, GERMAN), random.Random(players)
    in_step(engine, judge.begin(rng, [judge.PATROL_SHIP] * players, listed(engine), german=True, fleet=False), rng)


@pytest.mark.parametrize("seed", range(12))
def test_ships_together(seed: int) -> None:
    rng = random.Random(seed)
    vessels = tuple(rng.sample(SHIPS, seed % 3 + 2))
    engine = engine_of(len(vessels), *modules_of(vessels))
    in_step(engine, judge.begin(rng, vessels, listed(engine)), rng)


def test_all_sets_of_ships_link() -> None:
    """Every set of two, and all seven; the rest in the campaign."""
    for chosen in [*combinations(SHIPS, 2), SHIPS]:
        assert len(engine_of(1, *modules_of(chosen)).game.enumerations["fleet"]) == len(chosen) + 1


def test_ships_in_any_order_are_the_same_game() -> None:
    """Equal games, so the same hash of what they are printed as; some of the 5040 orders of all seven, and both of each two."""
    modules = modules_of(SHIPS)
    rng = random.Random(7)
    printed = {repr(shipped(*rng.sample(modules, len(modules)))) for _ in range(6)}
    assert len(printed) == 1
    for one, other in combinations(modules, 2):
        assert shipped(one, other) == shipped(other, one)


@pytest.mark.campaign
@pytest.mark.parametrize("number", range(1, 8))
def test_all_127_sets_of_ships_are_the_same_game_in_all_orders(number: int) -> None:
    """Linked anew for each of the 13,699 orders, the files read in one order or the other."""
    project = Project(SHIPPED)
    for chosen in combinations(modules_of(SHIPS), number):
        first = project.load("+".join(chosen))
        family = {module.header.name: module for module in project.combine("+".join(chosen)).family.modules}
        bases = {name: module for name, module in family.items() if name not in chosen}
        assert len(first.enumerations["fleet"]) == number + 1
        for at, names in enumerate(permutations(chosen)):
            ships = {name: family[name] for name in names}
            again = link({**bases, **ships} if at % 2 else {**ships, **bases}, names)
            assert (again, again.roots, again.modules) == (first, first.roots, first.modules)
