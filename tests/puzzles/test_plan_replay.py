"""Plans replayed, and refused."""

from __future__ import annotations

import pytest

from rulewright.base.spans import Span
from rulewright.puzzles.plan_replay import PlanError, replay
from tests.puzzles.positions import at_sea

BOARD = """
sea:
    .     buoy  .
    buoy  hq@1  open

hand 1: open, e_house
draw: buoy
tokens 1: 3
"""
PLAN = ["place open south", "sail north", "jettison e_house east", "stop"]


def test_steps_have_states_and_scores() -> None:
    here = at_sea(BOARD)
    steps = replay(here.engine, here.state, PLAN)
    assert [step.text for step in steps] == PLAN
    assert [step.score for step in steps] == [3, 3, 3, 3]
    assert [step.player for step in steps] == [1, 1, 1, 1]
    assert steps[-1].state != steps[-2].state and not here.engine.over(steps[-1].state)


def failed(plan: list[str], spans: tuple[Span, ...] = ()) -> PlanError:
    here = at_sea(BOARD)
    with pytest.raises(PlanError) as caught:
        replay(here.engine, here.state, plan, spans)
    return caught.value


def test_an_illegal_action_is_told_with_its_number_and_reason() -> None:
    error = failed(["place open south", "place open east"])
    assert (error.index, error.diagnostics[0].code) == (1, "RW335")
    assert "action 2" in error.diagnostics[0].message
    assert "place.tile" in {failure.requirement for failure in error.failures}
    spans = (Span("x", 1, 1, 1, 5), Span("x", 2, 1, 2, 5))
    error = failed(["place open south", "sail south"], spans)
    assert error.diagnostics[0].span == spans[1]
    assert {label.text for label in error.diagnostics[0].labels[1:]} == {"`sail.charted`", "`sail.by_water`"}


@pytest.mark.parametrize(("action", "code"), [("plce open south", "RW350"), ("sail up", "RW351")])
def test_an_action_that_cannot_be_read(action: str, code: str) -> None:
    error = failed([*PLAN[:2], action])
    assert (error.index, error.diagnostics[0].code) == (2, code)


def test_a_plan_that_goes_on_after_the_end() -> None:
    error = failed([*PLAN, "stop", "stop"])
    assert (error.index, error.diagnostics[0].code) == (5, "RW336")
