"""Choices that must end: what shows it, and that nothing shows it where play can go on."""

from __future__ import annotations

import pytest

from rulewright.rules.model.game import Choose, Game
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.static_checks import check_game
from rulewright.rules.static.termination import possibly_endless
from tests.rules.playing import linked, playout

GAME = """
module ending:
    "A choice that ends, or does not."

terrain water
enum paint: bare, red, blue
players 2

space sea: square grid 3 x 3 of tiles
space pond: square grid 2 x 2 of turned tiles

tiles base:
    open   x6
    stone  x6

state:
    stones:        0..9 = 9
    used:          0..9
    lit of sea:    truth
    ink of sea:    paint
    depth of sea:  0..3 = 2
    bag of player: set of tiles
    stack:         pile of tiles

define group(c in sea) = closure of c under x to n in around(x) where at(n) = at(x)

procedure set_up:
    lay:   for c in sea where row(c) < 2: put open at c from box
    fill:  move all box to stack

{actions}

flow:
    set_up
    for player in players:
        repeat: choose {names}, or stop
"""

ENDS = {
    "a flag that `where` says is not set": """
action light(c in sea where not lit of c):
    effect shine: lit of c := yes
""",
    "a number of a range above zero": """
action draw(n in 1..3):
    require left: stones >= n
    effect less: stones -= n
""",
    "a number out of some": """
action draw(n in {1, 3}):
    require left: stones >= n
    effect less: stones -= n
""",
    "tiles of a board in a group, which has the first": """
action clear(c in sea where occupied(c) and size(group(c)) > 1):
    effect off: for x in group(c): take x to bag of player
""",
    "tiles of a board, one by one": """
action clear(c in sea where occupied(c)):
    effect off: take c to bag of player
""",
    "a pile that is dealt from while it lasts": """
action draw:
    require left: not empty(stack)
    effect take_one: deal 1 from stack to bag of player
""",
    "a zone that is emptied while there is something in it": """
action pour(tile in bag of player):
    effect out: move all bag of player to stack
""",
    "a counter that a condition bounds": """
action count_up:
    require few: used < 5
    effect more: used += 1
""",
    "flags that are set in both branches": """
action light(c in sea where not lit of c):
    effect shine:
        if row(c) = 0:
            lit of c := yes
            stones -= 1
        else: lit of c := yes
""",
    "cells that are painted once, as a rule says": """
rule blank(c in sea, p in paint):
    require none_yet: ink of c = bare
    require other: not some n in around(c): ink of n = p

action draw_on(c in sea, p in paint where p != bare):
    require blank(c, p)
    effect draw: ink of c := p
""",
    "numbers above what they were": """
action pile_up(c in sea, n in 1..3):
    require low: depth of c = 0
    effect up: depth of c := n
""",
    "numbers that leave what they were": """
action dig(c in sea where depth of c = 2):
    effect deeper: depth of c := 3
""",
    "one action, and another whose measure it raises": """
action draw:
    require left: not empty(stack)
    effect take_one: deal 1 from stack to bag of player

action pour(tile in bag of player):
    require some_left: stones > 0
    effect pay: stones -= 1
    effect out: move tile to stack
""",
}

MAY_GO_ON = {
    "a flag that is set and taken back": """
action light(c in sea where not lit of c):
    effect shine: lit of c := yes

action dim(c in sea where lit of c):
    effect out: lit of c := no
""",
    "a number that may be zero": """
action draw(n in 0..3):
    require left: stones >= n
    effect less: stones -= n
""",
    "a group that may be empty": """
action clear(c in sea):
    effect off: for x in those x in sea where occupied(x) and row(x) = row(c): take x to bag of player
""",
    "a pile that may be empty": """
action draw:
    effect take_one: deal 1 from stack to bag of player
""",
    "a zone that is refilled": """
action swap(tile in bag of player):
    effect away: move tile to stack
    effect more: move all bag of player to stack
    effect back: move open to bag of player from stack
""",
    "a set that an earlier effect changes": """
action move_on(c in sea where not occupied(c) and size(those x in sea where occupied(x)) > 0):
    effect first: for x in those x in sea where occupied(x): take x to bag of player
    effect fill: move all bag of player to stack
    effect some_more: move all stack to box
    effect last: for x in those x in sea where lit of x: put open at x from box
""",
    "a condition of another name": """
action light(c in sea where not lit of c):
    effect shine: for d in around(c): lit of d := yes
""",
    "tiles that lie as they did when they are laid again": """
action spin(c in pond where occupied(c)):
    require straight: pond_turned of c = 0
    effect turn_it: pond_turned of c := 1
    effect lift: take c to box
    effect lay: put open at c from box
""",
    "numbers that may be what they were": """
action pile_up(c in sea, n in 0..3):
    require low: depth of c = 0
    effect up: depth of c := n
""",
    "cells that may be painted as they are": """
action draw_on(c in sea, p in paint):
    require blank: ink of c = bare
    effect draw: ink of c := p
""",
    "cells of which another one is painted": """
action draw_on(c in sea, p in paint where p != bare):
    require blank: ink of c = bare
    effect draw: ink of step(c, N) := p
""",
    "cells that are wiped": """
action draw_on(c in sea, p in paint where p != bare):
    require blank: ink of c = bare
    effect draw: ink of c := p
    effect wipe: for n in around(c): ink of n := bare
""",
    "numbers that come back to what they were": """
action dig(c in sea where depth of c = 2):
    effect deeper: depth of c := 3

action fill(c in sea where depth of c = 3):
    effect higher: depth of c -= 1
""",
    "a counter with a bound that moves": """
action count_up:
    require few: used < stones
    effect more: used += 1

action push:
    require room: stones < 9
    effect more: stones += 1
    effect less: used := 0
""",
}


def game_with(actions: str) -> Game:
    names = ", ".join(line.split()[1].split("(")[0].rstrip(":") for line in actions.splitlines() if line.startswith("action"))
    return linked(GAME.format(actions=actions, names=names))


def endless(game: Game) -> tuple[str, ...]:
    [choice] = [node for each in game.flow[1:] for repeat in each.body for node in repeat.body]  # type: ignore[union-attr]
    assert isinstance(choice, Choose)
    return possibly_endless(game, choice)


@pytest.mark.parametrize("why", ENDS)
def test_choices_that_end(why: str) -> None:
    game = game_with(ENDS[why])
    assert endless(game) == ()
    assert "RW265" not in {found.code for found in check_game(game)}
    engine = Engine.of(game, 2)
    for seed in range(5):
        assert sum(1 for _ in playout(engine, seed, lambda rng, moves: rng.choice([m for m in moves if m[0]] or moves))) < 100


@pytest.mark.parametrize("why", MAY_GO_ON)
def test_choices_that_may_go_on(why: str) -> None:
    assert endless(game_with(MAY_GO_ON[why])) != ()


def test_what_is_known_to_end_is_left_out_and_helps_the_others() -> None:
    game = game_with(MAY_GO_ON["a flag that is set and taken back"])
    [choice] = [node for each in game.flow[1:] for repeat in each.body for node in repeat.body]  # type: ignore[union-attr]
    assert possibly_endless(game, choice, lambda name: name == "dim") == ()
    assert possibly_endless(game, choice, lambda name: name == "light") == ()
