"""LM-cut against the best plan of the relaxed task, found by plain enumeration, and against the moves that are left."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from attrs import evolve

from rulewright.puzzles.position import Position
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.play.engine import State
from rulewright.solver.shortest.estimates import guessing
from rulewright.solver.shortest.estimates.distance_tables import DEAD
from rulewright.solver.shortest.estimates.landmarks import landmarks_of
from rulewright.solver.shortest.estimates.relaxed_task import FREE, GOAL, TRUE, RelaxedOperator, RelaxedTask
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.kernels.landmark_cut import NONE, cut, explore, explore_again, landmark_count, mark_zone
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.program import Maker, as_baseline_code, as_python
from tests.rules.playing import linked
from tests.solver.shortest.estimates.carriers import errands, lifts
from tests.solver.shortest.estimates.spaces import INSTANCES, Instance, bag, check, graph, instances, jam, lamps, tower
from tests.solver.shortest.estimates.test_relaxed_task import closed, facts_in, task_of
from tests.solver.shortest.questions import asked


def by_landmarks(position: Position, make: Maker = as_python) -> Callable[[State], int]:
    """The kernel's estimates, by a program that `make` makes."""
    machine = machine_of(position, make)
    landmarks = landmarks_of(task_of(position), machine)

    def estimate(state: State) -> int:
        machine.load(state)
        return int(machine.program.landmark_count(landmarks, machine.memory))

    return estimate


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_estimates_are_admissible(make: Instance) -> None:
    for seed in range(2):
        if make in (jam, tower):
            continue
        position = make(random.Random(f"{make.__name__} {seed}"))
        states, _ = check(position, by_landmarks(position), is_consistent=False)
        assert states > 1


WINDS = """
module winds:
    "A wind blows a ball to where arrows show, one after the other, and nothing says how far."

space field: square grid 4 x 1

state:
    lit of field: truth
    arrow of field: cell of field
    hand: cell of field

action go(to in around(hand)):
    effect go: hand := to

action light:
    effect here: lit of hand := yes
    effect there: for c in field where c = hand: lit of arrow of arrow of c := yes

flow:
    repeat until every c in field: lit of c:
        turn:
            choose go, light

score none: 0
"""


def winds(rng: random.Random) -> Position:
    cells = [f"({column},0)" for column in range(4)]
    body = [f"hand: {rng.choice(cells)}", *(f"arrow {cell}: {rng.choice(cells)}" for cell in cells)]
    return asked(linked(WINDS), "fewest moves until every c in field: lit of c", "".join(f"\n    {line}" for line in body))


@pytest.mark.parametrize("make", [errands, lifts, bag, winds], ids=lambda make: make.__name__)
@pytest.mark.parametrize("most", [0, 3, guessing.MOST_FOUND])
def test_what_is_not_guessed_may_change_anything(make: Instance, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a variable that some move changes at an unknown slot no slot is followed, whichever other moves touch it."""
    monkeypatch.setattr(guessing, "MOST_FOUND", most)
    for seed in range(3):
        position = make(random.Random(f"{make.__name__} {seed}"))
        check(position, by_landmarks(position), is_consistent=False)


@pytest.mark.campaign
def test_estimates_of_a_hundred_thousand_states() -> None:
    counts = [
        check(position, by_landmarks(position, as_baseline_code), is_consistent=False)
        for name, position in instances(range(2, 30))
        if not name.startswith("tower")
    ]
    states = sum(states for states, _ in counts)
    print(f"{len(counts)} instances, {states} states, the sum of estimates {sum(total for _, total in counts)}")
    assert states > 100_000


# Random tasks ------------------------------------------------------------------------------------


def fewest(task: RelaxedTask, begin: frozenset[int]) -> int:
    """The labels of the shortest plan of a relaxed task, by breadth-first search over sets of facts; DEAD if it has none."""
    free = [one for one in task.operators if one.label == FREE]
    layer, known, moves = {closed(begin, free)}, set[frozenset[int]](), 0
    while layer:
        if any(GOAL in here for here in layer):
            return moves
        known |= layer
        layer = {closed(here | _brought(task, label, here), free) for here in layer for label in range(1, task.label_count)}
        layer, moves = layer - known, moves + 1
    return DEAD


def _brought(task: RelaxedTask, label: int, here: frozenset[int]) -> set[int]:
    """What a move of a label brings: all of its operators whose needs hold."""
    return {fact for one in task.operators if one.label == label and here.issuperset(one.needs) for fact in one.adds}


def random_task(rng: random.Random) -> RelaxedTask:
    """Operators at random over nine lamps and some facts that follow."""
    facts_at = {("lit", cell): {0: 2 + 2 * cell, 1: 3 + 2 * cell} for cell in range(9)}
    facts = range(2, 24)
    operators = [RelaxedOperator(FREE, tuple(rng.sample(facts, rng.randint(2, 4))), (GOAL,)) for _ in range(rng.randint(1, 2))]
    labels = rng.randint(2, 6)
    for _ in range(rng.randint(8, 24)):
        needs = rng.sample(facts, rng.choice((1, 1, 2, 3))) if rng.random() < 0.9 else [TRUE]
        adds = {fact for fact in rng.sample(facts, rng.randint(1, 2)) if fact not in needs}
        if adds:
            label = rng.randint(1, labels) if rng.random() < 0.85 else FREE
            operators.append(RelaxedOperator(label, tuple(sorted(needs)), tuple(sorted(adds))))
    return RelaxedTask(facts_at, 24, tuple(operators))


def machine_of(position: Position, make: Maker = as_python) -> MachineGame:
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    kernel = CostGame(problem, entries=(*ENTRIES, "landmark_count")).compiled
    return kernel.machine(kernel.program(make))


def faults(seeds: range, read: Callable[[RelaxedTask], RelaxedTask] = lambda task: task) -> tuple[int, Counter[str]]:
    """How many estimates of random tasks are too great, or do not tell what is out of reach, or nothing to do, from the rest;
    and what comes up."""
    position = lamps(random.Random(3))
    machine, wrong, came = machine_of(position), 0, Counter[str]()
    for seed in seeds:
        task = random_task(random.Random(seed))
        best = fewest(task, facts_in(task, position, position.state))
        count = landmark_count(landmarks_of(read(task), machine), machine.memory)
        wrong += count > best or (count == 0) != (best == 0) or (count == DEAD) != (best == DEAD)
        came.update({"solved": 0 < best < DEAD, "exact": 1 < count == best < DEAD, "less": count < best < DEAD})
    return wrong, came


def test_no_more_landmarks_than_moves_in_the_best_relaxed_plan() -> None:
    wrong, came = faults(range(1000))
    assert not wrong
    assert came["solved"] > 200 and came["exact"] > 50 and came["less"] > 10


def test_that_effects_of_one_move_count_once_is_noticed() -> None:
    """Were each operator a move of its own, two that one move applies would count twice."""

    def relabelled(task: RelaxedTask) -> RelaxedTask:
        return evolve(
            task, operators=tuple(evolve(one, label=n if one.label else FREE) for n, one in enumerate(task.operators))
        )

    assert faults(range(300), relabelled)[0] > 5


def test_levels_are_corrected_after_each_cut() -> None:
    """As if they were found anew."""
    machine, cuts = machine_of(lamps(random.Random(3))), 0
    for seed in range(700):
        landmarks = landmarks_of(random_task(random.Random(seed)), machine)
        for label in range(landmarks.label_count):
            landmarks.price[label] = int(label != FREE)
        level = explore(landmarks, machine.memory)
        while 0 < level < DEAD:
            mark_zone(landmarks)
            level = explore_again(landmarks, cut(landmarks, machine.memory))
            levels = [landmarks.level[fact] for fact in range(landmarks.fact_count)]
            supporters = [landmarks.supporter[number] for number in range(landmarks.operator_count)]
            assert level == explore(landmarks, machine.memory)
            assert levels == [landmarks.level[fact] for fact in range(landmarks.fact_count)]
            for number, supporter in enumerate(supporters):
                again = landmarks.supporter[number]
                assert (supporter == NONE) == (again == NONE)
                assert supporter == NONE or levels[supporter] == levels[again]
            cuts += 1
    assert cuts > 200


# In the machine ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lamps, errands, lifts], ids=lambda make: make.__name__)
def test_machine_code_counts_as_python_does(make: Instance) -> None:
    position = make(random.Random(1))
    task, counts = task_of(position), set()
    machines = [machine_of(position, make_program) for make_program in (as_python, as_baseline_code)]
    words = [landmarks_of(task, machine) for machine in machines]
    for state in list(graph(position.asked, position.state, 30_000))[:100]:
        found = []
        for machine, landmarks in zip(machines, words, strict=True):
            machine.load(state)
            found.append(machine.program.landmark_count(landmarks, machine.memory))
        assert found[0] == found[1]
        counts.add(found[0])
    assert len(counts) > 1
