"""Names of the cells of a grid, as players write them: a letter for the column and a number for the row, as in `e4`."""

from __future__ import annotations

import re
from string import ascii_letters

from rulewright.grammar.tree.modules import Shape

from .window import Window

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
    width, height = (size + 1 for size in window.coordinates[-1])
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
