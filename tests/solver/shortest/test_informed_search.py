"""A* on distances that are read off the rules: the same answers as without them, and the same estimates as in Python."""

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
from rulewright.solver.shortest.estimates.cached_distances import CachedDistances
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.estimates.distance_tables import DEAD, Distances, DistanceTables, OutOfTime
from rulewright.solver.shortest.estimates.factors import SMALL
from rulewright.solver.shortest.estimates.pattern_databases import CachedPatterns
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.studies.verified_plan import verified_steps
from rulewright.subset.program import as_python
from tests.rules.playing import linked, shipped
from tests.solver.shortest.estimates.by_trying import estimate_of
from tests.solver.shortest.estimates.spaces import (
    FRAME,
    INSTANCES,
    Instance,
    blocked,
    finder,
    gate,
    graph,
    herd,
    instances,
    jam,
    lamps,
    sliding,
    steps,
    tower,
)
from tests.solver.shortest.questions import asked, search_of

LINES = """
module lines:
    "A walker goes along lines between places."

space town: graph:
    p0 - p1
    p1 - p2
    p2 - p3
    p3 - p4
    p2 - p5

state:
    here: cell of town = p0

define solved = here = p5

action walk(to in around(here)):
    effect walk: here := to

flow:
    repeat until solved:
        turn:
            choose walk

score none: 0
"""


def informed(position: Position, states: int, is_optimised: bool = False) -> Result:
    """Answered with estimates from so many states on."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("BASELINE", "OPTIMISED"):
            patch.setattr(run, name, min(max(states, 1), 1 << 20))
        patch.setattr(boosters, "FEW_SLICES", min(states, 1))
        return search_of(problem, is_optimised).answer()


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_the_answers_are_those_without_estimates(make: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known from the beginning, or after some states."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    for seed in range(1 if make in (jam, tower) else 3):
        position = make(random.Random(f"{make.__name__} {seed}"))
        assert position.question is not None
        problem = ShortestPlanProblem(position.asked, position.state, position.question)
        expected = UniformCostSearch(problem, time.monotonic() + 60, Limits()).run()
        for states in (7, 0):
            found = informed(position, states)
            assert (found.status, found.score) == (expected.status, expected.score), f"seed {seed}, from {states} states on"
            verified_steps(position.asked, position.state, position.question, found)


@pytest.mark.campaign
def test_five_hundred_answers() -> None:
    found = []
    for name, position in instances(range(40, 104)):
        assert position.question is not None
        problem = ShortestPlanProblem(position.asked, position.state, position.question)
        expected = UniformCostSearch(problem, time.monotonic() + 60, Limits()).run()
        found.append(informed(position, len(found) % 3))
        assert (found[-1].status, found[-1].score) == (expected.status, expected.score), name
    print(f"{sum(one.status is Status.OPTIMAL for one in found)} of {len(found)} have a plan")
    assert len(found) > 500


def test_machine_code_goes_on_informed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    uninformed = informed(position, 1 << 30, is_optimised=True)
    found = informed(position, 1, is_optimised=True)
    assert (found.status, found.score) == (uninformed.status, uninformed.score) == (Status.OPTIMAL, 28)
    assert found.states < uninformed.states / 5


@pytest.mark.parametrize("make", [sliding, lamps, tower, gate, herd, blocked], ids=lambda make: make.__name__)
def test_kernels_estimate_as_the_tables_say(make: Instance) -> None:
    position = make(random.Random(2))
    found = finder(position).find()
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    kernel = CostGame(problem, entries=(*ENTRIES, "estimate")).compiled
    program = kernel.program(as_python)
    machine = kernel.machine(program)
    words = words_of(found.tables, (), machine)
    estimates = set()
    for state in list(graph(position.asked, position.state, 30_000))[:300]:
        machine.load(state)
        estimate = program.estimate(words, machine.memory)
        assert estimate == estimate_of(found.tables, position.asked.layout, state)
        estimates.add(estimate)
    assert len(estimates) > 1


def test_distances_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For other positions of the same rules; what was kept of another room is not used."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    one, other = (sliding(random.Random(seed)) for seed in (1, 2))
    kernels = [CostGame(ShortestPlanProblem(p.asked, p.state, p.question)) for p in (one, other)]
    codes = [kernel.compiled for kernel in kernels]
    names = [code.identity(code.machine(code.program(as_python))) for code in codes]
    first, second = (CachedDistances(kernel.problem, name) for kernel, name in zip(kernels, names, strict=True))
    assert not first.are_kept
    first.found(time.monotonic() + 60)
    again = CachedDistances(kernels[0].problem, first.identity)
    assert again.are_kept and second.are_kept and again._recalled == finder(one).find()
    for file in (path for path in tmp_path.iterdir() if path.is_file()):
        file.write_bytes(file.read_bytes()[:-3] + b"123")
    assert not CachedDistances(kernels[0].problem, first.identity).are_kept


@pytest.mark.parametrize(
    ("module", "changed"),
    [
        (FRAME, FRAME.replace("face (pip)", "face (pip 7)")),
        (LINES, LINES.replace("p2 - p5", "p5 - p6")),
    ],
    ids=["faces", "lines"],
)
def test_what_was_kept_of_other_rules_is_not_used(
    module: str, changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same code and the same position, but other faces of tiles, or other lines between places."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    body = "\n    board:\n        one  two  three\n        four  .  five\n" if module is FRAME else ""
    ask = "fewest moves until solved"
    one, other = (asked(linked(text), ask, body) for text in (module, changed))
    alone = [informed(position, 1 << 30) for position in (one, other)]
    assert [found.status for found in alone] == [Status.OPTIMAL, Status.IMPOSSIBLE]
    for position, expected in zip((other, one, other), (alone[1], *alone), strict=True):
        for _ in range(2):
            found = informed(position, 0)
            assert (found.status, found.score) == (expected.status, expected.score)


def test_what_was_not_derived_in_time_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless there is more time."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(boosters, "FIRST_SECONDS", 0.001)
    tried = []

    def derive(finder: DistanceTables) -> Distances:
        tried.append(finder.deadline)
        end = time.thread_time() + 0.001
        while time.thread_time() < end:
            pass
        raise OutOfTime

    position = sliding(random.Random(1))
    with monkeypatch.context() as patch:
        patch.setattr(DistanceTables, "find", derive)
        answers = {informed(position, 0).score for _ in range(3)}
        assert len(tried) == 1
        patch.setattr(boosters, "FIRST_SECONDS", 60.0)
        assert {informed(position, 0).score} == answers
        assert len(tried) == 2


def test_a_dead_root_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crate in a corner without a goal: nothing is expanded once that is known."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(boosters, "FIRST_SECONDS", 60.0)
    dead = [steps(random.Random(f"steps {seed}")) for seed in range(12)]
    position = next(p for p in dead if estimate_of(finder(p).find().tables, p.asked.layout, p.state) == DEAD)
    informed(position, 0)
    found = informed(position, 0)
    assert (found.status, found.states) == (Status.IMPOSSIBLE, 0)


def test_some_plan_is_sought_until_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the search, from a few states on; a better one may still be found."""
    monkeypatch.setattr(run, "OPTIMISED", 20)
    monkeypatch.setattr(boosters, "FEW_SLICES", 1)
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    costs = set()
    for states in (20, 1 << 17):  # so few for weighted estimates that sweeps go on; as many as they need
        monkeypatch.setattr(boosters, "STATES_FOR_A_PLAN", states)
        search = search_of(ShortestPlanProblem(position.asked, position.state, position.question))
        search.boosters = [boosters.Distances(), boosters.AnyPlan(begin=20)]
        found = search.answer()
        assert found.status is Status.OPTIMAL and found.score == 28
        assert search.workers.given is not None and search.room_for_a_plan == 0
        costs.add(search.workers.given[0])
    assert 28 in costs


def test_no_plan_is_sought_for_ever() -> None:
    """Where no goal can be reached, it ends with all states expanded."""
    position = asked(shipped("classics.sliding"), "fewest moves until solved and not solved")
    search = search_of(ShortestPlanProblem(position.asked, position.state, position.question))
    search.workers = search.begun()
    search.room_for_a_plan = 1 << 24
    workers = boosters._anew(search, None, 1)
    workers.sweep()
    ends = [workers.advance(1 << 20) for _ in range(8)]  # the table grows
    assert ends[-1] is SearchEnd.DONE and workers.cost is None
    assert 181_000 < workers.expanded < 181_440  # but for some that are reached too late in the game


@pytest.mark.parametrize(("missing", "is_anew"), [(-(1 << 20), False), (0, True), (1, False)])
def test_large_patterns_take_the_place_of_states(
    missing: int, is_anew: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they do not fit beside the known states, the search begins anew with them; where they do not fit at all, it goes on
    without them."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(boosters, "MANY", 20)
    monkeypatch.setattr(boosters, "LONG", 0.0)
    monkeypatch.setattr(run, "OPTIMISED", 20)
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    search = search_of(ShortestPlanProblem(position.asked, position.state, position.question))
    distances = boosters.Distances()
    small = boosters.Patterns(distances)
    search.boosters = [distances, small, boosters.LargePatterns(small)]
    needed = [0, 0]

    def bytes_to_find(patterns: CachedPatterns, until: float) -> int:
        is_large = patterns.size != SMALL
        needed[is_large] = search.room + missing if is_large else 1
        return needed[is_large]

    monkeypatch.setattr(CachedPatterns, "bytes_to_find", bytes_to_find)
    assert search.answer().score == 28
    assert all(needed) and search.is_past(boosters.LargePatterns)
    assert bool(search._expanded_before) is is_anew


def test_a_bound_stands_when_the_search_begins_anew() -> None:
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    search = search_of(ShortestPlanProblem(position.asked, position.state, position.question))
    search.workers = search.begun()
    search.workers.bound = 20
    search.replace(boosters._anew(search, None), [])
    assert search.workers.state_count == 1 and search.workers.bound == 20


def test_states_are_packed_anew_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """In fewer words, while they are searched: nothing else changes."""
    monkeypatch.setattr(known_states, "PIECE", 4)
    position = blocked(random.Random("x2"))
    assert position.question is not None
    found = []
    for is_narrowed in (False, True):
        search = search_of(ShortestPlanProblem(position.asked, position.state, position.question))
        search.workers = workers = search.begun()
        words = search.game.layout.size
        assert workers.advance(64) is SearchEnd.PAUSED
        if is_narrowed:
            assert workers.state_count > 9 * known_states.PIECE
            search.game.narrow(search.distances.finder.ranges(search.distances.found(search.deadline)))
            workers.repack()
            assert search.game.layout.size < words
        while workers.advance(64) is SearchEnd.PAUSED:
            pass
        found.append((workers.cost, workers.expanded, workers.state_count))
    assert found[0] == found[1] and found[0][1] > 200
