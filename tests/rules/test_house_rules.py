"""Rules that exist in text only: modules of a few lines change what is legal, in play and in the reference alike."""

from __future__ import annotations

from rulewright.rules.engine import Engine, State
from rulewright.rules.reference import Reference
from tests.oracle import beacon_patrol as oracle
from tests.rules.beacon_patrol_states import state_of, written_moves
from tests.rules.playing import engine_of, lively, play_in_step

CORNER = """
puzzle corner:
    players 1
    sea:
        n_house   open     .
        buoy      hq@1     e_house
        .         s_light  .
    hand 1: open
    tokens 1: 1
"""


def at_the_corner(engine: Engine) -> State:
    return state_of(engine, oracle.parse_puzzle(CORNER))


def test_five_tokens() -> None:
    engine = engine_of(1, "house.five_tokens")
    assert engine.start(3)[engine.layout.position("tokens", 1)] == 5
    more = engine_of(2, "house.five_tokens")
    assert more.start(3)[more.layout.position("tokens", 2)] == 3


def test_the_fifth_token_is_one_more_move() -> None:
    sailed = []
    for roots in ("beacon_patrol", "house.five_tokens"):
        engine = engine_of(1, roots)
        state, moves = engine.start(3), 0
        move = next(m for text, m in written_moves(engine, state).items() if text.startswith("place"))
        state = engine.apply(state, move)
        while sail := [m for text, m in written_moves(engine, state).items() if text.startswith("sail")]:
            state, moves = engine.apply(state, sail[0]), moves + 1
        sailed.append(moves)
    assert sailed == [4, 5]


def test_diagonal_sailing() -> None:
    """North-west by the open sea; north-east there is nothing, south-east land closes both ways round."""
    before, after = (
        {text for text in written_moves(engine, at_the_corner(engine)) if text.startswith(("sail", "jettison"))}
        for engine in (engine_of(1), engine_of(1, "house.diagonal_sailing"))
    )
    assert before == {
        *("sail north", "sail south", "sail east", "sail west"),
        *("jettison open north", "jettison open south", "jettison open east", "jettison open west"),
    }
    assert after - before == {"sail north_west", "jettison open north_west"}
    assert before <= after


def test_house_rules_together() -> None:
    engine = Engine.of(engine_of(1, "house.diagonal_sailing", "house.five_tokens").game, 2)
    for _ in play_in_step(engine, 5, lively, 40):
        pass
    assert engine.game.modules[-2:] == ("house.diagonal_sailing", "house.five_tokens")
    assert Reference(engine).legal(engine.start(1)) == engine.legal(engine.start(1))
