"""Spaces without bounds in the check: what is said of rules holds in windows of any size."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.model.state import STOP
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.exception_overlap import candidate_overlaps
from rulewright.rules.static.static_checks import check_game
from tests.rules.test_explanations import game_of

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
    assert len(candidate_overlaps(game_of([rules(one=one, other=other)]))) == 1


@pytest.mark.parametrize(("one", "other"), [("row(c) < 0", "row(c) >= 0"), ("row(c) < 0", "row(c) = 1 and at(c) = boat")])
def test_what_excludes_each_other(one: str, other: str) -> None:
    assert candidate_overlaps(game_of([rules(one=one, other=other)])) == ()


def test_a_board_with_bounds_is_known() -> None:
    assert [d.code for d in check_game(game_of([rules("square grid 3 x 3", require="row(to) < 0")]))] == ["RW260"]


def number(rng: random.Random, depth: int) -> str:
    """A number that hangs on where things are."""
    cell, other = (rng.choice(("to", "ship of player", "origin of sea", f"step(to, {rng.choice('NESW')})")) for _ in range(2))
    forms = [f"row({cell})", f"column({cell})", f"distance({cell}, {other})", "(count c in sea where occupied(c))"]
    forms += [f"(count n in around({cell}) where {condition(rng, depth - 1)})"] if depth else []
    return rng.choice([*forms, str(rng.randrange(-2, 4))])


def condition(rng: random.Random, depth: int) -> str:
    """A random condition on the cell where a boat would go."""
    if depth and rng.random() < 0.6:
        joined = f" {rng.choice(('and', 'or'))} ".join(condition(rng, depth - 1) for _ in range(2))
        return f"(not ({joined}))" if rng.random() < 0.3 else f"({joined})"
    line = f"(some n in line(to, {rng.choice('NESW')}): occupied(n))"
    compared = f"{number(rng, depth)} {rng.choice(('=', '<', '>=', '!='))} {number(rng, depth)}"
    return rng.choice([compared, compared, line, "(every n in around(to): occupied(n))"])


@pytest.mark.parametrize("seed", range(40))
def test_what_never_holds_does_not_in_play_either(seed: int) -> None:
    """Random conditions: of what the check refuses, no game that goes on without it ever meets one."""
    rng = random.Random(seed)
    for asked in (condition(rng, 2) for _ in range(5)):
        refused = "RW260" in {d.code for d in check_game(game_of([rules(require=asked)]))}
        free = game_of([rules(one="no").replace("score worth", f"score met: {count_of(asked)}\n\nscore worth")])
        engine = Engine.of(free, 1)
        state, met = engine.start(), 0
        for _ in range(8):
            met += engine.scores[0](state)
            state = engine.apply(state, rng.choice([move for move in engine.legal(state) if move != STOP]))
        assert not (refused and met), asked


def count_of(asked: str) -> str:
    """How many cells around the ship meet a condition."""
    return f"sum (count to in around(ship of player) where not occupied(to) and {asked}) for player in players"
