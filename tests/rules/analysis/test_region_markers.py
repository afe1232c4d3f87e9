"""Markers of which only the region matters: found where the rules show it, and play goes on alike from the first cell."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import evolve

from rulewright.puzzles.position import Position
from rulewright.rules.analysis import region_markers
from rulewright.rules.analysis.region_markers import RegionMarkers
from rulewright.rules.model import effects, terms
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.result import Status
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.rules.playing import linked
from tests.solver.shortest.estimates.spaces import pushes, steps
from tests.solver.shortest.questions import asked, least, search_of

WARD = """
module ward:
    "A keeper goes where doors are open, lights lamps, and opens and shuts doors beside the way."

space board: {space}

state:
    keeper: cell of board
    shut of board: truth
    lit of board: truth
    strikes: 0..9

define open(c) = not shut of c

action light(c in (closure of keeper under a to b in around(a) where {where})):
    require dark: not lit of c and c in {wanted}
    {rest}
    effect light: lit of c := yes
    {go}

action turn(c in (closure of keeper under a to b in around(a) where {where}), d in around(c)):
    require door: d in {doors} and d != c
    effect turn: shut of d := not shut of d
    {turn}

flow:
    repeat:
        turn:
            choose light, turn
        {after}

procedure slam:
    shut_one: shut of cell(1, 0) := yes

score none: 0
"""
GRIDS, GO = ((3, 3), (6, 1)), "effect go: keeper := c"
PLAIN = {"where": "open(b)", "rest": "require dim: shut of {first}", "go": GO, "turn": GO, "after": ""}
INTO = {"turn": "effect enter: keeper := d"}
"""A keeper enters each door that it turns, also one that it shuts."""
OTHERS = {
    "steps one way": {"where": "open(b) and column(b) >= column(a)"},
    "the cell itself is asked for": {"rest": "require here: keeper != cell(0, 0)"},
    "a door is turned from afar": {"turn": "effect strike: strikes := 1"},
    "an effect reads it": {"rest": "effect note: strikes := column(keeper)"},
    "doors slam by themselves": {"after": "slam"},
}


def ward(seed: int, **changed: str) -> Position:
    """A keeper in a ward or on a corridor, with doors, of which two are shut, and lamps at two of the other cells."""
    rng, (columns, rows) = random.Random(seed), GRIDS[seed % 2]
    cells = [f"cell({column}, {row})" for column in range(columns) for row in range(rows)]
    rng.shuffle(cells)
    doors, wanted, keeper = cells[:3], cells[3:5], cells[5]
    named = {"doors": "{" + ", ".join(doors) + "}", "wanted": "{" + ", ".join(wanted) + "}"}
    clauses = {name: clause.replace("{first}", doors[0]) for name, clause in (PLAIN | changed).items()}
    text = WARD.format(space=f"square grid {columns} x {rows}", **named, **clauses)
    place = keeper.removeprefix("cell")
    shut = ", ".join(door.removeprefix("cell") for door in rng.sample(doors, 2))
    aim = " and ".join(f"lit of {cell}" for cell in wanted)
    return asked(linked(text), f"fewest moves until {aim}", f"\n    keeper: {place}\n    shut: {shut}\n")


def markers(position: Position) -> RegionMarkers:
    assert position.question is not None
    return ShortestPlanProblem(position.asked, position.state, position.question).region_markers


def states(engine: Engine, root: State) -> int:
    found, pending = {root}, [root]
    for here in pending:
        if not engine.over(here):
            after = {engine.apply(here, move) for move in engine.legal(here)} - found
            found |= after
            pending += after
    return len(found)


def check(position: Position) -> tuple[int, int]:
    """Hold the least costs under both rules against each other; gives the numbers of states."""
    assert position.question is not None
    found = markers(position)
    assert found.names
    costs = [least(engine, position.state, position.question) for engine in (position.asked, found.engine)]
    assert costs[0] == costs[1], "another cost"
    return states(position.asked, position.state), states(found.engine, position.state)


@pytest.mark.parametrize("seed", range(12))
def test_play_costs_the_same_from_the_first_cell(seed: int) -> None:
    for given in ({}, INTO):
        before, after = check(ward(seed, **given))
        assert after <= before


def test_there_are_fewer_states() -> None:
    counts = [check(ward(seed)) for seed in range(20, 24)]
    assert sum(after for _, after in counts) < sum(before for before, _ in counts) / 2


@pytest.mark.parametrize("case", OTHERS)
def test_others_are_left_as_they_are(case: str) -> None:
    position = ward(1, **OTHERS[case])
    found = markers(position)
    assert not found.names and found.engine is position.asked


def test_the_pusher_is_one_if_pushes_count() -> None:
    assert markers(pushes(random.Random(1))).names == {"pusher"}
    assert not markers(steps(random.Random(1))).names


@pytest.mark.parametrize("make", [ward, lambda seed: pushes(random.Random(seed))], ids=["ward", "pushes"])
def test_searches_answer_what_enumeration_does(make: Callable[[int], Position]) -> None:
    for seed in range(30, 36):
        position = make(seed)
        assert position.question is not None
        problem = ShortestPlanProblem(position.asked, position.state, position.question)
        result = search_of(problem, is_optimised=False).answer()
        assert result.score == least(position.asked, position.state, position.question)
        state = position.state
        for move in result.plan:
            assert move in position.asked.legal(state)
            state = position.asked.apply(state, move)
        assert result.status is Status.IMPOSSIBLE or problem.reached(state)


def only_closures(*given: Any) -> Iterator[object]:
    """Nodes of rules, as if markers were read by closures alone."""
    nodes = [node for node in NODES_OF(*given) if not isinstance(node, terms.Read)]
    return iter([*nodes, *(node.start for node in nodes if isinstance(node, terms.Closure))])


def always(closure: terms.Closure, name: str) -> effects.Assign:
    """Put a marker on the first cell that it reaches, also from a cell that does not admit it."""
    put = PUT(closure, name)
    assert isinstance(put.value, terms.If)
    return evolve(put, value=put.value.then)


NODES_OF, PUT = region_markers.nodes_of, region_markers._put
FAULTS = {
    "markers leave where they may not stand": ("_put", always, INTO),
    "doors may be turned from afar": ("_sets", lambda action, name: True, OTHERS["a door is turned from afar"]),
    "other reads are passed over": ("nodes_of", only_closures, OTHERS["the cell itself is asked for"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, faulty, given = FAULTS[fault]
    monkeypatch.setattr(region_markers, name, faulty)
    with pytest.raises(AssertionError, match="another cost"):
        for seed in range(60):
            check(ward(seed, **given))
