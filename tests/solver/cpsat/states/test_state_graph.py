"""The graph of all states: what play can reach and no more, refused where that is too much."""

from __future__ import annotations

import pytest

from rulewright.puzzles.position import Position
from rulewright.solver.cpsat.model.guarded_values import Unsupported
from rulewright.solver.cpsat.states import state_graph
from rulewright.solver.cpsat.states.state_graph import StateGraph
from tests.rules.playing import linked
from tests.solver.heuristics.spaces import graph
from tests.solver.shortest import asked

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


def test_it_has_every_state_that_play_reaches_and_each_step_once() -> None:
    position = walk()
    engine, root = position.asked, position.root
    found = StateGraph.of(engine, root, engine.over)
    truth = graph(engine, root, 100)
    assert len(found.states) == len(set(found.states)) == len(truth)
    steps = {(found.states[step.source], found.states[step.target]) for step in found.steps}
    assert len(found.steps) == len(steps)
    assert steps == {(here, after) for here, others in truth.items() for after in others}
    assert {found.states[end] for end in found.ends} == {here for here in truth if engine.over(here)}
    for step in found.steps:
        assert engine.apply(found.states[step.source], step.move) == found.states[step.target]


def test_nothing_is_played_from_an_end() -> None:
    position = walk()
    engine, root = position.asked, position.root
    found = StateGraph.of(engine, root, lambda state: state == root)
    assert (found.states, found.steps, found.ends) == ([root], [], [0])


def test_for_the_fewest_moves_it_ends_with_the_first_ends() -> None:
    position = walk()
    engine, root = position.asked, position.root
    far = engine.layout.columns["far"].start
    found = StateGraph.of(engine, root, lambda state: state[far] == 1, fewest_moves=True)
    truth = graph(engine, root, 100)
    near = set(truth[root]) - {root}
    assert {found.states[step.target] for step in found.steps if step.source == 0} == near
    assert len(found.ends) == 2 and all(found.states[end][far] == 1 for end in found.ends)
    depths = {0: 0}
    for step in found.steps:
        assert depths.setdefault(step.target, depths[step.source] + 1) == depths[step.source] + 1
    assert {depths[end] for end in found.ends} == {max(depths.values())} == {2}


@pytest.mark.parametrize("limit", ["MOST_STATES", "MOST_MOVES"])
def test_too_many_states_are_refused_at_the_choice_that_makes_them(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_graph, limit, 5)
    position = walk()
    with pytest.raises(Unsupported, match=r"more than (5|60,000) states or (5|250,000) moves") as refusal:
        StateGraph.of(position.asked, position.root, position.asked.over)
    assert refusal.value.span.line == 1 + WALK.splitlines().index("        choose walk, halt")
