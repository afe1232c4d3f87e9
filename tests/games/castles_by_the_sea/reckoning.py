"""The rulebook once more, on coordinates: what a build step and a placed piece must respect, and what pieces earn.

It shares nothing with the rules but the names of pieces.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.games.castles_by_the_sea.beach import Coordinate, Piece, Table

SIDES = ((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0))
FIGURES = {
    *("princess", "wizard", "witch", "sorceress", "archer", "thief"),
    *("ranger", "hunter", "guard", "duelist", "captain", "prince"),
}
BOTH_FACES = {"arch", "door", "window"}
ALL_SIDES = {"outpost", "keep"}
FRONT = {"tunnel", "prison", "prince"}
REWARD = {
    "arch": 2, "aqueduct": 2, "bridge": 2, "window": 2, "outpost": 0,
    "princess": 2, "wizard": 3, "witch": 2, "sorceress": 2, "thief": 0,
}  # fmt: skip
"""What is not here earns 1."""


def shifted(cell: Coordinate, step: Coordinate, times: int = 1) -> Coordinate:
    return tuple(at + times * by for at, by in zip(cell, step, strict=True))


def below(cell: Coordinate) -> Coordinate:
    return shifted(cell, (0, 0, -1))


def beside(cell: Coordinate) -> list[Coordinate]:
    return [shifted(cell, step) for step in SIDES]


def board(cell: Coordinate) -> tuple[int, int]:
    return cell[0] // 3, cell[1] // 3


def land(cell: Coordinate, players: int) -> bool:
    """Whether there is sand to build on."""
    column, row, level = cell
    if not (0 <= column < 9 and 0 <= row < 9 and 0 <= level < 6):
        return False
    far = max(abs(column - 4), abs(row - 4))
    return far > {1: 1, 2: 1, 3: 2, 4: 1}[players] and (players > 2 or far < 4)


def kept_by(piece: Piece) -> Iterator[Coordinate]:
    """The spaces that a piece keeps empty for ever."""
    for cell in piece.cells:
        if piece.kind in ALL_SIDES:
            yield from beside(cell)
        elif piece.kind in BOTH_FACES:
            yield from (shifted(cell, piece.front), shifted(cell, piece.front, -1))
        elif piece.kind in FRONT and piece.front != (0, 0, 0):
            yield shifted(cell, piece.front)


def is_vacant(table: Table, cell: Coordinate) -> bool:
    return cell not in table.blocks and cell not in table.covered


def open_walls(table: Table, cell: Coordinate, players: int) -> list[Coordinate]:
    """The empty spaces beside a cell that are above a block or a structure."""
    covered = table.covered
    return [
        n for n in beside(cell)
        if is_vacant(table, n) and (below(n) in table.blocks or (below(n) in covered and covered[below(n)].kind not in FIGURES))
    ]  # fmt: skip


def faults_of_filling(table: Table, cell: Coordinate, players: int, thief: int = 0) -> list[str]:
    """What is wrong with something coming to a cell; `thief` is the player whose thief comes."""
    faults = []
    if not land(cell, players):
        faults.append(f"{cell} is no land")
    if not is_vacant(table, cell):
        faults.append(f"{cell} is not empty")
    for piece in table.pieces:
        if cell in kept_by(piece) and not (thief and piece.kind not in FIGURES and piece.owner != thief):
            faults.append(f"{piece.kind} keeps {cell} empty")
        if piece.kind == "tower":
            walls = open_walls(table, piece.cells[0], players)
            if (cell in walls and len(walls) == 2) or (cell in beside(piece.cells[0]) and len(walls) < 2):
                faults.append(f"a tower needs the wall {cell}")
    if cell in table.hushed:
        faults.append(f"{cell} stays empty in this turn")
    return faults


def faults_of_build(table: Table, cell: Coordinate, players: int) -> list[str]:
    faults = faults_of_filling(table, cell, players)
    if cell[2] and below(cell) not in table.blocks:
        faults.append(f"{cell} rests on no block")
    near = [*beside(cell), below(cell), shifted(cell, (0, 0, 1))]
    if table.fresh and not table.fresh & set(near):
        faults.append(f"{cell} touches no block of this turn")
    return faults


def faults_of_piece(before: Table, piece: Piece, players: int) -> list[str]:
    """What is wrong with a piece that was placed."""
    faults = []
    for cell in piece.cells:
        faults += faults_of_filling(before, cell, players, piece.owner if piece.kind == "thief" else 0)
        if cell[2] == min(c[2] for c in piece.cells) and cell[2] and below(cell) not in before.blocks:
            faults.append(f"{piece.kind} at {cell} rests on no block")
    near = {n for cell in piece.cells for n in (*beside(cell), below(cell))}
    under = {below(cell) for cell in piece.cells}
    if not before.fresh & (under if piece.kind in FIGURES else near):
        faults.append(f"{piece.kind} is connected to no block of this turn")
    boards = {board(cell) for cell in piece.cells}
    for other in before.pieces:
        if other.owner != piece.owner and boards & {board(cell) for cell in other.cells}:
            if other.kind == "keep" and piece.kind not in FIGURES:
                faults.append(f"a keep closes the board of {piece.kind}")
            if other.kind == "prison" and piece.kind in FIGURES:
                faults.append(f"a prison closes the board of {piece.kind}")
    return faults


# Lanes and rewards ----------------------------------------------------------------------------


def threatened(hazard: str, spot: int) -> set[tuple[int, int]]:
    """The boards that a hazard on a spot of the rim threatens."""
    edge, number = divmod(spot, 3)
    lane = {
        0: [(number, steps) for steps in range(3)],
        1: [(2 - steps, number) for steps in range(3)],
        2: [(2 - number, 2 - steps) for steps in range(3)],
        3: [(steps, 2 - number) for steps in range(3)],
    }[edge]
    return set(lane[:1] if hazard == "terror" else lane)


def income(table: Table, player: int) -> int:
    """What the pieces of a player earn."""
    covered = table.covered
    total = 0
    for piece in table.pieces:
        if piece.owner != player:
            continue
        here = board(piece.cells[0])
        threats = sum(here in threatened(hazard, spot) for hazard, spot in table.spots.items())
        others = [other for other in table.pieces if other is not piece and here in {board(cell) for cell in other.cells}]
        total += REWARD.get(piece.kind, 1)
        match piece.kind:
            case "outpost":
                total += threats
            case "wizard":
                total -= threats
            case "window":
                for way in (1, -1):
                    cell = shifted(piece.cells[0], piece.front, way)
                    while all(0 <= at < 9 for at in cell[:2]) and is_vacant(table, cell):
                        cell = shifted(cell, piece.front, way)
                    total += cell in covered
            case "thief":
                total += sum(other.owner != player and other.kind not in FIGURES for other in others)
            case "captain":
                total += any(other.owner == player and other.kind in FIGURES for other in others)
            case _:
                pass
    return total


def hanging(table: Table) -> list[Coordinate]:
    """What has nothing under it."""
    there = table.blocks | set(table.covered)
    return [cell for cell in there if cell[2] and below(cell) not in there]
