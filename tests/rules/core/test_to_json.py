"""The core as JSON, held against the page that describes it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.core.lower import lower
from rulewright.rules.core.program import Core
from rulewright.rules.core.terms import Function, Kind
from rulewright.rules.core.to_json import WORDS, json_of
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from tests.paths import ROOT
from tests.rules.core.from_json import core_of as read_back
from tests.rules.odd_games import odd_game
from tests.rules.playing import linked, shipped

PAGE = (ROOT / "docs" / "core.md").read_text(encoding="utf-8")

BINDERS = {"let": 1, "filter": 1, "image": 1, "closure": 1, "fold": 2, "for": 1}
"""The place of the local in each term or effect that binds one."""


def test_the_page_describes_every_word() -> None:
    described = set(re.findall(r'`\["([a-z]+)"', PAGE))
    assert described == set(WORDS.values())
    assert all(f"`{kind.value}`" in PAGE for kind in Kind)
    assert all(re.search(rf"^\| `{function.value}`, ", PAGE, re.MULTILINE) for function in Function)


def test_the_page_describes_every_field() -> None:
    engine = Engine.of(shipped("classics.pig"), 1)
    found = json_of(lower(engine.instance, engine.flow))
    assert all(f"`{name}`" in PAGE for name in found)


@pytest.mark.parametrize("module", ["beacon_patrol.landmasses", "classics.carcassonne", "penguin_pirates"])
def test_locals_are_numbered_by_those_around_them(module: str) -> None:
    game = shipped(module)
    engine = Engine.of(game, game.players.low)
    found = json.loads(json.dumps(json_of(lower(engine.instance, engine.flow))))
    for definition in found["definitions"].values():
        check(definition["body"], definition["parameters"])
    for action in found["actions"]:
        for at, parameter in enumerate(action["parameters"]):
            check(parameter["domain"], at)
            check(parameter["where"], at + 1)
        check([each["condition"] for each in action["requirements"]], len(action["parameters"]))
        check(action["effects"], len(action["parameters"]))
    check(found["flow"], 0)
    check(list(found["scores"].values()), 0)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost(seed: int) -> None:
    try:
        engine = Engine.of(linked(odd_game(seed)), 2)
    except RulesError:
        return
    core = lower(engine.instance, engine.flow, Horizon("turn", 3))
    assert read_back(json.loads(json.dumps(json_of(core)))) == core


def check(node: Any, depth: int) -> None:
    """Every local is bound, and every binder has the number of locals around it."""
    match node:
        case ["local", number]:
            assert number < depth
        case [str(word), *_] if word in BINDERS and len(node) > BINDERS[word] + 2:
            at = BINDERS[word]
            assert node[at] == depth
            check(node[at + 1], depth)
            check(node[at + 2], depth + 1)
        case list():
            for part in node:
                check(part, depth)
                if isinstance(part, list) and part[:1] == ["name"]:
                    assert part[1] == depth
                    depth += 1
        case _:
            assert node is None or isinstance(node, str | int)


WAYS = """
module ways:
    "Two texts of one meaning."

space board: square grid 3 x 3 of tiles
tiles chips:
    chip x2

define free_near({cell} in board):
    = some {other} in around({cell}): not occupied({other})

action put_chip(to in board):
    require free: free_near(to) and not occupied(to)
    effect lay: put chip at to from box

flow:
    repeat:
        choose put_chip
"""


def core_of(cell: str, other: str) -> Core:
    engine = Engine.of(linked(WAYS.format(cell=cell, other=other)), 1)
    return lower(engine.instance, engine.flow)


def test_names_of_locals_do_not_tell() -> None:
    assert core_of("c", "n") == core_of("from_cell", "to_cell")


def test_terms_know_their_place() -> None:
    core, lines = core_of("c", "n"), WAYS.splitlines()
    assert "some" in lines[core.definitions["free_near"].body.span.line - 1]
    assert "require" in lines[core.actions[0].requirements[0].condition.span.line - 1]
    assert "effect" in lines[core.actions[0].effects[0].span.line - 1]
