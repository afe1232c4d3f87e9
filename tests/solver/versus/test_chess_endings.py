"""A king and a rook or a pawn against a king: outcome and length of best play, against tables made without the rules."""

from __future__ import annotations

import random

import pytest

from rulewright import load_puzzle
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from tests.rules.playing import shipped
from tests.solver.versus.chess_endings import Ending, is_legal, table

LONGEST = {"Q": 20, "R": 32, "P": 56}
"""Moves of both sides to the latest mate, with Black to move: then White mates in 10, 16 and 28, as all tables say."""

WON = {"Q": 144_508, "R": 175_168, "P": 124_960}
"""Positions that White wins if it is to move; the last is well known."""


def text(man: str, ending: Ending) -> str:
    king, cell, foe, is_white = ending
    men = {king: "K", cell: man, foe: "k"}
    rows = ("  ".join(men.get(8 * row + column, ".") for column in range(8)) for row in range(8))
    board = "\n".join(f"        {row}" for row in rows)
    start = "" if is_white else "    start: turn of 2\n"
    settings = f"    home: none\n    box: rest\n{start}\n    ask: win for 1\n"
    return f"puzzle ending:\n    rules chess\n    players 2\n\n    board:\n{board}\n{settings}"


@pytest.mark.campaign
@pytest.mark.parametrize("man", LONGEST)
def test_the_longest_wins(man: str) -> None:
    assert max(table(man).values()) == LONGEST[man]
    assert sum(is_white for *_, is_white in table(man)) == WON[man]


@pytest.mark.campaign
@pytest.mark.parametrize(("man", "number"), [("Q", 4), ("R", 6), ("P", 8)])
def test_endings(man: str, number: int) -> None:
    rng, wins = random.Random(man), table(man)
    game, done = shipped("classics.chess"), 0
    while done < number:
        ending = (rng.randrange(64), rng.randrange(64), rng.randrange(64), rng.random() < 0.5)
        if not is_legal(man, ending):
            continue
        position = set_up_position(parse_puzzle(text(man, ending), "an ending"), game)
        assert position.question is not None
        result = answer(position.asked, position.root, position.question, Limits(300.0))
        assert (result.status, result.score) == (Status.OPTIMAL, int(ending in wins))
        if ending in wins:
            assert len(result.plan) == wins[ending]
        done += 1


SAVED = "(some c in board: at(c) = Q) or not (some c in board: at(c) in {p, q})"


def test_only_one_move_solves_the_study_of_reti() -> None:
    """His king goes down the diagonal; after any other move Black keeps White from both aims."""
    start = load_puzzle("reti").start
    kept = {
        str(move): start.play(move).ask(f"reach not ({SAVED}) for 10 turns against best play").solve(60) for move in start.legal
    }
    assert {move: answer.value for move, answer in kept.items()} == {
        "h8-h7": "yes",
        "h8-g8": "yes",
        "h8-g7": "no",
        "c6-c7": "yes",
    }


def test_the_study_of_reti_takes_six_moves() -> None:
    start = load_puzzle("reti").start
    answers = [start.ask(f"reach {SAVED} for {turns} turns against best play").solve(60).value for turns in (9, 11)]
    assert answers == ["no", "yes"]
