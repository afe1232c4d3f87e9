"""Plans for long games: found turn by turn, replayed, better than what a greedy player gets."""

from __future__ import annotations

import time

import pytest

from rulewright.base.hash_keys import HashKey
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, Horizon
from rulewright.rules.play.engine import Engine
from rulewright.solver.best.problem import Problem
from rulewright.solver.best.turn_search import RestrictedProblem, improve, plans_share, shared_words, tiles_coming
from rulewright.solver.playouts.policies import choosing, policy_named, seeds
from rulewright.solver.result import Incumbent, Limits, Listener
from rulewright.subset.program import Maker, as_baseline_code, as_python
from rulewright.subset.refusal import CannotCompile
from tests.paths import PROVED, ROOT


def proved(name: str) -> tuple[Problem, int]:
    position: Position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    assert position.question is not None and position.puzzle.answer is not None
    return Problem(position.asked, position.state, position.question), position.puzzle.answer


KEY = HashKey(b"a beam")
"""Which of equal states a beam keeps depends on the key."""


def whole_game(seed: int) -> Problem:
    game = Project(ROOT).load("beacon_patrol")
    engine = Engine.of(game, 1)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    return Problem(engine, engine.start(seed), question, hash_key=KEY)


def best_of(problem: Problem, seconds: float, enough: int, make: Maker = as_baseline_code) -> Incumbent:
    """The best plan told of; each one told is better than the last, and worth what it is said to be."""
    told: list[Incumbent] = [Incumbent()]

    def report(found: Incumbent, states: int) -> None:
        assert found.value is not None and states > 0
        assert told[-1].value is None or found.value > told[-1].value
        state = problem.root
        for move in found.plan:
            assert move in problem.engine.legal(state)
            state = problem.engine.apply(state, move)
        assert problem.engine.over(state) and problem.value(state) == found.value
        told.append(found)

    listener = Listener(is_settled=lambda best: best is not None and best >= enough)
    improve(RestrictedProblem.of(problem, make), problem, time.monotonic() + seconds, Limits(workers=2), listener, report)
    return told[-1]


@pytest.mark.parametrize("name", ["mid_k03_s1_b10", "mid_k03_s2_b16", "begin_k06_s1", "mid_k06_s2_b16"])
def test_what_is_proved_to_be_best_is_found(name: str) -> None:
    problem, answer = proved(name)
    assert best_of(problem, 60, answer).value == answer


def test_the_kernel_does_the_same_as_python() -> None:
    problem, answer = proved("mid_k03_s3_b19")
    assert best_of(problem, 60, answer, as_python).value == answer


def test_a_beam_is_the_same_each_time_and_finds_more_when_it_is_wider() -> None:
    totals = []
    for width in (10, 100):
        total = 0
        for seed in (1, 2, 3):
            restricted = RestrictedProblem.of(whole_game(seed), as_baseline_code)

            def found(width: int = width, restricted: RestrictedProblem = restricted) -> Incumbent:
                return restricted.turn_beam(shared_words(1 << 40), 0).search(restricted.problem.root, width, 0.0)

            best = found()
            assert best.value is not None and found() == best
            assert restricted.problem.accepts(best.plan, best.value)
            total += best.value
        totals.append(total)
    # Beams that compared states of the same turn have 21 to 48 in one game with a width of 100.
    assert 150 <= totals[0] < totals[1]


def test_groups_have_states_with_few_tiles_to_come_and_no_board_twice() -> None:
    restricted = RestrictedProblem.of(whole_game(1), as_baseline_code)
    problem = restricted.problem
    boards, coming, turns = set(), set(), set()
    for prefix in restricted.turn_beam(shared_words(1 << 40), 0).prefixes(problem.root, 30, 40, 0.5):
        state = problem.root
        for move in prefix:
            assert move in problem.engine.legal(state)
            state = problem.engine.apply(state, move)
        left = tiles_coming(problem, state)
        board = left, state[problem.engine.layout.columns["sea"].start]
        assert board not in boards
        boards.add(board)
        coming.add(left)
        turns.add(state[COUNTED])
    assert len(boards) > 60 and coming == {40, 39, 38} and len(turns) > 1


def test_the_time_is_kept() -> None:
    problem = whole_game(1)
    restricted, began = RestrictedProblem.of(problem, as_baseline_code), time.monotonic()
    improve(restricted, problem, began + 2.0, Limits(workers=2), Listener(), lambda found, states: None)
    assert 1.5 < time.monotonic() - began < 60  # on a busy machine


def test_a_whole_game_is_played_better_than_a_greedy_player_does() -> None:
    problem = whole_game(5)
    assert plans_share(problem) == 1.0
    greedy = max(played_greedily(problem, seed) for seed in range(3))
    found = best_of(problem, 60, 2 * greedy)
    assert found.value is not None and found.value >= 2 * greedy > 0


def played_greedily(problem: Problem, seed: int) -> int:
    greedy = policy_named("greedy")
    assert greedy is not None
    choose, chance, state = choosing(greedy, problem.engine), seeds(seed), problem.root
    while not problem.engine.over(state):
        _, state = choose(state, problem.engine.legal(state), next(chance))
    return problem.value(state)


def test_it_ends_when_the_question_is_settled_elsewhere() -> None:
    problem = whole_game(6)
    restricted, began = RestrictedProblem.of(problem, as_baseline_code), time.monotonic()
    listener = Listener(is_settled=lambda best: best is not None)
    improve(restricted, problem, began + 600, Limits(workers=2), listener, lambda found, states: None)
    assert time.monotonic() - began < 120


def test_without_a_sum_over_a_board_there_is_nothing_near() -> None:
    path = ROOT / "puzzles" / "library" / "classics" / "slide_six.puzzle"
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    with pytest.raises(CannotCompile):
        RestrictedProblem.of(Problem(position.asked, position.state, position.question), as_baseline_code)


def test_the_more_tiles_are_to_come_the_more_time_is_for_plans() -> None:
    problem = whole_game(8)
    draw = problem.engine.layout.position("draw", None)
    shares = []
    for left in (3, 11, 15, 21, 40):
        state = list(problem.root)
        state[draw] = state[draw][:left]
        shares.append(plans_share(Problem(problem.engine, tuple(state), problem.question)))
    assert shares == pytest.approx([0.0, 0.0, 0.04, 0.25, 1.0])


def test_a_few_turns_of_a_long_game_are_not_long() -> None:
    problem = whole_game(7)
    for times, long in ((1, False), (100, True)):
        engine = problem.engine.with_horizon(Horizon("turn", times))
        assert (plans_share(Problem(engine, problem.root, problem.question)) == 1.0) is long
