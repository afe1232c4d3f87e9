"""What two modules that do not know each other cannot both say, who settles it, and that no order decides anything."""

from __future__ import annotations

from itertools import permutations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from tests.rules.port import BASE, linked, module, spent

CLAIMS = {
    "cost": ("change cost:\n    replace value: 1", "change cost:\n    replace value: 3"),
    "a case": ("change cost:\n    drop dear", "change cost:\n    replace dear: 1 when n = 1"),
    "inside a case": ("change cost:\n    drop dear", "change cost:\n    replace dear.whole: 1 when n = 1"),
    "a case in one that is dropped": ("change cost:\n    drop dear", "change cost:\n    dear.half: 1 when n = 1"),
    "a case in one that is rewritten": (
        "change cost:\n    replace dear: 1 when n > 2:\n        whole: 4 when n = 3",
        "change cost:\n    drop dear.whole",
    ),
    "a requirement": ("change buy:\n    drop paid", "change buy:\n    replace paid: yes"),
    "one name": ("change buy:\n    require new: n = 1", "change buy:\n    require new: n = 2"),
    "a parameter": ("change buy:\n    replace parameter n in 1..2", "change buy:\n    replace parameter n in 2..3"),
    "a parameter of one name": ("change buy:\n    add parameter t in 1..2", "change buy:\n    add parameter t in 2..3"),
    "once": ("change pray:\n    drop once", "change pray:\n    drop once"),
    "a cell": ("change price: coins[1] = 3", "change price: coins[1] = 4"),
    "a row": ("change price:\n    add row 3: 1 1", "change price:\n    add row 3: 2 2"),
    "a tile": ("change kinds:\n    open x1", "change kinds:\n    open x2"),
    "a new tile": ("change kinds:\n    add reef x1", "change kinds:\n    add reef x2"),
    "a statement": ("change tolls:\n    drop all", "change tolls:\n    replace all.toll: purse := 0"),
    "notation": ('change buy:\n    notation "buy {n}"', 'change buy:\n    notation "take {n}"'),
    "a score": ("change wealth:\n    replace value: 1", "change wealth:\n    replace value: 2"),
    "players": ("players 1..1", "players 2..2"),
    "ranks": ('rank by score:\n    "A" 0..', 'rank by score:\n    "B" 0..'),
    "a drop": ("drop action borrow", "change borrow:\n    drop room"),
    "a drop of what is offered": ("drop action borrow", "change flow:\n    add borrow to day"),
    "a drop of what is run": ("drop procedure tolls", "change flow:\n    before day: tolls"),
    "two drops": ("drop action borrow", "drop action borrow"),
    "two new versions": ("drop define cost\ndefine cost(n) = 1", "drop define cost\ndefine cost(n) = 2"),
    "a choice": ("change flow:\n    drop buy from day", "change flow:\n    drop buy from day"),
    "a point": ("change flow:\n    replace day:\n        choose pray", "change flow:\n    add borrow to day"),
}


@pytest.mark.parametrize("what", CLAIMS)
def test_unrelated_modules_conflict(what: str) -> None:
    one, other = CLAIMS[what]
    with pytest.raises(RulesError) as error:
        linked(module("one", one), module("other", other), roots=("one", "other"))
    for diagnostic in error.value.diagnostics:
        assert diagnostic.code == "RW104"
        assert "`one`" in diagnostic.message + diagnostic.labels[1].text
        assert "`other`" in diagnostic.message + diagnostic.labels[0].text
        assert [label.span.source for label in diagnostic.labels] == ["3", "2"]


@pytest.mark.parametrize("what", [what for what in CLAIMS if what not in ("inside a case", "a statement")])
def test_each_alone_is_no_mistake(what: str) -> None:
    for items in CLAIMS[what]:
        if "choose pray" not in items:
            linked(module("one", items))


@pytest.mark.parametrize(("what", "costs"), [("cost", [3, 3]), ("a cell", [4, 8]), ("two new versions", [2, 2])])
def test_a_module_that_extends_the_other_has_the_last_word(what: str, costs: list[int]) -> None:
    one, other = CLAIMS[what]
    engine = Engine.of(linked(module("one", one), module("other", other, "one")), 1)
    assert [spent(engine, n) for n in (1, 2)] == costs


SETTLED = {
    "cost": ("change cost:\n    replace value: 4", [1, 2], [4, 4]),
    "a case": ("change cost:\n    replace dear: 6 when n = 2", [1, 2, 3], [2, 6, 6]),
    "inside a case": ("change cost:\n    drop dear", [1, 2, 3], [2, 4, 6]),
    "a case in one that is rewritten": ("change cost:\n    drop dear", [1, 2, 3], [2, 4, 6]),
    "a requirement": ("change buy:\n    replace paid: n = 2", [2], [4]),
    "one name": ("change buy:\n    replace new: n = 2", [2], [4]),
    "a cell": ("change price: coins[1] = 5", [1, 2], [5, 10]),
    "a row": ("change price:\n    add row 3: 9 9", [1, 2], [2, 4]),
    "two new versions": ("drop define cost\ndefine cost(n) = 7", [1, 2, 3], [7, 7, 7]),
    "two drops": ("drop action borrow", [1, 2], [2, 4]),
    "a drop": ("drop action borrow", [1, 2], [2, 4]),
    "players": ("players 1..1", [1, 2], [2, 4]),
    "ranks": ('rank by score:\n    "C" 0..', [1, 2], [2, 4]),
    "a choice": ("change flow:\n    drop buy from day\n    add borrow to day", [], []),
    "a point": ("change flow:\n    replace day:\n        choose buy or stop", [1, 2], [2, 4]),
}


@pytest.mark.parametrize("what", SETTLED)
def test_a_third_module_settles(what: str) -> None:
    one, other = CLAIMS[what]
    judge, legal, costs = SETTLED[what]
    texts = module("one", one), module("other", other), module("judge", judge, "one, other")
    engine = Engine.of(linked(*texts), 1)
    buy = list(engine.game.actions).index("buy")
    assert [move[1] for move in engine.legal(engine.start()) if move[0] == buy] == legal
    assert [spent(engine, n) for n in legal] == costs


def test_who_extends_only_one_settles_nothing() -> None:
    one, other = CLAIMS["cost"]
    texts = module("one", one), module("other", other), module("third", "change cost:\n    replace value: 4", "one")
    with pytest.raises(RulesError) as error:
        linked(*texts, roots=("other", "third"))
    said = [diagnostic.message for diagnostic in error.value.diagnostics]
    assert said == ["`one` and `other` both change `cost.value`", "`other` and `third` both change `cost.value`"]


def test_two_who_settle_it_conflict_themselves() -> None:
    one, other = CLAIMS["cost"]
    judges = [module(name, f"change cost:\n    replace value: {n}", "one, other") for n, name in enumerate(["judge", "jury"])]
    with pytest.raises(RulesError) as error:
        linked(module("one", one), module("other", other), *judges, roots=("judge", "jury"))
    assert [d.message for d in error.value.diagnostics] == ["`judge` and `jury` both change `cost.value`"]


COMMUTING = (
    ("change cost:\n    replace dear: 7 when n > 2", "change cost:\n    dear.half: 1 when n = 4"),
    ("change cost:\n    replace dear: 7 when n > 2", "change cost:\n    replace dear.whole: 6 when n = 3"),
    ("change price: coins[1] = 3", "change price: coins[2] = 3"),
    ("change ebb:\n    purse := 3", "change ebb:\n    purse := 4"),
    ("change flow:\n    before day: ebb", "change flow:\n    after day: ebb"),
)


@pytest.mark.parametrize(("one", "other"), COMMUTING)
def test_what_does_not_touch_stands_side_by_side(one: str, other: str) -> None:
    linked(module("one", one), module("other", other), roots=("one", "other"))


def test_the_order_of_modules_decides_nothing() -> None:
    texts = [
        module("zeta", "change cost:\n    replace value: n\nmarker zed"),
        module("alpha", "change price: coins[1] = 7\nmarker ay"),
        module("mid", "change cost:\n    replace dear: n when n > 1\nmarker em", "zeta"),
    ]
    games = []
    for order in permutations(range(3)):
        modules = [parse_module(text, name) for text, name in zip((BASE, *texts), "bzam", strict=True)]
        shown = [modules[0], *(modules[1 + at] for at in order)]
        games.append(link({m.header.name: m for m in shown}, [shown[at].header.name for at in (3, 1, 2)]))
    assert all(game == games[0] for game in games)
