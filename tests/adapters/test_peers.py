"""Games in the environments of other libraries, judged by those libraries' own tests."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rulewright as rw

pytestmark = pytest.mark.nightly

SOLO = (
    "classics.lights_out",
    "classics.fifteen",
    "classics.peg_solitaire",
    "classics.pig",
    "classics.doubling",
    "classics.tsuro",
)
SEVERAL = (
    "classics.connect_four",
    "classics.noughts_and_crosses",
    "classics.go",
    "classics.santorini",
    "penguin_pirates",
    "castles_by_the_sea.basic",
)


@pytest.mark.parametrize("name", SOLO)
def test_gymnasium(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    from rulewright.adapters.gymnasium_env import GameEnv

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on what the checker would rather have seen
        check_env(GameEnv(rw.load_game(name)), skip_render_check=True)


def test_a_puzzle_is_an_environment() -> None:
    from rulewright.adapters.gymnasium_env import GameEnv

    puzzle = rw.load_puzzle("overboard")
    env, total = GameEnv(puzzle), 0.0
    env.reset(seed=1)
    for action in puzzle.solve(seconds=20).plan:
        seen, reward, is_over, _, told = env.step(np.int64(env.encoding.actions.number(action.move)))
        total += reward
    assert is_over and puzzle.start.score + total == puzzle.expected == told["score"]
    assert not seen["action_mask"].any()


def test_an_illegal_action_costs_what_was_said() -> None:
    from rulewright.adapters.gymnasium_env import GameEnv

    env = GameEnv(rw.load_game("classics.fifteen"), illegal=-2.0)
    before, _ = env.reset(seed=1)
    number = int(np.argmin(before["action_mask"]))
    after, reward, is_over, _, _ = env.step(np.int64(number))
    assert (reward, is_over) == (-2.0, False) and (after["observation"] == before["observation"]).all()


def test_several_players_are_refused_by_gymnasium() -> None:
    from rulewright.adapters.gymnasium_env import GameEnv

    with pytest.raises(rw.RulesError, match="pettingzoo_env"):
        GameEnv(rw.load_game("classics.go"))


@pytest.mark.parametrize("name", SEVERAL)
def test_pettingzoo(name: str) -> None:
    from pettingzoo.test import api_test, seed_test

    from rulewright.adapters.pettingzoo_env import GameEnv

    game = rw.load_game(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(GameEnv(game), num_cycles=60)
        seed_test(lambda: GameEnv(game), num_cycles=20)


def test_players_do_not_see_what_is_hidden() -> None:
    from rulewright.adapters.observations import Encoding

    state = rw.load_game("penguin_pirates", seed=5).start
    encoding = Encoding.of(state)
    seen = [encoding.vector(state, player) for player in (1, 2, 3)]
    assert len({tuple(each) for each in seen}) == 3
    for vector in seen:
        assert all(low <= value <= high for value, (low, high) in zip(vector, encoding.bounds, strict=True))


@pytest.mark.parametrize("name", [*SOLO[:4], *SEVERAL[:4]])
def test_openspiel(name: str) -> None:
    import pyspiel

    import rulewright.adapters.openspiel_game  # noqa: F401 (registers the game)

    game = pyspiel.load_game("rulewright", {"module": name, "seed": 1})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_openspiel_searches() -> None:
    import pyspiel
    from open_spiel.python.algorithms import mcts

    import rulewright.adapters.openspiel_game  # noqa: F401

    game = pyspiel.load_game("rulewright", {"module": "classics.noughts_and_crosses"})
    state = game.new_initial_state()
    for text in ("place (0,0)", "place (2,0)", "place (1,1)", "place (2,1)"):
        state.apply_action(state.string_to_action(text))
    bot = mcts.MCTSBot(game, 1.4, 200, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    state.apply_action(bot.step(state))
    assert state.returns() == [1.0, -1.0]
