"""The bound from gains to come is never too low, ends searches early, and is not given where nothing limits the gains."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.bounds.gain_bound import GainBound, gain_bound
from rulewright.solver.best.problem import Problem
from tests.expressions import parse_expression
from tests.rules.playing import MODULES, linked, lively
from tests.solver.asking import by_kernels, searched
from tests.solver.exhaustive import best_value

STALLS = """
module stalls:
    "Each sells from a stall, pays for it, and gains from all that is on show."

players 2

space row: square grid 3 x 1 of tiles

tiles goods:
    apple  x2
    pear   x1
    stone  x1

table prices by goods:
    goods: price
    apple: 2
    pear:  3
    stone: -1

state:
    basket of player: set of tiles
    purse of player:  0..99
    debt of player:   0..99
    days:             0..9

define shown(c in row) = if at(c) in goods then prices.price(at(c)) else 0

action sell(tile in basket of player, c in row):
    require room: not occupied(c)
    effect show: put tile at c from basket of player
    effect pay: debt of player += 1

action clear_away(c in row where occupied(c)):
    require early: days < 2
    effect away: take c to basket of player

action beg:
    require poor: purse of player < 4
    effect more: purse of player += {begged}

procedure share:
    "Who has sold gains by all that is on show, the other by each pear."
    own:   purse of player += max(0, sum shown(c) for c in row)
    other: for p in players where p != player: purse of p += count c in row where at(c) = pear

flow:
    repeat until days = 3:
        for player in players:
            turn:
                choose sell, clear_away, beg, or stop
                share
        next_day

procedure next_day:
    next: days += 1

score balance of player: purse of player - debt of player
"""


def stalls(begged: int = 0) -> Game:
    return linked(STALLS.format(begged=begged))


def problem_of(game: Game, asked: str, turns: int, state: State | None = None, goal: Goal = Goal.MAXIMISE) -> Problem:
    engine = Engine.of(game, 2).with_horizon(Horizon("turn", turns))
    question = Question(goal, (resolve_question(game, parse_expression(asked, "here")),), 0, engine.horizon)
    return Problem(engine, engine.start() if state is None else state, question)


def bound_of(problem: Problem) -> GainBound | None:
    return gain_bound(problem.reachable, problem.question.values, problem.sign, problem.value)


def filled(problem: Problem) -> State:
    """Goods in the baskets."""
    engine, state = problem.engine, list(problem.root)
    names = {kind.name: number for number, kind in enumerate(engine.game.tiles, 1)}
    first = engine.layout.columns["basket"].start
    state[engine.layout.columns["box"].start] = ()
    state[first], state[first + 1] = (names["apple"], names["stone"]), (names["apple"], names["pear"])
    return tuple(state)


ASKED = ("purse of 1", "purse of 1 - debt of 1 + purse of 2", "sum purse of p for p in players", "debt of 2 - purse of 1")


@pytest.mark.parametrize("goal", [Goal.MAXIMISE, Goal.MINIMISE])
@pytest.mark.parametrize("asked", ASKED)
def test_no_state_comes_to_more(asked: str, goal: Goal) -> None:
    """At every state of some games, of what can be asked with one turn to come and with four."""
    game = stalls()
    for turns in (1, 4):
        problem = problem_of(game, asked, turns, filled(problem_of(game, asked, turns)), goal)
        bound, engine, rng = bound_of(problem), problem.engine, random.Random(turns)
        assert bound is not None
        for _ in range(4):
            state = problem.root
            while not engine.over(state):
                best = best_value(engine, state, problem.question)
                assert best is not None
                assert problem.sign * best <= bound.bound(state)
                state = engine.apply(state, rng.choice(engine.legal(state)))


def test_searches_that_prune_by_it_agree_with_enumeration() -> None:
    game, asked = stalls(), "purse of 1 - debt of 1 + purse of 2"
    problem = problem_of(game, asked, 4, filled(problem_of(game, asked, 4)))
    expected = best_value(problem.engine, problem.root, problem.question)
    assert isinstance(problem.bound, GainBound)
    assert by_kernels(problem).score == searched(problem.engine, problem.root, problem.question).score == expected


def test_turn_by_turn_and_kind_by_kind() -> None:
    """Two apples and a pear show the most: each of two turns of one's own brings 7, each of the other's a pear."""
    game = stalls()
    problem = problem_of(game, "purse of 1", 4, filled(problem_of(game, "purse of 1", 4)))
    assert problem.most == 7 + 1 + 7 + 1


def test_what_may_be_gained_again_and_again_has_no_bound() -> None:
    text = STALLS.format(begged=1).replace("                choose sell", "                repeat: choose sell")
    assert bound_of(problem_of(linked(text), "purse of 1", 2)) is None
    assert bound_of(problem_of(stalls(1), "purse of 1", 2)) is not None
    assert bound_of(problem_of(stalls(), "purse of 1 * 2", 2)) is None


def test_a_board_with_pieces_that_come_and_go() -> None:
    """A small shore: the bound holds, and the search finds what enumeration finds."""
    text = (MODULES / "shore.rules").read_text(encoding="utf-8").replace("9 x 9 x 6", "3 x 1 x 2")
    game, found = linked(text), 0
    for seed in range(6):
        rng, problem = random.Random(seed), problem_of(game, "earned of 1 - earned of 2", 2)
        state = problem.engine.start(seed)
        for _ in range(rng.randrange(12)):
            if not problem.engine.over(state):
                state = problem.engine.apply(state, lively(rng, problem.engine.legal(state)))
        if problem.engine.over(state):
            continue
        problem = problem_of(game, "earned of 1 - earned of 2", 2, state)
        bound, expected = bound_of(problem), best_value(problem.engine, state, problem.question, 4_000)
        if bound is None or expected is None:
            continue
        found += 1
        assert expected <= bound.bound(state)
        assert searched(problem.engine, state, problem.question).score == expected
    assert found > 2


GARDEN = """
module garden:
    "Beds are laid out; each pays every turn, a hedge more beside a rose."

players 2

space plot: square grid 3 x 2

pieces beds of player in plot, turned:
    rose   x2
    hedge  x1    green green

table worths by beds:
    beds:  worth
    rose:  1
    hedge: 2

state:
    coins of player: 0..999
    days:            0..9

define extra(b in pieces(beds)) =
    if kind(b) = hedge and some c in cells(b): some n in around(c): kind(piece_at(n)) = rose then 1 else 0
define income(p in players) = sum worths.worth(kind(b)) + extra(b) for b in pieces(beds) where owner(b) = p

action plant(p in places(beds) where kind(p) in beds of player):
    require room: every c in cells(p): not covered(c)
    effect plant: put kind(p) at p from beds of player

flow:
    repeat until days = 3:
        for player in players:
            turn:
                choose plant or stop
                harvest
        next_day

procedure harvest:
    earn: coins of player += income(player)

procedure next_day:
    next: days += 1

score wealth of player: coins of player
"""


def test_pieces_that_lie_count_by_kind() -> None:
    """Four roses and two hedges may lie, and bring 4 x 1 + 2 x 3 in each of the two turns of the first player."""
    game, rng = linked(GARDEN), random.Random(1)
    problem = problem_of(game, "coins of 1", 3)
    bound = bound_of(problem)
    assert bound is not None and bound.bound(problem.root) == 2 * (4 * 1 + 2 * 3)
    for asked in ("coins of 1", "coins of 2 - coins of 1"):
        problem, compared = problem_of(game, asked, 3), 0
        bound = bound_of(problem)
        assert bound is not None
        for _ in range(3):
            state = problem.engine.apply(problem.root, rng.choice(problem.engine.legal(problem.root)))
            while not problem.engine.over(state):
                expected = best_value(problem.engine, state, problem.question)
                assert expected is not None and expected <= bound.bound(state)
                state = problem.engine.apply(state, rng.choice(problem.engine.legal(state)))
                compared += 1
        assert compared > 3
