"""What a policy keeps in memory, and that it does not matter for what it chooses."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import standings
from rulewright.solver.playouts import policies as playout_policies
from rulewright.solver.playouts.policies import GREEDY, RANDOM, Kind, Policy, Seats, choosing, choosing_by_seat
from tests.rules.playing import linked, shipped


@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_ply_of_a_beam_may_be_trimmed_at_any_time(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, rng = Engine.of(shipped("beacon_patrol"), 1), random.Random(width)
    choose = choosing(Policy(Kind.BEAM, width), engine)
    state = engine.start(width)
    for _ in range(25):
        moves, seed = engine.legal(state), rng.getrandbits(32)
        chosen = []
        for most in (2, 3, 1000):
            monkeypatch.setattr(playout_policies, "TRIMMED", most)
            chosen.append(choose(state, moves, seed))
        assert chosen[0] == chosen[1] == chosen[2]
        state = chosen[0][1]


TRAP = """module trap:
    "Whoever takes two leaves three to the other."

players 2

state:
    coins of player: 0..20
    left_over:       0..9 = 1

action take(n in 1..3):
    require there: n = left_over or n = 1 else "so much is not there"
    effect gain: coins of player += n
    effect leave: left_over := if n = 1 then 2 else 3

flow:
    for player in players: turn: choose take
    for player in players: turn: choose take

score wealth of player: coins of player

WINNER
"""


def marked(policy: Policy, winner: str, moves: tuple[Move, ...] = ()) -> set[Move]:
    """What a policy may choose behind some moves, by seed."""
    engine = Engine.of(linked(TRAP.replace("WINNER", winner)), 2)
    state = engine.start()
    for move in moves:
        state = engine.apply(state, move)
    choose = choosing(policy, engine)
    return {choose(state, engine.legal(state), seed)[0] for seed in range(20)}


def test_players_play_for_their_own_score() -> None:
    assert marked(GREEDY, "", ((0, 1),)) == {(0, 2)}
    assert marked(GREEDY, "winner: most wealth", ((0, 1),)) == {(0, 2)}
    assert marked(GREEDY, "winner: least wealth", ((0, 1),)) == {(0, 1)}


def test_a_search_takes_it_that_the_others_play_for_themselves() -> None:
    """The first player may take one at first, then two or one: whatever the second leaves. To take two leaves three."""
    engine = Engine.of(linked(TRAP.replace("WINNER", "")), 2)
    state = engine.apply(engine.start(), (0, 1))

    def wealth(here: State) -> tuple[int, ...]:
        """Of both players, everybody playing for themselves from here on."""
        if engine.over(here):
            return tuple(standing.scores["wealth"] for standing in standings(engine, here))
        reached = [wealth(engine.apply(here, move)) for move in engine.legal(here)]
        return max(reached, key=lambda row: row[engine.player(here) - 1])

    best = max(wealth(engine.apply(state, move))[1] for move in engine.legal(state))
    good = {move for move in engine.legal(state) if wealth(engine.apply(state, move))[1] == best}
    assert marked(Policy(Kind.SEARCH, 3), "", ((0, 1),)) == good


def test_who_is_paranoid_takes_it_that_the_others_play_against_them() -> None:
    """Of the second player's three moves the last of all is theirs again, the first player's is made to harm them most."""
    engine = Engine.of(linked(TRAP.replace("WINNER", "")), 2)

    def wealth(here: State) -> int:
        if engine.over(here):
            return standings(engine, here)[1].scores["wealth"]
        reached = [wealth(engine.apply(here, move)) for move in engine.legal(here)]
        return max(reached) if engine.player(here) == 2 else min(reached)

    state = engine.apply(engine.start(), (0, 1))
    reached = {move: wealth(engine.apply(state, move)) for move in engine.legal(state)}
    good = {move for move, found in reached.items() if found == max(reached.values())}
    assert marked(Policy(Kind.PARANOID, 3), "", ((0, 1),)) == good
    assert len(set(reached.values())) > 1


def test_a_seat_has_a_policy_of_its_own() -> None:
    engine = Engine.of(linked(TRAP.replace("WINNER", "")), 2)
    choose = choosing_by_seat(Seats(RANDOM, ((2, GREEDY),)), engine)
    state = engine.apply(engine.start(), (0, 1))
    assert {choose(state, engine.legal(state), seed)[0] for seed in range(20)} == {(0, 2)}
    begun = engine.apply(state, (0, 2))
    assert len({choose(begun, engine.legal(begun), seed)[0] for seed in range(20)}) == 2
