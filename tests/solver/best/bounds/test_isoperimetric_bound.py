"""Cells with all their neighbours covered: formulas against every set of few cells, the bound against every line of play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

import pytest

from rulewright.grammar.tree.modules import Shape
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.solver.best.bounds.isoperimetric_bound import isoperimetric_bound, least_closed_neighbourhood, max_interior
from rulewright.solver.best.problem import Problem
from tests.expressions import parse_expression
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.exhaustive import enumerate_all

Cell = tuple[int, int]
Neighbours = Callable[[Cell], Iterator[Cell]]


def across_sides(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    yield from ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))


def all_round(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    yield from ((x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)


def of_hexes(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    yield from ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1))


GRIDS = {
    (Shape.SQUARE, 4): (across_sides, 5),
    (Shape.SQUARE, 8): (all_round, 4),
    (Shape.HEX, 6): (of_hexes, 4),
}


def covering(cells: frozenset[Cell], neighbours: Neighbours) -> int:
    return len(cells.union(*(neighbours(cell) for cell in cells)))


def least_coverings(neighbours: Neighbours, most: int) -> list[int]:
    """For 1, 2, … cells, the fewest that they and their neighbours are, over all sets of cells.

    Sets that fall apart so far that they share no neighbour need what their parts need.
    """
    sets = {frozenset([(0, 0)])}
    least = [0]
    for size in range(1, most + 1):
        together = min(covering(cells, neighbours) for cells in sets)
        apart = [least[a] + least[size - a] for a in range(1, size)]
        least.append(min([together, *apart]))
        near = {
            cells: {far for cell in cells for side in neighbours(cell) for far in (side, *neighbours(side))} for cells in sets
        }
        sets = {cells | {cell} for cells, more in near.items() for cell in more - cells}
    return least[1:]


@pytest.mark.parametrize("grid", GRIDS)
def test_formulas_against_every_set_of_few_cells(grid: tuple[Shape, int]) -> None:
    neighbours, most = GRIDS[grid]
    formula = least_closed_neighbourhood(*grid)
    assert formula is not None
    assert [formula(size) for size in range(1, most + 1)] == least_coverings(neighbours, most)


@pytest.mark.parametrize("grid", GRIDS)
def test_formulas_are_reached_by_growing_sets(grid: tuple[Shape, int]) -> None:
    """Sets that grow round by round: never fewer than the formula says, and as few at the end of each round."""
    neighbours, _ = GRIDS[grid]
    formula = least_closed_neighbourhood(*grid)
    assert formula is not None
    cells = frozenset([(0, 0)])
    for _ in range(5):
        assert covering(cells, neighbours) == formula(len(cells))
        rim = sorted({side for cell in cells for side in neighbours(cell)} - cells)
        assert all(covering(cells | {*rim[:few]}, neighbours) >= formula(len(cells) + few) for few in range(len(rim)))
        cells |= {*rim}


@pytest.mark.parametrize(("one", "other"), [*combinations_with_replacement(range(1, 60, 7), 2)])
def test_sets_apart_need_no_less(one: int, other: int) -> None:
    for grid in GRIDS:
        formula = least_closed_neighbourhood(*grid)
        assert formula is not None and formula(one) + formula(other) >= formula(one + other)


def test_most_inside() -> None:
    assert [max_interior(Shape.SQUARE, 4, covered) for covered in (0, 4, 5, 7, 8, 10, 12, 13, 55)] == [
        0,
        0,
        1,
        1,
        2,
        3,
        4,
        5,
        36,
    ]
    assert max_interior(Shape.GRAPH, 3, 7) == 7


CHANGES = {
    "as it ships": "",
    "corners too": "change explored:\n    replace value: occupied(c) and every n in nearby(c): occupied(n)",
    "three sides": "change explored:\n    replace value: occupied(c) and (count n in around(c) where occupied(n)) >= 3",
    "a tile is enough": "change explored:\n    replace value: occupied(c)",
    "tokens too": "score thrift: sum tokens of p for p in players",
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", CHANGES)
def test_the_bound_is_never_too_low(name: str, seed: int) -> None:
    rng = random.Random(seed)
    text, _ = random_puzzle(rng, 1, 2)
    game = linked(variant(CHANGES[name])) if CHANGES[name] else shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    values = tuple(score.value for score in game.scores)
    problem = Problem(engine, state, Question(Goal.MAXIMISE, values))
    assert problem.board_sums is not None
    bound, whole = isoperimetric_bound(problem.reachable, problem.board_sums), problem.bound
    assert bound is not None and whole is not None
    while not engine.over(state):
        best = enumerate_all(engine, state, engine.score)
        assert bound.bound(state) >= best and whole.bound(state) >= best
        state = engine.apply(state, rng.choice(engine.legal(state)))


def test_no_bound_where_cells_are_told_apart() -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(random_puzzle(random.Random(1), 1, 2)[0], game)
    for text in (
        "sum column(c) for c in sea where explored(c)",
        "count c in sea where occupied(c) and some p in players: distance(c, ship of p) < 2",
    ):
        value = resolve_question(game, parse_expression(text, "here"))
        problem = Problem(engine, state, Question(Goal.MAXIMISE, (value,)))
        assert problem.board_sums is not None
        assert isoperimetric_bound(problem.reachable, problem.board_sums) is None
