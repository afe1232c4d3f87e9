"""Cells by name wherever they are read or written, and notations without blanks."""

from __future__ import annotations

import pytest

from rulewright.api.state_data import state_as_json
from rulewright.base.diagnostics import RulesError
from rulewright.base.styled_text import plain
from rulewright.cli.views.board_view import BoardPicture
from rulewright.cli.views.tile_view import Symbols
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import Scene
from rulewright.pictures.svg import to_text
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.rules.play.visibility import Viewer
from tests.puzzles.positions import drawn, flaws, game_of, indented, written

DUEL = """module duel:
    "Two riders hunt each other over a field with rafts."

players 2
space board: square grid 3 x 4 of tiles, 8 neighbours, cells a4..c1
space lanes: edges of board

tiles riders:
    knight  x1

pieces rafts in board, turned:
    raft  x1  deck bow

state:
    rider of player: cell of board = b2
    marked:          cell of board
    mown of board:   truth
    open of lanes:   truth
    seen of board:   0..3

action ride(to in around(rider of player)):
    notation "{to}"
    require firm: to not in {a1, c1} else "that is a bog"
    effect ride: rider of player := to

action shoot(from in board, to in board where distance(from, to) = 2):
    notation "{from}x{to}"
    effect shoot: marked := to

action swap(from in board where from = rider of player, to in around(from)):
    notation "{from}{to}", "{from}!{to}" when to = rider of foe(player)
    effect swap: rider of player := to

action drift(raft in pieces(rafts), way in {N, E}):
    notation "{raft}>{way}"
    require free: step(raft, way) is not none
    effect drift: slide raft to step(raft, way)

flow:
    repeat:
        for player in players:
            turn:
                choose ride, shoot, swap, drift

score hits of player: if marked = rider of player then 1 else 0
"""

BODY = """board:
    .  .  knight
    .  .  .
    .  .  .
    .  .  .
rider 1: a1
rider 2: c3
marked: b3
mown: a4, c3
open b1-c1: yes
seen a2: 2
rafts: raft b1 north
"""


def text_of(body: str) -> str:
    found = drawn(DUEL, body)
    return written(found.engine, found.state)


def test_positions_are_read_and_written_by_names() -> None:
    text = text_of(BODY)
    for line in ("marked: b3", "mown: a4, c3", "open: b1-c1", "seen a2: 2", "rafts: raft b1 north"):
        assert f"    {line}\n" in text
    assert text_of(BODY.replace("rider 1: a1", "rider 1: (0,3)").replace("raft b1", "raft (1,3)")) == text


def test_every_move_is_read_as_it_is_written() -> None:
    found = drawn(DUEL, BODY)
    engine, state = found.engine, found.state
    texts = [format_move(engine, state, move) for move in engine.legal(state)]
    assert {"a2", "a1xc3", "a1b2", "raft b1 north>north"} <= {*texts} and "a1" not in texts
    assert [parse_move(engine, state, text) for text in texts] == engine.legal(state)
    assert parse_move(engine, state, "north") == parse_move(engine, state, "(0,2)") == parse_move(engine, state, "a2")
    assert parse_move(engine, state, "(0, 3) x (2,1)") == parse_move(engine, state, "a1xc3")


def test_the_other_notation_is_written_where_its_condition_holds_and_read_anywhere() -> None:
    found = drawn(DUEL, BODY.replace("rider 2: c3", "rider 2: a2"))
    engine, state = found.engine, found.state
    texts = [format_move(engine, state, move) for move in engine.legal(state)]
    assert {"a1!a2", "a1b2"} <= {*texts} and not {"a1a2", "a1!b2"} & {*texts}
    assert [parse_move(engine, state, text) for text in texts] == engine.legal(state)
    assert parse_move(engine, state, "a1a2") == parse_move(engine, state, "a1 ! a2")
    assert parse_move(engine, state, "a1!b2") == parse_move(engine, state, "a1b2")


@pytest.mark.parametrize(
    ("other", "code"),
    [('"{from}!" when yes', "RW132"), ('"{from}!{to}" when 3', "RW200"), ('"{from}!{to}" when rider of way = to', "RW110")],
)
def test_the_other_notation_is_checked_as_the_first(other: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        game_of(DUEL.replace('"{from}!{to}" when to = rider of foe(player)', other))
    assert [flaw.code for flaw in caught.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("changed", "into", "code"),
    [("marked: b3", "marked: b5", "RW312"), ("seen a2", "seen d2", "RW312"), ("raft b1", "raft e1", "RW312")],
)
def test_a_name_of_no_cell_says_which_exist(changed: str, into: str, code: str) -> None:
    body = indented(BODY.replace(changed, into))
    (flaw,) = flaws("puzzle here:\n    rules duel\n" + body, game_of(DUEL))
    assert (flaw.code, flaw.help) == (code, "the cells of `board` are `a4` to `c1`")


def test_a_move_to_no_cell_says_which_exist() -> None:
    found = drawn(DUEL, BODY)
    with pytest.raises(RulesError, match="a9") as caught:
        parse_move(found.engine, found.state, "a1xa9")
    assert caught.value.diagnostics[0].help == "the cells of `board` are `a4` to `c1`"


def test_rules_that_name_no_cell_say_which_exist() -> None:
    with pytest.raises(RulesError, match="c9") as caught:
        game_of(DUEL.replace("{a1, c1}", "{a1, c9}"))
    (flaw,) = caught.value.diagnostics
    assert (flaw.code, flaw.help) == ("RW110", "there are the cells `a4` to `c1`")


def test_boards_and_documents_have_names() -> None:
    found = drawn(DUEL, BODY)
    symbols = Symbols.of(found.engine.game)
    lines = [plain(line).rstrip() for line in BoardPicture(found.engine, found.state, Viewer(), symbols).lines("board")]
    assert lines[0].split() == ["a", "b", "c"] and [line[0] for line in lines[2::2]] == ["4", "3", "2", "1"]
    board = state_as_json(found.engine, found.state, Viewer())["boards"]["board"]
    assert board == [{"cell": [2, 0], "name": "c4", "tile": "knight"}]
    svg = to_text(picture(Scene(found.engine, Viewer(), "duel"), found.state))
    assert ">a<" in svg and ">4<" in svg and "c4" in svg and ">0<" not in svg
