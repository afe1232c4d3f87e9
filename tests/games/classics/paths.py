"""Tsuro on three by three cells, by a judge that knows nothing of Rulewright but the faces of the tiles in its text.

A stone is at a port of the cell whose tile it will follow; the ports of a cell are numbered clockwise from the north.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, frozen

SIZE = 3
SIDES = "NESW"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))

Cell = tuple[int, int]
Stone = tuple[Cell, int]
Faces = dict[tuple[str, int], int]
"""By tile and port of it, as printed, the port to which it is joined."""


def faces(text: str) -> Faces:
    """The faces of the tiles of a module."""
    joined: Faces = {}
    for name, rest in re.findall(r"^    (\w+) +x\d+ +(path.*)$", text, re.MULTILINE):
        for one, other in re.findall(r"path (\w\d) (\w\d)", rest):
            a, b = port(one), port(other)
            joined[name, a], joined[name, b] = b, a
    return joined


def port(word: str) -> int:
    """`E2`"""
    return 2 * SIDES.index(word[0]) + int(word[1]) - 1


@frozen
class Position:
    """Tiles with their turns by cell; stones, or None for those that left the board, and hands by player; the stock."""

    board: frozenset[tuple[Cell, tuple[str, int]]]
    stones: tuple[Stone | None, ...]
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    player: int = 0


def follow(joined: Faces, board: dict[Cell, tuple[str, int]], stone: Stone) -> Stone | None:
    """Where a stone comes to a cell without a tile; None where it leaves the board."""
    cell, at = stone
    while cell in board:
        tile, turn = board[cell]
        at = (joined[tile, (at - 2 * turn) % 8] + 2 * turn) % 8
        along, down = STEPS[at // 2]
        cell = cell[0] + along, cell[1] + down
        if not (0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE):
            return None
        at = (at // 2 + 2) % 4 * 2 + 1 - at % 2
    return cell, at


def moves(joined: Faces, here: Position) -> Iterator[tuple[str, Position]]:
    """Every tile and turn of the player to move, as it is written, with what comes of it."""
    stone = here.stones[here.player]
    assert stone is not None
    for tile in sorted(set(here.hands[here.player])):
        for turn in range(4):
            board = {**dict(here.board), stone[0]: (tile, turn)}
            stones = tuple(None if one is None else follow(joined, board, one) for one in here.stones)
            hand = list(here.hands[here.player])
            hand.remove(tile)
            hands = list(here.hands)
            hands[here.player] = (*hand, *here.stock[:1])
            after = Position(frozenset(board.items()), stones, tuple(hands), here.stock[1:], here.player)
            yield f"lay {tile} {turn}", next_to_move(after)


def next_to_move(here: Position) -> Position:
    """The next player of the round who is on the board with a tile; a round is played to its end, then the game may be over."""
    player = here.player
    while True:
        player += 1
        if player == len(here.stones):
            if any(stone is None or not hand for stone, hand in zip(here.stones, here.hands, strict=True)):
                return evolve(here, player=-1)
            player = 0
        if here.stones[player] is not None and here.hands[player]:
            return evolve(here, player=player)


def outcome(joined: Faces, here: Position, player: int) -> int:
    """How the game ends for a player against best play: 1, 0 or -1."""
    if here.player < 0:
        first = [stone is not None for stone in here.stones]
        best = [number for number, on_board in enumerate(first) if on_board == max(first)]
        return -1 if player not in best else 1 if len(best) == 1 else 0
    values = [outcome(joined, after, player) for _, after in moves(joined, here)]
    return max(values) if here.player == player else min(values)


def most_tiles(joined: Faces, here: Position) -> int:
    """What a player alone can come to: the tiles on the board, less one for a stone that left it."""
    if here.player < 0:
        return len(here.board) - sum(stone is None for stone in here.stones)
    return max(most_tiles(joined, after) for _, after in moves(joined, here))
