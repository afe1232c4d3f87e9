"""Sudoku: random games and numbers of solutions against a solver that fills one cell after the other."""

from __future__ import annotations

import random

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.studies.alternative_plans import alternative_plans
from tests.paths import ROOT
from tests.rules.playing import linked, shipped
from tests.solver.shortest.questions import asked

FOLDER = ROOT / "puzzles" / "library" / "classics" / "numbers"
DIGITS = ("blank", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SMALL = """module small:
    "Four by four cells."
    extends classics.sudoku

drop space grid
space grid: square grid 4 x 4

drop partition ninth
partition ninth of c in grid: row(c) div 2 * 2 + column(c) div 2

change write:
    require small: number in {one, two, three, four}
"""

Grid = list[list[int]]


def fits(grid: Grid, digit: int, x: int, y: int) -> bool:
    size, side = len(grid), 2 if len(grid) == 4 else 3
    left, top = x - x % side, y - y % side
    box = {grid[top + j][left + i] for i in range(side) for j in range(side)}
    return not grid[y][x] and digit not in {*grid[y], *(row[x] for row in grid), *box} and digit <= size


def solutions(grid: Grid) -> int:
    """How many ways there are to fill the grid: the cell with the fewest possible digits first."""
    vacant = [(x, y) for y, row in enumerate(grid) for x, digit in enumerate(row) if not digit]
    if not vacant:
        return 1
    choices = {(x, y): [digit for digit in range(1, 10) if fits(grid, digit, x, y)] for x, y in vacant}
    x, y = min(vacant, key=lambda cell: len(choices[cell]))
    found = 0
    for digit in choices[x, y]:
        grid[y][x] = digit
        found += solutions(grid)
        grid[y][x] = 0
    return found


def drawn(name: str) -> Grid:
    rows = (FOLDER / f"{name}.puzzle").read_text("utf-8").split("entry:\n")[1].splitlines()[:9]
    return [[DIGITS.index(word) if word != "." else 0 for word in row.split()] for row in rows]


def counted(position: Position) -> int | None:
    assert position.question is not None
    engine, root, question = position.asked, position.root, position.question
    best = answer(engine, root, question, Limits(60, 2))
    return alternative_plans(engine, root, question, best, 1, Limits(60, 2)).number


@pytest.mark.parametrize("seed", range(3))
def test_random_games(seed: int) -> None:
    engine, rng = Engine.of(shipped("classics.sudoku"), 1), random.Random(seed)
    state, grid = engine.start(), [[0] * 9 for _ in range(9)]
    while not engine.over(state):
        texts = {format_move(engine, state, move): move for move in engine.legal(state)}
        known = {
            f"write {DIGITS[digit]} ({x},{y})": (digit, x, y)
            for digit in range(1, 10)
            for x in range(9)
            for y in range(9)
            if fits(grid, digit, x, y)
        }
        assert texts.keys() == known.keys()
        text = rng.choice(sorted(texts))
        digit, x, y = known[text]
        state, grid[y][x] = engine.apply(state, texts[text]), digit
    assert engine.score(state) == sum(bool(digit) for row in grid for digit in row)


def test_one_solution() -> None:
    position = Catalogue(Project(FOLDER)).position(FOLDER / "sudoku_thirty.puzzle")
    assert counted(position) == position.puzzle.answer == solutions(drawn("sudoku_thirty")) == 1


def test_all_squares_of_order_four() -> None:
    ask = "count best until end"
    assert counted(asked(linked(SMALL), ask)) == solutions([[0] * 4 for _ in range(4)]) == 288
