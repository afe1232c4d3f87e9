"""Plans without proof: beams, smaller windows, promises kept up to date, turns played anew."""

from __future__ import annotations

import random
import time

import pytest

from rulewright.grammar.scenarios import Goal
from rulewright.rules.engine import Engine, State
from rulewright.rules.questions import Question
from rulewright.solver.beam import Beam, checked, widening
from rulewright.solver.exact import search
from rulewright.solver.narrow import narrowed
from rulewright.solver.neighbourhood import Neighbourhood, is_long
from rulewright.solver.problem import Problem
from rulewright.solver.promise import Nearness, counted_board, nearness
from rulewright.solver.result import Status
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_puzzle, replayed
from tests.solver.test_exact import RACE

WHOLE = """
puzzle whole:
    rules beacon_patrol
    players 1
    sea:
        hq@1
    draw: rest, seed {seed}
    ask: maximise score until end
"""

FOREVER = 10**9


def whole_game(seed: int) -> tuple[Problem, Question]:
    engine, state = engine_and_state(WHOLE.format(seed=seed), shipped("beacon_patrol"))
    question = Question(Goal.MAXIMISE, tuple(score.value for score in engine.game.scores))
    return Problem.of(engine, state, question), question


@pytest.fixture(scope="module")
def whole() -> tuple[Problem, Question]:
    return whole_game(1)


def test_a_beam_plays_a_whole_game(whole: tuple[Problem, Question]) -> None:
    """What a beam of ten finds is several times what looking at the next score gets (8 on average)."""
    problem, question = whole
    beam = Beam.of(problem, question)
    found = beam.search(beam.problem.root, 10, time.monotonic() + 60)
    assert found is not None and found[0] >= 25
    assert checked(problem, found[0], beam.widened(found[1])) == (found[0], beam.widened(found[1]))
    assert beam.search(beam.problem.root, 10, time.monotonic() + 60) == found


def test_rounds_get_wider_until_the_time_is_up(whole: tuple[Problem, Question]) -> None:
    problem, question = whole
    beam = Beam.of(problem, question)
    began = time.monotonic()
    values = [best[0] for best in widening(beam, began + 3.0, began + 60) if best is not None]
    assert values == sorted(values) and len(values) >= 2
    assert time.monotonic() - began < 8.0


def test_a_wide_beam_leaves_nothing_out() -> None:
    engine = Engine.of(linked(RACE), 2)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in engine.game.scores))
    problem = Problem.of(engine, engine.start(), question)
    beam = Beam.of(problem, question)
    *_, best = widening(beam, time.monotonic() + 30, time.monotonic() + 30)
    assert best is not None and best[0] == search(engine, engine.start(), question).score


@pytest.mark.parametrize("seed", range(4))
def test_a_smaller_window_plays_the_same(seed: int) -> None:
    """Move for move the same legal moves, scores and end, as long as play stays inside."""
    rng = random.Random(seed)
    engine, state = engine_and_state(WHOLE.format(seed=seed), shipped("beacon_patrol"))
    narrow = narrowed(engine, state, 15)
    assert narrow is not None
    assert narrow.engine.ground.windows["sea"].size < engine.ground.windows["sea"].size / 4
    small = narrow.state
    for _ in range(40):
        moves = narrow.engine.legal(small)
        assert [*narrow.widened(moves)] == engine.legal(state)
        assert narrow.engine.score(small) == engine.score(state)
        move = rng.choice(moves)
        (wide,) = narrow.widened([move])
        small, state = narrow.engine.apply(small, move), engine.apply(state, wide)


def test_small_and_bounded_windows_stay_as_they_are() -> None:
    engine, state = engine_and_state(random_puzzle(random.Random(1), 1, 2)[0], shipped("beacon_patrol"))
    assert narrowed(engine, state, 20) is None
    race = Engine.of(linked(RACE), 2)
    assert narrowed(race, race.start(), 3) is None


CHANGES = {
    "as it ships": "",
    "corners too": "change explored:\n    replace value: occupied(c) and every n in nearby(c): occupied(n)",
    "cells told apart": "change worth: replace value: if column(c) > 0 then 2 else 1",
    "tokens too": "score thrift: sum tokens of p for p in players",
}


@pytest.mark.parametrize("name", CHANGES)
def test_promises_are_kept_up_to_date(name: str) -> None:
    rng = random.Random(7)
    text, _ = random_puzzle(rng, 1, 6)
    game = linked(variant(CHANGES[name])) if CHANGES[name] else shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    problem = Problem.of(engine, state, question)
    board = counted_board(problem, question)
    assert board == "sea"
    promise = nearness(problem, question, board)
    _, mark = promise.first(state)
    while not engine.over(state):
        child = engine.apply(state, rng.choice(engine.legal(state)))
        promised, mark = promise.after(mark, state, child)
        assert promised == pytest.approx(promise.first(child)[0])
        state = child
    assert not any(state[at] for at in promise.supplies)
    assert _without_spending(promise, problem, state) == pytest.approx(engine.score(state))


def _without_spending(promise: Nearness, problem: Problem, state: State) -> float:
    return promise.first(state)[0] - 1e-6 * sum(problem.spent(state))


def test_turns_played_anew_make_a_plan_better(whole: tuple[Problem, Question]) -> None:
    problem, question = whole
    assert is_long(problem, question)

    def improved(rounds: int) -> tuple[list[int], tuple[tuple[int, ...], ...]]:
        beam = Beam.of(problem, question, seed=3)
        found = beam.search(beam.problem.root, 10, time.monotonic() + 60)
        assert found is not None
        news = [found[0]]
        near = Neighbourhood(beam, found, lambda better: news.append(better[0]), lambda: near.rounds >= rounds)
        near.improve(time.monotonic() + 300)
        plan = beam.widened(near.best[1])
        assert checked(problem, near.best[0], plan) is not None
        return news, plan

    news, plan = improved(12)
    assert news == sorted(set(news)) and news[-1] > news[0]
    assert improved(12) == (news, plan)


def test_a_time_limit_is_kept_on_a_whole_game(whole: tuple[Problem, Question]) -> None:
    problem, question = whole
    began = time.monotonic()
    result = search(problem.engine, problem.root, question, 4.0)
    assert time.monotonic() - began < 4.0 * 1.1 + 2.0
    assert result.status is Status.FEASIBLE
    assert result.score is not None and result.bound is not None and 25 <= result.score <= result.bound <= 78
    assert replayed(problem.engine, problem.root, result) == result.score
