"""The engine before the independent judge: the same actions, positions and scores, whoever set the position up."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.rules.play.scores import score_items
from tests.games.beacon_patrol.oracle import base_game as oracle
from tests.games.beacon_patrol.states import comparable, state_of, written_moves
from tests.rules.playing import any_move, engine_of, lively, playout


def agree(engine: Engine, judged: oracle.State, rng: random.Random) -> None:
    """The same actions here, and the same position after each of some twenty."""
    state = state_of(engine, judged)
    moves = written_moves(engine, state)
    assert sorted(moves) == oracle.legal(judged)
    assert len(moves) == len(engine.legal(state))
    assert engine.score(state) == oracle.score(judged)
    for text in rng.sample(sorted(moves), min(20, len(moves))):
        after = oracle.successor(judged, text)
        assert comparable(engine, engine.apply(state, moves[text])) == comparable(engine, state_of(engine, after)), text


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_random_positions(players: int) -> None:
    engine, rng = engine_of(players), random.Random(players)
    for number in range(40):
        agree(engine, oracle.random_position(rng, players, 1 + number % 20, 1 + number % 12), rng)


@pytest.mark.campaign
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_five_hundred_random_positions(players: int) -> None:
    engine, rng = engine_of(players), random.Random(100 + players)
    for number in range(500):
        agree(engine, oracle.random_position(rng, players, 1 + number % 25, 1 + number % 12), rng)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_games_in_lockstep(players: int, seed: int) -> None:
    engine, rng = engine_of(players), random.Random(seed)
    judged = oracle.shuffled_start(rng, players)
    state = state_of(engine, judged)
    while not oracle.over(judged):
        moves = written_moves(engine, state)
        assert sorted(moves) == oracle.legal(judged)
        text = rng.choice(sorted(moves))
        state, judged = engine.apply(state, moves[text]), oracle.successor(judged, text)
        assert comparable(engine, state) == comparable(engine, state_of(engine, judged))
        assert engine.score(state) == oracle.score(judged)
    assert engine.over(state)


def test_the_set_up_deals_from_a_shuffled_box() -> None:
    for players in (1, 2, 3, 4):
        engine = engine_of(players)
        state = engine.start(7)
        names = [kind.name for kind in engine.game.tiles]
        drawn = [names[tile - 1] for tile in state[engine.layout.position("draw", None)]]
        hands = [state[engine.layout.position("hand", p)] for p in range(1, players + 1)]
        assert Counter([*drawn, *(names[t - 1] for hand in hands for t in hand)]) == Counter(oracle.BASE_TILES)
        assert [len(hand) for hand in hands] == [oracle.TILES_PER_PLAYER[players]] * players
        assert engine.start(7) == state != engine.start(8)


def whole_game(players: int, seed: int) -> None:
    """No tile is lost, the score is what a recount of the board gives, old states stay as they were."""
    engine = engine_of(players)
    window, policy = engine.instance.windows["sea"], lively if seed % 3 else any_move
    everything = engine.unset[engine.layout.position("box", None)]
    board_at = engine.layout.position("sea", None)
    states = list(playout(engine, seed, policy))
    hashes = [hash(state) for state in states]
    for state in (states[0], states[len(states) // 2], states[-1]):
        zones = [column for column in state if isinstance(column, tuple)]
        found = Counter(tile for zone in zones for tile in zone) + Counter(t for t in state[board_at] if t)
        assert found == Counter(everything)
        names = {window.coordinates[c]: engine.game.tiles[t - 1].name for c, t in enumerate(state[board_at]) if t}
        assert engine.score(state) == sum(
            oracle.FACES[kind].points for cell, kind in names.items() if oracle.explored(names, cell)
        )
        assert sum(item.points for item in score_items(engine, state)) == engine.score(state)
    again = list(playout(engine, seed, policy))
    assert again == states
    assert [hash(state) for state in again] == hashes == [hash(state) for state in states]


@pytest.mark.parametrize("seed", range(60))
def test_whole_games(seed: int) -> None:
    whole_game(seed % 4 + 1, seed)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1000, 1020))
def test_many_whole_games(seed: int) -> None:
    for number in range(100):
        whole_game(number % 4 + 1, seed * 100 + number)
