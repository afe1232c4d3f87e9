"""Every way to change a module, each seen in what may be chosen and what it costs."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model.state import STOP
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.playing import linked as linked_texts
from tests.rules.playing import variant
from tests.rules.port import changed, linked, module, spent

BUY, BORROW, PRAY = range(3)


def test_unchanged() -> None:
    engine = changed("")
    assert engine.legal(engine.start()) == [(BUY, 1), (BUY, 2), (PRAY,), STOP]
    assert [spent(engine, n) for n in (1, 2)] == [2, 4]


def bought(engine: Engine) -> list[int]:
    """How many ships may be bought at the start."""
    return [move[1] for move in engine.legal(engine.start()) if move[0] == BUY and move != STOP]


@pytest.mark.parametrize(
    ("items", "legal", "costs"),
    [
        ("change buy:\n    drop paid\nchange cost:\n    replace value: 0\n    drop dear", [1, 2, 3], [0, 0, 0]),
        ("change cost:\n    replace value: 1", [1, 2], [1, 1]),
        ("change cost:\n    replace dear: 7 when n > 1", [1, 2], [2, 7]),
        ("change cost:\n    replace dear: 7 when n > 1:\n        two: 6 when n = 2", [1, 2, 3], [2, 6, 7]),
        ("change cost:\n    replace dear.whole: 9 when n = 3", [1, 2, 3], [2, 4, 9]),
        ("change cost:\n    drop dear.whole", [1, 2], [2, 4]),
        ("change cost:\n    two: 1 when n = 2", [1, 2], [2, 1]),
        ("change cost:\n    dear.whole.most: 8 when purse = 10", [1, 2, 3], [2, 4, 8]),
        ("change cost:\n    drop dear.whole\n    add dear.half: 5 when n = 3", [1, 2, 3], [2, 4, 5]),
        ("change cost:\n    drop dear", [1, 2, 3], [2, 4, 6]),
        ("change cost:\n    drop dear\n    dear: 1 when n = 1", [1, 2, 3], [1, 4, 6]),
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
        ("change half:\n    replace value: 1\nchange cost:\n    replace value: half(origin of sea)", [1, 2], [1, 1]),
    ],
)
def test_what_may_be_chosen_and_what_it_costs(items: str, legal: list[int], costs: list[int]) -> None:
    engine = changed(items)
    assert bought(engine) == legal
    assert [spent(engine, n) for n in legal] == costs


def test_a_parameter_more() -> None:
    engine = changed("change buy:\n    add parameter tip in 0..1\n    replace pay: purse -= cost(n) + tip")
    assert engine.legal(engine.start())[:4] == [(BUY, 1, 0), (BUY, 1, 1), (BUY, 2, 0), (BUY, 2, 1)]
    assert "".join(engine.game.actions["buy"].notation) == "buy {n} {tip}"


def test_notation() -> None:
    engine = changed('change buy:\n    notation "buy {n} ships"')
    assert "".join(engine.game.actions["buy"].notation) == "buy {n} ships"


def test_once_is_a_clause_like_others() -> None:
    """An action that may be done once a day, and one that may be done at will."""
    for items, again in (("", False), ("change pray:\n    drop once", True)):
        engine = Engine.of(linked(module("long_days", LONG_DAYS + items)), 1)
        after = engine.apply(engine.start(), (PRAY,))
        assert ((PRAY,) in engine.legal(after)) == again


LONG_DAYS = "change flow:\n    replace day:\n        repeat: choose pray, or stop\n"


# The flow -------------------------------------------------------------------------------------------------------------


def test_a_choice_more() -> None:
    engine = changed("change flow:\n    add borrow to day")
    assert engine.legal(engine.start()) == [(BUY, 1), (BUY, 2), (PRAY,), (BORROW, 1), (BORROW, 2), (BORROW, 3), STOP]


def test_a_choice_less() -> None:
    engine = changed("change flow:\n    drop buy from day")
    assert engine.legal(engine.start()) == [(PRAY,), STOP]


def test_a_point_is_replaced() -> None:
    engine = changed("change flow:\n    replace day:\n        if fleet = 1: ebb\n        choose borrow")
    assert engine.legal(engine.start()) == [(BORROW, 1), (BORROW, 2), (BORROW, 3)]
    assert engine.start()[engine.layout.position("fleet", None)] == 0


def test_a_procedure_is_run_no_more() -> None:
    engine = changed("change flow:\n    drop ebb")
    assert engine.apply(engine.start(), (BUY, 1))[engine.layout.position("fleet", None)] == 2


@pytest.mark.parametrize(
    ("items", "fleet"),
    [
        ("change flow:\n    before day: ebb", [0, 0]),
        ("change flow:\n    after day: ebb", [1, 0]),
        ("change flow:\n    before open_up: ebb", [1, 1]),
        ("change flow:\n    after open_up: ebb", [0, 0]),
        ("change flow:\n    after day:\n        if fleet > 0: ebb\n        if fleet > 1: ebb", [1, 0]),
        ("change flow:\n    before open_up:\n        repeat until fleet < 2: ebb", [1, 1]),
    ],
)
def test_procedures_before_and_after(items: str, fleet: list[int]) -> None:
    """The fleet at the start of the first two days: one ship is bought on the first, one sinks after it."""
    engine = changed(items)
    start, at = engine.start(), engine.layout.position("fleet", None)
    assert [start[at], engine.apply(start, (BUY, 1))[at]] == fleet


def test_a_choice_before_all_others() -> None:
    """Two ships are borrowed, and one sinks behind the choice."""
    items = "change flow:\n    after open_up:\n        dawn:\n            choose borrow, pray\n        ebb\n"
    engine = changed(items + "change pray:\n    drop once\n")
    assert engine.legal(engine.start()) == [(BORROW, 1), (BORROW, 2), (BORROW, 3), (PRAY,)]
    after = engine.apply(engine.start(), (BORROW, 2))
    assert engine.legal(after)[0] == (BUY, 1)
    assert after[engine.layout.position("fleet", None)] == 1 + 2 - 1


@pytest.mark.parametrize(
    ("items", "purse"),
    [
        ("", 6),
        ("change tolls:\n    drop all\n    other: purse -= 1", 7),
        ("change tolls:\n    drop all.toll", 8),
        ("change tolls:\n    replace all.toll: purse -= 2", 4),
    ],
)
def test_a_statement_inside_another(items: str, purse: int) -> None:
    """Two coins for a ship, and one for each of two rounds of the toll."""
    engine = changed("change flow:\n    after ebb: tolls\n" + items)
    assert engine.apply(engine.start(), (BUY, 1))[engine.layout.position("purse", None)] == purse


# Whole items ----------------------------------------------------------------------------------------------------------


def test_tiles() -> None:
    engine = changed("change kinds:\n    open x1\n    drop shore\n    add reef x4    land N S, buoy")
    assert [(kind.name, kind.count) for kind in engine.game.tiles] == [("open", 1), ("reef", 4)]
    assert engine.start()[engine.layout.position("dock", None)] == (1, 2, 2, 2, 2)


def test_a_tile_keeps_its_face_unless_told_otherwise() -> None:
    shore = changed("change kinds:\n    shore x4").game.tiles[1]
    assert (shore.count, shore.side("N"), shore.side("S")) == (4, 1, 0)
    assert changed("change kinds:\n    shore x4  land S").game.tiles[1].side("N") == 0


def test_a_row_for_more_players() -> None:
    engine = changed("players 1..3\nchange price:\n    add row 3: 4 1", 3)
    assert spent(engine, 2) == 8


def test_scores_and_invariants() -> None:
    engine = changed('change wealth:\n    replace value: purse\nchange afloat:\n    replace value: fleet > 5 else "sunk"')
    assert engine.score(engine.start()) == 10
    assert engine.game.invariants[0].message == "sunk"


def test_items_are_dropped() -> None:
    engine = changed("drop invariant afloat\ndrop score wealth\ndrop action borrow")
    assert (engine.game.invariants, engine.game.scores, list(engine.game.actions)) == ((), (), ["buy", "pray"])


def test_what_is_dropped_is_not_offered() -> None:
    engine = changed("drop action pray")
    assert engine.legal(engine.start()) == [(BUY, 1), (BUY, 2), STOP]


@pytest.mark.parametrize(
    ("items", "legal"),
    [
        ("drop action buy\ndrop action borrow\naction buy(n in 2..3):\n    effect more: fleet += n", [2, 3]),
        ("drop define cost\ndefine cost(n) = 3 * n", [1, 2, 3]),
        ("drop state purse\nstate:\n    purse: 0..200 = 40", [1, 2, 3]),
        ("drop table price\ntable price by players:\n    players: coins\n    1:       6\n    2:       6", [1]),
        ("drop flow\nflow:\n    repeat: choose buy, or stop\ndrop action pray", [1, 2]),
    ],
)
def test_a_whole_item_is_written_anew(items: str, legal: list[int]) -> None:
    engine = changed(items)
    found = engine.game.actions
    number = list(found).index("buy")
    assert [move[1] for move in engine.legal(engine.start()) if move[0] == number and move != STOP] == legal


def test_a_space_of_another_size() -> None:
    engine = changed("drop space sea\nspace sea: square grid 5 x 5 of tiles, wrapped")
    assert engine.instance.windows["sea"].size == 25


def test_players_and_ranks_are_said_again() -> None:
    game = linked(module("more", 'players 1..1\nrank by score:\n    "Any" 0..'))
    assert game.ranking is not None
    assert (game.players.high, game.ranking.name(50)) == (1, "Any")


def test_a_name_of_several_things() -> None:
    """`buy` is an action and a definition: the change says which."""
    both = module("more", "define buy = 3\nchange action buy:\n    drop paid\nchange define buy:\n    replace value: 4")
    told = module("more", "define buy = 3\nchange buy:\n    require odd: n = 1")
    assert len(linked(told).actions["buy"].requirements) == 3  # only actions have requirements
    with pytest.raises(RulesError) as error:
        linked(module("more", "define buy = 3\nchange buy:\n    drop paid"))
    assert error.value.diagnostics[0].help in (
        "name the kind as well: `change action buy:`",
        "name the kind as well: `change define buy:`",
    )
    game = linked(both)
    assert [r.name for r in game.actions["buy"].requirements] == ["buy.room"]
    assert game.definitions["buy"].value.value == 4  # type: ignore[union-attr]


def test_the_name_of_a_stranger_is_not_meant() -> None:
    """A module that is linked too has a definition of the action's name; who does not extend it means the action."""
    texts = module("stranger", "define buy = 3"), module("more", "change buy:\n    drop paid")
    game = linked(*texts, roots=("stranger", "more"))
    assert [r.name for r in game.actions["buy"].requirements] == ["buy.room"]


# What is like another -------------------------------------------------------------------------------------------------


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


def test_what_is_like_gets_a_parameter_that_is_added() -> None:
    game = changed("change buy:\n    add parameter tip in 0..1\n    replace more: fleet += n + tip").game
    assert [p.name for p in game.actions["borrow"].parameters] == ["n", "tip"]


# What is not there ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "help"),
    [
        ("change bye:\n    drop paid", "did you mean `buy`?"),
        ("change buy:\n    drop pait", "did you mean `paid`?"),
        ("change buy:\n    replace rom: yes", "did you mean `room`?"),
        ("change pray:\n    drop one", "did you mean `once`?"),
        ("change cost:\n    drop deer", "did you mean `dear`?"),
        ("change cost:\n    replace dear.hole: 1 when yes", "did you mean `whole`?"),
        ("change cost:\n    deer.more: 1 when yes", "did you mean `dear`?"),
        ("change price: coin[1] = 3", "did you mean `coins`?"),
        ("change price: coins[3] = 3", "there is: `1`, `2`; `add row 3: …` adds one"),
        ("change price:\n    add row 1: 3 3", "use `replace` to change it"),
        ("change price:\n    add row 3: 3", "give one value for each column: coins, ships"),
        ("change flow:\n    add borrow to dey", "did you mean `day`?"),
        ("change flow:\n    drop by from day", "did you mean `buy`?"),
        ("change flow:\n    drop dey", "did you mean `day`?"),
        ("change flow:\n    replace dey:\n        ebb", "did you mean `day`?"),
        ("change buy:\n    require paid: yes", "use `replace` to change it"),
        ("drop action byu", "did you mean `buy`?"),
        ("drop akton buy", "did you mean `action`?"),
        ("change kinds:\n    drop opn", "did you mean `open`?"),
        ("change kinds:\n    opne x3", "did you mean `open`?; `add opne …` adds a kind"),
        ("change kinds:\n    add open x3", "use `replace` to change it"),
        ("change tolls:\n    drop all.tol", "did you mean `toll`?"),
        ("change ebb:\n    drop sunk.toll", "did you mean `sink`?"),
        ("change sea:\n    drop x", "use `drop space sea`, and write it again"),
        ("change fleet:\n    drop x", "use `drop state fleet`, and write it again"),
        ("drop action buy", "drop or rewrite `borrow` too"),
        ("define x = 3\ndrop define x", "delete both"),
        ("change cost:\n    replace value: 1\n    replace value: 2", "combine the two changes into one"),
        ("drop action pray\nchange flow:\n    replace day:\n        choose pray",
         "drop or replace the point that contains the choice"),
    ],
)  # fmt: skip
def test_the_nearest_name(items: str, help: str) -> None:
    with pytest.raises(RulesError) as error:
        linked(module("more", items))
    assert help in [diagnostic.help for diagnostic in error.value.diagnostics]


def test_what_is_dropped_and_missed_names_both_places() -> None:
    with pytest.raises(RulesError) as error:
        linked(module("more", "drop define cost"))
    missed = error.value.diagnostics[0]
    assert missed.code == "RW111"
    assert [label.span.source for label in missed.labels] == ["1", "2"]


def test_only_what_is_extended_can_be_changed() -> None:
    """It is linked too, but a module that changes it has to say so."""
    texts = module("one", "define luck = 3"), module("two", "change luck:\n    replace value: 4")
    with pytest.raises(RulesError) as error:
        linked(*texts, roots=("one", "two"))
    (diagnostic,) = error.value.diagnostics
    assert (diagnostic.code, diagnostic.help) == ("RW103", "write `extends one`")


BLOCKS = """
module blocks:
    "A label for several statements."

state:
    a: 0..9 = 1
    b: 0..9 = 5

action swap:
    effect swap:
        let before = a
        a := b
        second: b := before
    effect add:
        cite x.clause
        a += 1
        if a > 5: b += 1

flow:
    repeat: choose swap

score both: 10 * a + b
"""


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("", 62),
        ("change swap:\n    drop add", 51),
        ("change swap:\n    drop swap", 25),
        ("change swap:\n    replace swap.second: b := 9\n    drop add", 59),
        ("change swap:\n    drop swap.second\n    drop add", 55),
    ],
)
def test_a_label_for_several_statements(changes: str, expected: int) -> None:
    game = linked_texts(BLOCKS, variant(changes, extends="blocks"))
    engine = Engine.of(game, 1)
    reference, state = ReferenceEngine(engine), engine.start()
    (move,) = engine.legal(state)
    assert engine.score(engine.apply(state, move)) == reference.score(reference.apply(state, move)) == expected
    if not changes:
        assert [clause.cite for clause in game.actions["swap"].effects][-2:] == ["x.clause"] * 2
