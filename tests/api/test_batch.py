"""Games side by side: in step with the engine, action for action."""

from __future__ import annotations

import numpy as np
import pytest

import rulewright as rw
from rulewright.rules.static.action_numbers import ActionNumbers

GAMES = ("classics.noughts_and_crosses", "classics.pig", "classics.fifteen", "classics.tsuro", "classics.santorini")


@pytest.mark.parametrize("name", GAMES)
def test_every_state_is_that_of_the_engine(name: str) -> None:
    batch = rw.load_game(name, seed=3).batch(5)
    states = [batch.state(game) for game in range(5)]
    for step in range(25):
        for game, state in enumerate(states):
            assert batch.state(game) == state
            assert sorted(map(batch.number, state.legal)) == np.flatnonzero(batch.legal[game]).tolist()
            assert batch.is_over[game] == (state.is_over or not state.legal)
            assert batch.player[game] == state.player
            if state.is_over:
                assert batch.score[game] == state.score
                assert tuple(batch.outcomes[game]) == state.outcomes
        actions = batch.random(step)
        states = [
            state if number < 0 else state.play(batch.action(game, number))
            for game, (state, number) in enumerate(zip(states, actions.tolist(), strict=True))
        ]
        batch.step(actions)


def test_threads_play_the_same_games() -> None:
    game = rw.load_game("classics.noughts_and_crosses")
    one, two = (game.batch(7, workers=workers) for workers in (1, 2))
    for step in range(9):
        assert (one.legal == two.legal).all()
        actions = one.random(step)
        one.step(actions)
        two.step(actions)
    assert one.is_over.all() and (one.outcomes == two.outcomes).all()


def test_games_begin_anew() -> None:
    batch = rw.load_game("classics.pig", seed=1).batch(4)
    before = [batch.state(game) for game in range(4)]
    batch.step(batch.random(1))
    batch.reset([1, 3])
    after = [batch.state(game) for game in range(4)]
    assert [one.values == other.values for one, other in zip(before, after, strict=True)] == [False, True, False, True]
    assert before[1] != after[1]  # other chance to come


def test_an_illegal_action_changes_nothing() -> None:
    batch = rw.load_game("classics.noughts_and_crosses").batch(3)
    batch.step([0, 0, 0])
    for wrong in (0, -1, batch.actions, batch.actions - 1):
        with pytest.raises(rw.RulesError, match="is not legal in game 1"):
            batch.step([4, wrong, 4])
        assert batch.state(1).values == rw.load_game("classics.noughts_and_crosses").start.play("place (0,0)").values
        batch.reset()
        batch.step([0, 0, 0])


def test_a_batch_from_a_position() -> None:
    state = rw.load_game("classics.noughts_and_crosses").start.play("place (1,1)")
    batch = state.batch(2)
    assert batch.state(0).values == state.values and batch.legal.sum() == 16


def test_rules_that_stop_a_game_are_told() -> None:
    change = "change throw:\n    effect more: saved := 100\n"
    batch = rw.load_game("classics.pig", changes=change).batch(2)
    with pytest.raises(rw.RulesError, match="the rules stopped game 0"):
        batch.step(batch.random(1))


@pytest.mark.parametrize("name", [*GAMES, "classics.go", "penguin_pirates", "castles_by_the_sea.basic"])
def test_numbers_of_actions_are_their_own(name: str) -> None:
    state = rw.load_game(name).start
    numbers = ActionNumbers.of(state.engine)
    for _ in range(12):
        found = [numbers.number(action.move) for action in state.legal]
        assert len(set(found)) == len(found) and all(0 <= number < numbers.count for number in found)
        assert [numbers.move(number) for number in found] == [action.move for action in state.legal]
        if not state.legal:
            break
        state = state.play(state.legal[len(state.legal) // 2])
