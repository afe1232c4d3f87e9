"""Plays as paths through all states, against plain enumeration: random games, jumps, walks in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.solver.cpsat.model.circuit import Circuit
from rulewright.solver.cpsat.process.job import ModelKind
from rulewright.solver.cpsat.process.report import Report, WorkerStatus
from rulewright.solver.cpsat.states import from_question
from rulewright.solver.cpsat.states.from_question import StateFlow, states_model
from rulewright.solver.cpsat.states.state_graph import StateGraph
from tests.campaigns.mutated_rules import checked
from tests.solver.cpsat.order_free.test_against_enumeration import _cost_or_value, position_of, truth_of
from tests.solver.cpsat.running import solved_here
from tests.solver.cpsat.states.test_state_graph import walk
from tests.solver.exhaustive import all_ends
from tests.solver.heuristics.spaces import INSTANCES, Instance, instances
from tests.solver.shortest import least

MOST_STATES = 5_000


def found_by_states(position: Position, floor: int | None = None) -> Report:
    engine, root, question = position.asked, position.root, position.question
    assert question is not None
    return solved_here(states_model(engine, root, question), engine, root, question, floor, kind=ModelKind.STATES)


def agreement(position: Position | None) -> str:
    """What came of a position: skipped, or that the model agrees; raises AssertionError where it does not."""
    if position is None or position.question is None or position.engine.over(position.root):
        return "skipped"
    engine, root, question = position.asked, position.root, position.question
    try:
        if question.counts_moves or question.counts_turns or all_ends(engine, root, MOST_STATES) is None:
            return "skipped"
        expected = truth_of(position)
    except (PlayError, RulesError):
        return "stops"
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    found = found_by_states(position, question.threshold if question.goal is Goal.REACH else None)
    if expected is None:
        assert (found.status, found.plan) == (WorkerStatus.INFEASIBLE, None)
        return "no plan"
    assert found.plan is not None and found.value is not None
    assert _cost_or_value(engine, root, question, found.plan) == sign * found.value
    if question.goal is not Goal.REACH:
        assert (found.status, sign * found.value) == (WorkerStatus.OPTIMAL, expected)
        assert found_by_states(position, found.value).plan is not None
        assert found_by_states(position, found.value + 1).status is WorkerStatus.INFEASIBLE
    return "agrees"


def test_random_games() -> None:
    came = Counter(agreement(position_of(seed)) for seed in range(60))
    assert came["agrees"] >= 15 and came["no plan"] >= 1, came


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_random_games_at_length(first: int) -> None:
    came = Counter(agreement(position_of(seed)) for seed in range(first, first + 200))
    assert came["agrees"] >= 30, came


def agreement_on_moves(position: Position) -> str:
    """What came of a question for the fewest moves; raises AssertionError where the model and enumeration differ."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None and question.until is not None
    try:
        expected = least(engine, root, question, MOST_STATES)
    except (PlayError, RulesError):
        return "stops"
    except AssertionError:
        return "large"
    found = found_by_states(position)
    if expected is None:
        assert (found.status, found.plan) == (WorkerStatus.INFEASIBLE, None)
        return "no plan"
    assert (found.status, found.value, found.bound) == (WorkerStatus.OPTIMAL, -expected, -expected), (expected, found)
    assert found_by_states(position, -expected).plan is not None
    assert found_by_states(position, 1 - expected).status is WorkerStatus.INFEASIBLE
    assert found.plan is not None and len(found.plan) == expected
    for move in found.plan:
        assert not engine.value(question.until, root) and move in engine.legal(root)
        root = engine.apply(root, move)
    assert engine.value(question.until, root)
    return "agrees"


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_fewest_moves(make: Instance) -> None:
    came = Counter(agreement_on_moves(position) for name, position in instances(range(3)) if name.startswith(make.__name__))
    assert came and set(came) <= {"agrees", "no plan"}, came


@pytest.mark.campaign
@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_fewest_moves_by_mutated_rules(make: Instance) -> None:
    came = sum((checked(make, seed, lambda one: Counter([agreement_on_moves(one)])) for seed in range(60)), Counter[str]())
    print(make.__name__, dict(came))
    assert came["agrees"] + came["no plan"] >= 5, came


@pytest.mark.parametrize(("ask", "best"), [("maximise far until end", 3), ("minimise far until end", 0)])
def test_cycles_beside_the_path_change_nothing(ask: str, best: int) -> None:
    position = walk(ask)
    found = found_by_states(position)
    assert found.plan is not None and position.question is not None
    assert _cost_or_value(position.asked, position.root, position.question, found.plan) == best
    assert (found.status, abs(found.value or 0)) == (WorkerStatus.OPTIMAL, best)


def test_a_plan_may_go_round_before_it_ends() -> None:
    position = walk()
    engine, root = position.asked, position.root
    graph = StateGraph.of(engine, root, engine.over)
    flow = StateFlow(graph, list(range(2, 2 + len(graph.steps))))
    round_trip = [step for step in graph.steps if {step.source, step.target} == {0, 1}]
    halt = next(step for step in graph.steps if step.source == 0 and step.target in graph.ends)
    chosen = {flow.lits[graph.steps.index(step)] for step in (*round_trip, halt)}
    plan = flow.plan([0, 1, *(int(lit in chosen) for lit in flow.lits)])
    assert plan[-1] == halt.move
    state: State = root
    for move in plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)


def without_the_last_step(monkeypatch: pytest.MonkeyPatch) -> None:
    explored = StateGraph.of

    def fewer(*asked: Any) -> StateGraph:
        graph = explored(*asked)
        return evolve(graph, steps=graph.steps[:-1])

    monkeypatch.setattr(from_question.StateGraph, "of", fewer)


def without_conservation(monkeypatch: pytest.MonkeyPatch) -> None:
    post = StateFlow.post
    monkeypatch.setattr(StateFlow, "post", lambda flow, circuit: post(flow, Circuit(circuit.most_variables)))


def from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    explored = StateGraph.of

    def turned(*asked: Any) -> StateGraph:
        graph = explored(*asked)
        return evolve(graph, ends=graph.ends[:1])

    monkeypatch.setattr(from_question.StateGraph, "of", turned)


def with_a_longer_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the first end were found one move later than it is."""
    explored = StateGraph.of

    def detour(engine: Engine, root: State, is_end: Any, fewest_moves: bool) -> StateGraph:
        first = explored(engine, root, is_end, fewest_moves)
        nearest = {first.states[end] for end in first.ends}
        return explored(engine, root, lambda state: is_end(state) and state not in nearest, fewest_moves)

    monkeypatch.setattr(from_question.StateGraph, "of", detour)


def with_steps_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if steps led only to states that are two layers on."""
    play = StateGraph._play
    monkeypatch.setattr(
        StateGraph, "_play", lambda graph, engine, source, oldest: play(graph, engine, source, oldest + bool(oldest))
    )


@pytest.mark.parametrize("plant", [with_a_longer_way, with_steps_left_out, without_the_last_step, without_conservation])
def test_a_fault_in_counting_moves_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        for _, position in instances(range(2)):
            agreement_on_moves(position)


@pytest.fixture(params=[without_the_last_step, without_conservation, from_elsewhere])
def fault(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    request.param(monkeypatch)
    yield


@pytest.mark.usefixtures("fault")
def test_a_fault_in_the_model_is_noticed() -> None:
    with pytest.raises(AssertionError):
        for seed in range(60):
            agreement(position_of(seed))
