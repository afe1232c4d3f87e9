"""Spaces without bounds in the check: what is said of rules holds in windows of any size."""

from __future__ import annotations

import pytest

from rulewright.rules.checks import check_game
from rulewright.rules.clashes import suspects
from rulewright.rules.engine import Engine
from tests.rules.test_flaws import game_of

SEA = """
module open_sea:
    "Boats on a sea without bounds."

terrain water, land
marker lamp

players 1..1

space sea: {space} of tiles

tiles boats:
    boat   x9
    lit    x9    lamp

state:
    ship of player: cell of sea

define worth(c):
    = 1
    one:   2 when {one}
    other: 3 when {other}

action go(to in around(ship of player)):
    require allowed: {require}
    effect lay: put boat at to from box
    effect sail: ship of player := to

procedure set_up:
    begin: put boat at origin of sea from box
    board: for p in players: ship of p := origin of sea

flow:
    set_up
    for player in players:
        repeat: choose go, or stop

score worth: sum worth(c) for c in sea where occupied(c)
"""

OPEN = "square grid"

WHERE = (
    "row(to) < 0",
    "distance(to, origin of sea) > 0",
    "(count c in sea where occupied(c)) >= 1",
    "some n in around(to): occupied(n)",
    "not occupied(to) and (some n in line(to, N): n != to)",
    "step(to, N) != to",
)


def rules(space: str = OPEN, one: str = "no", other: str = "no", require: str = "not occupied(to)") -> str:
    return SEA.format(space=space, one=one, other=other, require=require)


@pytest.mark.parametrize("condition", WHERE)
def test_what_may_hold_on_some_cell(condition: str) -> None:
    """Each holds for some cell of a game that begins; it never does on a board of one cell."""
    game = game_of([rules(require=f"not occupied(to) and ({condition})")])
    assert [d.code for d in check_game(game)] == []
    engine = Engine.of(game, 1)
    assert len(engine.legal(engine.start())) > 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("row(c) < 0", "at(c) = boat"),
        ("column(c) > 3", "row(c) > 3"),
        ("distance(c, origin of sea) > 1", "at(c) = boat"),
        ("some n in around(c): at(n) = boat", "at(c) = boat"),
        ("(count d in sea where occupied(d)) > 2", "at(c) = boat"),
        ("occupied(step(c, N))", "occupied(step(c, S))"),
    ],
)
def test_what_may_hold_at_once(one: str, other: str) -> None:
    assert len(suspects(game_of([rules(one=one, other=other)]))) == 1


@pytest.mark.parametrize(("one", "other"), [("row(c) < 0", "row(c) >= 0"), ("row(c) < 0", "row(c) = 1 and at(c) = boat")])
def test_what_excludes_each_other(one: str, other: str) -> None:
    assert suspects(game_of([rules(one=one, other=other)])) == ()


def test_a_board_with_bounds_is_known() -> None:
    assert [d.code for d in check_game(game_of([rules("square grid 3 x 3", require="row(to) < 0")]))] == ["RW260"]
