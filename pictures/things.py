"""Names of the things in a picture to which a page refers."""

from __future__ import annotations

from rulewright.rules.model import types

TILE = "tile"
"""A word that cannot name a space."""


def thing_name(type: types.Cell | types.Tile, value: int) -> str:
    """The name of a cell, `sea 12`, or of a kind of tile, `tile 3`."""
    match type:
        case types.Cell(space):
            return f"{space} {value}"
        case types.Tile():
            return f"{TILE} {value}"


def thing_of(name: str) -> tuple[types.Cell | types.Tile, int]:
    """The thing that has a name."""
    word, _, value = name.rpartition(" ")
    return types.Tile() if word == TILE else types.Cell(word), int(value)
