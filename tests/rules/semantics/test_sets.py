"""Sets joined, compared and chosen, held against sets of Python; sets that are state; what is refused."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.playing import linked

GAME = """
module joined:
    "Numbers, players and the cells of a board."

enum hue: red, green, blue
players 3

space board: square grid 3 x 3

tiles pieces:
    rock  x3
    bell  x2

state:
    flag:           truth = yes
    hand of player: set of tiles
    seen:           set of cells of board
    worn of player: set of hue
    resting:        set of players
    tally:          0..99

define both(a, b) = size(a and b)
define without(a in board, s) = s - {a}

procedure set_up:
    deal: for p in players: move rock to hand of p from box
    bell: move bell to hand of 1 from box
    seen: for c in board where row(c) = 1: add c to seen
    worn: add red to worn of 1
    blue: for h in hue - {red}: add h to worn of 2

action change:
    effect done: EFFECT

flow:
    set_up
    repeat: choose change, or stop

score found: VALUE
"""


def played(value: str = "0", effect: str = "tally := 1") -> int:
    engine = Engine.of(linked(GAME.replace("VALUE", value).replace("EFFECT", effect)), 3)
    reference, state = ReferenceEngine(engine), engine.start()
    move = engine.legal(state)[0]
    after = engine.apply(state, move)
    assert reference.apply(state, move) == after
    assert reference.score(after) == engine.score(after)
    return engine.score(after)


def code(value: str = "0", effect: str = "tally := 1") -> tuple[str, str]:
    with pytest.raises(RulesError) as error:
        played(value, effect)
    found = error.value.diagnostics[0]
    return found.code, found.help


def asked(condition: str) -> str:
    return f"if {condition} then 1 else 0"


SETS = {"1..4": {1, 2, 3, 4}, "{5, 3}": {3, 5}, "those n in 0..9 where n mod 3 = 0": {0, 3, 6, 9}, "5..4": set()}
OPERATORS = {"and": set.__and__, "or": set.__or__, "-": set.__sub__}


@pytest.mark.parametrize("seed", range(8))
def test_joined_sets_have_the_elements_of_joined_sets(seed: int) -> None:
    rng = random.Random(seed)
    texts, held = zip(*(rng.choice([*SETS.items()]) for _ in range(3)), strict=True)
    one, other = rng.choice([*OPERATORS]), rng.choice([*OPERATORS])
    wanted = OPERATORS[other](OPERATORS[one](held[0], held[1]), held[2])
    text = f"((({texts[0]}) {one} ({texts[1]})) {other} ({texts[2]}))"
    assert played(f"sum 100 + n for n in {text}") == sum(100 + n for n in wanted)
    assert [played(asked(f"{n} in {text}")) for n in (0, 3, 5)] == [int(n in wanted) for n in (0, 3, 5)]
    for sign, holds in {
        "=": held[0] == held[1],
        "<=": held[0] <= held[1],
        "<": held[0] < held[1],
        ">=": held[0] >= held[1],
    }.items():
        assert played(asked(f"({texts[0]}) {sign} ({texts[1]})")) == holds


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("size(seen)", 3),
        ("size(seen or around(cell(1, 1)))", 5),
        ("size(board - seen - around(cell(1, 1)))", 4),
        ("count c in board where c in (seen and around(cell(1, 1)))", 2),
        ("both(seen, around(cell(1, 1)))", 2),
        ("size(without(cell(0, 1), seen))", 2),
        ("size(if flag then seen else board)", 3),
        ("size(if not flag then seen else board)", 9),
        (asked("cell(0, 1) in (if flag then seen else around(cell(1, 1)))"), 1),
        (asked("step(cell(0, 1), W) in (seen or {cell(2, 2)})"), 0),
        (asked("seen = (those c in board where row(c) = 1)"), 1),
        (asked("seen != board and seen < board and board > seen"), 1),
        (asked("(worn of 1 or worn of 2) = hue"), 1),
        (asked("worn of 3 = (worn of 1 and worn of 2)"), 1),
        (asked("resting = {}"), 1),
        (asked("players - resting = {1, 2, 3}"), 1),
        # Tiles are counted: two rocks are not one rock.
        ("size(hand of 1)", 2),
        (asked("hand of 2 <= hand of 1"), 1),
        (asked("hand of 2 = hand of 3"), 1),
        (asked("{rock, bell} = hand of 1"), 1),
        ("size(hand of 1 or hand of 2)", 2),
        ("size(hand of 1 and hand of 2)", 1),
        ("size(hand of 1 - hand of 2)", 1),
        ("let near = around(cell(1, 1)) or seen: size(near - {cell(1, 1)})", 4),
        (asked("every p in players: some h in hue: h not in (worn of p or {red})"), 0),
    ],
)
def test_values(text: str, value: int) -> None:
    assert played(text) == value


@pytest.mark.parametrize(
    ("effect", "text", "value"),
    [
        ("add cell(2, 2) to seen", "size(seen)", 4),
        ("add cell(1, 1) to seen", "size(seen)", 3),
        ("remove cell(1, 1) from seen", "size(seen)", 2),
        ("remove cell(0, 0) from seen", "size(seen)", 3),
        ("clear seen", "size(seen)", 0),
        ("clear worn of 2", "size(worn of 1) * 10 + size(worn of 2)", 10),
        ("add green to worn of 1", "size(worn of 1)", 2),
        ("for p in players where p != 2: add p to resting", "sum (if p in resting then 10 else 1) for p in players", 21),
        ("for c in around(cell(0, 0)) - seen: add c to seen", "size(seen)", 4),
    ],
)
def test_sets_that_are_state(effect: str, text: str, value: int) -> None:
    assert played(text, effect) == value


def test_nowhere_is_added_to_no_set() -> None:
    with pytest.raises(PlayError) as error:
        played("0", "add step(cell(0, 0), N) to seen")
    assert error.value.diagnostics[0].code == "RW365"


@pytest.mark.parametrize(
    ("value", "effect", "wanted"),
    [
        (asked("cell(0, 0) in seen and board"), "tally := 1", "RW148"),
        ("size(seen + board)", "tally := 1", "RW148"),
        (asked("seen = 3"), "tally := 1", "RW148"),
        ("size(seen or players)", "tally := 1", "RW200"),
        ("0", "seen += board", "RW149"),
        ("0", "roll seen", "RW149"),
        ("0", "seen := players", "RW200"),
        ("0", "worn := {red}", "RW203"),
        ("0", "add 3 to tally", "RW208"),
        ("0", "add rock to hand of 1", "RW208"),
        ("0", "add red to worn", "RW203"),
        ("0", "add cell(0, 0) to seen of 1", "RW203"),
        ("0", "add red to seen", "RW200"),
    ],
)
def test_what_is_refused(value: str, effect: str, wanted: str) -> None:
    assert code(value, effect)[0] == wanted


def test_help_names_the_way_round() -> None:
    assert "c in (reached and dry)" in code(asked("cell(0, 0) in seen and board"))[1]
    assert "seen := seen or …" in code("0", "seen += board")[1]
    assert "`A or B`" in code("size(seen + board)")[1]


@pytest.mark.parametrize(("written", "size"), [("corner or edge", 3), ("corner and edge", 1), ("edge - corner", 1)])
def test_definitions_that_are_sets_are_combined_before_anything_says_what_they_are(written: str, size: int) -> None:
    """The combination is resolved first, since callers determine the types of what they call."""
    text = f"""
module combined:
    "Sets of cells."

space board: square grid 2 x 2

state:
    ripe of board: truth

action pick:
    effect pick: ripe of origin of board := yes

flow:
    choose pick

define whole = {written}
define corner = those c in board where c = origin of board or c = step(origin of board, east)
define edge = those c in board where c = origin of board or c = step(origin of board, south)

score found: size(whole)
"""
    engine = Engine.of(linked(text), 1)
    assert engine.score(engine.start(0)) == size
