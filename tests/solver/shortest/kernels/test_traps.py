"""Traps: from no state that has one is there a way to a goal, whatever was learned before."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.kernels import traps
from rulewright.solver.shortest.kernels.distance_words import DEAD, DistanceWords
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.program import as_baseline_code, as_python
from tests.rules.playing import linked
from tests.solver.shortest.estimates.spaces import PUSHES, Instance, blocked, exact, finder, graph, herd, jam, pushes, steps
from tests.solver.shortest.questions import asked

ASK = "fewest moves until solved"

IsLost = Callable[[DistanceWords, GameMemory], int]


def trapped(make: Instance, seed: int, most: int = 30_000, is_lost: IsLost | None = None) -> int:
    """How many states of an instance, in random order, have lost tiles that the estimate does not see; fails if a goal can be
    reached from one."""
    position, rng = make(random.Random(f"{make.__name__} {seed}")), random.Random(seed)
    assert position.question is not None and position.question.until is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    kernel = CostGame(problem, entries=(*ENTRIES, "estimate", "is_lost")).compiled
    program = kernel.program(as_baseline_code if is_lost is None else as_python)
    machine, engine = kernel.machine(program), position.asked
    tables = finder(position).find().tables
    words, anew = words_of(tables, (), machine), words_of(tables, (), machine)
    after = graph(engine, position.state, 30_000)
    ways = exact(after, {here for here in after if engine.value(position.question.until, here)})
    found = 0
    for state in rng.sample(list(after), min(most, len(after))):
        machine.load(state)
        if (is_lost or program.is_lost)(words, machine.memory):
            assert state not in ways, "a goal can be reached"
            found += program.estimate(anew, machine.memory) < DEAD
    return found


def test_from_a_trap_no_goal_is_reached() -> None:
    assert sum(trapped(blocked, seed) for seed in (5, 6)) > 0


@pytest.mark.campaign
@pytest.mark.parametrize("make", [steps, pushes, blocked, herd, jam], ids=lambda make: make.__name__)
def test_from_many_traps_no_goal_is_reached(make: Instance) -> None:
    print(f"{make.__name__}: {sum(trapped(make, seed) for seed in range(6, 40))} states")


SHUT_OFF = """
    board:
        wall  wall   wall   wall   wall
        wall  .{0}   .      .      wall
        wall  .      wall   crate  wall
        wall  crate  .{1}   .      wall
        wall  .      .      .      wall
        wall  wall   wall   wall   wall
    origin 0,0

    goal: (1,4), (3,3)
"""


def test_a_trap_is_one_while_the_marker_is_in_its_region() -> None:
    """From without, the crate on the left can only be pushed into the passage, which shuts the other one off for good."""
    without, within = (asked(linked(PUSHES), ASK, SHUT_OFF.format(*marks)) for marks in (("  ", "@1"), ("@1", "  ")))
    problem = ShortestPlanProblem(within.asked, within.state, within.question)
    machine = CostGame(problem).compiled.machine(CostGame(problem).compiled.program(as_python))
    words = words_of(finder(within).find().tables, (), machine)
    for position, is_lost in ((within, False), (without, True), (within, False)):
        machine.load(position.state)
        assert traps.is_lost(words, machine.memory) == is_lost
    assert words.next_trap[0] == 1


FAULTS = {
    "all ways are barred": ("is_barred", lambda *_: True),
    "what moves makes others lost": ("hold_marked", lambda *_: -1),
    "all tiles are a trap": ("keep_trapped", lambda *_: True),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, faulty = FAULTS[fault]
    monkeypatch.setattr(traps, name, faulty)
    with pytest.raises(AssertionError, match="a goal can be reached"):
        for seed in range(6):
            trapped(blocked, seed, 60, traps.is_lost)
