"""Pieces: held against packings that are counted elsewhere, against a plain count of moves, and against CP-SAT."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.spaces.window import Window
from rulewright.solver.cpsat.process.job import ModelKind
from tests.perft import perft
from tests.rules.playing import MODULES, linked, own_module
from tests.solver.asking import most
from tests.solver.cpsat.running import run, worth
from tests.solver.exhaustive import best_value

# Packings -------------------------------------------------------------------------------------------------------------

PACKING = """
module packing:
    "Fill the floor: the first free cell is covered next, so every packing is laid in one order only."

space {space}

pieces blocks in floor, turned{mirrored}:
{blocks}

define gap = least c in floor where not covered(c) by {order}

action lay(p in places_over(blocks, gap)):
    require left: kind(p) in box
    require room: every c in cells(p): not covered(c)
    effect lay: put kind(p) at p from box

flow:
    repeat until every c in floor: covered(c): choose lay

score full: if (every c in floor: covered(c)) then 1 else 0
"""
BY_ROWS = "8 * row(c) + column(c)"
P_PENTOMINOES = "    p  x2:\n        p p p\n        p p ."
BRICKS = "    flat  x4  b b\n    tall  x4:\n        level 0:\n            b\n        level 1:\n            b"
PACKINGS = {
    "dominoes": ("square grid 4 x 4", "", "    domino  x8  d d", BY_ROWS, 36),
    "corners": ("square grid 4 x 3", "", "    corner  x4:\n        a b\n        a .", BY_ROWS, 4),
    "one side": ("square grid 5 x 2", "", P_PENTOMINOES, BY_ROWS, 1),
    "both sides": ("square grid 5 x 2", ", mirrored", P_PENTOMINOES, BY_ROWS, 2),
    "bricks": ("cube grid 2 x 2 x 2", "", BRICKS, "4 * level(c) + 2 * row(c) + column(c)", 9),
    "hexes": ("hex grid 4 x 3", "", "    pair  x6  h . h", BY_ROWS, 15),
}
"""Ways to fill a floor: known of dominoes (OEIS A004003), of bricks (A006253), of corners in strips of three (2 for 3 x 2)."""


def packing(name: str) -> Engine:
    shape, mirrored, blocks, order, _ = PACKINGS[name]
    return Engine.of(linked(PACKING.format(space=f"floor: {shape}", mirrored=mirrored, blocks=blocks, order=order)), 1)


def fillings(engine: Engine, state: State) -> int:
    """The lines of play that fill the floor."""
    if engine.over(state):
        return engine.score(state)
    return sum(fillings(engine, engine.apply(state, move)) for move in engine.legal(state))


@pytest.mark.parametrize("name", PACKINGS)
def test_packings_are_as_many_as_is_known(name: str) -> None:
    engine = packing(name)
    assert fillings(engine, engine.start(0)) == PACKINGS[name][-1]


def matchings(window: Window, free: frozenset[int]) -> int:
    """The ways to pair off cells with neighbours."""
    if not free:
        return 1
    first = min(free)
    near = {window.steps[way][first] for way in window.around} & free
    return sum(matchings(window, free - {first, other}) for other in near)


@pytest.mark.parametrize("name", ["dominoes", "bricks", "hexes"])
def test_pairs_of_cells_are_matchings(name: str) -> None:
    (window,) = packing(name).instance.windows.values()
    assert matchings(window, frozenset(range(window.size))) == PACKINGS[name][-1]


BEST = """
module best:
    "Lay what fits: each cell that is covered counts, and a corner more for each side that it shares."

space floor: square grid 3 x 3

pieces blocks in floor, turned:
    pair    x2  end end
    corner  x1:
        arm bend
        .   arm

state:
    lifted: set of tiles

action lay(p in places(blocks) where kind(p) in box):
    require room: every c in cells(p): not covered(c)
    effect lay: put kind(p) at p from box

action shift(p in pieces(blocks), way in {N, E}):
    require room: step(p, way) is not none and every c in cells(step(p, way)): not covered(c) or piece_at(c) = p
    require first: empty(lifted)
    effect shift: slide p to step(p, way)

flow:
    for k in 1..3:
        turn: choose lay, shift, or stop

score covered: count c in floor where covered(c)
score corner: sum (sum 3 * column(c) for c in p.bend) for p in pieces(blocks)
"""


def test_search_and_cpsat_against_enumeration() -> None:
    game = linked(BEST)
    engine = Engine.of(game, 1)
    state, question = engine.start(0), Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    best = best_value(engine, state, question)
    assert most(engine, state, game).score == best
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best)
    assert found.plan is not None
    assert worth(engine, state, question, found.plan) == best


def test_pieces_of_too_many_places_are_refused() -> None:
    blocks = "\n".join(f"    bar_{number}  x1    b b b" for number in range(9))
    with pytest.raises(RulesError) as stopped:
        linked(PACKING.format(space="floor: square grid 64 x 64", mirrored="", blocks=blocks, order=BY_ROWS))
    assert [(found.code, found.labels[0].span.line) for found in stopped.value.diagnostics] == [("RW175", 7)]


def test_a_loop_over_pieces_that_are_not_known_is_refused_by_its_line() -> None:
    lifting = "    effect lift: for q in pieces(blocks) where q != step(p, way): take q to lifted\n\nflow:"
    game = linked(BEST.replace("\nflow:", lifting))
    engine = Engine.of(game, 1)
    state, question = engine.start(0), Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    assert most(engine, state, game).score == best_value(engine, state, question)
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.message) == (
        "unsupported",
        "a loop over elements that are not known, in `shift.lift`, line 24 of text 1",
    )


# Owners and moves -----------------------------------------------------------------------------------------------------

SHAPES = {
    "boat": ((0, 0, "hull"), (1, 0, "bow")),
    "buoy": ((0, 0, "buoy"),),
    "crab": ((0, 0, "claw"), (1, 0, "body"), (0, 1, "claw")),
}
SIDE = 4
Cells = frozenset[tuple[int, int, str]]


def laid(kind: str, turn: int, x: int, y: int) -> Cells | None:
    """The cells of a piece whose first cell is at a place; None where it leaves the sea."""
    found = []
    for east, south, role in SHAPES[kind]:
        dx, dy = ((east, south), (-south, east), (-east, -south), (south, -east))[turn]
        found.append((x + dx, y + dy, role))
    return frozenset(found) if all(0 <= a < SIDE and 0 <= b < SIDE for a, b, _ in found) else None


def everywhere(kind: str) -> dict[Cells, tuple[int, int, int]]:
    """Every place of a kind, with the first turn that it is laid by and its first cell."""
    found: dict[Cells, tuple[int, int, int]] = {}
    for turn, y, x in product(range(4), range(SIDE), range(SIDE)):
        if (cells := laid(kind, turn, x, y)) is not None:
            found.setdefault(cells, (turn, x, y))
    return found


EVERYWHERE = {kind: everywhere(kind) for kind in SHAPES}
Fleet = frozenset[tuple[int, str, Cells]]
Hands = tuple[tuple[str, ...], ...]


def after(hands: Hands, lying: Fleet, player: int) -> Iterator[tuple[Hands, Fleet]]:
    """What a player may make of a position by launching, sailing and turning. Nobody rams."""
    taken = {(x, y) for _, _, cells in lying for x, y, _ in cells}
    for kind in sorted(set(hands[player])):
        for cells in EVERYWHERE[kind]:
            if not taken & {(x, y) for x, y, _ in cells}:
                left = list(hands[player])
                left.remove(kind)
                yield (*hands[:player], tuple(left), *hands[player + 1 :]), lying | {(player, kind, cells)}
    for piece in lying:
        owner, kind, cells = piece
        others = taken - {(x, y) for x, y, _ in cells}
        if owner != player:
            continue
        turn, x, y = EVERYWHERE[kind][cells]
        moved = [laid(kind, turn, x + dx, y + dy) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        if kind == "boat":
            moved.append(laid(kind, (turn + 1) % 4, x, y))
        for there in moved:
            if there is not None and not others & {(x, y) for x, y, _ in there}:
                yield hands, (lying - {piece}) | {(owner, kind, there)}


def lines(hands: Hands, lying: Fleet, player: int, depth: int) -> int:
    if depth == 0:
        return 1
    stops = depth == 1
    return stops + sum(lines(*position, 1 - player, depth - 1) for position in after(hands, lying, player))


def test_lines_of_play_are_as_many_as_counted_plainly() -> None:
    text = (MODULES / "fleets.rules").read_text("utf-8").replace("sail, turn_about, ram, or stop", "sail, turn_about, or stop")
    engine = Engine.of(linked(text), 2)
    hands = (("boat", "boat", "buoy", "crab"),) * 2
    assert [perft(engine, engine.start(0), depth) for depth in (1, 2)] == [lines(hands, frozenset(), 0, d) for d in (1, 2)]
    state = engine.start(0)
    for move in ("launch boat (1,1) east", "launch crab (3,3) south", "launch boat (0,1) west"):
        state = engine.apply(state, parse_move(engine, state, move))
    here: Fleet = frozenset(
        {
            (0, "boat", laid("boat", 1, 1, 1) or frozenset()),
            (1, "crab", laid("crab", 2, 3, 3) or frozenset()),
            (0, "boat", laid("boat", 3, 0, 1) or frozenset()),
        }
    )
    assert perft(engine, state, 2) == lines((("buoy", "crab"), ("boat", "boat", "buoy")), here, 1, 2)


def test_moves_are_read_as_they_are_written() -> None:
    engine = Engine.of(own_module("fleets"), 2)
    state = engine.start(0)
    for move in ("launch boat (1,1) east", "launch buoy (2,1)"):
        state = engine.apply(state, parse_move(engine, state, move))
    moves = engine.legal(state)
    texts = [format_move(engine, state, move) for move in moves]
    assert [parse_move(engine, state, text) for text in texts] == moves
    assert {"launch boat (3,3) west", "turn_about boat (1,1) east", "sail boat (1,1) east west"} <= set(texts)


# Faults ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        (["lay pole (1,0) north_east 0", "lay pole (0,0) north_east 0"], "RW362"),
        (["lift (0,0)"], "RW363"),
        (["lay pole (1,0) north_east 0", "drift pole (1,0) north_east east"], "RW362"),
        (["name hub (1,1) bent (0,1) north_east"], "RW363"),
        (["lay hub (1,0) north_east 0", "lift (1,0)", "lay hub (1,0) north_east 0"], "RW363"),
    ],
)
def test_what_cannot_be_stops_the_game(moves: list[str], code: str) -> None:
    careless = "module careless:\n    extends hex_rafts\n\n" + "".join(
        f"change {action}:\n    replace {label}: yes\n\n"
        for action, label in (("lay", "room"), ("lay", "left"), ("name", "same"), ("lift", "there"), ("drift", "room"))
    )
    text = (MODULES / "hex_rafts.rules").read_text("utf-8")
    engine = Engine.of(linked(text, careless), 1)
    state = engine.start(0)
    *before, last = moves
    for move in before:
        state = engine.apply(state, parse_move(engine, state, move))
    with pytest.raises(PlayError) as caught:
        engine.apply(state, parse_move(engine, state, last))
    assert [found.code for found in caught.value.diagnostics] == [code]
    with pytest.raises(PlayError) as again:
        ReferenceEngine(engine).apply(state, parse_move(engine, state, last))
    assert again.value.summary == caught.value.summary
    assert f"`{last.partition(' ')[0]}." in again.value.summary


# Changes --------------------------------------------------------------------------------------------------------------

DRAWN_ANEW = """
module drawn_anew:
    extends fleets

change ships:
    add galley x1:
        deck deck
        .    oar
    buoy x2:
        float
        rope
"""


def fleets(change: str) -> Game:
    return linked((MODULES / "fleets.rules").read_text("utf-8"), change)


def test_a_change_draws_pieces() -> None:
    """A kind that is added and one that is drawn anew lie as they are drawn; the others stay."""
    game = fleets(DRAWN_ANEW)
    ships = game.patterns["ships"]
    cells = {game.tiles[kind - 1].name: len(sum(at.cells, ())) for at, kind in zip(ships.places, ships.kinds, strict=True)}
    assert cells == {"boat": 2, "buoy": 2, "crab": 3, "galley": 3}
    assert [kind.count for kind in game.tiles if kind.name in ("buoy", "galley")] == [2, 1]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("change ships:\n    gally x1:\n        oar oar", "RW105"),
        ("change ships:\n    add buoy x1:\n        oar oar", "RW105"),
        ("change launch:\n    add buoy x1:\n        oar oar", "RW105"),
    ],
)
def test_what_cannot_be_drawn_anew(change: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        fleets(f"module drawn_anew:\n    extends fleets\n\n{change}\n")
    assert {found.code for found in caught.value.diagnostics} == {code}


def test_copies_of_a_piece_are_what_each_player_has() -> None:
    counted = "module counted:\n    extends fleets\n\nscore ships: 10 * copies(boat) + copies(crab)\n"
    engine = Engine.of(fleets(counted), 2)
    assert engine.score(engine.start()) == 10 * 2 + 1
