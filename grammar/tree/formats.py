"""The tree of formats: how other programs write positions of a game."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.base.spans import Located


@frozen
class Thing(Located):
    """`wall`, `pusher of 1`: what a character shows on a cell; `player` is 0 unless it is a player's."""

    name: str
    player: int = 0


@frozen
class Glyph(Located):
    """`glyph "*": crate, goal`, `glyph " ", "-": none`: characters that show the same things. The first of them is written."""

    texts: tuple[str, ...]
    things: tuple[Thing, ...]


@frozen
class Letters(Located):
    """`letters "BCD": fleet`: each of these characters shows a tile of the set that no other character shows."""

    text: str
    tiles: str


@frozen
class Choice(Located):
    """`"K" e1 h1`, `"K" (4,7) (7,7)`: a word of a field, and the cells for which it says yes."""

    text: str
    cells: tuple[tuple[int, int] | str, ...] = ()


@frozen
class Field(Located):
    """`field turn: "w", "b"`, `field passed`, `field "0"`: a word after the board. Without a name it says nothing."""

    name: str
    choices: tuple[Choice, ...]


@frozen
class Format(Located):
    """`format xsb of board:`, with its lines; `drawing` is the space or variable that the rows show.

    Rows are lines, or stand on one line with `between` between them. With `runs`, digits count empty cells.
    """

    name: str
    drawing: str
    text: str = ""
    between: str | None = None
    runs: bool = False
    glyphs: tuple[Glyph, ...] = ()
    letters: Letters | None = None
    fields: tuple[Field, ...] = ()
