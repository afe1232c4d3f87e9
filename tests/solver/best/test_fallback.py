"""The search over immutable states against plain enumeration, by another hand and by the engine; bounds on its way."""

from __future__ import annotations

import random
import time

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.fallback import FallbackSearch
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Incumbent, Listener, Result, Status
from tests import paths
from tests.expressions import parse_expression
from tests.games.beacon_patrol.oracle import base_game as oracle
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED as BY_TILES
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, greatest_score, random_position, random_puzzle, replayed
from tests.solver.exhaustive import enumerate_all

PROVED = {text.split(":")[0].split()[1]: text for puzzles in BY_TILES.values() for text, _ in puzzles}

RACE = """
module race:
    "Two runners on a ring share a purse of steps; laps count."

players 2..2

space track: ring 7

state:
    at of player: cell of track
    purse: 0..6 = 6
    laps: 0..9

action run(steps in 1..3):
    require afford: purse >= steps else "the purse is empty"
    effect pay: purse -= steps
    effect lap: if steps = 3: laps += 1

flow:
    repeat until purse = 0:
        for player in players:
            choose run, or stop
        rest

procedure rest:
    if purse > 0: purse -= 1

score laps: laps * 2 - purse
"""

VARIANTS = {
    "five_tokens": "change allowance: tokens[1] = 5",
    "no_tokens": "change allowance: tokens[1] = 0",
    "no_keep": "change keep: require never_now: empty(draw) and tokens of player = 9",
    "buoys_bind": "change worth: replace buoy: 5 when at(c) has buoy",
    "corners_too": "change explored:\n    replace value: occupied(c) and every n in nearby(c): occupied(n)",
    "three_sides": "change explored:\n    replace value: occupied(c) and (count n in around(c) where occupied(n)) >= 3",
    "land_counts": "change explored:\n    replace value: occupied(c) and some d in directions(sea): side(at(c), d) = land",
    "less_is_more": "score waste: 0 - size(discarded)",
    "over_land": "change sail: drop by_water",
    "loose_edges": "change place: drop matching\ndrop invariant matching",
    "tokens_count": "score thrift: sum tokens of p for p in players",
}


def search(engine: Engine, state: State, question: Question, seconds: float = 60.0) -> Result:
    return FallbackSearch(Problem(engine, state, question), time.monotonic() + seconds).run()


def most(engine: Engine, state: State, game: Game, seconds: float = 120.0) -> Result:
    return search(engine, state, greatest_score(game), seconds)


@pytest.mark.parametrize("name", [name for name in PROVED if "k03" in name])
def test_proved_answers(name: str) -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[name], game)
    result = most(engine, state, game)
    assert (result.status, result.score) == (Status.OPTIMAL, oracle.parse_answer(PROVED[name]))
    assert replayed(engine, state, result) == result.score


@pytest.mark.campaign
@pytest.mark.parametrize("name", [name for name in PROVED if "k06" in name])
def test_proved_answers_of_six(name: str) -> None:
    test_proved_answers(name)


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_the_judge(seed: int) -> None:
    _agrees_with_the_judge(seed, coming=1 + seed % 3)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100))
def test_agrees_with_the_judge_at_length(seed: int) -> None:
    _agrees_with_the_judge(1000 + seed, coming=1 + seed % 4)


def _agrees_with_the_judge(seed: int, coming: int) -> None:
    rng = random.Random(seed)
    players = 1 + seed % 2
    text, known = random_puzzle(rng, players, coming)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    result = most(engine, state, game)
    assert result.status is Status.OPTIMAL
    assert result.score == oracle.best_score(known)
    assert replayed(engine, state, result) == result.score


@pytest.mark.parametrize("change", VARIANTS)
def test_changed_rules(change: str) -> None:
    _changed_rules(change, seed=3, coming=2)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("change", VARIANTS)
def test_changed_rules_at_length(change: str, seed: int) -> None:
    _changed_rules(change, seed=50 + seed, coming=2 + seed % 2)


def _changed_rules(change: str, seed: int, coming: int) -> None:
    game = linked(variant(VARIANTS[change]))
    engine, state = random_position(random.Random(seed), game, 1, coming)
    result = most(engine, state, game)
    assert result.status is Status.OPTIMAL
    assert result.score == enumerate_all(engine, state, engine.score)
    assert replayed(engine, state, result) == result.score


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_is_never_too_low(seed: int) -> None:
    """At every state of a random game, nothing reached from it is worth more than the bound."""
    rng = random.Random(seed)
    text, _ = random_puzzle(rng, 1, 3)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    bound = Problem(engine, state, greatest_score(game)).bound
    assert bound is not None
    while not engine.over(state):
        best = enumerate_all(engine, state, engine.score)
        assert bound.bound(state) >= best
        state = engine.apply(state, rng.choice(engine.legal(state)))
    assert bound.bound(state) >= engine.score(state)


def test_minimise_and_reach() -> None:
    name = "mid_k03_s1_b10"
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[name], game)
    values = tuple(score.value for score in game.scores)
    least = search(engine, state, Question(Goal.MINIMISE, values))
    assert (least.status, least.score) == (Status.OPTIMAL, enumerate_all(engine, state, engine.score, min))
    reached = search(engine, state, Question(Goal.REACH, values, 8))
    assert reached.status is Status.OPTIMAL and replayed(engine, state, reached) >= 8
    beyond = search(engine, state, Question(Goal.REACH, values, 9))
    assert (beyond.status, beyond.score, beyond.plan) == (Status.IMPOSSIBLE, None, ())


def test_a_horizon_ends_the_search() -> None:
    name = "mid_k06_s2_b16"
    game = shipped("beacon_patrol")
    text = PROVED[name].replace("until end", "for 1 turns")
    engine, state = engine_and_state(text, game)
    result = most(engine, state, game)
    assert result.score == enumerate_all(engine, state, engine.score)
    assert sum(move[0] in (-1, engine.action_numbers["keep"]) for move in result.plan) == 1


def test_time_runs_out() -> None:
    """At the limit there is a plan, a bound above it, and no word of a proof."""
    game = shipped("beacon_patrol")
    text = (paths.PROVED / "mid_k12_s1_b10.puzzle").read_text(encoding="utf-8")
    engine, state = engine_and_state(text, game)
    result = most(engine, state, game, seconds=4.0)
    assert result.status is Status.FEASIBLE and result.proof == ""
    assert result.score is not None and result.bound is not None
    assert result.score <= oracle.parse_answer(text) <= result.bound
    assert replayed(engine, state, result) == result.score


def test_a_game_without_tiles() -> None:
    game = linked(RACE)
    engine = Engine.of(game, 2)
    state = engine.start()
    result = most(engine, state, game)
    assert result.status is Status.OPTIMAL
    assert result.score == enumerate_all(engine, state, engine.score)


LEAST = (
    "score",
    "0 - score",
    "size(discarded)",
    "score + sum tokens of p for p in players",
    "3 - count c in sea where occupied(c)",
)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("asked", LEAST)
def test_the_least_and_its_bound(asked: str, seed: int) -> None:
    """Every bound on the way is held against what a random line of play comes to."""
    rng = random.Random(100 + seed)
    text, _ = random_puzzle(rng, 1, 1 + seed % 2)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    value = resolve_question(game, parse_expression(asked, "here"))
    question = Question(Goal.MINIMISE, (value,))
    least = search(engine, state, question)
    expected = enumerate_all(engine, state, lambda end: engine.value(value, end), min)
    assert (least.status, least.score, least.bound) == (Status.OPTIMAL, expected, expected)
    bound = Problem(engine, state, question).bound
    assert bound is not None
    here, met = state, [state]
    while not engine.over(here):
        here = engine.apply(here, rng.choice(engine.legal(here)))
        met.append(here)
    end = engine.value(value, here)
    assert all(-bound.bound(before) <= end for before in met)


def test_a_counter_that_only_rises_bounds_what_is_left() -> None:
    game = linked(RACE)
    engine = Engine.of(game, 2)
    state = engine.start()
    laps = resolve_question(game, parse_expression("laps - 2 * purse", "here"))
    for goal, best in ((Goal.MINIMISE, min), (Goal.MAXIMISE, max)):
        bound = Problem(engine, state, Question(goal, (laps,))).bound
        result = search(engine, state, Question(goal, (laps,)))
        assert bound is not None
        assert result.score == enumerate_all(engine, state, lambda end: engine.value(laps, end), best)
    after = engine.apply(state, (0, 3))
    low = Problem(engine, state, Question(Goal.MINIMISE, (laps,))).bound
    assert low is not None and (low.bound(state), low.bound(after)) == (12, 5)


def test_an_incumbent_is_kept_unless_there_is_a_better_plan() -> None:
    engine, state = engine_and_state(PROVED["mid_k03_s1_b10"], shipped("beacon_patrol"))
    problem = Problem(engine, state, greatest_score(engine.game))
    first = FallbackSearch(problem, time.monotonic() + 60).run()
    assert first.score is not None
    best = Incumbent(first.score, first.plan)
    again = FallbackSearch(problem, time.monotonic() + 60, incumbent=best).run()
    assert again.status is Status.OPTIMAL and again.plan is best.plan
    worse = FallbackSearch(problem, time.monotonic() + 60, incumbent=Incumbent(first.score - 1, ((-1,),))).run()
    assert worse.score == first.score and worse.plan != ((-1,),)


def test_it_ends_when_the_question_is_settled_elsewhere() -> None:
    engine, state = engine_and_state(PROVED["mid_k06_s1_b10"], shipped("beacon_patrol"))
    problem = Problem(engine, state, greatest_score(engine.game), lambda _: None)
    told: list[int | None] = []
    listener = Listener(lambda best, bound, states: told.append(best), lambda best: best is not None)
    found = FallbackSearch(problem, time.monotonic() + 600, listener).run()
    assert found.status is Status.FEASIBLE and found.score is not None
    assert told[-1] == found.score
