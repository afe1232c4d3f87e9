"""Relaxed tasks: every move of the game is one of the task, and whatever moves bring is brought there."""

from __future__ import annotations

import random
from collections.abc import Mapping, Set

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import State
from rulewright.solver.shortest.estimates import relaxed_task
from rulewright.solver.shortest.estimates.distance_tables import OutOfTime
from rulewright.solver.shortest.estimates.partial_state import values_in
from rulewright.solver.shortest.estimates.relaxed_task import FREE, GOAL, TRUE, Relaxation, RelaxedOperator, RelaxedTask
from tests.solver.shortest.estimates.carriers import errands
from tests.solver.shortest.estimates.spaces import INSTANCES, Instance, finder, graph, jam, lamps, sliding, tower


def task_of(position: Position) -> RelaxedTask:
    return Relaxation(finder(position).with_ancestors()).find()


def facts_in(task: RelaxedTask, position: Position, state: State) -> frozenset[int]:
    """The facts that hold in a state, without those that follow from them."""
    variables = {slot[0] for slot in task.facts_at}
    values = {slot: v for name in variables for slot, v in values_in(position.asked.layout, state, name).items()}
    assert task.knows(values)
    return frozenset((TRUE, *(facts[values[slot]] for slot, facts in task.facts_at.items())))


def closed(facts: Set[int], operators: list[RelaxedOperator]) -> frozenset[int]:
    """Facts with all that operators bring for nothing."""
    found = frozenset(facts)
    while True:
        more = found.union(*(one.adds for one in operators if found.issuperset(one.needs)))
        if more == found:
            return found
        found = more


def by_label(task: RelaxedTask) -> Mapping[int, list[RelaxedOperator]]:
    found: dict[int, list[RelaxedOperator]] = {FREE: []}
    for operator in task.operators:
        found.setdefault(operator.label, []).append(operator)
    return found


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_each_move_is_one_of_the_task(make: Instance) -> None:
    """Of every state and each that follows it: some label brings all new facts; the goal holds where the condition does."""
    for seed in range(1 if make in (jam, tower) else 3):
        position = make(random.Random(f"{make.__name__} {seed}"))
        task, question = task_of(position), position.question
        assert question is not None and question.until is not None
        labels = by_label(task)
        after = graph(position.asked, position.state, 30_000)
        held = {state: facts_in(task, position, state) for state in after}
        for state in list(after)[:300]:
            here = closed(held[state], labels[FREE])
            assert GOAL in here or not position.asked.value(question.until, state)
            for other in after[state]:
                new = held[other] - held[state]
                assert not new or any(
                    new <= frozenset().union(*(one.adds for one in operators if here.issuperset(one.needs)))
                    for label, operators in labels.items()
                    if label != FREE
                )


def test_it_reads_as_one_would_write_it() -> None:
    """A lamp is an effect that depends on the lamp; a parcel is taken up where it lies and where the carrier is."""
    position = lamps(random.Random(1))
    task = task_of(position)
    assert len(task.facts_at) == 9 and task.fact_count == 2 + 2 * 9
    assert task.label_count == 1 + 9 and all(len(one.needs) == len(one.adds) == 1 for one in task.operators if one.label)
    assert sum(one.label == 1 for one in task.operators) == 2 * 3  # a corner and its two neighbours
    (goal,) = (one for one in task.operators if one.adds == (GOAL,))
    assert len(goal.needs) == 9
    task = task_of(errands(random.Random(2)))
    spots = {fact: slot for slot, facts in task.facts_at.items() if slot[0] == "spot" for fact in facts.values()}
    carrier = {fact for slot, facts in task.facts_at.items() if slot[0] == "carrier" for fact in facts.values()}
    taken = [one for one in task.operators if len(one.needs) == 2 and one.needs[0] in carrier and one.needs[1] in spots]
    assert taken and all(spots[one.adds[0]] == spots[one.needs[1]] for one in taken)


def test_too_many_facts_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    position = sliding(random.Random(1))
    assert task_of(position).fact_count > 30
    monkeypatch.setattr(relaxed_task, "MOST_FOUND", 30)
    with pytest.raises(OutOfTime):
        task_of(position)


def test_a_slot_with_too_many_values_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    position = sliding(random.Random(1))
    monkeypatch.setattr(relaxed_task, "MOST_VALUES", 4)
    assert not task_of(position).facts_at
