"""Plans for long games: found turn by turn, replayed, better than what a greedy player gets."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rulewright.grammar.scenarios import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.engine import Engine, Horizon, Move
from rulewright.rules.loading import Project
from rulewright.rules.native.program import Maker, as_machine_code, as_python
from rulewright.rules.native.text import CannotCompile
from rulewright.rules.questions import Question
from rulewright.solver.limits import Limits
from rulewright.solver.native.turns import Small, improve
from rulewright.solver.neighbourhood import is_long, plans_share
from rulewright.solver.policies import choosing, policy_named, seeds
from rulewright.solver.problem import Problem

ROOT = Path(__file__).parents[3]
PROVED = ROOT / "tests" / "puzzles" / "data" / "proved"


def proved(name: str) -> tuple[Problem, Question, int]:
    position: Position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    assert position.question is not None and position.puzzle.answer is not None
    return Problem.of(position.asked, position.state, position.question), position.question, position.puzzle.answer


def whole_game(seed: int) -> tuple[Problem, Question]:
    game = Project(ROOT).load("beacon_patrol")
    engine = Engine.of(game, 1)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    return Problem.of(engine, engine.start(seed), question), question


def best_of(
    problem: Problem, question: Question, seconds: float, enough: int | None = None, make: Maker = as_machine_code
) -> tuple[int, tuple[Move, ...]] | None:
    """The best plan told of; each one told is better than the last, and worth what it is said to be."""
    told: list[tuple[int, tuple[Move, ...]]] = []

    def news(value: int, plan: tuple[Move, ...], states: int) -> None:
        assert not told or value > told[-1][0]
        assert states > 0
        state = problem.root
        for move in plan:
            assert move in problem.engine.legal(state)
            state = problem.engine.apply(state, move)
        assert problem.engine.over(state) and problem.value(state) == value
        told.append((value, plan))

    improve(Small.of(problem, question, make), problem, seconds, Limits(workers=2), enough, lambda best: False, news)
    return told[-1] if told else None


@pytest.mark.parametrize("name", ["mid_k03_s1_b10", "mid_k03_s2_b16", "begin_k06_s1", "mid_k06_s2_b16"])
def test_what_is_proved_to_be_best_is_found(name: str) -> None:
    problem, question, answer = proved(name)
    found = best_of(problem, question, 60, enough=answer)
    assert found is not None and found[0] == answer


def test_the_kernel_does_the_same_as_python() -> None:
    problem, question, answer = proved("mid_k03_s3_b19")
    found = best_of(problem, question, 60, answer, as_python)
    assert found is not None and found[0] == answer


def test_a_whole_game_is_played_better_than_a_greedy_player_does() -> None:
    problem, question = whole_game(5)
    assert is_long(problem, question)
    greedy = max(played_greedily(problem, seed) for seed in range(3))
    found = best_of(problem, question, 60, enough=2 * greedy)
    assert found is not None and found[0] >= 2 * greedy > 0


def played_greedily(problem: Problem, seed: int) -> int:
    greedy = policy_named("greedy")
    assert greedy is not None
    choose, chance, state = choosing(greedy, problem.engine), seeds(seed), problem.root
    while not problem.engine.over(state):
        _, state = choose(state, problem.engine.legal(state), chance())
    return problem.value(state)


def test_it_ends_when_the_question_is_settled_elsewhere() -> None:
    problem, question = whole_game(6)
    small, began = Small.of(problem, question), time.monotonic()
    improve(small, problem, 600, Limits(workers=2), None, lambda best: best is not None, lambda value, plan, states: None)
    assert time.monotonic() - began < 120


def test_without_a_sum_over_a_board_there_is_nothing_near() -> None:
    path = ROOT / "puzzles" / "library" / "classics" / "slide_six.puzzle"
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    with pytest.raises(CannotCompile):
        Small.of(Problem.of(position.asked, position.state, position.question), position.question)


def test_the_more_tiles_are_to_come_the_more_time_is_for_plans() -> None:
    problem, question = whole_game(8)
    draw = problem.engine.layout.position("draw", None)
    shares = []
    for left in (3, 11, 15, 21, 40):
        state = list(problem.root)
        state[draw] = state[draw][:left]
        shares.append(plans_share(Problem.of(problem.engine, tuple(state), question), question))
    assert shares == pytest.approx([0.0, 0.0, 0.04, 0.25, 1.0])


def test_a_few_turns_of_a_long_game_are_not_long() -> None:
    problem, question = whole_game(7)
    for times, long in ((1, False), (100, True)):
        engine = problem.engine.with_horizon(Horizon("turn", times))
        assert is_long(Problem.of(engine, problem.root, question), question) is long
