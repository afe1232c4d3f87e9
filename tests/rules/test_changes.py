"""Every way to change a module, what conflicts, who settles it, and that the order of the command line decides nothing."""

from __future__ import annotations

from itertools import permutations

import pytest

from rulewright.grammar.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.rules.engine import STOP, Engine
from rulewright.rules.from_tree import link
from rulewright.rules.game import Game

BASE = """
module port:
    "A port."

terrain water, land
marker buoy

space sea: square grid 3 x 1 of tiles

tiles kinds:
    open  x3
    shore x2    land N

table price by players:
    players: coins ships
    1:       2     3

state:
    purse: 0..99 = 10
    fleet: 0..9
    dock:  set of tiles

define cost(n):
    = n * price.coins(player_count)
    dear: 20 when n > 2:
        whole: 15 when n = 3

action buy(n in 1..3):
    require paid: purse >= cost(n) else "too dear"
    require room: fleet < 9
    effect pay: purse -= cost(n)
    effect more: fleet += n

action borrow(n in 1..3):
    like buy:
        drop paid
        replace pay: purse := purse

procedure open_up:
    fill:  move all box to dock
    start: fleet := 1

procedure ebb:
    sink: fleet := max(0, fleet - 1)

flow:
    open_up
    repeat:
        day:
            choose buy, or stop
        ebb

score wealth: purse + fleet

invariant afloat: fleet >= 0
"""


def module(name: str, items: str, extends: str = "port") -> str:
    return f"module {name}:\n    extends {extends}\n\n{items}\n"


def linked(*texts: str, roots: tuple[str, ...] = ()) -> Game:
    modules = [parse_module(text, str(number)) for number, text in enumerate((BASE, *texts), 1)]
    return link({m.header.name: m for m in modules}, roots or (modules[-1].header.name,))


def changed(items: str) -> Engine:
    return Engine.of(linked(module("more", items)), 1)


def spent(engine: Engine, n: int) -> int:
    """What `n` ships cost at the start."""
    state, purse = engine.start(), engine.layout.position("purse", None)
    after: int = engine.apply(state, (0, n))[purse]
    return int(state[purse]) - after


def test_unchanged() -> None:
    engine = changed("")
    assert engine.legal(engine.start()) == [(0, 1), (0, 2), STOP]
    assert [spent(engine, n) for n in (1, 2)] == [2, 4]


@pytest.mark.parametrize(
    ("items", "legal", "costs"),
    [
        ("change buy:\n    drop paid\nchange cost:\n    replace value: 0\n    drop dear", [1, 2, 3], [0, 0, 0]),
        ("change cost:\n    replace value: 1", [1, 2], [1, 1]),
        ("change cost:\n    replace dear: 7 when n > 1", [1, 2], [2, 7]),
        ("change cost:\n    replace dear.whole: 9 when n = 3", [1, 2, 3], [2, 4, 9]),
        ("change cost:\n    drop dear.whole", [1, 2], [2, 4]),
        ("change cost:\n    two: 1 when n = 2", [1, 2], [2, 1]),
        ("change cost:\n    drop dear", [1, 2, 3], [2, 4, 6]),
        ("change price: coins[1] = 3", [1, 2], [3, 6]),
        ("change price:\n    coins 1: 1", [1, 2], [1, 2]),
        ("change buy:\n    replace parameter n in 2..3", [2], [4]),
        ("change buy:\n    replace paid: purse > cost(n) + 6", [1], [2]),
        ("change buy:\n    require odd: n mod 2 = 1", [1], [2]),
        ("change buy:\n    add require odd: n mod 2 = 1", [1], [2]),
        ("change buy:\n    replace pay: purse -= 1", [1, 2], [1, 1]),
        ("change buy:\n    drop pay", [1, 2], [0, 0]),
        ("change buy:\n    effect toll: purse -= 1", [1, 2], [3, 5]),
        ("change open_up:\n    replace start: purse := 4", [1, 2], [2, 4]),
        ("change open_up:\n    rich: purse := 30", [1, 2, 3], [2, 4, 15]),
    ],
)
def test_what_may_be_chosen_and_what_it_costs(items: str, legal: list[int], costs: list[int]) -> None:
    engine = changed(items)
    assert engine.legal(engine.start()) == [*((0, n) for n in legal), STOP]
    assert [spent(engine, n) for n in legal] == costs


def test_a_parameter_more() -> None:
    engine = changed("change buy:\n    add parameter tip in 0..1\n    replace pay: purse -= cost(n) + tip")
    assert engine.legal(engine.start()) == [(0, 1, 0), (0, 1, 1), (0, 2, 0), (0, 2, 1), STOP]
    assert engine.game.actions["buy"].notation == ("buy", "{n}", "{tip}")


def test_notation() -> None:
    engine = changed('change buy:\n    notation "buy {n} ships"')
    assert engine.game.actions["buy"].notation == ("buy", "{n}", "ships")


def test_a_choice_more_in_the_flow() -> None:
    engine = changed("change flow:\n    add borrow to day")
    assert engine.legal(engine.start()) == [(0, 1), (0, 2), (1, 1), (1, 2), (1, 3), STOP]


@pytest.mark.parametrize(
    ("items", "fleet"),
    [
        ("change flow:\n    before day: ebb", [0, 0]),
        ("change flow:\n    after day: ebb", [1, 0]),
        ("change flow:\n    before open_up: ebb", [1, 1]),
        ("change flow:\n    after open_up: ebb", [0, 0]),
    ],
)
def test_procedures_before_and_after(items: str, fleet: list[int]) -> None:
    """The fleet at the start of the first two days: one ship is bought on the first, one sinks after it."""
    engine = changed(items)
    start, at = engine.start(), engine.layout.position("fleet", None)
    assert [start[at], engine.apply(start, (0, 1))[at]] == fleet


def test_tiles() -> None:
    engine = changed("change kinds:\n    open x1\n    drop shore\n    reef x4    land N S, buoy")
    assert [(kind.name, kind.count) for kind in engine.game.tiles] == [("open", 1), ("reef", 4)]
    assert engine.start()[engine.layout.position("dock", None)] == (1, 2, 2, 2, 2)


def test_scores_and_invariants() -> None:
    engine = changed('change wealth:\n    replace value: purse\nchange afloat:\n    replace value: fleet > 5 else "sunk"')
    assert engine.score(engine.start()) == 10
    assert engine.game.invariants[0].message == "sunk"


def test_items_are_dropped() -> None:
    engine = changed("drop invariant afloat\ndrop score wealth\ndrop action borrow")
    assert (engine.game.invariants, engine.game.scores, list(engine.game.actions)) == ((), (), ["buy"])


def test_what_is_like_follows_changes() -> None:
    game = changed('change buy:\n    replace room: fleet < 5 else "full"\n    require lucky: n != 2').game
    borrow = game.actions["borrow"]
    assert [(r.name, r.message) for r in borrow.requirements] == [
        ("borrow.room", "full"),
        ("borrow.lucky", "`lucky` does not hold"),
    ]
    assert {r.module for r in borrow.requirements} == {"more"}


@pytest.mark.parametrize("clause", ["paid", "pay"])
def test_what_is_like_need_not_follow_what_is_gone(clause: str) -> None:
    """The base drops and replaces these in what is like buying; a variant that drops them first is no mistake."""
    game = changed(f"change buy:\n    drop {clause}").game
    assert [r.name for r in game.actions["borrow"].requirements] == ["borrow.room"]
    assert {e.name for e in game.actions["borrow"].effects} == {"borrow.pay", "borrow.more"}


# Conflicts ------------------------------------------------------------------------------------------------------------

CLAIMS = {
    "cost": ("change cost:\n    replace value: 1", "change cost:\n    replace value: 3"),
    "a case": ("change cost:\n    drop dear", "change cost:\n    replace dear: 1 when n = 1"),
    "a requirement": ("change buy:\n    drop paid", "change buy:\n    replace paid: yes"),
    "one name": ("change buy:\n    require new: n = 1", "change buy:\n    require new: n = 2"),
    "a cell": ("change price: coins[1] = 3", "change price: coins[1] = 4"),
    "a tile": ("change kinds:\n    open x1", "change kinds:\n    open x2"),
    "notation": ('change buy:\n    notation "buy {n}"', 'change buy:\n    notation "take {n}"'),
    "players": ("players 1..2", "players 1..3"),
    "a drop": ("drop action borrow", "change borrow:\n    drop room"),
    "two drops": ("drop action borrow", "drop action borrow"),
}


@pytest.mark.parametrize("what", CLAIMS)
def test_unrelated_modules_conflict(what: str) -> None:
    one, other = CLAIMS[what]
    with pytest.raises(RulesError) as error:
        linked(module("one", one), module("other", other), roots=("one", "other"))
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "RW104"
    assert "`one`" in diagnostic.message + diagnostic.labels[1].text
    assert "`other`" in diagnostic.message + diagnostic.labels[0].text
    assert {label.span.source for label in diagnostic.labels} == {"2", "3"}


@pytest.mark.parametrize(("what", "costs"), [("cost", [3, 3]), ("a cell", [4, 8])])
def test_a_module_that_extends_the_other_has_the_last_word(what: str, costs: list[int]) -> None:
    one, other = CLAIMS[what]
    engine = Engine.of(linked(module("one", one), module("other", other, "one")), 1)
    assert [spent(engine, n) for n in (1, 2)] == costs


SETTLED = {
    "cost": ("change cost:\n    replace value: 4", [1, 2], [4, 4]),
    "a case": ("change cost:\n    replace dear: 6 when n = 2", [1, 2, 3], [2, 6, 6]),
    "a requirement": ("change buy:\n    replace paid: n = 2", [2], [4]),
    "one name": ("change buy:\n    replace new: n = 2", [2], [4]),
    "a cell": ("change price: coins[1] = 5", [1, 2], [5, 10]),
}


@pytest.mark.parametrize("what", SETTLED)
def test_a_third_module_settles(what: str) -> None:
    one, other = CLAIMS[what]
    judge, legal, costs = SETTLED[what]
    texts = module("one", one), module("other", other), module("judge", judge, "one, other")
    engine = Engine.of(linked(*texts), 1)
    assert engine.legal(engine.start()) == [*((0, n) for n in legal), STOP]
    assert [spent(engine, n) for n in legal] == costs


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


@pytest.mark.parametrize(
    ("items", "help"),
    [
        ("change bye:\n    drop paid", "did you mean `buy`?"),
        ("change buy:\n    drop pait", "did you mean `paid`?"),
        ("change buy:\n    replace rom: yes", "did you mean `room`?"),
        ("change cost:\n    drop deer", "did you mean `dear`?"),
        ("change price: coin[1] = 3", "did you mean `coins`?"),
        ("change flow:\n    add borrow to dey", "did you mean `day`?"),
        ("change buy:\n    require paid: yes", "say `replace` to change it"),
        ("drop action byu", "did you mean `buy`?"),
        ("change kinds:\n    drop opn", "did you mean `open`?"),
    ],
)
def test_the_nearest_name(items: str, help: str) -> None:
    with pytest.raises(RulesError) as error:
        linked(module("more", items))
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.help == help
