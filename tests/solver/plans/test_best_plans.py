"""Best plans as they are counted for an answer: of least cost against enumeration, of known numbers, and why there is none."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.plans import best_plans
from rulewright.solver.plans.best_plans import best_plans_of
from rulewright.solver.plans.optimal_plans import BestPlans, Order
from rulewright.solver.plans.plan_graph import Node, PlanGraph, Uncounted
from rulewright.solver.result import OTHERWISE_MIB, Limits, Status
from rulewright.solver.shortest import game as known_states
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.rules.playing import linked, shipped
from tests.solver.shortest.questions import asked

Plan = tuple[Move, ...]

PAWNS = """
module pawns:
    "Two pawns walk over a floor with holes to their corners; a step onto a carpet is dear."

space floor: square grid 3 x 3

state:
    white:          cell of floor
    black:          cell of floor
    paid:           0..99
    hole of floor:  truth
    soft of floor:  truth

define free(c) = not hole of c and c != white and c != black

define arrived = column(white) = 2 and row(white) = 2 and column(black) = 0 and row(black) = 2

action walk(to in around(white)):
    require free: free(to) else "something is there"
    effect go: white := to
    effect pay: paid += {price}

action stride(to in around(black)):
    require free: free(to) else "something is there"
    effect go: black := to
    effect pay: paid += {price}

flow:
    repeat:
        turn: choose walk, stride

score paid: paid
"""

PRICES = ("1", "(if soft of to then 3 else 1)", "(if soft of to then 2 else 0)")
ASKS = ("fewest moves until arrived", "least paid until arrived", "fewest turns until arrived")


def counted(engine: Engine, state: State, asks: object, goal: int, limits: Limits | None = None) -> BestPlans:
    return best_plans_of(engine, state, asks, goal, limits or Limits(60))  # type: ignore[arg-type]


def plans_of(problem: ShortestPlanProblem, best: int, longest: int) -> Iterator[tuple[Plan, int]]:
    """Every plan of that cost, however it winds, and its cost; none that is longer."""
    engine = problem.engine
    pending: list[tuple[Plan, State, int]] = [((), problem.root, problem.root_cost)]
    while pending:
        plan, here, cost = pending.pop()
        if problem.reached(here):
            yield plan, cost
            continue
        for move in engine.legal(here) if len(plan) < longest else ():
            child = engine.apply(here, move)
            if (paid := problem.cost_after(cost, here, child)) <= best:
                pending.append(((*plan, move), child, paid))


def lots(problem: ShortestPlanProblem, plans: set[Plan]) -> list[set[Plan]]:
    """Plans that exchanges of neighbours turn into each other."""
    found: list[set[Plan]] = []
    engine, key = problem.engine, problem.key
    while plans:
        pending = [plans.pop()]
        lot = set(pending)
        while pending:
            plan, state = pending.pop(), problem.root
            for at in range(len(plan) - 1):
                one, other = plan[at : at + 2]
                turned = (*plan[:at], other, one, *plan[at + 2 :])
                if turned in plans:
                    both = [engine.apply(engine.apply(state, first), then) for first, then in ((one, other), (other, one))]
                    if key(both[0]) == key(both[1]):
                        plans.remove(turned)
                        lot.add(turned)
                        pending.append(turned)
                state = engine.apply(state, one)
        found.append(lot)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_plans_of_least_cost_are_those_of_plain_enumeration(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_states, "FIRST_TABLE", 1 << 6)
    rng = random.Random(seed)
    game = linked(PAWNS.format(price=PRICES[seed % 2]))
    cells = [f"({column},{row})" for column in range(3) for row in range(3)]
    rng.shuffle(cells)
    white, black, hole, *soft = cells[:6]
    start = f"\n    white: {white}\n    black: {black}\n    hole: {hole}\n    soft: {', '.join(soft)}"
    position = asked(game, ASKS[seed % 3], start)
    problem = ShortestPlanProblem(position.asked, position.root, position.question)  # type: ignore[arg-type]
    result = answer(problem.engine, problem.root, problem.question, Limits(60))
    if result.status is Status.IMPOSSIBLE:
        return
    best = result.score
    assert best is not None
    found = counted(problem.engine, problem.root, problem.question, best)
    plans = {plan for plan, cost in plans_of(problem, best, 8) if cost == best}
    if found.number is None or max(map(len, found.first(1)), default=0) > 8:
        return
    expected = lots(problem, set(plans))
    assert found.number == len(expected) and found.uncounted is None
    listed = found.first(100_000)
    assert set(listed) <= plans and [sum(plan in lot for plan in listed) for lot in expected] == [1] * len(expected)
    assert (found.order is Order.MATTERS) == (len(expected) == len(plans))


def test_why_there_is_no_number() -> None:
    """Steps without a cost lead back and forth; a table of a few states is full; no time is no time."""
    game = linked(PAWNS.format(price=PRICES[2]))
    position = asked(game, ASKS[1], "\n    white: (0,0)\n    black: (2,0)")
    engine, root, asks = position.asked, position.root, position.question
    assert counted(engine, root, asks, 0).uncounted is Uncounted.ENDLESS
    assert counted(engine, root, asks, 0, Limits(60, memory_mib=OTHERWISE_MIB)).uncounted is Uncounted.NO_ROOM
    assert counted(engine, root, asks, 0, Limits(0)).uncounted is Uncounted.TIME_UP


def test_what_the_kernels_had_no_room_for_asks_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though time is up in the slower search that follows."""
    late = PlanGraph.of(Node(None), (), Uncounted.TIME_UP)
    monkeypatch.setattr(best_plans, "plan_graph", lambda *_: late)
    position = asked(shipped("classics.knights_tour"), "count best until end")
    found = counted(position.asked, position.root, position.question, 25, Limits(60, memory_mib=OTHERWISE_MIB))
    assert found.uncounted is Uncounted.NO_ROOM
