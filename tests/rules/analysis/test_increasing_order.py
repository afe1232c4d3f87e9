"""Depth-first search that tries commuting actions in one order only, against plain enumeration on random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.analysis.commuting_loop import CommutingLoop
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.solver.best import parallel_search
from rulewright.solver.best.kernel_problem import Worker
from tests.campaigns.orders import GAMES
from tests.rules.playing import linked
from tests.solver.asking import at_length
from tests.solver.cpsat.order_free.test_against_enumeration import MOST_STATES, position_of, truth_of
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.estimates.spaces import INSTANCES
from tests.solver.shortest.questions import asked

GAME = """module asked:
    "Pebbles on a row, which may be turned."

space board: square grid 4 x 1

state:
    lit of board: truth
    dial:         0..2
    weight:       0..9

action act(to in board):
    "Act on a cell."
{body}

flow:
    repeat{until}:
        turn:
            choose act or stop

score worth: {value}
"""
LIGHT = "require dark: not lit of to\neffect light: lit of to := yes\neffect tally: weight += 1"
WEIGH = "require room: weight < 6\neffect weigh: weight += 1"
TURN = "effect turn: dial := (dial + 1) mod 3\neffect light: lit of to := yes"


@pytest.fixture(autouse=True)
def depth_first_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No beam finds plans, and no question has so many automorphisms that orbits are taken instead."""
    monkeypatch.setattr(Worker, "beam_search", lambda worker, shared, seconds, room: None)
    monkeypatch.setattr(parallel_search, "MANY_AUTOMORPHISMS", 1000)


def agreement_on(position: Position, workers: int = 1) -> str:
    """What came of a game: that it agrees, in one order or in all, or that it is over, has too many states or an error."""
    question = position.question
    assert question is not None
    if position.engine.over(position.root):
        return "over"
    try:
        if all_ends(position.asked, position.root, MOST_STATES) is None:
            return "large"
        expected = truth_of(position)
    except (PlayError, RulesError):
        return "stops"
    search = at_length(position, workers)
    found = search.best.value
    if question.goal is Goal.REACH:
        assert (found is not None and found >= question.threshold) == (expected is not None)
    else:
        assert (None if found is None else search.problem.signed(found)) == expected
    return "in one order" if search.workers[0].order.ground_count else "in all orders"


def agreement(seed: int) -> str:
    position = position_of(seed)
    if position is None:
        return "not linked"
    if position.question is None or position.question.goal is Goal.LEAST:
        return "another question"
    try:
        return agreement_on(position, workers=1 + seed % 2)
    except AssertionError as error:
        raise AssertionError(f"seed {seed}") from error


def test_random_games() -> None:
    came = Counter(agreement(seed) for seed in range(100))
    assert came["in one order"] >= 10 and came["in all orders"] >= 5, came


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_random_games_at_length(first: int) -> None:
    came = Counter(agreement(seed) for seed in range(first, first + 200))
    assert came["in one order"] >= 20, came


@pytest.mark.campaign
@pytest.mark.parametrize("make", GAMES[len(INSTANCES) :], ids=lambda make: make.__name__)
def test_games_for_the_best_score(make: Callable[[random.Random], Position]) -> None:
    came = Counter(agreement_on(make(random.Random(seed)), workers=1 + seed % 2) for seed in range(60))
    print(make.__name__, dict(came))
    assert came["in one order"] + came["in all orders"] >= 30, came


def game(body: str, value: str, until: str = "") -> Position:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return asked(linked(GAME.format(body=lines, value=value, until=until)), "maximise score until end")


@pytest.mark.parametrize(
    ("position", "is_ordered"),
    [
        (game(LIGHT, "weight"), True),
        (game(LIGHT, "weight", " until weight >= 3"), True),
        (game(LIGHT, "weight", " until lit of origin of board"), False),
        (game(WEIGH, "weight"), True),
        (game(TURN, "dial"), False),
    ],
    ids=(
        "nothing ends play",
        "a counter ends play",
        "an action ends play",
        "an action is repeated",
        "an action without a limit",
    ),
)
def test_which_plans_have_an_increasing_order(position: Position, is_ordered: bool) -> None:
    assert agreement_on(position) == ("in one order" if is_ordered else "in all orders")


LAST = game(LIGHT, "weight + (if lit of origin of board then 5 else 0)", " until lit of origin of board")
"""Best is to act on the first cell last."""


def test_the_fault_that_play_may_be_over_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    loop_of = CommutingLoop.of
    monkeypatch.setattr(CommutingLoop, "of", lambda *given: evolve(loop_of(*given), is_exact=True))
    with pytest.raises(AssertionError):
        agreement_on(LAST)
