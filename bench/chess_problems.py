"""Makes chess problems and solves them by brute force, for the tests: `python bench/chess_problems.py KIND NUMBER [SEED]`.

KIND is `direct2`, `direct3`, `help2` or `self2`: mates in so many moves. Positions are random; those of self-mates have
White's king between men of its own, or differ from the last one by a man moved. Those with a solution are printed, each as a
line of JSON with its position (FEN), keys, tries and variations. Needs python-chess (`chess` on PyPI), which shares no code
with this project.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import chess

Tree = dict[str, Any]

MEN = {"direct": ("QRRBBNNPP", 4, "RBNPPP", 4), "help": ("QRBNP", 2, "RBNPP", 2), "self": ("QRRBBNNPPP", 7, "QRRBBNNPPP", 3)}
"""White's men and the most of them, and Black's."""

BESIDE = 0.75
"""How often a square beside White's king has a man in a self-mate."""

KIN = 4
"""Problems in a row that may differ by a man moved."""

MOST_HELPED = 6
"""Help-mates with more solutions are left out."""


def mates(board: chess.Board) -> bool:
    return board.is_checkmate()


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    new = board.copy(stack=False)
    new.push(move)
    return new


def holds_after(board: chess.Board, turns: int, is_self: bool) -> bool:
    """Whether White, who has just moved, mates in so many more turns, or has Black mate."""
    if board.is_checkmate():
        return not is_self
    replies = [after(board, reply) for reply in board.legal_moves]
    return bool(replies) and all(answered(here, turns, is_self) for here in replies)


def answered(board: chess.Board, turns: int, is_self: bool) -> bool:
    """Whether Black's last move keeps nothing from the solution."""
    return (is_self and board.is_checkmate()) or bool(turns and wins(board, turns, is_self))


def wins(board: chess.Board, turns: int, is_self: bool) -> bool:
    return any(holds_after(after(board, move), turns - 1, is_self) for move in board.legal_moves)


def variations(board: chess.Board, turns: int, is_self: bool) -> Tree:
    """What answers each reply, in the fewest turns."""
    found: Tree = {}
    for reply in board.legal_moves:
        here = after(board, reply)
        found[reply.uci()] = continuations(here, turns, is_self)
    return found


def continuations(board: chess.Board, turns: int, is_self: bool) -> Tree:
    for fewest in range(turns):
        solving = [move for move in board.legal_moves if holds_after(after(board, move), fewest, is_self)]
        if solving:
            return {move.uci(): variations(after(board, move), fewest, is_self) for move in solving}
    return {}


def solved(board: chess.Board, turns: int, is_self: bool) -> Tree | None:
    """Keys with their variations, and tries; None if there is no key, or a shorter one."""
    if any(wins(board, fewer, is_self) for fewer in range(1, turns)):
        return None
    keys = [move for move in board.legal_moves if holds_after(after(board, move), turns - 1, is_self)]
    if not keys:
        return None
    tries = {}
    for move in board.legal_moves:
        here = after(board, move)
        if move in keys or here.is_game_over():
            continue
        refuting = [reply.uci() for reply in here.legal_moves if not answered(after(here, reply), turns - 1, is_self)]
        if len(refuting) == 1:
            tries[move.uci()] = refuting[0]
    return {"keys": {key.uci(): variations(after(board, key), turns - 1, is_self) for key in keys}, "tries": tries}


def helped(board: chess.Board, plies: int) -> Iterator[tuple[str, ...]]:
    """The lines in which Black, who begins, is mated in so many moves of both, or fewer."""
    for move in board.legal_moves:
        here = after(board, move)
        if here.is_checkmate():
            if here.turn == chess.BLACK:
                yield (move.uci(),)
        elif plies > 1:
            for rest in helped(here, plies - 1):
                yield (move.uci(), *rest)


def drawn(rng: random.Random, kind: str) -> chess.Board:
    """A random position without castling rights."""
    board = chess.Board(None)
    squares = boxed(rng) if kind == "self" else rng.sample(range(64), 16)
    board.set_piece_at(squares.pop(), chess.Piece.from_symbol("K"))
    board.set_piece_at(squares.pop(), chess.Piece.from_symbol("k"))
    own, most_own, other, most_other = MEN[kind]
    white, black = rng.sample(own, rng.randint(1, most_own)), rng.sample(other, rng.randint(kind != "direct", most_other))
    for symbol in [*white, *(piece.lower() for piece in black)]:
        square = squares.pop()
        while symbol in "Pp" and chess.square_rank(square) in (0, 7):
            square = squares.pop()
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = chess.BLACK if kind == "help" else chess.WHITE
    return board


def boxed(rng: random.Random) -> list[int]:
    """Squares, to be taken from the end: of White's king at the edge, of Black's, beside White's, then others."""
    king = rng.choice((*range(8), 56, 63))
    near = [square for square in chess.SquareSet(chess.BB_KING_ATTACKS[king]) if rng.random() < BESIDE]
    others = rng.sample([square for square in range(64) if square != king and square not in near], 20)
    return [*others, *near, others.pop(), king]


def near_to(rng: random.Random, board: chess.Board) -> chess.Board:
    """A position with a man on another square."""
    new = board.copy(stack=False)
    square = rng.choice([square for square, piece in board.piece_map().items() if piece.piece_type != chess.PAWN])
    piece = new.remove_piece_at(square)
    new.set_piece_at(rng.choice([empty for empty in range(64) if new.piece_at(empty) is None]), piece)
    return new


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", help="direct2, direct3, help2 or self2")
    parser.add_argument("number", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    wish = parser.parse_args()
    kind, turns = wish.kind[:-1], int(wish.kind[-1])
    rng, printed, seen = random.Random(f"{wish.kind} {wish.seed}"), 0, set[str]()
    found_last: chess.Board | None = None
    while printed < wish.number:
        board = drawn(rng, kind) if found_last is None or printed % KIN == 0 else near_to(rng, found_last)
        if not board.is_valid() or board.is_game_over() or board.fen() in seen:
            continue
        if kind == "help":
            lines = sorted(helped(board, 2 * turns))
            if not lines or len(lines) > MOST_HELPED:
                continue
            found: Tree | None = {"lines": lines}
        else:
            found = solved(board, turns, kind == "self")
        if found is not None:
            print(json.dumps({"kind": kind, "turns": turns, "position": board.fen(), **found}), flush=True)
            seen.add(board.fen())
            printed += 1
            found_last = board if kind == "self" else None
    return 0


if __name__ == "__main__":
    sys.exit(main())
