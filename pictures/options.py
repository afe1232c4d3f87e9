"""Options of pictures."""

from __future__ import annotations

from rulewright.base.records import frozen

from .palette import DARK, LIGHT, Palette


@frozen
class PictureOptions:
    """`cell` is the width of a cell in pixels; `coordinates` are the numbers of columns and rows.

    A picture that is neither `dark` nor not (None) is light, and dark where the reader's system is. With `things`, cells and
    tiles can be focused, and have names by which a page refers to them.
    """

    cell: float = 56.0
    dark: bool | None = False
    coordinates: bool = True
    things: bool = False

    @property
    def palette(self) -> Palette:
        return DARK if self.dark else LIGHT

    @property
    def palettes(self) -> tuple[Palette, ...]:
        return (LIGHT, DARK) if self.dark is None else (self.palette,)


DEFAULT_OPTIONS = PictureOptions()
