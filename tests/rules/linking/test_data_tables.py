"""Tables: what their rows are keyed by, and what their cells hold."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model import types
from rulewright.rules.play.engine import Engine
from tests.rules.playing import linked, play_in_step, variant

INN = """
module inn:
    "An inn: dishes, what they cost, who likes them, and what comes with them."

marker spice
enum mood: merry, sad
enum guest: knight, monk, spice_trader
players 1

space hall: hex grid 3 x 3 of tiles

tiles dishes:
    soup   x2    spice
    roast  x3
tiles drinks:
    ale    x9
    spice  x1

table menu by dishes:
    dishes: price  hot  mood   drink    seat
    soup:   2      yes  sad    ale      north_east
    roast:  -5     no   merry  nothing  west

table habits by guest:
    guest:        dish   drink
    knight:       roast  spice
    monk:         soup   ale
    spice_trader: soup   spice

state:
    served: 0..99
    chair:  direction of hall
    cup:    tile
    mood:   mood
    other:  tile

action serve(dish in dishes, to in guest):
    require liked: habits.dish(to) = dish
    require left: served < 9
    effect tally: served += menu.price(dish) + 6
    effect mood: mood := menu.mood(dish)
    effect cup: cup := menu.drink(dish)
    effect seat: chair := turn(menu.seat(dish), served)
    effect other: other := habits.drink(to)

procedure set_up:
    nothing_yet: cup := menu.drink(nothing)

flow:
    set_up
    repeat: choose serve

score bill: served + (if cup = ale then 100 else 0) + (if menu.drink(cup) = nothing then 1000 else 0)
"""


def test_columns_have_the_type_of_their_cells() -> None:
    game = linked(INN)
    menu, habits = game.tables["menu"], game.tables["habits"]
    assert menu.key == types.Tile()
    assert [menu.type_of(name) for name, _ in menu.columns] == [
        types.Number(), types.Number(), types.Enumeration("mood"), types.Tile(), types.Direction("hall"),
    ]  # fmt: skip
    assert dict(menu.columns)["price"] == (2, -5)
    assert dict(menu.columns)["seat"] == (0, 4)
    assert habits.key == types.Enumeration("guest")
    # `spice` is a marker too: where a name is a tile, the tile is meant
    assert habits.type_of("drink") == types.Tile()
    assert [game.tiles[number - 1].name for number in dict(habits.columns)["drink"]] == ["spice", "ale", "spice"]


def test_tables_of_names_in_both_readings() -> None:
    engine = Engine.of(linked(INN), 1)
    assert sum(1 for seed in range(4) for _ in play_in_step(engine, seed)) >= 12
    assert engine.score(engine.start(0)) == 1000  # no row for no tile: `nothing`


def test_names_are_changed_like_numbers() -> None:
    game = linked(
        INN,
        variant(
            "change menu: drink[roast] = ale\nchange menu:\n    add row pie: 1 no merry ale east\nchange dishes: add pie x1",
            extends="inn",
        ),
    )
    names = [game.tiles[number - 1].name for number in dict(game.tables["menu"].columns)["drink"]]
    assert names == ["ale", "ale", "ale"]


SIDES = """
module sides:
    "Two sides lay stones until somebody has three."

players 2
space board: square grid 3 x 3 of tiles

tiles stones:
    light  x3
    dark   x3
    grey   x3

table colours by player:
    player: stone  ahead
    1:      light  N
    2:      dark   S

table owners by stones:
    stones: player
    light:  1
    dark:   2
    grey:   none

define mine(c in board, who in players) = occupied(c) and owners.player(at(c)) = who

action lay(c in board):
    require vacant: not occupied(c)
    effect lay: put colours.stone(player) at c from box

action pass_by(c in board where mine(c, foe(player))):
    require free: step(c, colours.ahead(player)) in board and not occupied(step(c, colours.ahead(player)))
    effect slide: put grey at step(c, colours.ahead(player)) from box

flow:
    repeat until every c in board: occupied(c):
        for player in players: choose lay, pass_by, or stop

score stones of player: count c in board where mine(c, player)
score others: count c in board where occupied(c) and owners.player(at(c)) is none
"""


def test_tables_by_player_and_columns_of_players() -> None:
    game = linked(SIDES)
    assert game.tables["colours"].key == types.Player()
    assert game.tables["owners"].types == (types.Player(),)
    assert dict(game.tables["owners"].columns)["player"] == (1, 2, 0)
    engine = Engine.of(game, 2)
    assert sum(1 for seed in range(4) for _ in play_in_step(engine, seed)) >= 12
    greys = linked(SIDES, variant("change owners: player[grey] = 2", extends="sides"))
    assert dict(greys.tables["owners"].columns)["player"] == (1, 2, 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    dark:   2", "    dark:   3", "this is no player of every game"),
        ("    dark:   2", "    dark:   light", "this is no player of every game"),
        ("    2:      dark ", "    3:      dark ", "there is no player 3"),
        ("    2:      dark   S\n", "", "the table `colours` has no row for `2`"),
    ],
)
def test_what_is_no_player(old: str, new: str, message: str) -> None:
    assert old in SIDES
    with pytest.raises(RulesError) as caught:
        linked(SIDES.replace(old, new))
    assert message in [diagnostic.message for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("roast:  -5     no   merry ", "roast:  -5     no   roast ", "expected a mood, found a tile"),
        ("roast:  -5     no   merry ", "roast:  -5     no   7     ", "expected a mood, found a number"),
        ("roast:  -5     no   merry ", "roast:  -5     no   gloomy", "this value is not allowed in a table"),
        ("roast:  -5     no   merry ", "roast:  -5     no   (1 + 1)", "this value is not allowed in a table"),
        ("    soup:   2      yes  sad    ale      north_east\n", "", "the table `menu` has no row for `soup`"),
        ("    soup:   2 ", "    ale:    2 ", "`ale` is not a member of `dishes`"),
    ],
)
def test_what_no_table_can_say(old: str, new: str, message: str) -> None:
    assert old in INN
    with pytest.raises(RulesError) as caught:
        linked(INN.replace(old, new))
    assert message in [diagnostic.message for diagnostic in caught.value.diagnostics]
