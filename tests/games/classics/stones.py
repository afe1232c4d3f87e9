"""Go on a small board, played by a judge that knows nothing of Rulewright: groups, liberties, captures, ko."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

SIZE = 5
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))

Point = tuple[int, int]
POINTS = [(x, y) for y in range(SIZE) for x in range(SIZE)]


@frozen
class Position:
    """Stones by point (1 or 2), who is to move, how many stones each has caught, the point of a ko, passes in a row."""

    stones: frozenset[tuple[Point, int]]
    player: int
    caught: tuple[int, int] = (0, 0)
    ko: Point | None = None
    passes: int = 0


def beside(point: Point) -> list[Point]:
    x, y = point
    return [(x + dx, y + dy) for dx, dy in STEPS if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE]


def chain(board: dict[Point, int], point: Point) -> tuple[set[Point], set[Point]]:
    """The group of a stone, and its liberties."""
    group, front, liberties = {point}, [point], set[Point]()
    while front:
        for there in beside(front.pop()):
            if there not in board:
                liberties.add(there)
            elif board[there] == board[point] and there not in group:
                group.add(there)
                front.append(there)
    return group, liberties


def played(position: Position, point: Point) -> Position | None:
    """The position behind a stone; None where it may not be placed."""
    board, player = dict(position.stones), position.player
    if point in board or point == position.ko:
        return None
    board[point] = player
    taken: set[Point] = set()
    for there in beside(point):
        if board.get(there) == 3 - player:
            group, liberties = chain(board, there)
            taken |= set() if liberties else group
    for there in taken:
        del board[there]
    group, liberties = chain(board, point)
    if not liberties:
        return None
    ko = next(iter(taken)) if len(taken) == 1 and len(group) == 1 and liberties == taken else None
    caught = list(position.caught)
    caught[player - 1] += len(taken)
    return Position(frozenset(board.items()), 3 - player, (caught[0], caught[1]), ko)


def moves(position: Position) -> Iterator[tuple[str, Position]]:
    """Every move as it is written, with the position behind it; nothing once two have passed."""
    if position.passes == 2:
        return
    for point in POINTS:
        after = played(position, point)
        if after is not None:
            yield f"{'ABCDE'[point[0]]}{5 - point[1]}", after
    yield "pass", evolve(position, player=3 - position.player, ko=None, passes=position.passes + 1)


def points(position: Position, player: int) -> int:
    """Own stones, and empty points that border on own stones alone."""
    board, total = dict(position.stones), 0
    for point in POINTS:
        if point in board:
            total += board[point] == player
            continue
        area, front, owners = {point}, [point], set[int]()
        while front:
            for there in beside(front.pop()):
                if there in board:
                    owners.add(board[there])
                elif there not in area:
                    area.add(there)
                    front.append(there)
        total += owners <= {player}
    return total


def most_caught(position: Position, player: int, turns: int) -> int:
    """How many more stones a player catches than the other in so many turns, both playing for that."""
    known: dict[tuple[Position, int], int] = {}

    def value(here: Position, left: int) -> int:
        if left == 0 or here.passes == 2:
            return here.caught[player - 1] - here.caught[2 - player]
        if (here, left) not in known:
            best = max if here.player == player else min
            known[here, left] = best(value(after, left - 1) for _, after in moves(here))
        return known[here, left]

    return value(position, turns)
