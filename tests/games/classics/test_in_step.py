"""Random games in step with OpenSpiel and, where it is installed, python-chess: who moves, every legal move, the end."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from tests.rules.playing import shipped

Name = Callable[[str], str]

COLUMNS = "abcdefgh"
POINTS = re.findall(r"..", "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1")


def mirrored(text: str) -> str:
    """A move of Breakthrough as OpenSpiel has it, where those in the north begin; `*` takes."""
    cells = "".join(str(9 - int(one)) if one.isdigit() else one for one in text)
    return cells.replace("-", "") if "-" in cells else cells.replace("x", "") + "*"


def turned(text: str) -> str:
    """A step or jump of draughts by both cells, the board turned round."""
    return "".join(f"{COLUMNS[7 - COLUMNS.index(cell[0])]}{9 - int(cell[1])}" for cell in re.split("[-x]", text))


def pointed(text: str) -> str:
    """A move of nine men's morris by its cells."""
    return "-".join(POINTS[int(number)] for number in re.findall(r"[0-9]+", text))


SPIELS: dict[str, tuple[str, Name, Name]] = {
    "othello": ("othello", lambda own: own.split()[-1], lambda peer: peer.split()[0].lower()),
    "breakthrough": ("breakthrough", mirrored, str),
    "draughts": ("checkers", turned, lambda peer: peer.rstrip("*")),
    "nine_mens_morris": ("nine_mens_morris", lambda own: own.rpartition("x")[2], pointed),
    "hex": ("hex(board_size=4)", str, str),
}
"""OpenSpiel's name of a game, and what a move is called here and there."""

LIMITED = ("draughts", "nine_mens_morris")
"""Games that one of both sides ends after so many quiet moves."""


def in_step(name: str, positions: int, seed: int) -> None:
    spiel = pytest.importorskip("pyspiel")
    peer, here, there = SPIELS[name]
    engine, game, rng = Engine.of(shipped(f"classics.{name}"), 2), spiel.load_game(peer), random.Random(seed)
    seen = 0
    while seen < positions:
        other, state, landed = game.new_initial_state(), engine.start(), ""
        while not other.is_terminal() and not (name in LIMITED and engine.over(state)):
            seen += 1
            player = other.current_player()
            texts = {move: format_move(engine, state, move) for move in engine.legal(state)}
            own = {here(landed + text if text[0] == "x" else text): move for move, text in texts.items()}
            theirs = {there(other.action_to_string(player, action)): action for action in other.legal_actions()}
            assert engine.player(state) == player + 1 and own.keys() == theirs.keys(), str(other)
            chosen = rng.choice(sorted(own))
            other.apply_action(theirs[chosen])
            landed = texts[own[chosen]][-2:]
            state = engine.apply(state, own[chosen])
        while name not in LIMITED and not engine.over(state):  # Othello ends when both have passed
            (move,) = engine.legal(state)
            assert format_move(engine, state, move) == "pass"
            state = engine.apply(state, move)


def in_step_with_chess(positions: int, seed: int) -> None:
    chess = pytest.importorskip("chess")
    engine, rng, seen = Engine.of(shipped("classics.chess"), 2), random.Random(seed), 0
    while seen < positions:
        board, state = chess.Board(), engine.start()
        for _ in range(200):
            seen += 1
            own = {uci(engine, state, move, board): move for move in ([] if engine.over(state) else engine.legal(state))}
            assert own.keys() == {move.uci() for move in board.legal_moves}, board.fen()
            if not own:
                assert engine.over(state) and (engine.score(state) == 1) == board.is_checkmate(), board.fen()
                break
            chosen = rng.choice(sorted(own))
            is_capture = board.is_capture(chess.Move.from_uci(chosen))
            assert ("x" in format_move(engine, state, own[chosen])) == is_capture, (board.fen(), chosen)
            board.push_uci(chosen)
            state = engine.apply(state, own[chosen])


def uci(engine: Engine, state: State, move: Move, board: Any) -> str:
    """A move as engines of chess write it."""
    text = format_move(engine, state, move)
    if text.startswith("castle"):
        row = "18"[not board.turn]
        return f"e{row}{'g' if text.endswith('east') else 'c'}{row}"
    return re.sub(r"[-x=]| passing", "", text).lower()


@pytest.mark.nightly
@pytest.mark.parametrize("name", SPIELS)
def test_a_thousand_positions_are_as_in_openspiel(name: str) -> None:
    in_step(name, 1_000, 1)


@pytest.mark.campaign
@pytest.mark.parametrize("name", SPIELS)
def test_ten_thousand_positions_are_as_in_openspiel(name: str) -> None:
    in_step(name, 10_000, 3)


@pytest.mark.campaign
def test_ten_thousand_positions_are_as_in_python_chess() -> None:
    in_step_with_chess(10_000, 2)
