"""The subject of pictures, their options, and the names of things in them to which a page refers."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import field, frozen
from rulewright.rules.model import types
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import Viewer

from .look import DARK, LIGHT, Palette

# Options of pictures --------------------------------------------------------------------------------------------------


@frozen
class PictureOptions:
    """`cell` is the width of a cell in pixels; `coordinates` are the numbers of columns and rows.

    A picture that is neither `dark` nor not (None) is light, and dark where the reader's system is. With `things`, cells and
    tiles can be focused, and have names by which a page refers to them; with `routes`, moves can be drawn as arrows.
    """

    cell: float = 56.0
    dark: bool | None = False
    coordinates: bool = True
    things: bool = False
    routes: bool = False
    board_only: bool = False

    @property
    def palette(self) -> Palette:
        return DARK if self.dark else LIGHT

    @property
    def palettes(self) -> tuple[Palette, ...]:
        return (LIGHT, DARK) if self.dark is None else (self.palette,)


DEFAULT_OPTIONS = PictureOptions()


# The subject of pictures ----------------------------------------------------------------------------------------------


@frozen
class Scene:
    """The subject of a picture: a game, the viewer, a title, and options. `others` are states whose pictures share its frame.

    `marked` gives things, by name, short labels, which the lines of the `caption` explain.
    """

    engine: Engine
    viewer: Viewer
    title: str
    options: PictureOptions = DEFAULT_OPTIONS
    others: tuple[State, ...] = ()
    marked: Mapping[str, str] = field(factory=dict)
    caption: tuple[str, ...] = ()


# Names of the things in a picture to which a page refers --------------------------------------------------------------


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
