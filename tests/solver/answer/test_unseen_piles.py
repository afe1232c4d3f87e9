"""Piles in an order that nobody sees, in expectation: held against every order there is, and refused where somebody looks."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.model.game import Game
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from tests.rules.playing import linked
from tests.solver.expectation import BeliefEnumeration, TooMany

LOTTERY = """
module lottery:
    "Lots from a bag whose order nobody sees."

terrain grass
tiles lots:
    red   x2
    white x3
    gold  x1

state:
    bag:   pile of tiles, face down
    hand:  set of tiles
    heap:  pile of tiles
    won:   -30..60 = 0
    left:  0..9

define worth(t) = if t = gold then 5 else if t = red then 2 else -1

action draw_two:
    require left: left > 0 and not empty(bag)
    effect deal: deal 2 from bag to hand
    effect time: left -= 1

action draw_last:
    require left: left > 0 and not empty(bag)
    effect one:  move bottom(bag) to hand from bottom of bag
    effect time: left -= 1

action cash(tile in hand):
    require left: left > 0
    effect show: move tile to heap
    effect win:  won += worth(tile) * left
    effect time: left -= 1

action bury(tile in hand):
    require left: left > 0
    effect back: move tile to bag
    effect mix:  shuffle bag
    effect lose: won -= 1
    effect time: left -= 1

procedure set_up:
    move all box to bag
    shuffle bag

flow:
    set_up
    repeat:
        turn:
            choose draw_two, draw_last, cash, bury, or stop

score won: won
"""


def asked(game: Game, question: str, settings: str) -> Position:
    text = f"puzzle a:\n    rules b\n    players 1\n{settings}\n    ask: {question}\n"
    return set_up_position(parse_puzzle(text, "a puzzle"), game)


def lots(rng: random.Random, names: list[str]) -> tuple[str, str]:
    """Some of the lots in hand, some out of the game; the rest lies in the bag."""
    rng.shuffle(names)
    held, gone = names[: rng.randrange(3)], names[3 : 3 + rng.randrange(1, 3)]
    return ", ".join(held) or "none", ", ".join(gone) or "none"


def agrees(seed: int, most: int) -> bool:
    """Whether a random position was small enough for every order of the bag; then the answers are the same."""
    rng = random.Random(f"lottery {seed}")
    hand, heap = lots(rng, ["red", "red", "white", "white", "white", "gold"])
    goal = rng.choice(["maximise", "minimise"])
    value = rng.choice(["score", "won - size(bag)", "size(hand) * 3 + won"])
    settings = f"    hand: {hand}\n    heap: {heap}\n    bag: rest, seed {seed}\n    left: {rng.randrange(1, 4)}"
    position = asked(linked(LOTTERY), f"{goal} {value} until end in expectation", settings)
    assert position.question is not None and position.reduced is not None
    enumeration = BeliefEnumeration(position.engine, position.question, ["bag"], most)
    belief = enumeration.at_first(position.state)
    try:
        first = {move: enumeration.after(belief, move) for move in position.engine.legal(position.state)}
    except TooMany:
        return False
    result = answer(position.asked, position.root, position.question, Limits(60))
    assert result.status is Status.OPTIMAL and result.expectation is not None
    assert dict(result.expectation.first) == first
    return True


def test_random_positions() -> None:
    assert sum(agrees(seed, 1_500) for seed in range(24)) >= 12


@pytest.mark.campaign
def test_many_random_positions() -> None:
    assert sum(agrees(seed, 20_000) for seed in range(1000, 1400)) >= 300


def expected(module: str, question: str, settings: str) -> Fraction | int | None:
    position = asked(linked(module), f"{question} in expectation", settings)
    assert position.question is not None
    return answer(position.asked, position.root, position.question, Limits(30)).value


def test_from_the_set_up() -> None:
    # Draw two, then cash the better one: of 15 pairs 5 have the gold, 7 more a red, and 3 are better left alone.
    flat = LOTTERY.replace("worth(tile) * left", "worth(tile)")
    assert expected(flat, "maximise score for 2 turns", "    left: 9") == Fraction(5 * 5 + 7 * 2, 15)


def test_an_order_that_is_written_is_known() -> None:
    shuffled = LOTTERY.replace("    effect mix:  shuffle bag\n", "").replace("    shuffle bag\n", "")
    position = asked(linked(shuffled), "maximise score until end in expectation", "    bag: gold, white\n    left: 2")
    assert position.reduced is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "require left: left > 0 and not empty(bag)",
            "require left: left > 0 and top(bag) = red",
            "looks at its next tile",
        ),
        ("    effect mix:  shuffle bag\n", "", "it is left with tiles in a known order"),
        (
            "effect one:  move bottom(bag)",
            "effect on:   move gold to bag from heap\n    effect one:  move bottom(bag)",
            "it holds tiles",
        ),
        ("effect deal: deal 2 from bag to hand", "effect deal: move all bag to heap", "in an order that stays hidden"),
        ("effect deal: deal 2 from bag to hand", "effect each: for t in bag: won += worth(t)", "iterates over it in order"),
        ("= if t = gold", "= if (least x in bag by 1) = gold and t = gold", "breaks ties by its order"),
    ],
)
def test_where_somebody_learns_of_the_order(old: str, new: str, message: str) -> None:
    assert old in LOTTERY
    with pytest.raises(RulesError, match="RW383") as caught:
        asked(linked(LOTTERY.replace(old, new)), "maximise score until end in expectation", "    left: 2")
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert diagnostic.span is not None and diagnostic.span.line > 0


UNTIL_END = "maximise score until end in expectation"


def test_an_order_that_is_known_in_part() -> None:
    with pytest.raises(RulesError, match="RW383"):
        asked(linked(LOTTERY), UNTIL_END, "    bag: gold, rest, seed 4\n    left: 2")


def test_an_order_that_its_owner_knows() -> None:
    owned = linked(LOTTERY.replace("face down", "owner only"))
    with pytest.raises(RulesError, match="RW383"):
        asked(owned, UNTIL_END, "    bag: rest, seed 4\n    left: 2")
    position = asked(owned, UNTIL_END, "    left: 2")
    assert position.reduced is None and position.question is not None
    with pytest.raises(RulesError, match="RW383"):
        answer(position.asked, position.root, position.question, Limits(30))


def test_an_order_that_the_puzzle_lays_open_is_known() -> None:
    calm = LOTTERY.replace("    effect mix:  shuffle bag\n", "").replace("    shuffle bag\n", "")
    position = asked(linked(calm), UNTIL_END, "    bag: rest, seed 4 open\n    left: 2")
    assert position.reduced is None


def test_two_piles_of_which_one_is_known() -> None:
    two = re.sub(r"\bbag\b", "bag of dark", LOTTERY).replace("bag of dark:   pile", "bag of colour: pile")
    two = two.replace("terrain grass", "terrain grass\nenum colour: dark, pale")
    with pytest.raises(RulesError, match="RW383") as caught:
        asked(linked(two), UNTIL_END, "    bag dark: gold, white\n    left: 2")
    assert "only partly known" in caught.value.diagnostics[0].message
    assert asked(linked(two), UNTIL_END, "    bag dark: rest, seed 2\n    left: 2").reduced is not None
