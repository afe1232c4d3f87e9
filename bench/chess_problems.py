"""Makes chess problems and solves them by brute force, for the tests: `python bench/chess_problems.py KIND NUMBER [SEED]`.

KIND is `direct2`, `direct3` or `help2`: mates in so many moves. Positions are random; those with a solution are
printed, each as a line of JSON with its position (FEN), keys, tries and variations. Needs python-chess (`chess` on PyPI), which
shares no code with this project.
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

MEN = {"direct": ("QRRBBNNPP", 4, "RBNPPP", 4), "help": ("QRBNP", 2, "RBNPP", 2)}
"""White's men and the most of them, and Black's."""

MOST_HELPED = 6
"""Help-mates with more solutions are left out."""


def mates(board: chess.Board) -> bool:
    return board.is_checkmate()


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    new = board.copy(stack=False)
    new.push(move)
    return new


def direct_after(board: chess.Board, turns: int) -> bool:
    """Whether White, who has just moved, mates in so many more turns."""
    if board.is_checkmate():
        return True
    replies = list(board.legal_moves)
    return bool(turns and replies) and all(direct_wins(after(board, reply), turns) for reply in replies)


def direct_wins(board: chess.Board, turns: int) -> bool:
    return any(direct_after(after(board, move), turns - 1) for move in board.legal_moves)


def variations(board: chess.Board, turns: int) -> Tree:
    """What answers each reply, in the fewest turns."""
    found: Tree = {}
    for reply in board.legal_moves:
        here = after(board, reply)
        found[reply.uci()] = continuations(here, turns)
    return found


def continuations(board: chess.Board, turns: int) -> Tree:
    for fewest in range(turns):
        solving = [move for move in board.legal_moves if direct_after(after(board, move), fewest)]
        if solving:
            return {move.uci(): variations(after(board, move), fewest) for move in solving}
    return {}


def solved(board: chess.Board, turns: int) -> Tree | None:
    """Keys with their variations, and tries; None if there is no key, or a shorter one."""
    if any(direct_after(after(board, move), fewest) for fewest in range(turns - 1) for move in board.legal_moves):
        return None
    keys = [move for move in board.legal_moves if direct_after(after(board, move), turns - 1)]
    if not keys:
        return None
    tries = {}
    for move in board.legal_moves:
        here = after(board, move)
        if move in keys or here.is_game_over():
            continue
        refuting = [reply.uci() for reply in here.legal_moves if not direct_wins(after(here, reply), turns - 1)]
        if len(refuting) == 1:
            tries[move.uci()] = refuting[0]
    return {"keys": {key.uci(): variations(after(board, key), turns - 1) for key in keys}, "tries": tries}


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
    squares = rng.sample(range(64), 16)
    board.set_piece_at(squares.pop(), chess.Piece.from_symbol("K"))
    board.set_piece_at(squares.pop(), chess.Piece.from_symbol("k"))
    own, most_own, other, most_other = MEN[kind]
    white, black = rng.sample(own, rng.randint(1, most_own)), rng.sample(other, rng.randint(kind == "help", most_other))
    for symbol in [*white, *(piece.lower() for piece in black)]:
        square = squares.pop()
        while symbol in "Pp" and chess.square_rank(square) in (0, 7):
            square = squares.pop()
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = chess.BLACK if kind == "help" else chess.WHITE
    return board


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", help="direct2, direct3 or help2")
    parser.add_argument("number", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    wish = parser.parse_args()
    kind, turns = wish.kind[:-1], int(wish.kind[-1])
    rng, printed = random.Random(f"{wish.kind} {wish.seed}"), 0
    while printed < wish.number:
        board = drawn(rng, kind)
        if not board.is_valid() or board.is_game_over():
            continue
        if kind == "help":
            lines = sorted(helped(board, 2 * turns))
            if not lines or len(lines) > MOST_HELPED:
                continue
            found: Tree | None = {"lines": lines}
        else:
            found = solved(board, turns)
        if found is not None:
            print(json.dumps({"kind": kind, "turns": turns, "position": board.fen(), **found}), flush=True)
            printed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
