"""What expressions and effects come to, worked out by hand: the corners where a reading could slip, in both readings."""

from __future__ import annotations

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.playing import linked

GAME = """
module corners:
    "Nine cells; a bell stands on (1,1), a rock on (0,0), and the hand holds two rocks and a bell."

terrain water, land
marker buoy
enum colour: red, green, blue
players 2..2

space board: square grid 3 x 3 of tiles

tiles pieces:
    sand  x1
    bell  x2    buoy, buoy
    rock  x3    land N E

state:
    tally:           -9..99 = 2
    flag:            truth = yes
    hand:            set of tiles
    heap:            pile of tiles
    purse of player: 0..9
    mood of player:  colour = green
    depth of board:  -3..3
    pawn:            cell of board

procedure lay_out:
    bell: put bell at step(step(origin of board, east), south) from box
    rock: put rock at origin of board from box
    pawn: pawn := origin of board
    hand: move all box to hand
    heap: move sand to heap from hand

action act:
    effect done: {effect}

flow:
    lay_out
    repeat: choose act

define centre = step(step(origin of board, east), south)
define nobody = least p in players where no by 0
define off = least c in board where no by 0

score value: {value}
score tallied: 1000 * tally
"""


def both(value: str = "0", effect: str = "tally := tally") -> Engine:
    return Engine.of(linked(GAME.replace("{value}", value).replace("{effect}", effect)), 2)


def truth(text: str) -> str:
    return f"if {text} then 1 else 0"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-7 div 2", -4),
        ("-7 mod 2", 1),
        ("7 div 0 + 7 mod 0", 0),
        ("size(hand)", 3),
        ("count t in hand where t = rock", 2),
        ("count t in tiles where t in hand", 2),
        ("number(at(centre), buoy)", 2),
        ("100 * copies(rock) + 10 * copies(at(centre)) + copies(nothing)", 320),
        ("sum copies(t) - (count u in hand where u = t) for t in pieces", 3),
        (truth("(if flag then flag and occupied(centre) else no) = yes"), 1),
        (truth("yes in {flag and occupied(centre), no}"), 1),
        (truth("(flag and occupied(centre)) in {yes}"), 1),
        ("size({flag and occupied(centre), flag and occupied(origin of board)})", 1),
        ("least row(c) for c in board where no", 0),
        (truth("occupied(off)"), 0),
        ("distance(off, centre)", -1),
        ("purse of nobody", 0),
        (truth("mood of nobody = green"), 1),
        ("size(around(off))", 0),
        (truth("step(centre, least d in directions(board) where no by 0) = off"), 1),
        (truth("(least t in hand where no by 0) = nothing"), 1),
        (truth("side(nothing, north) = water or side(nothing, north) = land"), 0),
        ("count n in around(origin of board)", 2),
        ("count n in nearby(origin of board)", 3),
        ("count d in directions(board) where side(rock, d) = land", 2),
        ("size(line(origin of board, east))", 2),
        ("size(line(origin of board, north))", 0),
        (truth("origin of board -> centre = south_east"), 1),
        (truth("turn(north, -1) = west and turn(north, 6) = south"), 1),
        ("size(closure of centre under a to b in around(a))", 9),
        ("size(closure of rock under a to b in hand)", 2),
        (truth("at(greatest c in board by row(c) * 3 + column(c)) = nothing"), 1),
        ("greatest c2 for c2 in {3, 9, 4}", 9),
        ("sum (sum a * b for b in 1..a) for a in 1..3", 1 + 2 * 3 + 3 * 6),
        ("count a in 3..2", 0),
        (truth("every a in 3..2: no"), 1),
        (truth("some a in 3..2: yes"), 0),
        (truth("top(heap) = sand"), 1),
        (truth("flag or (1 div 0 = 7)"), 1),
        ("size(pieces)", 3),
        ("size(those at(c) for c in board)", 3),
        ("size(those row(c) for c in board where column(c) > 0)", 3),
        ("sum n for n in those n mod 3 for n in {5, 2, 8, 4}", 2 + 1),
        ("size(those occupied(c) for c in board where occupied(c))", 1),
        ("size(closure of centre under a to b in those step(a, d) for d in {north, west})", 5),
        (truth("rock in those at(c) for c in line(step(centre, north), west)"), 1),
        (truth("nothing in those t for t in hand"), 0),
        (truth("region(origin of board, N) = region(origin of board, E)"), 1),
        (truth("region(origin of board, N) = region(origin of board, S)"), 0),
        (truth("region(origin of board, W) = region(origin of board, S)"), 1),
        (truth("region(origin of board, S) = region(centre, S)"), 0),
        (truth("cell(region(centre, south)) = centre and cell(site(centre, buoy)) = centre"), 1),
        (truth("site(centre, buoy) = region(centre, W)"), 1),
        ("number(site(centre, buoy), buoy)", 2),
        ("number(region(origin of board, N), buoy) + number(region(off, N), buoy)", 0),
        (truth("cell(region(step(centre, east), north)) = off and site(origin of board, buoy) = region(off, N)"), 1),
        ("size(those region(origin of board, d) for d in directions(board))", 2),
        ("size(closure of region(centre, N) under r to s in those region(step(cell(r), d), S) for d in {N, W})", 2),
        (truth("rock in pieces and nothing not in pieces"), 1),
        ("sum number(t, buoy) for t in pieces", 2),
    ],
)
def test_values(text: str, value: int) -> None:
    engine = both(text)
    state = engine.start()
    assert engine.scores[0](state) == value
    assert ReferenceEngine(engine).score(state) == engine.score(state) == value + 2000


@pytest.mark.parametrize(
    ("effect", "tally"),
    [
        ("for n in 1..tally: tally += 1", 4),
        ("for n in 1..tally where tally < 3: tally += 1", 3),
        ("for n in {1, 2, 3} where tally < 4: tally += n", 5),
        ("for c in board where depth of c = -3: tally := tally * 2 mod 97", 2 * 2**9 % 97),
        ("for t in hand: tally := tally + size(hand)", 2 + 3 * 3),
        ("for c in those c in board where not occupied(c): tally += 1", 9),
        ("if tally = 2: tally := tally + 5", 7),
        ("for p in players: tally := tally * 3 + size(players)", 26),
    ],
)
def test_effects_find_what_was_changed_before(effect: str, tally: int) -> None:
    engine = both(effect=effect)
    state = engine.start()
    assert engine.score(engine.apply(state, (0,))) == 1000 * tally
    assert ReferenceEngine(engine).apply(state, (0,)) == engine.apply(state, (0,))


@pytest.mark.parametrize(
    ("effect", "zones"),
    [
        ("move top(heap) to hand from heap", ((1, 2, 3, 3), ())),
        ("move all hand to heap", ((), (3, 3, 2, 1))),
        ("take centre to heap", ((2, 3, 3), (2, 1))),
        ("for t in hand: move t to heap", ((), (3, 3, 2, 1))),
        ("deal 5 from heap to hand", ((1, 2, 3, 3), ())),
        ("deal -1 from heap to hand", ((2, 3, 3), (1,))),
    ],
)
def test_zones(effect: str, zones: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """Sets are kept sorted; a pile's first tile is its top."""
    engine = both(effect=effect)
    state = engine.apply(engine.start(), (0,))
    assert (state[engine.layout.position("hand", None)], state[engine.layout.position("heap", None)]) == zones
    assert ReferenceEngine(engine).apply(engine.start(), (0,)) == state


def test_depths_below_zero() -> None:
    engine = both("sum depth of c for c in board", "for c in board: depth of c := row(c) - 2")
    assert engine.score(engine.apply(engine.start(), (0,))) == 2000 - 3 * (2 + 1)


DEEP = """module deep:

action wait():
    effect done: stop

flow:
    repeat: choose wait, or stop

score far: {}
"""


def test_nested_extremes_stay_as_small_as_their_text() -> None:
    """`min` of `max` of … once doubled with every level."""
    game = linked(DEEP.format("min(3, max(1, " * 12 + "2" + "))" * 12))
    engine = Engine.of(game, 1)
    assert engine.score(engine.start()) == ReferenceEngine(engine).score(engine.start()) == 2
