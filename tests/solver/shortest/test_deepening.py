"""When memory is full the search goes on without storing states: with the answers of a search that stores them all."""

from __future__ import annotations

import random
import time

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.result import Limits, Result, Status
from rulewright.solver.shortest import game as known_states
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.kernels import deepening
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.solver.shortest.workers import Workers
from rulewright.studies.verified_plan import verified_steps
from tests.rules.playing import linked
from tests.solver.planting import Fault, plant_in_kernels
from tests.solver.shortest.estimates.carriers import errands
from tests.solver.shortest.estimates.crates import crowd
from tests.solver.shortest.estimates.spaces import Instance, TooManyStates, finder, instances, lamps, pans
from tests.solver.shortest.questions import asked
from tests.solver.shortest.test_workers import begun


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_states, "FIRST_TABLE", 1 << 5)
    monkeypatch.setattr(known_states, "DEEPEST", 200)


def searched(position: Position, number: int, is_informed: bool) -> tuple[Result, Workers]:
    """With room for two dozen states a worker, in plain Python."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    workers = begun(problem, 1, 0)
    if is_informed:
        workers.use_estimates(words_of(finder(position).find().tables, (), workers.members[0].machine))
    end, bounds = SearchEnd.PAUSED, [0]
    while end is SearchEnd.PAUSED or (end is SearchEnd.FULL and workers.go_deeper()):
        end = workers.advance(16 if workers.expanded else 1)
        if end is SearchEnd.PAUSED and len(workers.members) < number:
            workers.divide(number)
        if workers.expanded > 20_000:
            raise TooManyStates
        bounds.append(bounds[-1] if workers.bound is None else workers.bound)
    is_undelivered = any(worker.search.mail.count for worker in workers.members)
    assert (end is SearchEnd.DONE) != is_undelivered and bounds == sorted(bounds)
    bound = workers.bound if is_undelivered else None
    return problem.result(workers.plan, workers.cost, bound, workers.expanded, 0.0), workers


def agree(position: Position, number: int = 1, is_informed: bool = True) -> bool:
    """Held against a search over immutable states; whether the memory was full."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    if problem.reached(problem.root) or position.asked.over(position.state):
        return False
    expected = UniformCostSearch(problem, time.monotonic() + 60, Limits()).run()
    if expected.states > MOST[is_informed] or expected.score is None:
        return False  # without memory that takes too long, or for ever
    found, workers = searched(position, number, is_informed)
    if found.bound is not None and found.status is not Status.OPTIMAL:
        assert found.bound <= expected.score  # what was sent did not fit
        return False
    assert (found.status, found.score) == (expected.status, expected.score)
    verified_steps(position.asked, position.state, position.question, found)
    return workers.members[0].deepening is not None


TOLLS = """
module tolls:
    "A walker pays tolls, some streets are free, and a bridge needs a pass."

space town: square grid 5 x 4

state:
    here: cell of town
    paid: 0..999
    pass: truth

action step(to in around(here)):
    require open: column(to) != {bridge} or pass
    effect pay: paid += {toll}
    effect go: here := to

action ask:
    require office: here = cell(0, {office}) and not pass
    effect get: pass := yes

flow:
    repeat until here = cell(4, {home}):
        turn:
            choose step, ask
            {then}

score none: 0
"""


def tolls(seed: int) -> Position:
    """The cost is what is paid, or turns of up to two moves: some moves cost nothing."""
    rng = random.Random(seed)
    toll = rng.choice(("column(to) mod 3 * row(to)", "if row(to) = 1 then 3 else 0", "if pass then 0 else 1 + row(to)"))
    places = {"bridge": rng.randint(1, 3), "office": rng.randint(0, 3), "home": rng.randint(0, 3)}
    ask, then = ("least paid", "") if seed % 2 else ("fewest turns", "choose step, ask")
    text = TOLLS.format(toll=toll, then=then, **places)
    return asked(linked(text), f"{ask} until here = cell(4, {places['home']})", f"\n    here: (0,{rng.randint(0, 3)})\n")


MOST = {True: 3000, False: 200}
"""States of the instances that are searched, with estimates and without."""


@pytest.mark.parametrize("make", [pans, errands, lamps], ids=lambda make: make.__name__)
def test_the_answers_are_the_same(make: Instance) -> None:
    full = [
        agree(make(random.Random(f"{make.__name__} {seed}")), is_informed=seed != 1) for seed in range(3 if make is pans else 2)
    ]
    assert any(full)


def test_moves_that_come_first_are_tried_alone() -> None:
    assert agree(crowd(random.Random("crowd 13")))


def test_other_costs_than_moves() -> None:
    full = [agree(tolls(seed), is_informed=False) for seed in range(12)]
    assert sum(full[::2]) > 2 and sum(full[1::2]) > 2


@pytest.mark.campaign
def test_five_hundred_answers() -> None:
    crowds = ((f"crowd {seed}", crowd(random.Random(f"crowd {seed}"))) for seed in range(90))
    full, late = list[bool](), 0
    for at, (_, position) in enumerate((*instances(range(64)), *crowds)):
        try:
            full.append(agree(position, 1 + at % 2, at % 4 > 0))
        except TooManyStates:  # lamps may be switched in any order, and without memory all orders are tried
            late += 1
    print(f"{sum(full)} of {len(full)} filled the memory, {late} took too long")
    assert len(full) > 500 and sum(full) > 200 and late < 25


FAULTS = (
    Fault(
        "the least cost beyond is lost", deepening, "before.beyond = min(before.beyond, least)", "before.beyond = before.beyond"
    ),
    Fault("a known state is never passed", deepening, "search.costs[number] > cost", "search.costs[number] < 0"),
    Fault("a state is seen at any cost", deepening, "seen.cost > cost or ", ""),
    Fault("a state is seen up to any limit", deepening, " or seen.limit < deepening.limit", ""),
    Fault("ways round are not noticed", deepening, "if is_on_the_way(deepening, cost):", "if False:"),
    Fault("all moves cost one", deepening, "cost = cost_of_child(search, frame.cost, turns)", "cost = frame.cost + 1"),
    Fault("moves of the plan are lost", deepening, "search.goal_length = deepening.depth", "search.goal_length = 1"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_faults_are_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises((AssertionError, IndexError, PlayError)):
        for make in (pans, errands, lamps):
            for seed in range(3 if make is pans else 2):
                agree(make(random.Random(f"{make.__name__} {seed}")))
        for seed in range(12):
            agree(tolls(seed), is_informed=False)
