"""Cubes: what is behind is drawn first, what is hidden is not drawn."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.grammar.from_text import parse_module
from rulewright.pictures.boards.cell_shapes import Point
from rulewright.pictures.placing.boards import middles_of
from rulewright.pictures.placing.panel import placed
from rulewright.pictures.placing.placement import Placement, Reader
from rulewright.pictures.scene import Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer

BLOCKS = """module blocks:
    "Blocks."

look yard: isometric

space yard: cube grid 3 x 3 x 3 of tiles

tiles blocks:
    block  x9

flow:
    turn:
        choose stop
"""

ENGINE = Engine.of(link({"blocks": parse_module(BLOCKS, "blocks.rules")}, ("blocks",)), 1)
WINDOW = ENGINE.instance.windows["yard"]


def stage() -> Stage:
    return stage_of(Scene(ENGINE, Viewer(), "blocks"))


def at(column: int, row: int, level: int) -> int:
    return WINDOW.cell((column, row, level))


def middles() -> Mapping[int, Point]:
    cells = range(WINDOW.size)
    return middles_of(stage().boards[0], cells, {*cells})[0]


def faces(*solid: int) -> Mapping[int, int]:
    """How many faces each cube shows."""
    state = list(ENGINE.start(1))
    state[ENGINE.layout.columns["yard"].start] = bytes(cell in solid for cell in range(WINDOW.size + 1))
    (board,) = placed(stage(), Reader(ENGINE, tuple(state))).boards
    cells: dict[str, Placement] = {part.title: part for part in board.parts[0].parts}
    return {cell: len(cells[f"({','.join(map(str, WINDOW.coordinates[cell]))}) block"].parts) for cell in solid}


def test_what_is_behind_or_below_is_drawn_first():
    place = {cell: number for number, cell in enumerate(middles())}
    for cell, (column, row, level) in enumerate(WINDOW.coordinates):
        before = [(column + 1, row, level), (column, row - 1, level), (column, row, level - 1)]
        for spot in before:
            other = WINDOW.cell(spot)
            assert other == WINDOW.nowhere or place[other] < place[cell]


def test_one_step_of_each_direction_goes_its_own_way():
    found = middles()
    (x, y), east, south, up = (found[at(*spot)] for spot in ((0, 1, 0), (1, 1, 0), (0, 2, 0), (0, 1, 1)))
    assert east[0] > x and east[1] < y
    assert south[0] > x and south[1] > y
    assert up[0] == x and up[1] < y


def test_faces_behind_other_cubes_are_left_out():
    assert faces(at(1, 1, 0)) == {at(1, 1, 0): 3}
    found = faces(at(1, 1, 0), at(1, 2, 0), at(1, 1, 1))  # one to the south, one above
    assert found == {at(1, 1, 0): 1, at(1, 2, 0): 3, at(1, 1, 1): 3}
