"""Spaces of edges and of ports: what their cells are called, how they hang together, and how puzzles give them values."""

from __future__ import annotations

import pytest

from rulewright.base.styled_text import plain
from rulewright.cli.views.board_view import BoardPicture
from rulewright.cli.views.state_view import Viewer
from rulewright.cli.views.tile_view import Symbols
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.play.cell_contents import turned_kind
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.solver.cpsat.process.job import ModelKind
from tests.puzzles.positions import flaws, written
from tests.rules.playing import linked, own_module
from tests.solver.asking import greatest_score, most
from tests.solver.cpsat.running import run

TRACKS = own_module("tracks")
HEAD = "puzzle here:\n    rules tracks\n    players 1\n"
BODY = """    yard:
        knot/1  .  .
        .       plain  .

    road 0_0-1_0: 2
    road 1_0-1_1: 1
    ferry: kos-samos, samos-rhodes
    train 1: 0_0-E1
    last: 1_0-1_1
"""


def names(space: str) -> tuple[str, ...]:
    return Engine.of(TRACKS, 1).instance.windows[space].names


def test_edges_are_named_by_their_ends_and_ports_by_cell_and_side() -> None:
    assert names("ferries") == ("kos-samos", "kos-rhodes", "samos-rhodes")
    assert names("roads") == ("0_0-1_0", "0_0-0_1", "1_0-2_0", "1_0-1_1", "2_0-2_1", "0_1-1_1", "1_1-2_1")
    assert names("rails")[:9] == (*(f"0_0-{side}{n}" for side in "NESW" for n in (1, 2)), "1_0-N1")


def test_a_puzzle_gives_them_values_and_is_written_again() -> None:
    position = set_up_position(parse_puzzle(HEAD + BODY, "here"), TRACKS)
    engine, state = position.engine, position.state
    assert list(state[engine.layout.position("road", None)]) == [2, 0, 0, 1, 0, 0, 0, 0]
    assert list(state[engine.layout.position("ferry", None)]) == [1, 0, 1, 0]
    assert state[engine.layout.position("train", 1)] == names("rails").index("0_0-E1")
    again = set_up_position(parse_puzzle(written(engine, state), "again"), TRACKS)
    assert again.state == state


def test_tiles_with_ports_are_shown_by_their_names() -> None:
    position = set_up_position(parse_puzzle(HEAD + BODY, "here"), TRACKS)
    picture = BoardPicture(position.engine, position.state, Viewer(frozenset()), Symbols.of(TRACKS)).lines("yard")
    assert any("knot/1" in plain(line) for line in picture)
    window = position.engine.instance.windows["yard"]
    knot = turned_kind(TRACKS.tiles[0], window, 1)
    assert [region.sides for region in knot.regions[1:]] == [("E1", "S2"), ("E2", "W1"), ("S1", "N1"), ("W2", "N2")]


def test_there_is_no_such_edge() -> None:
    assert [flaw.code for flaw in flaws(HEAD + "    road 0_0-2_0: 1\n", TRACKS)] == ["RW312"]


def test_tiles_join_ports_as_they_are_turned() -> None:
    """The knot turned once joins E1 with S2, E2 with W1, N1 with S1 and W2 with N2; beyond E2 lies W1 of the next cell."""
    text = """
module knots:
    "One knot."

terrain stone, rail

space yard: square grid 2 x 1 of turned tiles
space rails: ports of yard, 2 a side

tiles knots:
    knot x1   rail N1 E2, rail N2 S1, rail E1 W1, rail S2 W2

state:
    seen: cell of rails

action look(p in rails, c in {beyond(p), link(p)} where c in rails):
    effect see: seen := c

flow:
    choose look
"""
    game = linked(text)
    body = "puzzle here:\n    rules knots\n    yard:\n        knot/1  .\n"
    position = set_up_position(parse_puzzle(body, "here"), game)
    engine = position.engine
    found = {format_move(engine, position.state, move) for move in engine.legal(position.state)}
    pairs = [("E1", "S2"), ("E2", "W1"), ("N1", "S1"), ("W2", "N2")]
    links = {f"look 0_0-{one} 0_0-{other}" for pair in pairs for one, other in (pair, pair[::-1])}
    across = [("0_0-E1", "1_0-W2"), ("0_0-E2", "1_0-W1")]
    assert found == links | {f"look {one} {other}" for pair in across for one, other in (pair, pair[::-1])}
    move = parse_move(engine, position.state, "look 0_0-E1 0_0-S2")
    assert engine.apply(position.state, move)[engine.layout.position("seen", None)] == 5


ROADS = """
module builder:
    "Roads are built from town to town."

space towns: graph:
    a - b, c
    b - c, d
    c - d
space roads: edges of towns

state:
    built of roads: truth
    here:           cell of towns = a
    left:           0..4 = 4

action build(to in around(here)):
    require new: not built of edge(here, to)
    effect lay: built of edge(here, to) := yes
    effect go: here := to
    effect pay: left -= 1

flow:
    repeat until left = 0: choose build

score worth: sum (if c in ends(e) and d in ends(e) then 5 else 2) for e in roads where built of e
score crossings: 3 * count t in towns where (count e in edges(t) where built of e) >= 3
"""


def test_search_and_cpsat_agree_about_roads() -> None:
    game = linked(ROADS)
    engine = Engine.of(game, 1)
    state, question = engine.start(0), greatest_score(game)

    def greatest(state: tuple[object, ...]) -> int:
        moves = [] if engine.over(state) else engine.legal(state)
        return max((greatest(engine.apply(state, move)) for move in moves), default=0) or engine.score(state)

    best = greatest(state)
    assert best == 5 + 2 * 3 + 3
    assert most(engine, state, game).score == best
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best)


@pytest.mark.parametrize(
    ("space", "code"),
    [
        ("edges of yards", "RW136"),
        ("edges of roads", "RW137"),
        ("edges of sea", "RW137"),
        ("ports of air, 1 a side", "RW137"),
        ("ports of towns, 1 a side", "RW137"),
    ],
)
def test_what_cannot_be_derived_is_refused(space: str, code: str) -> None:
    from rulewright.base.diagnostics import RulesError

    text = ROADS.replace("\nstate:", f"space sea: square grid\nspace air: cube grid 2 x 2 x 2\nspace more: {space}\n\nstate:")
    with pytest.raises(RulesError) as caught:
        linked(text)
    assert [flaw.code for flaw in caught.value.diagnostics] == [code]
