"""CP-SAT against the exact search, on positions and on changed rules; the final board never bounds too low."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.process.job import ModelKind
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED as BY_TILES
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, most, random_puzzle
from tests.solver.best.test_fallback import RACE, VARIANTS
from tests.solver.cpsat.running import run, worth

PROVED = {text.split(":")[0].split()[1]: (text, answer) for puzzles in BY_TILES.values() for text, answer in puzzles}


def _score(game: Game) -> Question:
    return Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_search(seed: int) -> None:
    text, _ = random_puzzle(random.Random(seed), 1 + seed % 2, 1 + seed % 2)
    _agrees(text, shipped("beacon_patrol"))


@pytest.mark.parametrize("change", ["five_tokens", "corners_too", "over_land", "tokens_count"])
def test_agrees_under_changed_rules(change: str) -> None:
    _agrees(_position(0), linked(variant(VARIANTS[change])))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(10, 16))
@pytest.mark.parametrize("change", VARIANTS)
def test_agrees_under_changed_rules_at_length(change: str, seed: int) -> None:
    _agrees(_position(seed), linked(variant(VARIANTS[change])))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 140))
def test_agrees_with_the_search_at_length(seed: int) -> None:
    text, _ = random_puzzle(random.Random(seed), 1 + seed % 2, 1 + seed % 3)
    _agrees(text, shipped("beacon_patrol"))


def _position(seed: int) -> str:
    text, _ = random_puzzle(random.Random(seed), 1, 1 + seed % 2)
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("tokens"))


def _agrees(text: str, game: Game) -> None:
    engine, state = engine_and_state(text, game)
    question = _score(game)
    found = run(ModelKind.UNROLLED, engine, state, question)
    best = most(engine, state, game).score
    assert (found.status, found.value) == ("optimal", best)
    assert found.plan is not None
    assert worth(engine, state, question, found.plan) == best
    final_board = run(ModelKind.FINAL_BOARD, engine, state, question)
    if final_board.status != "unsupported":
        assert final_board.status == "optimal"
        assert final_board.value is not None and best is not None
        assert final_board.value >= best


STROLL = """
module stroll:
    "A walker pays for each stretch, and stands still when nothing is left to pay with."

players 1

space track: ring 7

state:
    at: cell of track
    purse: 0..3 = 3
    round: 0..5
    far: 0..9

action walk(pace in 1..2, to in around(at)):
    require afford: purse >= pace
    effect pay: purse -= pace
    effect tell: far += distance(at, to) + pace
    effect go: at := to

flow:
    begin
    repeat until round = 5:
        choose walk
        tick

procedure begin:
    at := origin of track

procedure tick:
    round += 1

score far: far
"""


NOWHERE = STROLL.replace("    begin\n", "")


@pytest.mark.parametrize(("text", "players"), [(RACE, 2), (STROLL, 1), (NOWHERE, 1)])
def test_another_game_altogether(text: str, players: int) -> None:
    """In the second nobody can act at the end, which the abstract state graph cannot tell; the third is over at once."""
    game = linked(text)
    engine = Engine.of(game, players)
    state = engine.start(0)
    question = _score(game)
    best = most(engine, state, game).score
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best)


@pytest.mark.parametrize("name", [name for name in PROVED if "k03" in name])
def test_the_final_board_is_never_below_the_proved_answer(name: str) -> None:
    _final_board_is_sound(name, 20)


@pytest.mark.campaign
@pytest.mark.parametrize("name", list(PROVED))
def test_the_final_board_is_never_below_any_proved_answer(name: str) -> None:
    _final_board_is_sound(name, 60)


def _final_board_is_sound(name: str, seconds: float) -> None:
    text, answer = PROVED[name]
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    found = run(
        ModelKind.FINAL_BOARD,
        engine,
        state,
        _score(game),
        seconds,
        parameters={"subsolvers": ["max_lp", "core"], "num_workers": 2},
    )
    assert found.bound is not None
    assert found.bound >= answer
