"""Shortest plans by several workers: the same answers as by one, whatever is sent when."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from rulewright.puzzles.position import Position
from rulewright.solver.kernel import run
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.result import Limits, Result, Status
from rulewright.solver.shortest import boosters
from rulewright.solver.shortest import game as known_states
from rulewright.solver.shortest.estimates.distance_layout import nothing_known, words_of
from rulewright.solver.shortest.game import CostGame, KnownStates
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.solver.shortest.workers import Workers
from rulewright.studies.verified_plan import verified_steps
from rulewright.subset.program import as_python
from tests.rules.playing import linked, shipped
from tests.solver.asking import run_by
from tests.solver.shortest.estimates.carriers import errands, lifts
from tests.solver.shortest.estimates.spaces import Instance, bag, finder, gate, instances, lamps, pans, river, sliding, steps
from tests.solver.shortest.estimates.test_relaxed_task import task_of
from tests.solver.shortest.questions import asked, search_of


def searched(
    position: Position, number: int, alone: int, is_informed: bool, states: int = 16, by_landmarks: bool = False
) -> tuple[Result, Workers]:
    """By so many workers, of whom the first one is alone for so many states, and each expands so many in a round; in plain
    Python. Landmarks are looked for from the first state on."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    workers = begun(problem, number, 1 << 24)
    if by_landmarks:
        workers.use_estimates(nothing_known(), task_of(position))
    end = workers.advance(alone)
    if end is not SearchEnd.DONE:
        assert workers.divide(number) and len(workers.members) == number
        if is_informed:
            tables = finder(position).find().tables
            workers.use_estimates(words_of(tables, (), workers.members[0].machine), workers.task)
    bounds = [workers.bound or 0]
    while end is not SearchEnd.DONE:
        end = workers.advance(states)
        assert end in (SearchEnd.PAUSED, SearchEnd.DONE)
        bounds.append(bounds[-1] if workers.bound is None else workers.bound)
    assert bounds == sorted(bounds)
    return problem.result(workers.plan, workers.cost, None, workers.expanded, 0.0), workers


def begun(problem: ShortestPlanProblem, number: int, room: int, later: int = 0) -> Workers:
    """A search in plain Python, at the root."""
    game = CostGame(problem)
    return Workers.first(game, run_by(game.compiled, as_python, threads=number), room, problem.root_cost, later=later)


def agree(
    position: Position, number: int, alone: int, is_informed: bool, states: int = 16, by_landmarks: bool = False
) -> Result:
    """Held against one who searches over immutable states."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    if problem.reached(problem.root) or position.asked.over(position.state):
        return problem.result((), 0, None, 0, 0.0)
    expected = UniformCostSearch(problem, time.monotonic() + 60, Limits()).run()
    found, _ = searched(position, number, alone, is_informed, states, by_landmarks)
    assert (found.status, found.score) == (expected.status, expected.score)
    verified_steps(position.asked, position.state, position.question, found)
    return found


@pytest.mark.parametrize("make", [sliding, steps, river, bag, pans, gate], ids=lambda make: make.__name__)
def test_the_answers_are_those_of_one(make: Instance) -> None:
    for seed, (number, alone, is_informed) in enumerate(((2, 1, False), (2, 30, True), (3, 9, False)), 9):
        agree(make(random.Random(f"{make.__name__} {seed}")), number, alone, is_informed)


@pytest.mark.parametrize("make", [steps, lamps, river, bag, errands, lifts, gate], ids=lambda make: make.__name__)
def test_landmarks_change_no_answer(make: Instance) -> None:
    for seed, (number, alone, is_informed) in enumerate(((1, 1, False), (2, 5, False), (2, 30, True), (1, 2, True)), 20):
        agree(make(random.Random(f"{make.__name__} {seed}")), number, alone, is_informed, by_landmarks=True)


@pytest.mark.campaign
def test_five_hundred_answers() -> None:
    found = [
        agree(position, 1 + at % 3, (1, 7, 50)[at % 3], at % 4 == 0, by_landmarks=at % 5 < 2)
        for at, (_, position) in enumerate(instances(range(64)))
    ]
    print(f"{sum(one.status is Status.OPTIMAL for one in found)} of {len(found)} have a plan")
    assert len(found) > 500


def test_the_states_are_divided() -> None:
    """Each state is known to one worker only, and both have about as many."""
    position = asked(shipped("classics.missionaries"), "fewest moves until across")
    _, workers = searched(position, 2, 1, False)
    position = sliding(random.Random("sliding 9"))
    found, workers = searched(position, 2, 5, False)
    counts = [worker.search.state_count for worker in workers.members]
    assert found.score is not None and min(counts) > max(counts) / 3
    hashes = [
        {tuple(kept[number * size : (number + 1) * size]) for number in range(worker.search.state_count)}
        for worker in workers.members
        for kept, size in [(worker.search.pool.array_named("kept").items, worker.layout.size)]
    ]
    left_behind = hashes[0] & hashes[1]
    assert len(left_behind) <= 10  # those of the second one that the first one had found alone


def test_machine_code_goes_on_with_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))  # distances that another test kept would leave too few states
    monkeypatch.setattr(run, "OPTIMISED", 500)
    monkeypatch.setattr(boosters, "MANY", 500)
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    results = []
    for number in (1, 2):
        search = search_of(problem, workers=number)
        search.boosters = [boosters.Division()]
        results.append(search.answer())
        assert len(search.workers.members) == number
    assert [one.score for one in results] == [28, 28] and results[1].states < 1.2 * results[0].states
    verified_steps(position.asked, position.state, position.question, results[1])


NO_PATTERNS = 4
"""The bytes of an empty table."""


@pytest.mark.parametrize("size", [32, 40, 80])
def test_both_tables_fit_while_one_replaces_the_other(size: int) -> None:
    """With all states that the smaller one has by then; and in the end all states fit beside theirs."""
    for room in range(1 << 22, 1 << 26, 3 << 18):
        most, table = known_states.most_states_in(room, size), known_states.FIRST_TABLE
        while known_states.room_in(table) < most:
            assert known_states.room_in(table) * size + 8 * table + 16 * table <= room
            table *= 2
        assert most * size + 8 * table <= room < 2 * (most * size + 16 * table)


def test_memory_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table each, of half the states; where that is not enough the bound of the last round stands."""
    monkeypatch.setattr(known_states, "FIRST_TABLE", 1 << 4)
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    workers = begun(problem, 2, 1 << 17, 1 << 26)
    size = known_states.bytes_of_state(workers.game.layout)
    half, end = known_states.most_states_in((1 << 16) - NO_PATTERNS, size), workers.advance(8)
    assert workers.divide(2) and [worker.most for worker in workers.members] == [half] * 2
    while end is SearchEnd.PAUSED:
        end = workers.advance(64)
    assert end is SearchEnd.FULL and workers.bound is not None and 3 < workers.bound < 28
    assert all(worker.search.state_count <= half for worker in workers.members)
    assert not workers.widen(1 << 17) and workers.widen(1 << 26)
    while workers.advance(1 << 12) is SearchEnd.PAUSED:
        pass
    assert workers.cost == 28 and max(worker.search.state_count for worker in workers.members) > half
    with_more = begun(problem, 2, 1 << 17, 3 << 16)
    with_more.advance(8)
    assert with_more.divide(2, with_more.room + (1 << 18))
    assert [worker.most for worker in with_more.members] == [known_states.most_states_in((3 << 15) - NO_PATTERNS, size)] * 2
    assert not with_more.widen(1 << 26)  # there is no more
    again = begun(problem, 2, 1 << 14)
    while again.advance(64) is SearchEnd.PAUSED:
        pass
    assert not again.divide(2) and len(again.members) == 1


FERRY = """
module ferry:
    "Along the shore on foot, a mark for each cell, or by ferry from a pier for three."

space shore: square grid 12 x 6

state:
    here: cell of shore
    marks: 0..99

action walk(d in directions(shore)):
    require shore: step(here, d) in shore
    effect go: here := step(here, d)
    effect pay: marks += 1

action sail:
    require pier: column(here) = 9
    effect pay: marks += 3 + row(here)
    effect go: here := cell(11, 0)

flow:
    repeat until here = cell(11, 0):
        turn:
            choose walk, sail

score marks: marks
"""


def ferry() -> Position:
    """The first plan that is found is not the best one: many states cost less than it."""
    return asked(linked(FERRY), "least marks until here = cell(11, 0)", "\n    here: (0,2)\n")


def test_a_plan_is_proved_once_nothing_in_the_queues_costs_less() -> None:
    assert agree(ferry(), 2, 1, False, 1).score == 13


LEAST = KnownStates.least.fget
assert LEAST is not None
FAULTS = {
    "the bound is too high": (
        KnownStates,
        "least",
        property(lambda worker: None if (own := LEAST(worker)) is None else own + 2),
    ),
    "mail is lost": (Workers, "_receive", lambda workers, worker, sent: None),
    "what is in the mail is nothing": (Workers, "_deliver", lambda workers: True),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, faulty = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    with pytest.raises((AssertionError, IndexError)):
        for seed in range(9, 12):
            agree(sliding(random.Random(f"sliding {seed}")), 2, 5, False)
            agree(ferry(), 4, 5, False, 1)
