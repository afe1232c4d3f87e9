"""`whenever`: bound to what was before the effect, done behind it, in the order of the modules, and never by itself."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.playing import linked

BASE = """
module camp:
    "A camp with a bell."

space dune: square grid 3 x 1 of tiles
space yard: square grid 2 x 1 of tiles

tiles things:
    bell  x3
    tent  x3

state:
    gone:            pile of tiles
    lost of player:  pile of tiles
    rings of player: 0..99
    order:           0..999
    spot:            cell of dune

action go:
    effect set_up: put bell at origin of dune from box
    effect go: {effect}

flow:
    for player in players: choose go
"""


def outcome(effect: str, *items: str) -> tuple[int, int, int]:
    """The rings of player 1, `order` and the column of `spot` after the action, in both readings."""
    texts = [f"module m{n}:\n    extends camp\n\n{text}\n" for n, text in enumerate(items)]
    game = linked(BASE.format(effect=effect), *texts, roots=tuple(f"m{n}" for n in range(len(items))))
    engine = Engine.of(game, 1)
    state = engine.start(1)
    after = engine.apply(state, engine.legal(state)[0])
    assert after == ReferenceEngine(engine).apply(state, engine.legal(state)[0])
    at = engine.layout.position
    return tuple(after[at(*place)] for place in (("rings", 1), ("order", None), ("spot", None)))  # type: ignore[return-value]


TAKE = "take origin of dune to lost of player"
RUNG = "whenever rung: take c in dune to lost of p where at(c) = bell:\n    "


def test_the_pattern_is_held_against_what_was_before() -> None:
    assert outcome(TAKE, RUNG + "rings of p += 1")[0] == 1
    assert outcome(TAKE, RUNG.replace("bell", "tent") + "rings of p += 1")[0] == 0


def test_the_statements_come_behind_the_effect() -> None:
    assert outcome(TAKE, RUNG + "rings of p += 10 * size(lost of p)\n    if not occupied(c): order := 7") == (10, 7, 3)


def test_an_operand_keeps_its_value() -> None:
    effect = "for x in {origin of dune}: slide x to step(spot, W)"
    follow = "whenever slid: slide a to b in dune:\n    spot := b\n    order := column(b)"
    assert outcome(f"for s in 1..1:\n        spot := step(step(origin of dune, E), E)\n        {effect}", follow) == (0, 1, 1)


@pytest.mark.parametrize(
    ("pattern", "times"),
    [
        ("put bell at c in dune", 1),
        ("put tent at c in dune", 0),
        ("put t at c in dune from box", 1),
        ("put t at c in dune from gone", 0),
        ("put t at c in yard", 0),
        ("put t at c in dune where c = step(origin of dune, E)", 0),
        ("put t at c in {origin of dune}", 1),
        ("put t at c in around(origin of dune)", 0),
        ("put t at c in dune where t = bell and column(c) = 0", 1),
        ("take c in dune to lost of player", 1),
        ("take c in dune to lost of p where rings of p > 0", 0),
        ("take c in dune to gone", 0),
        ("move t to lost of p", 0),
    ],
)
def test_what_a_pattern_is_about(pattern: str, times: int) -> None:
    found = outcome(TAKE, f"whenever it: {pattern}:\n    order += 1")
    assert found[1] == times


def test_names_that_are_alike_are_kept_apart() -> None:
    effect = "for p in {step(origin of dune, E)}:\n        take origin of dune to lost of player\n        spot := p"
    assert outcome(effect, RUNG + "for c in 1..2: rings of p += c") == (3, 0, 1)


def test_they_follow_in_the_order_of_the_modules_and_of_the_text() -> None:
    one = "whenever b: take c in dune to lost of p:\n    order := 10 * order + 1\n\n"
    one += "whenever a: take c in dune to lost of p:\n    order := 10 * order + 2"
    other = "whenever c: take c in dune to lost of p:\n    order := 10 * order + 3"
    assert outcome(TAKE, one, other)[1] == 123


def test_one_may_set_off_another_also_by_a_procedure() -> None:
    chain = RUNG + "do refill(c)\n\nprocedure refill(c in dune):\n    put tent at c from box\n\n"
    chain += "whenever filled: put tent at c in dune:\n    order += 1\n    spot := c"
    assert outcome(TAKE, chain) == (0, 1, 0)


@pytest.mark.parametrize(
    ("change", "rings"),
    [
        ("change rung:\n    replace note: rings of p += 5", 5),
        ("change whenever rung:\n    more: rings of p += 5", 6),
        ("change rung:\n    drop note", 0),
        ("drop whenever rung", 0),
        ("drop whenever rung\n\nwhenever rung: put t at c in dune:\n    rings of player += 3", 3),
    ],
)
def test_changes(change: str, rings: int) -> None:
    base = BASE.format(effect=TAKE) + "\n" + RUNG + "note: rings of p += 1"
    engine = Engine.of(linked(base, f"module more:\n    extends camp\n\n{change}\n"), 1)
    state = engine.start(1)
    after = engine.apply(state, engine.legal(state)[0])
    assert after[engine.layout.position("rings", 1)] == rings


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (
            "whenever a: take c in dune to gone:\n    do b(c)\n\nprocedure b(c in dune):\n    take step(c, E) to gone",
            "RW152 `whenever a` triggers itself: `whenever a` -> `procedure b` -> `whenever a`",
        ),
        ("whenever a: take c in dune to order:\n    order += 1", "RW206 expected a zone"),
        ("whenever a: take c in dune to lost:\n    order += 1", "RW203 `lost` needs an index"),
        ("whenever a: take c in dune to gone of p:\n    order += 1", "RW203 `gone` has a single value and no index"),
        ("whenever a: take c to gone:\n    order += 1", "RW202 it is ambiguous which space this refers to"),
        ("whenever a: put 3 at c in dune:\n    order += 1", "RW200 expected a tile, found a number"),
        ("whenever a: move all box to gone:\n    order += 1", "RW153 a pattern must match the move of one tile, not of all"),
        ("whenever a: take c in dune to gone:\n    ordre += 1", "RW208 there is no state variable `ordre`"),
    ],
)
def test_what_is_refused(items: str, said: str) -> None:
    with pytest.raises(RulesError) as error:
        outcome(TAKE, items)
    assert [f"{found.code} {found.message}" for found in error.value.diagnostics] == [said]


def test_many_that_set_each_other_off_are_bounded() -> None:
    zones = "state:\n" + "".join(f"    z{n}: pile of tiles\n" for n in range(20)) + "\n"
    body = "    move t to z{0} from z{0}\n    move t to z{0} from z{0}\n"
    chain = "".join(f"whenever w{n}: move t to z{n} from z{n}:\n{body.format(n + 1)}\n" for n in range(19))
    with pytest.raises(RulesError) as error:
        outcome(TAKE, zones + chain)
    assert [found.code for found in error.value.diagnostics] == ["RW252"]
