"""Best play, against plain enumeration: random endgames, windows, lines of play, what is refused."""

from __future__ import annotations

import random
import time
from functools import cache

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.tree.puzzles import OUTCOMES, Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.linking.questions import Question, question_of
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.solver.minimax.best_play import BestPlaySearch
from rulewright.solver.minimax.kernel_search import KernelSearch
from rulewright.solver.minimax.plain_search import PlainSearch
from rulewright.solver.minimax.problem import MinimaxProblem
from rulewright.solver.result import Status
from rulewright.studies.verified_plan import verified_steps
from tests.puzzles.positions import CATALOGUE
from tests.solver.best_play import best_play_value

AUCTION = """module auction:
    "Three players take coins from a purse in turn; who takes the last one pays."

players 2..3

state:
    purse:           0..20 = 9
    coins of player: 0..20
    debts of player: 0..9

action take(n in 1..3):
    require enough: purse >= n else "there are not so many"
    effect take: purse -= n
    effect gain: coins of player += n
    effect pay: if purse = 0: debts of player += 2

flow:
    repeat until purse = 0:
        for player in players where purse > 0: turn: choose take

score savings of player: coins of player - 2 * debts of player

winner: most savings, then least debts of player
"""

GAMES = {
    "noughts_and_crosses": ("win for {}", "maximise rows of {} until end against best play"),
    "connect_four": ("win for {}",),
    "worker_placement": (
        "maximise wealth of {} - wealth of 2 until end against best play",
        "minimise wealth of {} until end against best play",
        "win for {}",
    ),
    "auction": ("maximise savings of {} until end against best play", "win for {}"),
}
PLAYERS = {"auction": 3}


@cache
def game(name: str) -> Game:
    text = AUCTION if name == "auction" else (SHIPPED / "classics" / f"{name}.rules").read_text("utf-8")
    module = parse_module(text, name)
    return link({module.header.name: module}, [module.header.name])


@cache
def engine_of(name: str) -> Engine:
    return Engine.of(game(name), PLAYERS.get(name, 2))


def question(name: str, text: str) -> Question:
    ask = parse_puzzle(f"puzzle asked:\n    rules asked\n    ask: {text}\n", "asked").ask
    assert ask is not None
    return question_of(game(name), ask, PLAYERS.get(name, 2))


def endgame(name: str, rng: random.Random, most: int) -> State:
    """A position from a random game from which play comes to few others."""
    engine = engine_of(name)
    while True:
        state, line = engine.start(rng.randrange(100)), []
        while not engine.over(state):
            line.append(state)
            state = engine.apply(state, rng.choice(engine.legal(state)))
        rng_places = line[max(0, len(line) - rng.randint(1, 7)) :]
        if best_play_value(engine, rng_places[0], 1, lambda state: 0, most) is not None:
            return rng_places[0]


def compare(name: str, state: State, asked: Question) -> None:
    """Both searches and the whole answer give the value of the enumeration, with a line of play that has it."""
    engine = engine_of(name)
    problem = MinimaxProblem(engine, state, asked)
    expected = best_play_value(engine, state, problem.player, problem.value)
    deadline = time.monotonic() + 60
    for judge in (PlainSearch(problem, deadline, Limits()), KernelSearch(problem, deadline, Limits(), 60, 60)):
        found = BestPlaySearch(problem, judge).run()
        assert (found.lower, found.upper) == (expected, expected)
        assert found.plan is not None
        at = state
        for move in found.plan:
            assert move in engine.legal(at)
            at = engine.apply(at, move)
            assert best_play_value(engine, at, problem.player, problem.value) == expected
        assert engine.over(at)
        assert problem.value(at) == expected


def endgames(number: int, seed: int) -> None:
    rng = random.Random(seed)
    for name, asks in GAMES.items():
        questions = [question(name, ask.format(player)) for ask in asks for player in range(1, PLAYERS.get(name, 2) + 1)]
        for _ in range(number):
            compare(name, endgame(name, rng, 400), rng.choice(questions))


def test_random_endgames() -> None:
    endgames(25, 1)


@pytest.mark.campaign
def test_many_random_endgames() -> None:
    endgames(300, 2)


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
    assert result.remarks == ("player 2 plays for a win, the other player against that",)


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
    assert result.remarks[0].endswith("(the paranoid assumption)")


def test_when_time_is_up_what_is_known_is_said() -> None:
    engine = engine_of("connect_four")
    result = answer(engine, engine.start(), question("connect_four", "win for 1"), Limits(0.0))
    assert (result.status, result.score, result.plan) == (Status.UNKNOWN, None, ())


def test_who_is_asked_about() -> None:
    engine = engine_of("auction")
    for text, player in (("savings of 2 - savings of 1", 2), ("savings", 1), ("coins of 3", 3)):
        asked = question("auction", f"maximise {text} until end against best play")
        assert MinimaxProblem(engine, engine.start(), asked).player == player


WALK = """module walk:
    "A piece goes to and fro until somebody stops."

players 2

space road: ring 4

state:
    piece: cell of road = origin of road
    prize of player: 0..9

action go(to in around(piece)):
    effect go: piece := to

action grab:
    require far: distance(piece, origin of road) = 2 else "it is near"
    effect gain: prize of player += 1
    effect end: end game

flow:
    repeat:
        for player in players: turn: choose go, grab

score prizes of player: prize of player
"""


def walk(ask: str) -> tuple[Engine, State, Question]:
    module = parse_module(WALK, "walk")
    puzzle = parse_puzzle(f"puzzle asked:\n    rules walk\n    ask: {ask}\n", "a puzzle")
    here = set_up_position(puzzle, link({"walk": module}, ["walk"]))
    assert here.question is not None
    return here.asked, here.state, here.question


def test_play_that_comes_back_has_no_value() -> None:
    with pytest.raises(RulesError) as caught:
        answer(*walk("maximise prizes of 1 - prizes of 2 until end against best play"), Limits(20))
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW374"]


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
