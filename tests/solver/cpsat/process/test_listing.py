"""Answers from a list of all states, against plain enumeration: random games, jumps, walks in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.process import worker
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report, WorkerStatus
from rulewright.solver.cpsat.process.worker import listed
from rulewright.solver.shortest import all_states
from rulewright.solver.shortest.all_states import AllStates
from tests.campaigns.mutated_rules import checked
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.test_against_enumeration import _cost_or_value, position_of, truth_of
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.estimates.spaces import INSTANCES, Instance, instances
from tests.solver.shortest.questions import asked, least

MOST_STATES = 5_000


WALK = """
module asked:
    "A walker goes round, and may end the walk wherever it stands."

players 1

space track: ring 6

state:
    at: cell of track
    far: 0..9
    is_over: truth = no

action walk(to in around(at)):
    effect go: at := to

action halt:
    effect tell: far := distance(at, origin of track)
    effect end: is_over := yes

flow:
    begin
    repeat until is_over:
        choose walk, halt

procedure begin:
    at := origin of track
"""


def walk(ask: str = "maximise far until end") -> Position:
    return asked(linked(WALK), ask)


def found_by_states(position: Position, floor: int | None = None) -> Report:
    assert position.question is not None
    return listed(Job(ModelKind.STATES, position.asked, position.root, position.question, 60.0, floor=floor))


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


@pytest.mark.parametrize("limit", ["MOST_STATES", "MOST_MOVES"])
def test_too_many_states_are_refused_at_the_choice_that_makes_them(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, limit, 5)
    with pytest.raises(Refused, match=r"more than (5|60,000) states or (5|250,000) moves") as refusal:
        found_by_states(walk())
    assert refusal.value.refusal.span.line == 1 + WALK.splitlines().index("        choose walk, halt")


PUSH = all_states.heappush


FAULTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the worst end first": lambda patch: patch.setattr(all_states, "heappop", lambda ends: ends.pop(ends.index(max(ends)))),
    "some states are not left for an earlier one": lambda patch: patch.setattr(
        all_states, "heappush", lambda ends, item: PUSH(ends, item) if item[1] % 3 else None
    ),
    "a move costs two": lambda patch: patch.setattr(
        worker, "AllStates", lambda *given, step, **more: AllStates(*given, step=2 * step, **more)
    ),
    "the value of another end": lambda patch: patch.setattr(
        worker,
        "AllStates",
        lambda engine, root, is_end, value, **more: AllStates(engine, root, is_end, lambda state: 0, **more),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[fault](monkeypatch)
    with pytest.raises((AssertionError, KeyError)):
        for _, position in instances(range(2)):
            agreement_on_moves(position)
        for seed in range(60):
            agreement(position_of(seed))
