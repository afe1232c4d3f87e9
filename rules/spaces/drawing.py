"""Windows drawn as text, in the form in which puzzles draw boards, with a given text for each cell.

Square grids are rows from north to south; hex grids likewise, with odd rows indented by half a cell; cube grids have one
drawing for each level. Rings and graphs are lists of `name: text`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.grammar.tree.modules import Shape

from .window import Extent, Window

GAP = 2
"""Spaces between the widest cells of a row."""


def draw_rows(window: Window, texts: Mapping[int, str], bounds: Extent | None = None, vacant: str = ".") -> list[str]:
    """The lines of a drawing of `window` with the `texts` of its cells; cells without text are `vacant`.

    It covers `bounds`; by default a bounded window is drawn whole, and an unbounded one is cropped to the cells with text.
    Coordinates in that box without a cell (the corners around a hexagon) are blank.
    """
    box = bounds or bounding_box(window, texts)
    if box is None:
        return []
    if window.shape in (Shape.RING, Shape.GRAPH):
        (low,), (high,) = box.low, box.high
        names = window.names or tuple(str(position) for position in range(window.size))
        return [f"{names[cell]}: {texts.get(cell, vacant)}" for cell in range(max(low, 0), min(high + 1, window.size))]
    if window.shape is Shape.CUBE:
        lines: list[str] = []
        for level in range(box.low[2], box.high[2] + 1):
            lines += [f"level {level}:", *draw_level(window, texts, box, vacant, (level,))]
        return lines
    return draw_level(window, texts, box, vacant)


def draw_level(
    window: Window, texts: Mapping[int, str], box: Extent, vacant: str = ".", level: tuple[int, ...] = ()
) -> list[str]:
    """The rows of a square or hex window, or of one `level` (level,) of a cube window, inside `box`."""
    pitch = max(map(len, [vacant, *texts.values()])) + GAP
    indent = 0
    if window.shape is Shape.HEX:
        pitch += pitch % 2
        indent = pitch // 2
    lines = []
    for row in range(box.low[1], box.high[1] + 1):
        cells = (window.cell((column, row, *level)) for column in range(box.low[0], box.high[0] + 1))
        drawn = ("" if cell == window.nowhere else texts.get(cell, vacant) for cell in cells)
        lines.append((" " * (indent * (row & 1)) + "".join(text.ljust(pitch) for text in drawn)).rstrip())
    return lines


def bounding_box(window: Window, texts: Mapping[int, str]) -> Extent | None:
    """The least box around a bounded window, or around the cells with text of an unbounded one; None if there are none."""
    if window.unbounded:
        shown = [window.coordinates[cell] for cell in texts if cell != window.nowhere]
    else:
        shown = list(window.coordinates)
    if not shown:
        return None
    axes = list(zip(*shown, strict=True))
    return Extent(tuple(map(min, axes)), tuple(map(max, axes)))
