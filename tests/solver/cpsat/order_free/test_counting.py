"""Best plans counted as sets of actions, against every line of play."""

from __future__ import annotations

from collections import Counter

import pytest

from rulewright.base.choices import Engines
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.order_free.from_question import order_free_model
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report, WorkerStatus
from rulewright.solver.cpsat.process.standalone import count_plans, counted_sets, solve
from rulewright.solver.result import Limits, Status
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.test_against_enumeration import position_of, truth_of
from tests.solver.cpsat.running import solved_here
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.questions import asked

QUEENS = """module asked:
    "Queens on four by four cells."

space board: square grid 4 x 4 of tiles

tiles army:
    queen  x9

define attacked(c):
    = some q in board where occupied(q): column(q) = column(c) or row(q) = row(c)
        or column(q) - row(q) = column(c) - row(c) or column(q) + row(q) = column(c) + row(c)

action place(to in board):
    "Put a queen."
    require safe: not attacked(to) else "attacked"
    effect place: put queen at to from box

flow:
    repeat:
        turn:
            choose place

score queens: count c in board where occupied(c)
"""


def sets_of_best_plans(position: Position, best: int) -> set[frozenset[tuple[Move, int]]]:
    """The best plans as sets with repetition, by playing every line of play up to the order of actions."""
    engine, question = position.asked, position.question
    assert question is not None
    found: set[frozenset[tuple[Move, int]]] = set()
    start: tuple[State, frozenset[tuple[Move, int]]] = (position.root, frozenset())
    seen, pending = {start}, [start]
    while pending:
        state, made = pending.pop()
        length = sum(number for _, number in made)
        value = length if question.counts_moves else sum(engine.value(term, state) for term in question.values)
        is_end = engine.over(state) if question.until is None else bool(engine.value(question.until, state))
        is_best = value >= best if question.goal is Goal.REACH else value == best
        if is_end and is_best:
            found.add(made)
        if is_end or (question.counts_moves and length >= best):
            continue
        for move in engine.legal(state):
            after = made if move == STOP else frozenset((Counter(dict(made)) + Counter([move])).items())
            child = engine.apply(state, move), after
            if child not in seen:
                seen.add(child)
                pending.append(child)
    return found


def agreement(seed: int) -> str:
    """Whether the number of best plans of a random game is right; why it is not looked at otherwise."""
    position = position_of(seed)
    if position is None or position.engine.over(position.root):
        return "skipped"
    engine, question = position.asked, position.question
    assert question is not None
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    try:
        model = order_free_model(engine, position.root, question)
        if all_ends(engine, position.root, 1_000) is None or question.counts_turns:
            return "skipped"
        best = truth_of(position)
        if best is None:
            return "no plan"
        job = Job(ModelKind.ORDER_FREE, engine, position.root, question, 20.0, floor=sign * best, counts=True, told=1_000)
        told: list[Report] = []
        found = count_plans(job, model, 20.0, told.append)
    except (Refused, PlayError):
        return "refused"
    expected = sets_of_best_plans(position, best)
    assert found.count == len(expected), (seed, found, expected)
    plans = {frozenset(Counter(move for move in report.plan or () if move != STOP).items()) for report in told}
    assert plans == expected, seed
    return "agrees"


def test_random_games() -> None:
    came = Counter(agreement(seed) for seed in range(5000, 5060))
    assert came["agrees"] >= 10, came


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(6000, 8000, 200))
def test_random_games_at_length(first: int) -> None:
    assert Counter(agreement(seed) for seed in range(first, first + 200))["agrees"] >= 20


def test_without_a_score_every_plan_is_worth_nothing() -> None:
    text = QUEENS[: QUEENS.index("score queens")]
    position = asked(linked(text), "maximise score until end")
    assert position.question is not None
    found = solved_here(
        order_free_model(position.asked, position.root, position.question), position.asked, position.root, position.question
    )
    assert found.plan and (found.status, found.value) == (WorkerStatus.OPTIMAL, 0)


def test_the_best_plans_are_counted_with_the_answer() -> None:
    position = asked(linked(QUEENS), "count best until end")
    assert position.question is not None
    found = solve(position.asked, position.root, position.question, Limits(60))
    assert (found.status, found.score) == (Status.OPTIMAL, 4)
    assert found.counted is not None and (found.counted.number, found.counted.is_forced) == (2, False)
    sets = {frozenset(plan) for plan in found.counted.plans}
    assert len(sets) == 2 and all(len(plan) == 4 for plan in sets)


def test_in_a_worker() -> None:
    position = asked(linked(QUEENS), "maximise score until end")
    assert position.question is not None
    found = counted_sets(position.asked, position.root, position.question, 4, 1, Limits(60))
    assert found is not None and (found.number, len(found.plans)) == (2, 1)
    alone = Limits(60, engines=Engines.SEARCH)
    assert counted_sets(position.asked, position.root, position.question, 4, 1, alone) is None


SQUARES = """module asked:
    "Numbers on three by three cells, each once in a row and a column."

enum digit: blank, one, two, three

space grid: square grid 3 x 3

state:
    entry of grid: digit

action write(c in grid, d in digit where d != blank):
    require vacant: entry of c = blank
    require alone: not some n in grid where row(n) = row(c) or column(n) = column(c): entry of n = d
    effect write: entry of c := d

define full = every c in grid: entry of c != blank

flow:
    repeat until full:
        turn:
            choose write

score entries: count c in grid where entry of c != blank
"""


def test_play_that_ends_where_nothing_can_be_done() -> None:
    """The 12 Latin squares of order three: a full board ends play, and no plan has an action after that."""
    position = asked(linked(SQUARES), "maximise score until end")
    assert position.question is not None
    found = counted_sets(position.asked, position.root, position.question, 9, 12, Limits(60))
    assert found is not None and found.number == 12
    ends = {frozenset(plan) for plan in found.plans}
    assert ends == {frozenset(move for move, _ in made) for made in sets_of_best_plans(position, 9)}
