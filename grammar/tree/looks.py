"""The tree of looks, the rules' statements on how things are drawn, and the words they use."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.rows import Row
from rulewright.base.spans import Located, Named
from rulewright.base.styled_text import Style


class Colour(Row):
    """A colour by name, as `#rrggbb` on light and on dark paper, and the nearest style of a terminal.

    The last ones are materials.
    """

    RED = "red", "#d55e00", "#e8743b", Style.RED
    ORANGE = "orange", "#e69f00", "#e8ab2e", Style.YELLOW
    YELLOW = "yellow", "#f0e442", "#e3d84a", Style.YELLOW
    GREEN = "green", "#009e73", "#2fb58e", Style.GREEN
    BLUE = "blue", "#0072b2", "#3d94cc", Style.BLUE
    SKY = "sky", "#56b4e9", "#63b8e6", Style.CYAN
    PINK = "pink", "#cc79a7", "#d48ab3", Style.MAGENTA
    PURPLE = "purple", "#7b5ea7", "#a188cc", Style.MAGENTA
    BROWN = "brown", "#8c5a2b", "#b07d4b", Style.YELLOW
    GREY = "grey", "#8a8f98", "#8f959e", Style.FAINT
    WHITE = "white", "#ffffff", "#eceff4", Style.STRONG
    BLACK = "black", "#1f2329", "#0b0d10", Style.STRONG
    WATER = "water", "#a9d3ec", "#23506b", Style.BLUE
    SAND = "sand", "#e8d5a3", "#8f7a48", Style.YELLOW
    GRASS = "grass", "#8dbb6a", "#4f7a3a", Style.GREEN
    STONE = "stone", "#a6a29a", "#6b6861", Style.FAINT
    WOOD = "wood", "#b98a57", "#7d5a35", Style.YELLOW
    NIGHT = "night", "#37415c", "#1c2233", Style.BLUE

    light: str
    dark: str
    style: Style


class Drawing(Row):
    """A small drawing by name, which stands on a cell, and the nearest character, one column wide."""

    DISC = "disc", "●"
    RING = "ring", "○"
    DOT = "dot", "•"
    SQUARE = "square", "■"
    BLOCK = "block", "▉"
    TRIANGLE = "triangle", "▲"
    DIAMOND = "diamond", "◆"
    HEXAGON = "hexagon", "⬢"
    STAR = "star", "★"
    CROSS = "cross", "✖"
    PLUS = "plus", "✚"
    HOUSE = "house", "⌂"
    TOWER = "tower", "♜"
    FLOAT = "float", "⍙"
    SHIP = "ship", "◭"
    BOAT = "boat", "◒"
    PIER = "pier", "╥"
    MILL = "mill", "✣"
    WAVE = "wave", "≈"
    TREE = "tree", "♣"
    PAWN = "pawn", "♟"
    CROWN = "crown", "♛"
    FLAG = "flag", "⚑"
    ARROW = "arrow", "↑"
    TURN = "turn", "↻"
    TURN_BACK = "turn_back", "↺"
    LAMP = "lamp", "☼"
    CLOUD = "cloud", "☁"
    FISH = "fish", "∝"
    TENTACLES = "tentacles", "ξ"
    BUCKET = "bucket", "◡"
    ANCHOR = "anchor", "⍏"
    CRATE = "crate", "▣"
    IGLOO = "igloo", "∩"
    KNIGHT = "knight", "♞"
    BISHOP = "bishop", "♝"
    KING = "king", "♚"
    ROOK = "rook", "♖"
    DIE = "die", "⚄"

    glyph: str


class RegionStyle(Enum):
    """How a terrain is drawn on a tile: along its sides as a rounded coast, or as strips. A tile joins equal terrain of its
    neighbours."""

    COAST = "coast"
    STRIP = "strip"
    JOINED = "joined"


class SpaceStyle(Enum):
    """How the cells of a space are drawn: in two alternating shades, as cubes seen from the south-west, as the crossings of
    lines, with a heavy line before every third column and row, or with one round the whole."""

    CHEQUERED = "chequered"
    ISOMETRIC = "isometric"
    POINTS = "points"
    THIRDS = "thirds"
    FRAMED = "framed"


class SpaceSize(Enum):
    """The size of a space's cells relative to those of the others."""

    SMALL = "small"
    LARGE = "large"


class Showing(Enum):
    """Whether pictures show a value of the state; a variant can show again what is hidden."""

    HIDDEN = "hidden"
    SHOWN = "shown"


class Standing(Enum):
    """Where a thing is drawn: an exit at the outer side of its cell, as a gap in the frame; a zone below the boards, or as a
    stack of which the top is seen; tiles in a zone as cards; numbers of cells as buildings seen from above; a number
    as a marker on a track."""

    EXIT = "exit"
    BELOW = "below"
    STACK = "stack"
    CARD = "card"
    STOREYS = "storeys"
    TRACK = "track"


@frozen
class Appearance(Located):
    """How a thing is drawn; None and "" mean the default. An outline is path data, a glyph a short text, a label the words for
    it where pictures name it, `around` the space round which a ring lies."""

    colour: Colour | None = None
    drawing: Drawing | None = None
    outline: str = ""
    glyph: str = ""
    region: RegionStyle | None = None
    space: SpaceStyle | None = None
    size: SpaceSize | None = None
    label: str = ""
    showing: Showing | None = None
    standing: Standing | None = None
    around: str = ""

    def restyled(self, other: Appearance) -> Appearance:
        """This appearance, overridden by whatever the other one sets."""
        figure = other if other.draws else self
        return Appearance(
            other.colour or self.colour,
            figure.drawing,
            figure.outline,
            figure.glyph,
            other.region or self.region,
            other.space or self.space,
            other.size or self.size,
            other.label or self.label,
            other.showing or self.showing,
            other.standing or self.standing,
            other.around or self.around,
            span=other.span,
        )

    @property
    def draws(self) -> bool:
        """Whether it sets a drawing, not only a colour."""
        return self.drawing is not None or self.standing is Standing.EXIT or bool(self.outline or self.glyph)


@frozen
class Look(Named):
    """`look mill: mill, red`, `look player 1: blue`: how everything of that name is drawn. Looks have no effect on play."""

    appearance: Appearance


@frozen
class Restyle(Located):
    """`change look mill: blue`"""

    appearance: Appearance
