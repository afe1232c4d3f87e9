"""A search that begins anew with landmarks where a trial shows that they pay, and remembers it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.puzzles.position import Position
from rulewright.solver.kernel import run
from rulewright.solver.result import Result, Status
from rulewright.solver.shortest import boosters
from rulewright.solver.shortest import search as shortest_search
from rulewright.solver.shortest.estimates import pattern_databases
from rulewright.solver.shortest.estimates.cached_distances import CachedDistances
from rulewright.solver.shortest.estimates.landmarks import NOTHING, CachedLandmarks
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.shortest.search import ShortestSearch
from rulewright.studies.verified_plan import verified_steps
from tests.rules.playing import linked
from tests.solver.shortest.estimates.carriers import LIFTS
from tests.solver.shortest.questions import asked, search_of

PEOPLE = [f"guest_{number}" for number in range(8)]
LEVELS = [f"level_{number}" for number in range(8)]


def crowd(aim: str = "every p in person: served of p") -> Position:
    """A lift for eight people on eight levels: thousands of states at each number of moves, and landmarks near the truth."""
    text = LIFTS.format(ride="", room="not served of who", leave="effect done: served of who := yes", aim="done")
    text = text.replace("ann, bob, eve", ", ".join(PEOPLE)).replace("cellar, hall, attic, roof", ", ".join(LEVELS))
    text = text.replace("\nflow:", f"\ndefine done = {aim}\n\nflow:")
    rng = random.Random(4)
    body = ["lift: level_0"]
    for name in PEOPLE:
        entry, aim = rng.sample(LEVELS, 2)
        body += [f"entry {name}: {entry}", f"aim {name}: {aim}"]
    return asked(linked(text), "fewest moves until done", "\n" + "\n".join(f"    {line}" for line in body))


def searched(position: Position, begin: int, workers: int = 1) -> tuple[Result, ShortestSearch]:
    """Answered in machine code, with landmarks tried after so many states and no patterns."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "OPTIMISED", 20)
        patch.setattr(boosters, "FEW_SLICES", 1)
        patch.setattr(pattern_databases, "patterns_of", lambda factors, size: [])
        patch.setattr(boosters, "MANY", begin)
        patch.setattr(shortest_search, "WORK_OF_LANDMARKS", 1)
        search = search_of(problem, workers=workers)
        result = search.answer()
    verified_steps(position.asked, position.state, position.question, result)
    return result, search


def kept(search: ShortestSearch) -> CachedLandmarks:
    """As another process finds it in the cache."""
    return CachedLandmarks(CachedDistances(search.problem, search.distances.identity))


def test_it_begins_anew_where_that_pays_and_at_once_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    plain, without = searched(crowd(), 1 << 30)
    assert without.workers.task is None and kept(without).recalled is None
    found, search = searched(crowd(), 1000)
    again, other = searched(crowd(), 1 << 30)
    assert {plain.status, found.status, again.status} == {Status.OPTIMAL}
    assert plain.score == found.score == again.score
    assert search.workers.task is not None and other.workers.task is not None
    assert again.states < plain.states / 10 and again.states < found.states
    assert kept(other).recalled == other.workers.task


def test_two_workers_look_for_landmarks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    found, _ = searched(crowd(), 1000)
    again, search = searched(crowd(), 5, workers=2)
    assert len(search.workers.members) == 2 and again.score == found.score
    assert all(worker.search.landmarks.fact_count > 2 for worker in search.workers.members)


def test_they_are_tried_before_the_search_is_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though enough states to divide it are known by then."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    divided = list[bool]()
    divide = boosters.Division.boost

    def noting(self: boosters.Division, search: ShortestSearch) -> bool:
        if divide(self, search):
            divided.append(search.workers.task is not None)
        return bool(divided)

    monkeypatch.setattr(boosters.Division, "boost", noting)
    found, _ = searched(crowd(), 1000, workers=2)
    assert found.status is Status.OPTIMAL and False not in divided


def test_what_does_not_pay_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(boosters, "FIRST_SECONDS", 0.001)
    # As many states for both: on a busy machine, as much time may be more of them for one.
    monkeypatch.setattr(boosters, "_advance", lambda search, workers, seconds: search.advance(workers, search.run.slice))
    found, search = searched(crowd("(count p in person where served of p) >= 7"), 1000)  # no fact is needed
    assert found.status is Status.OPTIMAL and search.is_past(boosters.Landmarks) and search.workers.task is None
    assert kept(search).recalled == NOTHING
