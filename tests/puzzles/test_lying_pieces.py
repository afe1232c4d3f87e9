"""Pieces that lie in puzzles: read, taken from their stock, written again, shown; and what is refused."""

from __future__ import annotations

import random

import pytest

from rulewright.base.styled_text import plain
from rulewright.cli.views.board_view import BoardPicture
from rulewright.cli.views.state_view import Viewer
from rulewright.cli.views.tile_view import Symbols
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.puzzles.checks import IMPOSSIBLE_HELP
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from tests.puzzles.positions import flaws, without_chance, written
from tests.rules.playing import linked, own_module, playout

FLEETS = own_module("fleets")
HEAD = "puzzle here:\n    rules fleets\n    players 2\n"
LISTED = "    ships: boat (1,1) east@1, crab (3,3) south@2, boat (0,1) west@2\n"


def here(body: str = LISTED) -> Position:
    return set_up_position(parse_puzzle(HEAD + body, "here"), FLEETS)


def zone(position: Position, name: str, player: int | None) -> list[str]:
    engine = position.engine
    return [engine.game.tiles[tile - 1].name for tile in position.state[engine.layout.position(name, player)]]


def test_pieces_that_are_listed_are_taken_from_their_owners() -> None:
    position = here()
    assert zone(position, "ships", 1) == ["boat", "buoy", "crab"]
    assert zone(position, "ships", 2) == ["boat", "buoy"]
    assert zone(position, "ships_laid", None) == ["boat", "boat", "crab"]
    named = here(LISTED + "    ships 2: buoy\n    damage (0,1): 1\n")
    assert zone(named, "ships", 2) == ["buoy"]


def test_positions_are_written_and_read_again() -> None:
    engine = here().engine
    states = {state for seed in range(6) for state in playout(engine, seed)} | {here().state}
    for state in random.Random(1).sample(sorted(states, key=str), 12):
        again = set_up_position(parse_puzzle(written(engine, state), "again"), FLEETS)
        assert without_chance(again.state) == without_chance(state)


def test_they_are_shown_by_kind_and_owner() -> None:
    position = here()
    lines = [plain(line) for line in BoardPicture(position.engine, position.state, Viewer(), Symbols.of(FLEETS)).lines("sea")]
    assert [line.count("boat@1") for line in lines if "boat@1" in line] == [1, 1]
    assert any("crab@2" in line for line in lines)


@pytest.mark.parametrize(
    ("listed", "code", "help"),
    [
        ("boat (1,1) east", "RW312", "add its owner, as in `@1`"),
        ("boat (1,1) east@3", "RW306", "the players are 1 to 2"),
        ("boat (3,3) east@1", "RW312", "did you mean `boat (3,3) west`?"),
        ("boat (1,1)@1", "RW312", "did you mean `boat (1,1) west`?"),
        ("boot (1,1) east@1", "RW305", "did you mean `boat`?"),
        ("boat (9,1) east@1", "RW314", "its cells are 0..3 x 0..3"),
        ("boat", "RW312", "write a piece and where it lies, as in `boat (0,0) north@1`"),
        ("boat (1,1) east@1, buoy (1,2)@2", "RW315", "correct one of them"),
        ("buoy (0,0)@1, buoy (0,1)@1, buoy (0,2)@2", "RW320", IMPOSSIBLE_HELP),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(listed: str, code: str, help: str) -> None:
    found = [(found.code, found.help) for found in flaws(f"{HEAD}    ships: {listed}\n", FLEETS)]
    assert (code, help) in found, found


YARD = """
module yard:
    "Crates, and men between them."

space yard: square grid 3 x 2 of tiles

pieces crates in yard:
    crate  x2  side side

tiles men:
    man  x2

action wait:
    effect rest: stop

flow:
    repeat: choose wait or stop
"""


def test_pieces_of_nobody_come_from_the_box_and_are_drawn_beside_a_board() -> None:
    game = linked(YARD)
    text = "puzzle here:\n    rules yard\n    yard:\n        .  man  .\n    crates: crate (0,1)\n    box: rest\n"
    position = set_up_position(parse_puzzle(text, "here"), game)
    assert zone(position, "box", None) == ["man", "crate"] or zone(position, "box", None) == ["crate", "man"]
    again = set_up_position(parse_puzzle(written(position.engine, position.state), "again"), game)
    assert again.state == position.state
    (found,) = flaws(text.replace("crate (0,1)", "crate (0,1)@1"), game)
    assert (found.code, found.help) == ("RW312", "delete `@` and the number")


DRAWN = """    sea:
        +         .         .  .
        boat/3@2  boat/1@1  .  .
        .         +         .  +
        .         .         +  crab/2@2
"""


def test_pieces_are_drawn_on_their_space() -> None:
    drawn = here(DRAWN)
    assert drawn.state == here().state
    puzzle = parse_puzzle(HEAD + DRAWN, "here")
    assert parse_puzzle(print_puzzle(puzzle), "again") == puzzle
    # What is drawn is taken from its owner, and tiles may stand beside.
    assert zone(drawn, "ships", 1) == ["boat", "buoy", "crab"]
    board = """    yard:
        crate  +  man
    box: man, crate
"""
    game = linked(YARD)
    position = set_up_position(parse_puzzle(f"puzzle here:\n    rules yard\n{board}", "here"), game)
    assert "man" in written(position.engine, position.state)
    again = set_up_position(parse_puzzle(written(position.engine, position.state), "again"), game)
    assert again.state == position.state


MIRRORED = """
module shed:
    "Hooks lie on both sides."

space floor: cube grid 3 x 3 x 2

pieces hooks in floor, turned, mirrored:
    hook  x2:
        level 0:
            b b
            b .
        level 1:
            . .
            b .

action wait:
    effect rest: stop

flow:
    repeat: choose wait or stop
"""


def test_pieces_are_drawn_level_by_level_and_mirrored() -> None:
    game = linked(MIRRORED)
    head = "puzzle here:\n    rules shed\n"
    drawn = """    floor level 0:
        .  +  hook/m
        .  .  +
        .  .  .
    floor level 1:
        .  .  .
        .  .  +
        .  .  .
"""
    listed = "    hooks: hook (2,0,0) mirrored_north\n"
    found, wanted = (set_up_position(parse_puzzle(head + body, "here"), game) for body in (drawn, listed))
    lying = game.patterns["hooks"].name + "_lie"
    assert found.state[found.engine.layout.columns[lying].start] == wanted.state[wanted.engine.layout.columns[lying].start]


@pytest.mark.parametrize(
    ("drawing", "code", "help"),
    [
        ("boat@1 . . .", "RW188", "write `+`, or correct the turn of the piece"),
        ("boat@1 + + .", "RW188", "write `.`, or turn a piece so that it covers this cell: `/1` turns it clockwise"),
        ("+ . . .", "RW188", "write `.`, or turn a piece so that it covers this cell: `/1` turns it clockwise"),
        ("boat + . .", "RW312", "add its owner, as in `@1`"),
        ("boat@1@2 + . .", "RW312", "give it a single owner, as in `boat@1`"),
        (". . . boat@1", "RW312", "did you mean `boat (2,0) north`?"),
        ("boat/m@1 + . .", "RW312", "did you mean `boat (0,0) north`?"),
        ("boat/7@1 + . .", "RW312", "did you mean `boat (0,0) north`?"),
        ("boot . . .", "RW305", "write `.`, or `.@1` for the piece of a player"),
        ("boat@1 + buoy@1 .\n    ships: buoy (0,1)@2", "RW315", "delete one of the two"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn(drawing: str, code: str, help: str) -> None:
    found = [(found.code, found.help) for found in flaws(f"{HEAD}    sea:\n        {drawing}\n", FLEETS)]
    assert (code, help) in found, found
