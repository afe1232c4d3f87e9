"""The small Carcassonne with followers, by a judge that knows nothing of Rulewright but the tiles in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, frozen

WIDTH, HEIGHT = 4, 3
WAYS = ("north", "east", "south", "west")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
FIELD = "field"

Cell = tuple[int, int]
Part = tuple[Cell, int]
"""A cell and the number of a region of its tile, -1 for the field."""

Kinds = dict[str, list[tuple[str, str]]]


def kinds_of(text: str) -> Kinds:
    """By tile its regions: terrain and printed sides."""
    found = re.findall(r"^    (\w+) +x\d+ +(.*)$", text, re.MULTILINE)
    return {name: [(words.split()[0], "".join(words.split()[1:])) for words in rest.split(", ")] for name, rest in found}


@frozen
class Position:
    """Tiles with turns, followers with their player and side by cell; points, followers at hand; the tiles to come.

    A follower may be placed on `last` where that is a cell.
    """

    board: frozenset[tuple[Cell, tuple[str, int]]]
    stack: tuple[str, ...]
    followers: frozenset[tuple[Cell, tuple[int, int]]] = frozenset()
    points: tuple[int, int] = (0, 0)
    left: tuple[int, int] = (3, 3)
    player: int = 0
    last: Cell | None = None


@frozen
class Judge:
    """The rules, for some kinds of tile."""

    kinds: Kinds

    def side(self, board: dict[Cell, tuple[str, int]], cell: Cell, way: int) -> tuple[str, int]:
        """The terrain that the tile on a cell shows, and the number of the region."""
        tile, turn = board[cell]
        printed = "NESW"[(way - turn) % 4]
        found = ((terrain, n) for n, (terrain, sides) in enumerate(self.kinds[tile]) if printed in sides)
        return next(found, (FIELD, -1))

    def feature(self, board: dict[Cell, tuple[str, int]], cell: Cell, way: int) -> tuple[set[Part], bool]:
        """The parts of the road or city on a side, and whether it is complete."""
        first = (cell, self.side(board, cell, way)[1])
        front, seen, is_closed = [first], {first}, True
        while front:
            here, number = front.pop()
            for side in range(4):
                if self.side(board, here, side)[1] != number:
                    continue
                there = here[0] + STEPS[side][0], here[1] + STEPS[side][1]
                is_closed &= there in board
                if there in board and (part := (there, self.side(board, there, (side + 2) % 4)[1])) not in seen:
                    seen.add(part)
                    front.append(part)
        return seen, is_closed

    def standing(self, here: Position, parts: set[Part]) -> list[tuple[Cell, int]]:
        """The followers on some parts, with their players."""
        board = dict(here.board)
        return [(cell, who) for cell, (who, way) in here.followers if (cell, self.side(board, cell, way)[1]) in parts]

    def moves(self, here: Position) -> Iterator[tuple[str, Position]]:
        """Every move as it is written, with what comes of it."""
        board = dict(here.board)
        if here.last is not None:
            yield from self._followers(here, board, here.last)
        elif here.stack:
            yield from self._tiles(here, board)

    def _tiles(self, here: Position, board: dict[Cell, tuple[str, int]]) -> Iterator[tuple[str, Position]]:
        for x, y in ((x, y) for y in range(HEIGHT) for x in range(WIDTH) if (x, y) not in board):
            near = [(way, (x + dx, y + dy)) for way, (dx, dy) in enumerate(STEPS) if (x + dx, y + dy) in board]
            for turn in range(4) if near else ():
                after = {**board, (x, y): (here.stack[0], turn)}
                if all(self.side(after, (x, y), way)[0] == self.side(after, at, (way + 2) % 4)[0] for way, at in near):
                    yield (
                        f"lay ({x},{y}) {turn}",
                        evolve(here, board=frozenset(after.items()), stack=here.stack[1:], last=(x, y)),
                    )

    def _followers(self, here: Position, board: dict[Cell, tuple[str, int]], last: Cell) -> Iterator[tuple[str, Position]]:
        for way, word in enumerate(WAYS):
            if here.left[here.player] == 0 or self.side(board, last, way)[0] == FIELD:
                continue
            if not self.standing(here, self.feature(board, last, way)[0]):
                left = list(here.left)
                left[here.player] -= 1
                placed = frozenset({*here.followers, (last, (here.player, way))})
                yield f"guard {word}", self._settled(evolve(here, followers=placed, left=tuple(left)), board, last)
        yield "stop", self._settled(here, board, last)

    def _settled(self, here: Position, board: dict[Cell, tuple[str, int]], last: Cell) -> Position:
        points, left, followers = list(here.points), list(here.left), dict(here.followers)
        for way in range(4):
            terrain = self.side(board, last, way)[0]
            parts, is_closed = self.feature(board, last, way)
            if terrain == FIELD or not is_closed:
                continue
            staying = evolve(here, followers=frozenset(followers.items()))
            owners = [who for _, who in self.standing(staying, parts)]
            for who in {0, 1} & set(owners):
                if owners.count(who) >= owners.count(1 - who):
                    points[who] += len({cell for cell, _ in parts}) * (2 if terrain == "city" else 1)
            for cell, who in self.standing(staying, parts):
                left[who] += 1
                del followers[cell]
        return evolve(
            here,
            points=(points[0], points[1]),
            left=(left[0], left[1]),
            followers=frozenset(followers.items()),
            player=1 - here.player,
            last=None,
        )

    def lead(self, here: Position, known: dict[Position, int]) -> int:
        """By how much the first player is ahead at the end, both playing for that."""
        if here not in known:
            values = [self.lead(after, known) for _, after in self.moves(here)]
            best = max if here.player == 0 else min
            known[here] = best(values) if values else here.points[0] - here.points[1]
        return known[here]
