"""Actions like a base action, with parameters fixed: the value takes the parameter's place, and has to be in its domain."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model.state import STOP
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.static.static_checks import check_game
from tests.rules.playing import linked

BASE = """
module beach:
    "A beach."

space shore: square grid 2 x 1 of tiles

tiles pieces:
    tower  x1
    hut    x1

state:
    stock: set of tiles
    spent: 0..99

base action erect(piece in stock, to in shore, cost in 1..3 where cost > size(stock) - 2):
    "A piece on the beach."
    require vacant: not occupied(to) else "there is something already"
    require sparing: not some n in around(to): at(n) = piece
    effect place: put piece at to
    effect pay: spent += cost

procedure set_up:
    move all box to stock

flow:
    set_up
    repeat: choose {choices}, or stop

score left: size(stock)
"""


def beach(items: str, choices: str = "build") -> Engine:
    return Engine.of(linked(BASE.format(choices=choices) + "\n" + items), 1)


def moves(engine: Engine, steps: int = 0) -> list[str]:
    """What may be done after the first legal move was done some times, in both readings."""
    state = engine.start(1)
    for _ in range(steps):
        state = engine.apply(state, engine.legal(state)[0])
    assert engine.legal(state) == list(ReferenceEngine(engine).legal(state))
    return [format_move(engine, state, move) for move in engine.legal(state) if move != STOP]


def test_the_parameter_goes() -> None:
    engine = beach("action build:\n    like erect with piece = tower, cost = 2")
    assert moves(engine) == ["build (0,0)", "build (1,0)"]
    assert moves(engine, 1) == []


def test_its_domain_and_condition_are_required() -> None:
    assert moves(beach("action build:\n    like erect with cost = 4")) == []
    assert moves(beach("action build:\n    like erect with cost = size(stock)")) != []
    (broken,) = beach("action build:\n    like erect with piece = hut, cost = 1:\n        drop vacant").game.actions.values()
    assert [requirement.name for requirement in broken.requirements] == ["build.cost", "build.piece", "build.sparing"]


def test_the_tile_leaves_the_zone_of_the_domain() -> None:
    engine = beach("action build:\n    like erect with piece = tower, cost = 3")
    state = engine.start(1)
    after = engine.apply(state, engine.legal(state)[0])
    assert after[engine.layout.position("spent", None)] == 3
    assert engine.score(after) == 1


def test_it_is_offered_by_nobody_and_nothing_is_said_of_it() -> None:
    game = linked(BASE.format(choices="build") + "\naction build:\n    like erect with piece = hut")
    assert list(game.actions) == ["build"]
    assert "RW264" not in {found.code for found in check_game(game).diagnostics}


def test_a_change_of_the_base_reaches_those_like_it() -> None:
    base = BASE.format(choices="build") + "\naction build:\n    like erect with piece = hut, cost = 1"
    more = 'module more:\n    extends beach\n\nchange erect:\n    require cheap: cost > 1 else "too cheap"\n'
    assert moves(Engine.of(linked(base, more), 1)) == []


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ("action build:\n    like erect with peace = hut", "RW105 `erect` has no parameter `peace`"),
        ("action build:\n    like erect with piece = 3", "RW200 expected a tile, found a number"),
        (
            "action build(n in shore):\n    like erect with piece = at(n)",
            "RW105 `n` already has another meaning inside the action",
        ),
    ],
)
def test_what_is_refused(items: str, said: str) -> None:
    with pytest.raises(RulesError) as error:
        beach(items)
    assert said in [f"{found.code} {found.message}" for found in error.value.diagnostics]


def test_a_base_action_in_a_choice() -> None:
    with pytest.raises(RulesError) as error:
        beach("action build:\n    like erect with piece = hut", "build, erect")
    assert [found.code for found in error.value.diagnostics] == ["RW154"]


def test_what_is_wrong_in_a_base_action_is_found() -> None:
    with pytest.raises(RulesError) as error:
        beach("base action other:\n    effect pay: spend += 1\n\naction build:\n    like erect with piece = hut")
    assert [found.code for found in error.value.diagnostics] == ["RW208"]


CHANGES = {
    "added": "add parameter also in shore or none",
    "opened": "replace parameter to in shore or none\n    replace place: if to is not none: put piece at to\n    drop vacant\n"
    "    drop sparing",
}


@pytest.mark.parametrize(("change", "fixed"), [("added", "also"), ("opened", "to")])
def test_a_parameter_that_a_change_adds_or_opens_is_fixed(change: str, fixed: str) -> None:
    """By the module that changes the action, and by one that extends it."""
    base = BASE.format(choices="build") + "\naction build:\n    like erect with piece = hut, cost = 2\n"
    changed = f"module house:\n    extends beach\n\nchange erect:\n    {CHANGES[change]}\n"
    alone = f"action quiet:\n    like erect with piece = hut, cost = 2, {fixed} = none\n\ndrop flow\n\n"
    alone += "flow:\n    set_up\n    repeat: choose quiet, or stop"
    one = Engine.of(linked(base, f"{changed}\n{alone}\n"), 1)
    two = Engine.of(linked(base, changed, f"module yard:\n    extends house\n\n{alone}\n"), 1)
    expected = ["quiet (0,0)", "quiet (1,0)"] if change == "added" else ["quiet"]
    assert moves(one) == moves(two) == expected
