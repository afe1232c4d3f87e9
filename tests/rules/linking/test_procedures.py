"""Procedures with parameters: values given once, before the body; names that hide nothing; what is refused."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.playing import linked

HEAD = """
module counter:
    "A counter."

space row_of: square grid 3 x 1
space pond: square grid 3 x 1 of tiles

tiles fish:
    carp  x3

state:
    here:  0..99 = 2
    there: 0..99 = 5
    pool:  pile of tiles
    hand of player: set of tiles

action go:
    effect go: {call}

flow:
    {run}
    choose go
"""


def outcome(procedures: str, call: str = "here += 0", run: str = "for player in players: choose go") -> tuple[object, ...]:
    """What `here` and `there` are after the action, in both readings."""
    game = linked(HEAD.format(call=call, run=run) + "\n" + procedures)
    engine = Engine.of(game, 1)
    state = engine.start(1)
    (move,) = engine.legal(state)
    after = engine.apply(state, move)
    assert after == ReferenceEngine(engine).apply(state, move)
    return tuple(after[engine.layout.position(name, None)] for name in ("here", "there"))


def codes(procedures: str, call: str = "here += 0", run: str = "for player in players: choose go") -> list[str]:
    with pytest.raises(RulesError) as error:
        linked(HEAD.format(call=call, run=run) + "\n" + procedures)
    return [f"{found.code} {found.message}" for found in error.value.diagnostics]


def test_a_value_is_what_it_was_before_the_body() -> None:
    assert outcome("procedure add(n):\n    here += n\n    there += n", "do add(here)") == (4, 7)


def test_the_values_are_those_of_the_caller_whatever_names_are_alike() -> None:
    text = """procedure outer(a, b):
    do inner(b, a)

procedure inner(a, b):
    for c in {b}: here += 10 * a + c
"""
    assert outcome(text, "do outer(1, 2)") == (2 + 21, 5)


def test_a_bound_name_of_the_caller_is_not_hidden() -> None:
    text = "procedure add(n, m):\n    here += 10 * n + m"
    assert outcome(text, "for m in 1..2: do add(m + 1, m)") == (2 + 21 + 32, 5)


def test_a_zone_of_a_parameter_is_left() -> None:
    text = """procedure stock:
    move all box to pool
    deal 2 from pool to hand of player

procedure throw(t in hand of player):
    move t to pool
    here := size(hand of player)
"""
    assert outcome(text, "do throw(carp)", "for player in players: stock")[0] == 1


def test_values_in_the_flow() -> None:
    assert outcome("procedure add(n):\n    there += n", run="add(here + 1)") == (2, 8)


def test_a_set_is_what_it_was_before_the_body() -> None:
    text = """procedure count_all(s, t):
    for n in s: here += n
    let both = s and t
    there += size(both)
"""
    assert outcome(text, "do count_all({here, there}, 0..here)") == (2 + 7, 5 + 1)


def test_a_zone_that_is_given_stays_as_it_was() -> None:
    text = """procedure stock:
    move all box to pool

procedure empty_out(tiles_there, p in players):
    move all pool to hand of p
    here += 10 * size(tiles_there) + size(hand of p)
"""
    assert outcome(text, "for player in players: do empty_out(pool, player)", "stock")[0] == 2 + 30 + 3


def test_a_set_under_a_name_stays_as_it_was() -> None:
    text = """procedure shift:
    let below = 0..here
    here := 10
    here += size(below)
"""
    assert outcome(text, "do shift") == (13, 5)


@pytest.mark.parametrize(
    ("procedures", "call", "said"),
    [
        ("procedure add(n):\n    here += n", "do add", ["RW150 wrong number of arguments for `add`: expected 1, found 0"]),
        ("procedure add:\n    here += 1", "do add(1)", ["RW150 wrong number of arguments for `add`: expected 0, found 1"]),
        ("procedure add(n):\n    here += n", "do add(carp)", ["RW200 expected a number, found a tile"]),
        ("procedure add(n in 0..3):\n    do add(n)", "do add(1)", ["RW113 the procedure `add` runs itself"]),
        ("procedure add(n):\n    here += n", "do sub(1)", ["RW112 there is no procedure `sub`"]),
        (
            "procedure add(s):\n    here += size(s)",
            "do add(3)",
            ["RW200 expected a set of numbers, found a number"],
        ),
        (
            "procedure add(n in 0..3):\n    here += n",
            "do add({1, 2})",
            ["RW200 expected a number, found a set of numbers"],
        ),
    ],
)
def test_what_is_refused(procedures: str, call: str, said: list[str]) -> None:
    assert codes(procedures, call) == said


def test_too_few_values_in_the_flow() -> None:
    assert codes("procedure add(n):\n    here += n", run="add") == [
        "RW150 wrong number of arguments for `add`: expected 1, found 0"
    ]


def test_a_change_reaches_the_body_wherever_it_is_run() -> None:
    base = HEAD.format(call="do add(1)", run="add(2)") + "\nprocedure add(n):\n    more: here += n"
    changed = "module twice:\n    extends counter\n\nchange add:\n    replace more: here += 2 * n\n"
    engine = Engine.of(linked(base, changed), 1)
    state = engine.start(1)
    after = engine.apply(state, engine.legal(state)[0])
    assert after[engine.layout.position("here", None)] == 2 + 4 + 2
