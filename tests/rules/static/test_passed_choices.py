"""What the flow has passed for good is no part of what a question depends on."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.base.hash_keys import HashKey
from rulewright.base.records import define
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.model.game import Branch, Choose, Each, Flow, Game, Point, Repeat
from rulewright.rules.model.state import POINT, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.given_plans import ReducedGame
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.static.resources import resources_of
from rulewright.solver.answer.portfolio import KNOWN_CHANCE, answer
from rulewright.solver.result import Engines, Limits

PROJECT = Project(SHIPPED)
PUZZLES = Catalogue(PROJECT)


def choices_in(node: Flow) -> int:
    """The number of choices in a part of the flow."""
    match node:
        case Choose():
            return 1
        case Point(_, body) | Repeat(body=body) | Each(body=body):
            return sum(map(choices_in, body))
        case Branch(_, body, otherwise):
            return sum(map(choices_in, (*body, *otherwise)))
        case _:
            return 0


def without_passed(game: Game, number: int) -> tuple[Game, int]:
    """The game without the parts of its flow that end before a choice, by number from 0, and the number of choices in them."""
    passed, rest = 0, list(game.flow)
    while passed + choices_in(rest[0]) <= number:
        passed += choices_in(rest.pop(0))
    return evolve(game, flow=tuple(rest)), passed


@define(eq=False)
class WithoutPassed(ReducedGame):
    """A game without the parts of its flow that end before a choice."""

    number: int
    passed: int = 0

    def __attrs_post_init__(self) -> None:
        self.game, self.passed = without_passed(self.original.game, self.number)

    def state(self, state: State) -> State:
        found = super().state(state)
        return (*found[:POINT], found[POINT] - self.passed, *found[POINT + 1 :])


PASSED = (
    "coast_guard_four_outposts", "construction_two_yards", "ferry_long_haul", "four_ships_one_coast",
    "german_discards_for_the_ferry", "german_discards_over_land", "hovercraft_as_many_ponds", "pilot_boat_bays_in_sight",
    "research_all_the_seals", "santorini_fork", "submarine_marked_wreck", "tsuro_alone",
)  # fmt: skip
"""A puzzle of each game with a choice that is passed for good."""


def facts(engine: Engine, position: Position, root: State) -> tuple[object, ...]:
    """What searches read off the data flow of a question."""
    assert position.question is not None
    analysis = DataflowAnalysis(engine, position.question.terms, root)
    return (
        *(analysis.live_variables, analysis.lasting_variables, analysis.changing_variables, resources_of(analysis)),
        *(analysis.chance_matters, analysis.feeding, analysis.append_only_boards, [one.name for one in analysis.offered]),
    )


@pytest.mark.parametrize("name", PASSED)
def test_a_passed_part_of_the_flow_changes_no_fact(name: str) -> None:
    position = PUZZLES.position(name)
    reduced = WithoutPassed(position.asked, position.root[POINT])
    assert reduced.passed
    engine = reduced.engine.with_horizon(position.asked.horizon)
    assert facts(position.asked, position, position.root) == facts(engine, position, reduced.state(position.root))


def test_a_passed_part_of_the_flow_changes_no_answer() -> None:
    """Nothing is said of chance, since no pile is left to be shuffled; the set-up behind the choice of a ship shuffled them."""
    position = PUZZLES.position("submarine_marked_wreck")
    assert position.question is not None
    reduced = WithoutPassed(position.asked, position.root[POINT])
    limits = Limits(engines=Engines.SEARCH, workers=1, hash_key=HashKey(bytes(range(32))))
    whole = answer(position.asked, position.root, position.question, limits)
    engine = reduced.engine.with_horizon(position.asked.horizon)
    rest = answer(engine, reduced.state(position.root), position.question, limits)
    assert (whole.score, whole.states, whole.remarks) == (rest.score, rest.states, rest.remarks)
    assert KNOWN_CHANCE not in whole.remarks
