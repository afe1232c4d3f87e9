"""The tree of looks, the rules' statements on how things are drawn, and the words they use."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Located


class Colour(Enum):
    """A colour by name. The last ones are materials."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    SKY = "sky"
    PINK = "pink"
    PURPLE = "purple"
    BROWN = "brown"
    GREY = "grey"
    WHITE = "white"
    BLACK = "black"
    WATER = "water"
    SAND = "sand"
    GRASS = "grass"
    STONE = "stone"
    WOOD = "wood"
    NIGHT = "night"


class Drawing(Enum):
    """A small drawing by name, which stands on a cell."""

    DISC = "disc"
    RING = "ring"
    DOT = "dot"
    SQUARE = "square"
    BLOCK = "block"
    TRIANGLE = "triangle"
    DIAMOND = "diamond"
    HEXAGON = "hexagon"
    STAR = "star"
    CROSS = "cross"
    PLUS = "plus"
    HOUSE = "house"
    TOWER = "tower"
    FLOAT = "float"
    SHIP = "ship"
    BOAT = "boat"
    PIER = "pier"
    MILL = "mill"
    WAVE = "wave"
    TREE = "tree"
    PAWN = "pawn"
    CROWN = "crown"
    FLAG = "flag"
    ARROW = "arrow"
    TURN = "turn"
    TURN_BACK = "turn_back"
    LAMP = "lamp"
    CLOUD = "cloud"
    FISH = "fish"
    TENTACLES = "tentacles"
    BUCKET = "bucket"
    ANCHOR = "anchor"
    CRATE = "crate"
    IGLOO = "igloo"
    KNIGHT = "knight"
    BISHOP = "bishop"


class RegionStyle(Enum):
    """How a terrain is drawn on a tile: along its sides as a rounded coast, or as strips. A tile joins equal terrain of its
    neighbours."""

    COAST = "coast"
    STRIP = "strip"
    JOINED = "joined"


class SpaceStyle(Enum):
    """How the cells of a space are drawn: in two alternating shades, or as cubes seen from the south-west."""

    CHEQUERED = "chequered"
    ISOMETRIC = "isometric"


class SpaceSize(Enum):
    """The size of a space's cells relative to those of the others."""

    SMALL = "small"
    LARGE = "large"


@frozen
class Appearance(Located):
    """How a thing is drawn; None and "" mean the default. An outline is path data, a glyph a short text."""

    colour: Colour | None = None
    drawing: Drawing | None = None
    outline: str = ""
    glyph: str = ""
    region: RegionStyle | None = None
    space: SpaceStyle | None = None
    size: SpaceSize | None = None

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
            span=other.span,
        )

    @property
    def draws(self) -> bool:
        """Whether it sets a drawing, not only a colour."""
        return self.drawing is not None or bool(self.outline or self.glyph)


@frozen
class Look(Located):
    """`look mill: mill, red`, `look player 1: blue`: how everything of that name is drawn. Looks have no effect on play."""

    name: str
    appearance: Appearance


@frozen
class Restyle(Located):
    """`change look mill: blue`"""

    appearance: Appearance
