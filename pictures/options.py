"""What may be chosen about a picture."""

from __future__ import annotations

from rulewright.base.records import frozen


@frozen
class PictureOptions:
    """`cell` is the width of a cell in pixels; `coordinates` are the numbers of columns and rows.

    With `things`, cells and tiles can be focused, and have names that a page tells more of.
    """

    cell: float = 56.0
    dark: bool = False
    coordinates: bool = True
    things: bool = False


DEFAULT_OPTIONS = PictureOptions()
