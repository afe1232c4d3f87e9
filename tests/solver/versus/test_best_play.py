"""Best play, against plain enumeration: random endgames, windows, lines of play, what is refused."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.tree.puzzles import OUTCOMES, Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.kernel import compiled_game, run
from rulewright.solver.result import Limits, Status
from rulewright.solver.versus.kernel_search import KernelSearch
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.studies.verified_plan import verified_steps
from rulewright.subset.refusal import CannotCompile
from tests.puzzles.positions import CATALOGUE
from tests.solver.best_play import best_play_value
from tests.solver.versus.endgames import WALK, compare, engine_of, question, random_endgames


def test_random_endgames() -> None:
    for name, state, asked in random_endgames(10, 1):
        compare(name, state, asked)


@pytest.mark.campaign
def test_many_random_endgames() -> None:
    for name, state, asked in random_endgames(300, 2):
        compare(name, state, asked)


@pytest.mark.parametrize("goal", range(-12, 13, 4))
def test_whether_a_threshold_can_be_forced(goal: int) -> None:
    engine, state = engine_of("auction"), engine_of("auction").start()
    asked = question("auction", f"reach savings of 2 + 20 >= {goal + 20} until end against best play")
    problem = MinimaxProblem(engine, state, asked)
    value = best_play_value(engine, state, 2, problem.value)
    assert value is not None
    result = answer(engine, state, asked, Limits(20))
    assert (result.status is Status.OPTIMAL) == (value >= goal + 20)
    assert bool(verified_steps(engine, state, asked, result)) == (result.status is Status.OPTIMAL)


def test_a_line_of_play_is_replayed() -> None:
    engine = engine_of("noughts_and_crosses")
    asked = question("noughts_and_crosses", "win for 2")
    result = answer(engine, engine.start(), asked, Limits(20))
    assert (result.status, result.score, result.bound, result.proof) == (Status.OPTIMAL, 0, 0, "search")
    assert len(verified_steps(engine, engine.start(), asked, result)) == 9
    assert result.remarks == ("player 2 plays for a win, the other player against it",)


@pytest.mark.parametrize("name", ["noughts_draw", "noughts_edge", "workers_two_days"])
def test_shipped_answers_by_enumeration(name: str) -> None:
    here = CATALOGUE.position(name)
    assert here.question is not None
    problem = MinimaxProblem(here.asked, here.state, here.question)
    value = best_play_value(here.asked, here.state, problem.player, problem.value)
    assert value is not None
    found = OUTCOMES[value] if here.question.goal is Goal.WIN else value
    assert found == here.puzzle.answer


def test_with_three_players_the_assumption_is_named() -> None:
    engine = engine_of("auction")
    result = answer(engine, engine.start(), question("auction", "win for 3"), Limits(20))
    assert result.remarks[0].endswith("(paranoid assumption)")


def test_when_time_is_up_what_is_known_is_said() -> None:
    engine = engine_of("connect_four")
    result = answer(engine, engine.start(), question("connect_four", "win for 1"), Limits(0.0))
    assert (result.status, result.score, result.plan) == (Status.UNKNOWN, None, ())


def test_a_search_that_has_not_begun_compiles_nothing_to_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise CannotCompile("there is no time to compile it")

    monkeypatch.setattr(run, "as_baseline_code", refused)
    monkeypatch.setattr(compiled_game, "is_kept", lambda *_: False)
    engine = engine_of("connect_four")
    problem = MinimaxProblem(engine, engine.start(), question("connect_four", "win for 1"))
    search = KernelSearch(problem, 0.0, Limits())
    assert (search.states, search.comparisons, search.is_about) == (0, 0, False)


def test_who_is_asked_about() -> None:
    engine = engine_of("auction")
    for text, player in (("savings of 2 - savings of 1", 2), ("savings", 1), ("coins of 3", 3)):
        asked = question("auction", f"maximise {text} until end against best play")
        assert MinimaxProblem(engine, engine.start(), asked).player == player


def walk(ask: str) -> tuple[Engine, State, Question]:
    module = parse_module(f"{WALK}\nwinner: most prizes\n", "walk")
    puzzle = parse_puzzle(f"puzzle asked:\n    rules walk\n    ask: {ask}\n", "a puzzle")
    here = set_up_position(puzzle, link({"walk": module}, ["walk"]))
    assert here.question is not None
    return here.asked, here.state, here.question


def test_play_that_comes_back_has_no_value() -> None:
    with pytest.raises(RulesError) as caught:
        answer(*walk("maximise prizes of 1 - prizes of 2 until end against best play"), Limits(20))
    (found,) = caught.value.diagnostics
    assert found.code == "RW374"
    assert found.help.startswith("ask `for` a number of turns, or")


def test_play_that_comes_back_is_a_draw() -> None:
    result = answer(*walk("win for 1"), Limits(20))
    assert result.score == 0 and result.is_endless


def test_a_horizon_gives_it_one() -> None:
    engine, state, asked = walk("maximise prizes of 1 - prizes of 2 for 5 turns against best play")
    problem = MinimaxProblem(engine, state, asked)
    result = answer(engine, state, asked, Limits(20))
    assert result.score == best_play_value(engine, state, 1, problem.value)


@pytest.mark.parametrize("ask", ["count best until end against best play", "fewest moves until purse = 0 against best play"])
def test_what_is_not_asked_of_others(ask: str) -> None:
    with pytest.raises(RulesError) as caught:
        question("auction", ask)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW372"]
