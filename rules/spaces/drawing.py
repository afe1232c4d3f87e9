"""Windows drawn as text, in the form in which puzzles draw boards, with a given text for each cell.

Square grids are rows from north to south; hex grids likewise, with odd rows indented by half a cell; cube grids have one
drawing for each level. Rings and graphs are lists of `name: text`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_letters

from rulewright.grammar.tree.modules import Shape

from .window import Extent, Window

# Names of the cells of a grid -----------------------------------------------------------------------------------------
# Names of the cells of a grid, as players write them: a letter for the column and a number for the row, as in `e4`.


_NAME = re.compile(r"([A-Za-z])([0-9]{1,4})")

LEFT_OUT = "iI"
"""The letter that players of Go leave out, since it looks like a one."""


def cell_names(window: Window, first: str, last: str) -> tuple[str, ...]:
    """The names from that of the north-western cell to that of the south-eastern one.

    Where the letters are one more than the columns, `i` is left out. Raises `ValueError` if the names do not fit the grid.
    """
    if window.shape not in (Shape.SQUARE, Shape.HEX) or window.unbounded or min(map(min, window.coordinates)) < 0:
        raise ValueError("only the cells of a square or hex grid with columns and rows have such names")
    corners = _NAME.fullmatch(first), _NAME.fullmatch(last)
    width, height = sum(row == 0 for _, row in window.coordinates), window.coordinates[-1][1] + 1
    if corners[0] is None or corners[1] is None:
        raise ValueError(f"the names of cells are a letter and a number, as in `a{height}..{chr(ord('a') + width - 1)}1`")
    (west, north), (east, south) = corners[0].groups(), corners[1].groups()
    letters = ascii_letters[ascii_letters.index(west) : ascii_letters.index(east) + 1]
    if len(letters) == width + 1:
        letters = "".join(letter for letter in letters if letter not in LEFT_OUT)
    step = 1 if int(south) >= int(north) else -1
    numbers = range(int(north), int(south) + step, step)
    if (len(letters), len(numbers)) != (width, height):
        message = f"`{first}..{last}` names {len(letters)} columns and {len(numbers)} rows"
        raise ValueError(f"{message}, but the space has {width} columns and {height} rows")
    return tuple(f"{letter}{number}" for number in numbers for letter in letters)


def known_cells(space: str, window: Window) -> str:
    """What a message says of the cells that exist; empty if the cells of a grid have no names."""
    return f"the cells of `{space}` are `{window.names[0]}` to `{window.names[-1]}`" if is_named_grid(window) else ""


def is_cell_name(text: str) -> bool:
    """Whether a word looks like the name of a cell of a grid."""
    return _NAME.fullmatch(text) is not None


def is_named_grid(window: Window) -> bool:
    """Whether the cells of a grid have names."""
    return bool(window.names) and window.shape is not Shape.GRAPH


def letter_of(name: str) -> str:
    """The part of a cell's name that all of its column share."""
    return name.rstrip("0123456789")


def number_of(name: str) -> str:
    """The part of a cell's name that all of its row share."""
    return name[len(letter_of(name)) :]


# Windows drawn as text ------------------------------------------------------------------------------------------------


GAP = 2
"""In characters: spaces between the widest cells of a row."""


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
