"""The types of values in the language."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen


@frozen
class Truth:
    """Yes (1) or no (0)."""


@frozen
class Number:
    """A whole number."""


@frozen
class Enumeration:
    """A named list of names; values count from 0. Terrains and markers are enumerations."""

    name: str


TERRAIN = Enumeration("terrain")
"""The only enumeration that may have no value: `side` of no tile is -1."""


@frozen
class Player:
    """A player; values count from 1."""


@frozen
class Tile:
    """A kind of tile; values count from 1, and 0 is no tile."""


@frozen
class Cell:
    """A cell of a space; the number of cells is `nowhere`."""

    space: str


@frozen
class Direction:
    """A direction of a space; -1 is none."""

    space: str


@frozen
class Region:
    """A region of the tile on a cell of a space: `cell * most + number` of the region on the tile; none comes after the
    last."""

    space: str


@frozen
class Place:
    """A place of a pattern; values count from 0, and none comes after the last."""

    pattern: str


@frozen
class Pair:
    """A pair of elements that index a variable; values count from 0, the second varying faster. None comes after the last."""

    first: Type
    second: Type


@frozen
class SetOf:
    """A finite set, or the contents of a zone with repetitions, in a fixed order."""

    element: Type


Type = Truth | Number | Enumeration | Player | Tile | Cell | Direction | Region | Place | Pair | SetOf


def describe(type: Type) -> str:
    """The name of a type in messages."""
    match type:
        case Truth():
            return "a truth value"
        case Number():
            return "a number"
        case Enumeration(name):
            return f"a {name}"
        case Player():
            return "a player"
        case Tile():
            return "a tile"
        case Cell(space):
            return f"a cell of {space}" if space else "a cell"
        case Direction(space):
            return f"a direction of {space}" if space else "a direction"
        case Region(space):
            return f"a region of {space}"
        case Place(pattern):
            return f"a place of {pattern}"
        case Pair(first, second):
            return f"{describe(first)} and {describe(second)}"
        case SetOf(element):
            kind, _, rest = describe(element).removeprefix("a ").partition(" of ")
            return f"a set of {kind}s" + (f" of {rest}" if rest else "")


class SetOperator(Enum):
    """Multiplicity and order are those of the first set; `EITHER` appends the elements that only the second has."""

    BOTH = "and"
    EITHER = "or"
    WITHOUT = "-"
