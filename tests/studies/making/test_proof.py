"""What is proved before a puzzle is made, against values counted by hand."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.base.choices import Sole
from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.project import Project
from rulewright.rules.static.natural_question import HIGHEST_SCORE
from rulewright.studies.making import move_values
from rulewright.studies.making.commission import Commission
from rulewright.studies.making.maker import Maker
from rulewright.studies.making.move_values import NO_PLAN, MoveValues, NaiveResult
from rulewright.studies.making.proof import Fault, Faulty, is_used, proved, without
from rulewright.studies.making.solution import Solution, measured
from tests.studies.making.orchard import ORDER, orchard, standing


def test_values_of_first_moves_and_of_greedy_play(tmp_path: Path) -> None:
    """Six days: the ladder first makes 25, a day later 22; low fruit alone makes 12."""
    position = standing(orchard(tmp_path))
    proof = proved(position, ORDER)
    assert (proof.optimum, proof.second, proof.greedy) == (25, 22, NaiveResult(12, 12))
    assert [position.engine.action_numbers["fetch"]] == [key[0] for key in proof.keys]


def test_greedy_games_that_are_too_many_are_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_values, "MOST_STATES", 3)
    assert proved(standing(orchard(tmp_path)), ORDER).greedy == NaiveResult(12, None)


@pytest.mark.parametrize(
    ("order", "body", "outcome"),
    [
        (evolve(ORDER, gap=14), "", Fault.GREEDY),
        (evolve(ORDER, lead=4), "", Fault.LEAD),
        (ORDER, "days: 1", Fault.GREEDY),
        (evolve(ORDER, goal="minimise basket until end", gap=0), "ladder: yes\n    straw: 9", -12),
        (ORDER, "ladder: yes\n    days: 3", Fault.GREEDY),
        (evolve(ORDER, goal="fewest moves until basket = 95", gap=0), "", Fault.IMPOSSIBLE),
        (evolve(ORDER, goal="fewest moves until basket >= 20", gap=0, sole=Sole.NOTHING), "ladder: yes", -4),
    ],
)
def test_faults(tmp_path: Path, order, body: str, outcome: Fault | int) -> None:  # type: ignore[no-untyped-def]
    position = standing(orchard(tmp_path), body, order)
    if isinstance(outcome, int):
        assert proved(position, order).optimum == outcome
        return
    with pytest.raises(Faulty) as refused:
        proved(position, order)
    assert refused.value.fault is outcome


def test_turns_and_plans_that_are_the_only_ones(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    assert proved(standing(project), evolve(ORDER, sole=Sole.PLAN)).optimum == 25
    assert proved(standing(project), evolve(ORDER, sole=Sole.TURN)).optimum == 25


def test_shortest_plans_count_moves_from_where_they_are_made(tmp_path: Path) -> None:
    order = evolve(ORDER, goal="fewest moves until basket >= 10", gap=0)
    values = MoveValues.of(standing(orchard(tmp_path), "", order), order)
    root = values.position.root
    found = {move[0]: values.after(root, move) for move in values.engine.legal(root)}
    assert values.optimum == -3  # the ladder, then twice up
    assert found == {values.engine.action_numbers["pick"]: -4, values.engine.action_numbers["fetch"]: -3}


def test_what_is_used_is_missed(tmp_path: Path) -> None:
    project = orchard(tmp_path)
    position = standing(project)
    used = {
        name: is_used(name, position, 25, project, ORDER) for name in ("pick", "fetch", "climb", "high.sunny", "fetch.once")
    }
    assert used == {"pick": False, "fetch": True, "climb": True, "high.sunny": True, "fetch.once": False}
    with pytest.raises(RulesError) as refused:
        without("pikc", position.engine.game, project)
    assert "`pick`" in refused.value.diagnostics[0].help


def test_features_of_a_solution(tmp_path: Path) -> None:
    position = standing(orchard(tmp_path))
    found = measured(Solution(MoveValues.of(position, ORDER)), proved(position, ORDER).first)
    assert (found.moves, found.turns, found.sacrifices, found.first_sacrifice) == (6, 6, 1, 1)
    assert found.luck == 6.0 and found.branching == 2.0  # one of two actions, six times
    assert found.greedy_traps == pytest.approx(1 / 6) and found.false_keys == 0.5
    # The first move looks wrong and is right, the others look right: three blunders of ten are at random, between two moves.
    assert found.greedy_bits == pytest.approx(-log2(0.15) - 5 * log2(0.85)) and found.near_keys == 0


def test_first_moves_that_are_nearly_right_are_counted(tmp_path: Path) -> None:
    """With 23 in the basket, 48 is the best, and what is wrong comes to 45: within a tenth."""
    position = standing(orchard(tmp_path), "basket: 23")
    proof = proved(position, ORDER)
    assert (proof.optimum, proof.second) == (48, 45)
    assert measured(Solution(MoveValues.of(position, ORDER)), proof.first).near_keys == 1


LEVERS = """
module levers:
    "Two levers open the gate, in any order."

state:
    left:  truth
    right: truth
    bell:  0..9

action pull_left:
    require once: not left else "it is pulled"
    effect pull: left := yes

action pull_right:
    require once: not right else "it is pulled"
    effect pull: right := yes

action ring:
    effect ring: bell := min(bell + 1, 9)

define open:
    = left and right

flow:
    repeat until open:
        turn:
            choose pull_left, pull_right, ring
"""


def test_keys_that_may_change_places_are_one_solution(tmp_path: Path) -> None:
    (tmp_path / "levers.rules").write_text(LEVERS.lstrip())
    order = Commission(("levers",), 1, "fewest moves until open", gap=0)
    tree = evolve(parse_puzzle("puzzle here:\n    rules levers\n", "here"), ask=order.ask)
    game = Project(tmp_path).load("levers")
    position = set_up_position(tree, game)
    assert len(proved(position, order).keys) == 2
    with pytest.raises(Faulty) as refused:
        proved(position, evolve(order, sole=Sole.KEY))
    assert refused.value.fault is Fault.KEYS
    either = evolve(order, goal="fewest moves until left or right")
    with pytest.raises(Faulty) as refused:  # two plans, of one action each
        proved(set_up_position(evolve(tree, ask=either.ask), game), either)
    assert refused.value.fault is Fault.DUALS


def test_solutions_with_too_much_to_choose_are_too_long(tmp_path: Path) -> None:
    (tmp_path / "levers.rules").write_text(LEVERS.lstrip())
    order = Commission(("levers",), 1, "fewest moves until open", gap=0, bits=1.5)
    tree = evolve(parse_puzzle("puzzle here:\n    rules levers\n", "here"), ask=order.ask)
    position = set_up_position(tree, Project(tmp_path).load("levers"))
    with pytest.raises(Faulty) as refused:
        proved(position, order)
    assert refused.value.fault is Fault.LENGTH
    assert proved(position, evolve(order, bits=2.0)).optimum == -2
    maker = Maker(Project(tmp_path), evolve(order, bits=2.5))  # three actions at the first move, two at the second
    assert any(maker.attempt(number).fault is Fault.LENGTH for number in range(8))


LANE = """
module lane:
    "Walk freely along a lane of four cells; a shell lies at its end."

state:
    place:  0..3 = 1
    shells: 0..1 = 1

action back:
    require start: place > 0 else "the lane begins here"
    effect walk: place -= 1

action on:
    require end: place < 3 else "the lane ends here"
    effect walk: place += 1

action take:
    require here: place = 3 else "there is no shell here"
    effect pick: shells -= 1

flow:
    repeat until shells = 0:
        turn:
            choose back, on, take

score taken: 1 - shells
"""


def test_a_solution_leaves_out_ways_that_lead_only_back(tmp_path: Path) -> None:
    """Every move keeps the optimum, and the first leads to a new place, from which there is none."""
    (tmp_path / "lane.rules").write_text(LANE.lstrip())
    order = Commission(("lane",), 1, HIGHEST_SCORE)
    tree = evolve(parse_puzzle("puzzle here:\n    rules lane\n", "here"), ask=order.ask)
    position = set_up_position(tree, Project(tmp_path).load("lane"))
    plan = Solution(MoveValues.of(position, order)).plan
    assert [list(position.engine.game.actions)[move[0]] for move in plan] == ["on", "on", "take"]


def test_no_plan_is_worse_than_any() -> None:
    assert NO_PLAN < -(10**9)


def test_an_action_that_a_best_plan_does_without_is_not_used(tmp_path: Path) -> None:
    position = standing(orchard(tmp_path))
    assert proved(position, evolve(ORDER, uses=("climb",))).optimum == 25
    with pytest.raises(Faulty) as caught:
        proved(position, evolve(ORDER, uses=("pick",)))
    assert caught.value.fault is Fault.NOT_USED
