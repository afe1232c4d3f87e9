"""Classics of turned tiles: their answers found again by short programs that know nothing of Rulewright but its texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree import puzzles
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.solver.result import Status
from tests.paths import ROOT

FOLDER = ROOT / "puzzles" / "library" / "classics" / "tiles"
RULES = ROOT / "rules" / "library" / "classics"
SIDES = "NESW"
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

Cell = tuple[int, int]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.puzzle")), ids=lambda path: path.stem)
def test_the_answer_is_proved(path: Path) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = answer(position.asked, position.state, position.question, Limits(seconds=120))
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)


def puzzle(name: str) -> puzzles.Puzzle:
    return parse_puzzle((FOLDER / f"{name}.puzzle").read_text("utf-8"), name)


def drawn(name: str) -> dict[Cell, tuple[str, int]]:
    (drawing,) = puzzle(name).drawings
    rows = enumerate(drawing.rows)
    return {(x, y): (cell.tile, cell.turn) for y, row in rows for x, cell in enumerate(row) if cell.tile}


def listed(name: str, zone: str) -> tuple[str, ...]:
    (setting,) = (one for one in puzzle(name).settings if one.name == zone)
    return tuple(piece.tile for piece in setting.values if isinstance(piece, puzzles.Piece) for _ in range(piece.count))


def faces(module: str) -> dict[str, list[tuple[str, list[str]]]]:
    """By tile its regions: terrain and sides, or ports."""
    text = (RULES / f"{module}.rules").read_text("utf-8")
    lines = re.findall(r"^    (\w+) +x\d+ +(.*)$", text, re.MULTILINE)
    return {name: [(words.split()[0], words.split()[1:]) for words in rest.split(", ")] for name, rest in lines}


def test_tsuro() -> None:
    """`tsuro_alone`: a stone at a port of a cell; eight ports to a tile, numbered clockwise."""
    joined = {}
    for name, regions in faces("tsuro").items():
        for _, (one, other) in regions:
            a, b = (2 * SIDES.index(port[0]) + int(port[1]) - 1 for port in (one, other))
            joined[name, a], joined[name, b] = b, a

    def follow(board: dict[Cell, tuple[str, int]], cell: Cell, port: int) -> tuple[Cell, int] | None:
        """Where the stone comes to a cell without a tile, or None when it leaves the board."""
        while cell in board:
            tile, turn = board[cell]
            port = (joined[tile, (port - 2 * turn) % 8] + 2 * turn) % 8
            along, down = STEPS[SIDES[port // 2]]
            cell = cell[0] + along, cell[1] + down
            if not (0 <= cell[0] < 3 and 0 <= cell[1] < 3):
                return None
            port = (port // 2 + 2) % 4 * 2 + 1 - port % 2
        return cell, port

    def most(board: dict[Cell, tuple[str, int]], at: tuple[Cell, int], hand: tuple[str, ...], stock: tuple[str, ...]) -> int:
        best = 0 if hand else len(board)
        for tile in set(hand):
            for turn in range(4):
                after = {**board, at[0]: (tile, turn)}
                left = list(hand)
                left.remove(tile)
                there = follow(after, *at)
                reached = len(after) - 1 if there is None else most(after, there, (*left, *stock[:1]), stock[1:])
                best = max(best, reached)
        return best

    name = "tsuro_alone"
    assert most(drawn(name), ((0, 0), 1), listed(name, "hand"), listed(name, "stock")) == puzzle(name).answer


def test_carcassonne() -> None:
    """`carcassonne_four`: every order of turns and places, features followed side by side."""
    kinds = faces("carcassonne")
    width, height = 4, 3

    def side(board: dict[Cell, tuple[str, int]], cell: Cell, which: str) -> tuple[str, int]:
        """The terrain of a side of a cell, and the number of its region on the tile."""
        tile, turn = board[cell]
        printed = SIDES[(SIDES.index(which) - turn) % 4]
        found = ((terrain, n) for n, (terrain, sides) in enumerate(kinds[tile]) if printed in sides)
        return next(found, ("field", -1))

    def beside(cell: Cell, which: str) -> Cell:
        return cell[0] + STEPS[which][0], cell[1] + STEPS[which][1]

    def other(which: str) -> str:
        return SIDES[(SIDES.index(which) + 2) % 4]

    def worth(board: dict[Cell, tuple[str, int]]) -> int:
        total = 0
        for cell, (tile, _) in board.items():
            for number, (terrain, _) in enumerate(kinds[tile]):
                front, seen, is_open = [(cell, number)], {(cell, number)}, False
                while front:
                    here, region = front.pop()
                    for which in SIDES:
                        if side(board, here, which)[1] == region:
                            there = beside(here, which)
                            is_open |= there not in board
                            if there in board and (step := (there, side(board, there, other(which))[1])) not in seen:
                                seen.add(step)
                                front.append(step)
                total += 0 if is_open else {"city": 2, "road": 1}[terrain]
        return total

    def most(board: dict[Cell, tuple[str, int]], stack: tuple[str, ...]) -> int:
        best = -1
        for cell in ((x, y) for x in range(width) for y in range(height) if stack and (x, y) not in board):
            near = [(which, beside(cell, which)) for which in SIDES if beside(cell, which) in board]
            for turn in range(4) if near else ():
                after = {**board, cell: (stack[0], turn)}
                if all(side(after, cell, way)[0] == side(after, there, other(way))[0] for way, there in near):
                    best = max(best, most(after, stack[1:]))
        return worth(board) if best < 0 else best

    name = "carcassonne_four"
    assert most(drawn(name), listed(name, "stack")) == puzzle(name).answer
