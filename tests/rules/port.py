"""A small game to change, and modules that change it."""

from __future__ import annotations

from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine

BASE = """
module port:
    "A port."

terrain water, land
marker buoy
players 1..2

space sea: square grid 3 x 1 of tiles

partition half of c in sea: column(c) div 2

tiles kinds:
    open  x3
    shore x2    land N

table price by players:
    players: coins ships
    1:       2     3
    2:       1     2

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

action pray:
    once per day
    effect luck: purse += 1

procedure open_up:
    fill:  move all box to dock
    start: fleet := 1

procedure ebb:
    sink: fleet := max(0, fleet - 1)

procedure tolls:
    all: for n in 1..2:
        toll: purse := max(0, purse - 1)

flow:
    open_up
    repeat:
        day:
            choose buy, pray, or stop
        ebb

score wealth: purse + fleet

invariant afloat: fleet >= 0

rank by score:
    "Poor" 0..9
    "Rich" 10..
"""


def module(name: str, items: str, extends: str = "port") -> str:
    """The text of a module that extends others."""
    return f"module {name}:\n    extends {extends}\n\n{items}\n"


def linked(*texts: str, roots: tuple[str, ...] = ()) -> Game:
    """The port with these modules, linked; spans name the modules by their numbers, the port is 1."""
    modules = [parse_module(text, str(number)) for number, text in enumerate((BASE, *texts), 1)]
    return link({m.header.name: m for m in modules}, roots or (modules[-1].header.name,))


def changed(items: str, players: int = 1) -> Engine:
    """The port with a module of these items."""
    return Engine.of(linked(module("more", items)), players)


def spent(engine: Engine, ships: int) -> int:
    """What so many ships cost at the start."""
    state, purse = engine.start(), engine.layout.position("purse", None)
    after: int = engine.apply(state, (0, ships))[purse]
    return int(state[purse]) - after
