"""Which rules have actions whose order is free, what is said of the others, and what is proved of the shipped puzzles."""

from __future__ import annotations

from contextlib import suppress

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.order_free.from_question import ActionSet, check_first_moves, clique_rows, order_free_model
from tests import paths
from tests.rules.playing import linked
from tests.solver.cpsat.running import solved_here
from tests.solver.shortest.questions import asked

GAME = """module asked:
    "Something on a row of four."

space board: square grid 4 x 1 of tiles

tiles stones:
    stone  x2

state:
    lit of board:  truth
    weight:        0..20
    last:          cell of board

action act(to in board):
    "Act on a cell."
{body}

procedure set_up:
    none: weight := 0

flow:
    set_up
    repeat{until}:
        turn:
            choose act{more}

score worth: count c in board where lit of c
"""


def _position(body: str, until: str = "", more: str = "", ask: str = "maximise score until end") -> Position:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return asked(linked(GAME.format(body=lines, until=until, more=more)), ask)


def _refusal(body: str, until: str = "", more: str = "") -> str:
    position = _position(body, until, more)
    assert position.question is not None
    with pytest.raises(Refused) as caught:
        order_free_model(position.asked, position.root, position.question)
    return str(caught.value)


LIGHT = "effect light: lit of to := yes"
PRESS = "effect light: lit of to := not lit of to\neffect weigh: weight += 1"
SET = 'require dark: not lit of to else "it is lit"\neffect light: lit of to := yes'


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            f'require moved: last != to else "no"\n{SET}\neffect move: last := to',
            "`last`, by which the order of actions matters, in line 14 of text 1",
        ),
        (
            'require beside: lit of step(to, W) or column(to) = 0 else "no"\neffect light: lit of to := yes',
            "`lit`, by which the order of actions matters",
        ),
        (
            'require free: not lit of step(to, E) else "no"\neffect light: lit of to := yes',
            "`lit`, by which the order of actions matters",
        ),
        (
            'require little: weight <= 3 else "no"\neffect weigh: weight += 1 + column(to)\neffect light: lit of to := yes',
            "`weight`, by which the order of actions matters",
        ),
        (
            'require both: weight < 3 or not lit of to else "no"\neffect light: lit of to := yes\neffect weigh: weight += 1',
            "the requirements of `act`, which join several variables: the order of actions matters, in line 14 of text 1",
        ),
        (
            'require few: weight < 9 else "no"\neffect weigh: weight := if lit of to then 1 else 2\n' + LIGHT,
            "the effect of `act` on `weight`, which depends on other variables too",
        ),
    ],
)
def test_what_has_an_order_is_refused_by_name_and_line(body: str, why: str) -> None:
    said = _refusal(body)
    assert said.startswith(why) and "in line 14 of text 1" in said


LEVEL = """module level:
    "Whether two variables are equal decides whether an action is legal, and so what it writes."

players 1

space field: square grid 2 x 2

state:
    here:           cell of field = origin of field
    tall of field:  0..9
    big:            0..9

action grow(to in field):
    require level: to in around(here) or tall of here = tall of to else "it is not level"
    effect all: for c in field: tall of c := (tall of c + tall of to) mod 10

procedure set_up:
    first: tall of here := 1

flow:
    set_up
    repeat until big = 9:
        turn:
            choose grow, or stop

score points: big
"""


def test_what_two_variables_decide_is_no_fault() -> None:
    position = asked(linked(LEVEL), "fewest moves until big = 9")
    assert position.question is not None
    with suppress(Refused):
        check_first_moves(position.asked, position.root, position.question)


def test_play_that_may_be_over_too_early_is_checked_by_playing() -> None:
    ask = "maximise score + (if lit of origin of board then 1 else 0) until end"
    position = _position(PRESS, " until lit of origin of board or weight >= 3", ask=ask)
    assert position.question is not None
    model = order_free_model(position.asked, position.root, position.question)
    found = solved_here(model, position.asked, position.root, position.question)
    assert (found.status, found.value) == ("optimal", 4)
    assert found.plan is not None
    cells = [arguments[0] for _, *arguments in found.plan]
    assert len({*cells}) == 3 and cells[-1] == 0  # the first cell ends play: it comes last


def test_a_limit_that_each_action_counts_towards_makes_the_model_exact() -> None:
    position = _position(PRESS, " until weight >= 3")
    assert position.question is not None
    reader = order_free_model(position.asked, position.root, position.question).reader
    actions: ActionSet = reader.actions  # type: ignore[union-attr]
    assert actions.is_exact and [actions.commuting.most_uses(number) for number in range(4)] == [3] * 4


@pytest.mark.parametrize(
    ("name", "value"), [("lights_fewest", -4), ("lights_three", 25), ("lights_row", 22), ("queens_eight", 8)]
)
def test_shipped_puzzles(name: str, value: int) -> None:
    position = Catalogue(Project(paths.ROOT)).position(name)
    question = position.question
    assert question is not None
    model = order_free_model(position.asked, position.root, question)
    floor = question.threshold if question.goal is Goal.REACH else None
    found = solved_here(model, position.asked, position.root, question, floor)
    assert (found.status, found.value) == ("optimal", value)


def test_clique_rows_cover_each_edge_and_nothing_else() -> None:
    near = [{1, 2, 3}, {0, 2, 3}, {0, 1}, {0, 1}, set()]
    rows = [sorted(row) for row in clique_rows(near)]
    assert all(other in near[one] for row in rows for one in row for other in row if one != other)
    assert {(one, other) for row in rows for one in row for other in row if one < other} == {
        (one, other) for one, others in enumerate(near) for other in others if one < other
    }
    assert rows == [[0, 1, 2], [0, 1, 3]]
