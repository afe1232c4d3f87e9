"""Refused actions of made puzzles: what a player would try, and what only this position forbids."""

from __future__ import annotations

from rulewright.puzzles.near_misses import NearMisses
from tests.puzzles.positions import drawn

SHELVES = """module shelves:
players 1
space shelf: square grid 4 x 1 of tiles
tiles jars:
    jar  x4
    lid  x4

state:
    honey:  0..9
    shaken: truth
    hand:   set of tiles

action fill(from in 0..2, to in 0..2):
    "Refused whatever the position, where both are one."
    require other: from != to else "it is the same jar"
    effect fill: honey += 1

action put(one in hand, to in shelf):
    "Impossible, where a tile lies there already."
    require vacant: not occupied(to) else "it is taken"
    effect lay: put one at to

action peek(at in shelf):
    effect look: shaken := yes

action shake:
    "Changes nothing more."
    require once: not shaken else "it is shaken"
    effect shake: shaken := yes

action lick(much in 0..2):
    "What anybody would like to do."
    require allowed: honey >= 3 else "there is too little"
    effect more: honey += 2

action spill(much in 0..2):
    "What nobody would like to do."
    require allowed: honey >= 4 else "there is too little"
    effect less: honey -= 2

flow:
    repeat: choose fill, put, peek, shake, lick, spill

score honey: honey
"""


def test_only_what_a_player_would_try_and_another_position_allows() -> None:
    here = drawn(SHELVES, "players 1\n\nshelf:\n    jar  .  .  .\n\nhand: lid\nhoney: 2\nshaken: yes\n")
    score = here.engine.score
    found = NearMisses(here.engine, here.state, lambda state: score(state) > score(here.state)).texts(9)
    assert found == ("lick 0",)


def test_what_looks_no_better_is_tried_by_who_does_not_mind() -> None:
    here = drawn(SHELVES, "players 1\n\nshelf:\n    jar  .  .  .\n\nhand: lid\nhoney: 2\nshaken: yes\n")
    assert NearMisses(here.engine, here.state, lambda state: True).texts(9) == ("lick 0", "spill 0")
    assert NearMisses(here.engine, here.state, lambda state: True).texts(1) == ("lick 0",)


def test_what_is_known_is_not_sought_again() -> None:
    here = drawn(SHELVES, "players 1\n\nshelf:\n    jar  .  .  .\n\nhand: lid\nhoney: 2\nshaken: yes\n")
    assert NearMisses(here.engine, here.state, lambda state: True).texts(9, {"lick.allowed"}) == ("spill 0",)


def test_what_an_action_would_leave_behind_may_forbid_it() -> None:
    kept = SHELVES.replace(
        'require allowed: honey >= 4 else "there is too little"', 'require kept after: honey >= 1 else "all is gone"'
    )
    here = drawn(kept, "players 1\n\nshelf:\n    jar  .  .  .\n\nhand: lid\nhoney: 2\nshaken: yes\n")
    assert NearMisses(here.engine, here.state, lambda state: True).texts(9, {"lick.allowed"}) == ("spill 0",)
