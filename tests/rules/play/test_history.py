"""What wrote a value: planted writes are found with their clauses, and all changes together are the play."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.history import describe_change, describe_place, history, subject_named
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.visibility import Viewer
from tests.rules.playing import linked, shipped

from .whole_history import check_history

ORCHARD = """\
module orchard:
    "Apples ripen, are picked and go into the pie; a bird comes in between."

players 2

space field: square grid 2 x 2 of tiles

tiles fruit:
    apple  x4
    pear   x4

state:
    water:            0..9 = 5
    ripe of field:    truth
    basket of player: pile of tiles
    larder of player: set of tiles, owner only
    bird:             cell of field
    nest of player:   cell of field, owner only
    shield:           truth

procedure open_up:
    fill: for p in players: deal 3 from box to basket of p

procedure night:
    dry:   if water > 0: water -= 1
    rot:
        for c in field where occupied(c):
            if water = 0: ripe of c := no
            else: ripe of c := yes
    lower: shield := no

whenever planted: put t at c from basket of p:
    drink: water -= 1

action plant(f in basket of player, to in field):
    require free: not occupied(to) else "something grows there"
    effect dig:  put f at to
    effect fly:  bird := to
    effect hide: nest of player := to
    effect hold: shield := yes cite orchard.shield

action pick(c in field):
    require there: occupied(c) else "nothing grows there"
    effect reap: take c to larder of player

flow:
    open_up
    repeat:
        for player in players:
            turn:
                choose plant, pick or stop
        night
"""


def line_of(words: str) -> int:
    return next(number for number, line in enumerate(ORCHARD.split("\n"), 1) if words in line)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.of(linked(ORCHARD), 2)


def found(engine: Engine, name: str, actions: list[str], player: int | None = None) -> list[tuple[Any, ...]]:
    state = engine.start(1)
    for text in actions:
        state = after(engine, state, text)
    subject = subject_named(engine, name)
    viewer = Viewer(everything=player is None, player=player)
    written = history(engine, engine.start(1), actions, 1)
    entries = [entry for entry in written if subject.is_in(engine, state, viewer, entry.change)]
    return [
        (
            entry.ply,
            entry.action,
            describe_place(engine, entry.change),
            describe_change(engine, state, viewer, entry.change),
            entry.write.clause,
            entry.write.span.line,
        )
        for entry in entries
    ]


def after(engine: Engine, state: State, text: str) -> State:
    (move,) = (move for move in engine.legal(state) if format_move(engine, state, move) == text)
    return engine.apply(state, move)


def actions_of(engine: Engine) -> list[str]:
    """Player 1 plants the first fruit of the basket, player 2 picks it, and 1 stops."""
    first = next(format_move(engine, engine.start(1), move) for move in engine.legal(engine.start(1)))
    return [first, "pick (0,0)", "stop"]


def test_each_planted_write_is_found_with_its_clause(engine: Engine):
    actions = actions_of(engine)
    plant = actions[0]
    fruit = plant.split()[1]
    assert found(engine, "shield", actions) == [
        (1, plant, "shield", "no → yes", "plant.hold", line_of("effect hold")),
        (2, "pick (0,0)", "shield", "yes → no", "night.lower", line_of("lower:")),
    ]
    assert found(engine, "water", actions) == [
        (1, plant, "water", "5 → 4", "planted.drink", line_of("drink:")),
        (2, "pick (0,0)", "water", "4 → 3", "night.dry.1", line_of("dry:")),
    ]
    assert [row[3:] for row in found(engine, "bird", actions)] == [("nowhere → (0,0)", "plant.fly", line_of("effect fly"))]
    first, second, *_ = found(engine, "basket of 1", actions)
    assert first[:2] == (0, "set-up") and first[4:] == ("open_up.fill.1", line_of("fill:"))
    assert second[3:5] == (f"loses {fruit} (2 tiles)", "plant.dig")
    assert found(engine, "larder of 2", actions) == [
        (2, "pick (0,0)", "larder of 2", f"gains {fruit} (1 tile)", "pick.reap", line_of("effect reap"))
    ]
    assert found(engine, "larder of 1", actions) == []


def test_a_cell_has_the_history_of_all_that_lies_and_stands_there(engine: Engine):
    rows = found(engine, "(0,0)", actions_of(engine))
    assert [row[2] for row in rows] == ["field of (0,0)", "bird", "nest of 1", "field of (0,0)"]
    assert [row[4] for row in rows] == ["plant.dig", "plant.fly", "plant.hide", "pick.reap"]
    assert found(engine, "field (0, 0)", actions_of(engine)) == [rows[0], rows[3]]
    assert found(engine, "(1,1)", actions_of(engine)) == []


def test_loops_of_the_flow_are_writes_with_their_line(engine: Engine):
    rows = found(engine, "player", actions_of(engine))
    assert [row[3] for row in rows] == ["1 → 2", "2 → 1"]
    assert {row[4:] for row in rows} == {("flow.player", line_of("for player"))}


def test_nested_effects_have_the_clause_around_them(engine: Engine):
    plant = actions_of(engine)[0]
    second = after(engine, engine.start(1), plant)
    also = next(text for move in engine.legal(second) if "(1,0)" in (text := format_move(engine, second, move)))
    assert [(row[0], *row[2:]) for row in found(engine, "ripe", [plant, also])] == [
        (2, f"ripe of {cell}", "no → yes", "night.rot.1.else.1", line_of("else: ripe")) for cell in ("(0,0)", "(1,0)")
    ]


def test_hidden_tiles_are_counted_only(engine: Engine):
    (row,) = found(engine, "larder of 2", actions_of(engine)[:2], player=1)
    assert row[3] == "gains 1 (1 tile)"


def test_a_hidden_place_is_not_betrayed_by_its_cell(engine: Engine):
    def names(player: int | None) -> list[str]:
        return [row[2] for row in found(engine, "(0,0)", actions_of(engine), player)]

    assert names(None) == names(1) == ["field of (0,0)", "bird", "nest of 1", "field of (0,0)"]
    assert names(2) == ["field of (0,0)", "bird", "field of (0,0)"]
    assert [row[3] for row in found(engine, "nest", actions_of(engine), 2)] == ["changes, owner only"]


@pytest.mark.parametrize("name", ["shields", "larder of 3", "field (2,0)", "(9,9)", ""])
def test_what_has_no_history(engine: Engine, name: str):
    with pytest.raises(RulesError, match="there is no variable, zone or cell"):
        subject_named(engine, name)


def played(engine: Engine, state: State, seed: int, most: int) -> tuple[list[str], list[State]]:
    chance, actions, states = random.Random(seed), [], []
    while not engine.over(state) and len(actions) < most:
        move = chance.choice(engine.legal(state))
        actions.append(format_move(engine, state, move))
        state = engine.apply(state, move)
        states.append(state)
    return actions, states


@pytest.mark.parametrize(("name", "players"), [("beacon_patrol", 2), ("classics.hanoi", 1), ("penguin_pirates", 3)])
def test_the_changes_are_the_whole_play(name: str, players: int):
    """Made in order in the state before the set-up, they give every state of a game, from the compiled engine."""
    engine = Engine.of(shipped(name), players)
    actions, states = played(engine, engine.start(7), 7, 12)
    assert check_history(engine, [engine.start(7), *states], actions, 7) >= len(actions)
