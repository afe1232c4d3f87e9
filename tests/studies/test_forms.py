"""What mutation, differences and traces make of each form: mutants that play shows, and what is said of a change."""

from __future__ import annotations

from typing import get_args

import pytest

from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.rules.clauses.clause_diff import Comparison
from rulewright.rules.clauses.mutants import mutants
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.playing import MODULES
from tests.studies.test_constructs import GAMES, _nodes, of

NOT_PLAYED = {
    "Change",
    "DropItem",
    "Format",
    "Look",
    "NeededDefinition",
    "NeededNames",
    "NeededPattern",
    "NeededPieces",
    "NeededRule",
    "NeededSpace",
    "NeededVariable",
}
"""What stands in modules that change or leave out something."""


def test_every_form_is_in_a_game_that_is_mutated_and_traced() -> None:
    seen = {type(node) for path in GAMES for node in _nodes(of(path).parse(path))}
    forms = (expressions.Expression, statements.Statement, statements.FlowStatement, modules.Item)
    missing = {form.__name__ for union in forms for form in get_args(union) if form not in seen}
    assert missing == NOT_PLAYED


NOTICED = {
    "duels": [
        "ride.victim: `or none` dropped",
        "boast.how: `or none` dropped",
        "ride.hit: `condition` negated",
        "arm.something: requirement dropped",
    ],
    "gardens": [
        "grow.life: `where` negated",
        "water.near: effect dropped",
        "exchange.over: labelled dropped",
        "teach.learn: `condition` negated",
        "thriving: 3 -> 2",
    ],
    "caves": [
        "walk.go: effect dropped",
        "camp.sleep: effect dropped",
        "walk.seen: effect dropped",
        "set_up.start: labelled dropped",
    ],
    "markets": ["set_up.dear: 3 -> 2", "buy.paid: `>=` -> `>`", "buy.store: 1 -> 0", "sail.look: yes -> no"],
    "tides": [
        "near_rocks: `where` negated",
        "drift.sail: effect dropped",
        "grown.small: 2 -> 1",
        "further: `condition` negated",
    ],
    "fleets": ["ships.boat: 2 -> 1", "ships.crab: piece line dropped", "ships.buoy: 1 -> 0", "launch.p: `where` negated"],
}
"""Mutants of each form that two actions of play show."""


def game_of(module: modules.Module) -> Game:
    return link({module.header.name: module}, [module.header.name])


def shown(game: Game) -> list[object]:
    """What there is to do at the beginning, and what some actions lead to: moves, scores and faults."""
    engine = ReferenceEngine(Engine.of(game, game.players.high))
    start = engine.start(0)
    moves = engine.legal(start)
    seen: list[object] = [moves]
    for move in [*moves[:6], *moves[-8:]]:
        try:
            after = engine.apply(start, move)
            seen.append((after, engine.legal(after), engine.score(after)))
        except PlayError as error:
            seen.append(error.diagnostics[0].code)
    return seen


@pytest.mark.parametrize("name", NOTICED)
def test_mutants_of_each_form_play_otherwise(name: str) -> None:
    module = parse_module((MODULES / f"{name}.rules").read_text("utf-8"), name)
    found = {mutant.name: mutant.module for mutant in mutants(module)}
    assert set(NOTICED[name]) <= found.keys()
    before = shown(game_of(module))
    alike = [mutant for mutant in NOTICED[name] if shown(game_of(found[mutant])) == before]
    assert alike == []


CHANGED = [
    ("duels", "change ride:\n    replace parameter victim in players where victim != player\n", "ride(victim)"),
    ("duels", "change arm:\n    add parameter by in players or none\n", "arm(by)"),
    ("gardens", "change grow:\n    replace life: alive := alive or beds\n", "grow.life"),
    ("gardens", "change dry:\n    drop reached\n", "dry.reached"),
    ("gardens", "change pull:\n    replace mark: tended of p := {}\n", "pull.mark"),
    ("caves", "change open_to:\n    replace value: around(lamp of p) and trail of p\n", "open_to.value"),
    ("markets", "change buy:\n    replace store: stock of player of g += 2\n", "buy.store"),
    ("tides", "change further:\n    replace value: let a = 1: a > n\n", "further.value"),
    ("fleets", "change ships: boat x3\n", "ships.boat"),
]
"""By module a change of one form, and what is said to be other."""


@pytest.mark.parametrize(("name", "change", "said"), CHANGED)
def test_differences_say_what_became_of_a_form(name: str, change: str, said: str) -> None:
    path = MODULES / f"{name}.rules"
    project = of(path)
    before = project.combine(path)
    changed = parse_module(f"module other:\n    extends {name}\n\n{change}", "other")
    after = project.with_modules({path.with_name("other.rules"): changed}).combine(path.with_name("other.rules"))
    found = Comparison.of(before.book, after.book).differences
    assert [str(one.place) for one in found] == [said]
