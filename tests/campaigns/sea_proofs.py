"""The exact search against the judge's enumeration: positions of every expansion and ship at random."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.result import Status
from tests.campaigns.sea_play import SEA, engine_of
from tests.games.beacon_patrol.oracle.ships import BROUGHT, PATROL_SHIP, State, begin
from tests.games.beacon_patrol.oracle.ships_positions import best_score, random_position
from tests.games.beacon_patrol.ship_states import listed, state_of
from tests.solver.asking import searched

MOST_POSITIONS = 40_000
FEW_POSITIONS = 4_000
SECONDS = 60.0

KINDS = ("windmills", "piers", "german", *BROUGHT)
MODULE = {"research_ship": "ships.research", "construction_ship": "ships.construction"}


def module_of(kind: str) -> str:
    return f"{SEA}." + MODULE.get(kind, f"ships.{kind}" if kind in BROUGHT else kind)


def beginning(rng: random.Random, kind: str, players: int, kinds: tuple[str, ...]) -> State:
    vessels = [PATROL_SHIP] * players
    if kind in BROUGHT:
        vessels[rng.randrange(players)] = kind
    sets = (kind,) if kind in ("windmills", "piers") else ()
    return begin(rng, vessels, kinds, sets, german=kind == "german", fleet=kind in BROUGHT)


def held_against(kind: str, number: int, most: int = MOST_POSITIONS) -> str:
    """`agreed`, or why it was not asked; anything else is an error that says which position."""
    rng = random.Random(f"{kind} {number}")
    players = 1 + number % 2
    engine = engine_of((module_of(kind),), players)
    for coming in (3, 2, 1):
        there = random_position(
            rng, partial(beginning, kind=kind, players=players, kinds=listed(engine)), 4 + number % 12, coming
        )
        best = best_score(there, most)
        if best is not None:
            break
    else:
        return "too many positions"
    question = Question(Goal.MAXIMISE, tuple(item.value for item in engine.game.scores))
    result = searched(engine, state_of(engine, there), question, SECONDS)
    if result.status is not Status.OPTIMAL:
        return "not proved in time"
    assert result.score == best, f"{kind}, position {number}: {result.score} for {best}"
    return "agreed"


def tally(kind: str, numbers: range) -> Counter[str]:
    return Counter(held_against(kind, number) for number in numbers)
