"""Plans counted by the orbits of states, against every plan there is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from enum import IntEnum, IntFlag
from math import factorial
from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.analysis import state_symmetries
from rulewright.rules.analysis.state_symmetries import Equivariance
from rulewright.rules.model.state import Move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.cpsat.process import standalone
from rulewright.solver.kernel import compiled_game, run
from rulewright.solver.plans import best_plans as orbit_count
from rulewright.solver.plans import plan_order
from rulewright.solver.plans.best_plans import best_plans_of, counted_by_orbits
from rulewright.solver.plans.optimal_plans import Order
from rulewright.solver.plans.plan_graph import Node, PlanGraph
from rulewright.solver.result import Limits
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.studies import alternative_plans
from rulewright.subset.program import as_python
from tests.rules.analysis.test_automorphisms import crabs
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.test_counting import QUEENS
from tests.solver.exhaustive import all_ends
from tests.solver.kernel.test_orbits_in_tables import MOLES
from tests.solver.shortest.estimates.spaces import lamps
from tests.solver.shortest.questions import asked

Make = Callable[[random.Random], Position]
MOST_PLANS, MOST_STATES = 2_000, 4_000


def queens(rng: random.Random) -> Position:
    """Rooks with some, bishops with others of the lines."""
    text = QUEENS.replace("4 x 4", rng.choice(("3 x 3", "4 x 2", "3 x 4")))
    if rng.random() < 0.5:
        text = text.replace(" or row(q) = row(c)", "")
    return asked(linked(text), rng.choice(("maximise score until end", "minimise score until end")))


def moles(rng: random.Random) -> Position:
    """They may move, once."""
    text = MOLES.format(
        size="2 x 2", moles=2, room="= 0", free=rng.choice(("yes", "d != N")), score="count c in field where moved of c"
    )
    return asked(linked(text), f"{rng.choice(('maximise', 'minimise'))} score for {rng.randint(2, 4)} turns")


def best_of(position: Position) -> tuple[int, list[tuple[Move, ...]]] | None:
    """The best value and all plans that reach it, by plain enumeration; None where there are none, or too many."""
    engine, question = position.asked, position.question
    assert question is not None
    pending, best = [((), position.root)], list[tuple[Move, ...]]()
    if question.goal is Goal.LEAST:
        reached = ShortestPlanProblem(engine, position.root, question).reached
        if reached(position.root) or engine.over(position.root):
            return None
        for cost in range(1, 6):
            pending = [
                ((*p, move), engine.apply(s, move)) for p, s in pending if not engine.over(s) for move in engine.legal(s)
            ]
            if best := [plan for plan, state in pending if reached(state)]:
                return cost, best
            if len(pending) > MOST_PLANS:
                return None
        return None
    ends = all_ends(engine, position.root, MOST_STATES)
    if ends is None:
        return None
    worth = max if question.goal is Goal.MAXIMISE else min
    value = worth(sum(engine.value(term, end) for term in question.values) for end in ends)
    while pending:
        plan, state = pending.pop()
        if engine.over(state) and sum(engine.value(term, state) for term in question.values) == value:
            best.append(plan)
        pending += [((*plan, move), engine.apply(state, move)) for move in engine.legal(state)]
        if len(pending) > MOST_PLANS or len(best) > 20 * MOST_PLANS:
            return None
    return value, best


def check(position: Position) -> str:
    """What was counted; raises `AssertionError` where it is wrong."""
    known = best_of(position)
    assert position.question is not None
    if known is None:
        return "not enumerated"
    value, plans = known
    given = position.asked, position.root, position.question, value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "SOON", 600.0)
        patch.setattr(run, "as_baseline_code", as_python)
        patch.setattr(compiled_game, "is_kept", lambda *_: False)
        found = counted_by_orbits(*given, Limits(600))
    by_states = best_plans_of(*given, Limits(60))
    if found is None:
        return "not counted"
    sets = {(len(plan), frozenset(plan)) for plan in plans}
    if found.order is Order.FREE:
        assert all(len(set(plan)) == len(plan) for plan in plans)
        assert len(plans) == sum(factorial(length) for length, _ in sets)
    assert found.number == (len(sets) if found.order is Order.FREE else len(plans))
    assert (by_states.number, by_states.order) == (found.number, found.order)
    return found.order.value


GAMES: tuple[Make, ...] = (crabs, lamps, queens, moles)


@pytest.mark.campaign
@pytest.mark.parametrize("make", GAMES, ids=lambda make: make.__name__)
def test_against_every_plan(make: Make) -> None:
    came = Counter(check(make(random.Random(f"{make.__name__} {seed}"))) for seed in range(125))
    print(make.__name__, dict(came))


def test_some_against_every_plan() -> None:
    came = Counter(check(make(random.Random(f"{make.__name__} {seed}"))) for make in GAMES for seed in range(12))
    assert came["sets"] > 3 and came["sequences"] > 3, came


@pytest.fixture(autouse=True)
def time_for_automorphisms(monkeypatch: pytest.MonkeyPatch) -> None:
    """All automorphisms are found, however busy the machine is."""
    monkeypatch.setattr(state_symmetries, "SECONDS", 600.0)


def test_more_queens_are_counted_than_as_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven of them, 40 ways (OEIS A000170), through an eighth of the states, about; in machine code."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    position = asked(linked(QUEENS.replace("4 x 4", "7 x 7")), "maximise score until end")
    assert position.question is not None
    found = counted_by_orbits(position.asked, position.root, position.question, 7, Limits(60))
    assert found is not None and (found.number, found.order) == (40, Order.FREE)
    states = best_plans_of(position.asked, position.root, position.question, 7, Limits(60))
    assert states.number == 40 and found.orbits * 5 < len(states._graph.ordered)


def test_they_are_counted_where_states_are_not_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the number is asked for."""
    position = asked(linked(QUEENS), "count best until end")
    assert position.question is not None
    best = answer(position.asked, position.root, position.question, Limits(60))
    monkeypatch.setattr(alternative_plans, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(standalone, "counted_sets", None)
    found = alternative_plans.alternative_plans(position.asked, position.root, position.question, best, 0, Limits(60))
    assert (found.number, found.order) == (2, Order.FREE)


class Turned(IntFlag):
    COMMUTE = 2
    DO_NOT = 1
    ALL = 3


class Mistaken(IntEnum):
    NONE = 0
    GOAL = 2
    USEFUL = 1


FAULTS: dict[str, tuple[object, str, object]] = {
    "what commutes is turned round": (plan_order, "Neighbours", Turned),
    "play goes on behind goals": (plan_order, "Mark", Mistaken),
    "orders are not divided out": (orbit_count, "sets_among", lambda paths: sum(paths.values())),
    "automorphisms are not checked": (Equivariance, "of_play", lambda self, objective: True),
    "moves to one orbit are one way": (PlanGraph, "of", lambda root, useful, gap: GRAPH(root, one_way_to_each(useful), gap)),
}
GRAPH = PlanGraph.of


def one_way_to_each(useful: Iterable[Node]) -> list[Node]:
    nodes = list(useful)
    for node in nodes:
        node.ways = {move: after for after, move in {after: move for move, after in node.ways.items()}.items()}
    return nodes


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, faulty = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    with pytest.raises(AssertionError):
        for seed in range(8):
            for make in GAMES:
                check(make(random.Random(f"{make.__name__} {seed}")))


def test_moves_with_fewer_arguments_than_others_are_the_same_if_these_are() -> None:
    """To dig in two cells commutes, to walk does not: what a move's unused words held before once told the digs apart."""
    assert check(crabs(random.Random("crabs 199"))) == "not counted"
