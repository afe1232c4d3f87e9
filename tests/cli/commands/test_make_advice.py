"""What is said where nothing is made."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.cli.commands.make import advice
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.making.commission import Commission, parsed_goal
from rulewright.studies.making.proof import Fault
from rulewright.studies.making.run import ENOUGH, SURE, is_hopeless
from tests.studies.making.orchard import ORDER, orchard


@pytest.mark.parametrize("fault", Fault)
def test_there_is_a_sentence_for_each_fault(fault: Fault, tmp_path: Path) -> None:
    game = orchard(tmp_path).load("orchard")
    found = advice(game, ORDER, {fault: 3, Fault.LEAD: 1, Fault.TWICE: 1}, "turn", "picked")
    assert found.endswith(".") and "  " not in found


def test_what_would_be_asked_instead_is_a_question() -> None:
    game = Project(SHIPPED).load("classics.go")
    order = Commission(("classics.go",), 2, "win for 1")
    found = advice(game, order, {Fault.REPEATS: 1}, "turn", "")
    goal = found.split("'")[1]
    assert parsed_goal(goal) and goal == "maximise points of 1 - points of 2 for 3 turns against best play"
    evolve(order, goal=goal).question(game)
    assert goal not in advice(game, evolve(order, sooner=goal), {Fault.UNPROVED: 1}, "turn", "")


@pytest.mark.parametrize(
    ("turns", "instead"), [("until end", "for 2 turns"), ("for 2 turns", "for 1 turn'"), ("for 1 turn", "")]
)
def test_what_cannot_be_proved_is_to_be_asked_less_far(turns: str, instead: str, tmp_path: Path) -> None:
    order = evolve(ORDER, goal=f"maximise score {turns}")
    found = advice(orchard(tmp_path).load("orchard"), order, {Fault.UNPROVED: 1}, "turn", "")
    assert instead in found and ("--goal" in found) == bool(instead)


def test_only_what_time_cannot_change_is_hopeless() -> None:
    assert is_hopeless({Fault.CHANCE: SURE})
    assert not is_hopeless({Fault.CHANCE: SURE - 1})
    assert not is_hopeless({Fault.CHANCE: SURE, Fault.UNPROVED: 1})
    assert not is_hopeless({Fault.KEYS: ENOUGH - 1})
    assert is_hopeless({Fault.KEYS: ENOUGH - 1, Fault.UNPROVED: 1})
