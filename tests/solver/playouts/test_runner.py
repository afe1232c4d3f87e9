"""Whole games in machine code: move for move what the plain reading plays for the same seed."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import GREEDY, RANDOM, Kind, Policy, Seats, policy_named
from rulewright.solver.playouts.runner import Outcome, PlayoutProgram
from rulewright.studies.simulation.playouts import Simulation, Simulator
from rulewright.subset.program import as_baseline_code, as_machine_code, as_python
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.best.test_fallback import RACE

POLICIES = (RANDOM, GREEDY, Policy(Kind.SEARCH, 2), Policy(Kind.BEAM, 1), Policy(Kind.BEAM, 7))
NAMED = pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)


def plain_end(player: Simulator, number: int) -> Outcome:
    (end,) = player.play(range(number, number + 1))
    return Outcome(end.length, end.score, end.own, end.outcomes)


def agree(engine: Engine, opening, policy: Policy | Seats, games: int, longest: int = 10_000, make=as_baseline_code) -> int:  # type: ignore[no-untyped-def]
    """How many different ends there were."""
    seats = policy if isinstance(policy, Seats) else Seats(policy)
    player = Simulator(Simulation(seats, games, 5, longest, shift=games), engine, opening)
    seeds, choices = zip(*map(player.seeds, range(games)), strict=True)
    ends = PlayoutProgram.of(engine, opening, seats, longest, make).worker().play(seeds, choices)
    expected = [plain_end(player, number) for number in range(games)]
    assert ends == expected
    return len({(end.length, end.score) for end in expected})


@NAMED
@pytest.mark.parametrize("make", [as_python, as_machine_code], ids=["python", "machine"])
def test_a_puzzle(policy: Policy, make) -> None:  # type: ignore[no-untyped-def]
    text, _ = random_puzzle(random.Random(5), 1 + (policy is RANDOM), 3)
    engine, state = engine_and_state(text, shipped("beacon_patrol"))
    agree(engine, state, policy, 2 if make is as_python else 6, make=make)


@pytest.mark.parametrize("players", [1, 3])
def test_random_games(players: int) -> None:
    assert agree(Engine.of(shipped("beacon_patrol"), players), None, RANDOM, 20) > 10


def test_greedy_games() -> None:
    assert agree(Engine.of(shipped("beacon_patrol"), 1), None, GREEDY, 3) > 1


@NAMED
@pytest.mark.parametrize("name", ["classics.peg_solitaire", "classics.triangle_solitaire"])
def test_games_with_no_move_left(name: str, policy: Policy) -> None:
    agree(Engine.of(shipped(name), 1), None, policy, 3)


@NAMED
def test_games_that_are_cut(policy: Policy) -> None:
    agree(Engine.of(shipped("classics.fifteen"), 1), None, policy, 2, longest=9)


@NAMED
def test_a_race(policy: Policy) -> None:
    agree(Engine.of(linked(RACE), 2), None, policy, 5)


def test_a_fault_is_left_to_the_plain_reading() -> None:
    game = linked(variant("change jettison:\n    effect broken: tokens of player := 10"))
    text, _ = random_puzzle(random.Random(5), 1, 3)
    engine, state = engine_and_state(text, game)
    ends = PlayoutProgram.of(engine, state, Seats(GREEDY), 100).worker().play([1, 2, 3])
    assert ends == [None, None, None]


def test_policies_by_name() -> None:
    assert [policy_named(policy.name) for policy in POLICIES] == list(POLICIES)
    assert policy_named("search(1)") == GREEDY
    assert policy_named("paranoid(2)") == Policy(Kind.PARANOID, 2)
    assert [policy_named(name) for name in ("", "clever", "beam", "beam(0)", "beam(1001)", "search(-1)", "random(2)")] == [
        None
    ] * 7


SEATS = (
    Seats(GREEDY),
    Seats(RANDOM, ((2, GREEDY),)),
    Seats(Policy(Kind.SEARCH, 3), ((1, Policy(Kind.BEAM, 3)),)),
    Seats(Policy(Kind.SEARCH, 2), ((2, Policy(Kind.PARANOID, 3)),)),
)


@pytest.mark.parametrize("make", [as_python, as_machine_code], ids=["python", "machine"])
@pytest.mark.parametrize("seats", SEATS, ids=lambda seats: seats.name)
def test_players_who_play_for_themselves(seats: Seats, make) -> None:  # type: ignore[no-untyped-def]
    engine = Engine.of(shipped("classics.worker_placement"), 2)
    assert agree(engine, None, seats, 2 if make is as_python else 10, make=make) > 0
