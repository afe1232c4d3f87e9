"""Known numbers of the classics, found again by short programs that know nothing of Rulewright."""

from __future__ import annotations

from itertools import permutations

LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]


def test_queens() -> None:
    """`queens_eight`"""
    boards = [
        columns
        for columns in permutations(range(8))
        if len({row + column for row, column in enumerate(columns)}) == 8
        and len({row - column for row, column in enumerate(columns)}) == 8
    ]
    assert len(boards) == 92


def test_tours_of_the_knight() -> None:
    """`knights_five`"""
    board = [(x, y) for x in range(5) for y in range(5)]
    to = {(x, y): [(x + dx, y + dy) for dx, dy in LEAPS if (x + dx, y + dy) in board] for x, y in board}

    def tours(here: tuple[int, int], seen: set[tuple[int, int]]) -> int:
        if len(seen) == 25:
            return 1
        return sum(tours(there, seen | {there}) for there in to[here] if there not in seen)

    assert tours((0, 0), {(0, 0)}) == 304
